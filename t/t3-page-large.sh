# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The page of er_print -report with very many functions or threads, in a browser.
. "$RP_SRC/t/lib.sh"
need python3
set_browser

# shellcheck source=t/bench/page.sh
. "$RP_SRC/t/bench/page.sh"

test_expect_success BROWSER 'a page of 101,000 functions: table, search, zoom' '
	page_functions functions.er && er_print -report functions.html functions.er &&
	"$RP_SRC/t/page-large" functions.html functions.er
'

test_expect_success BROWSER 'a page of 2,000 threads: table, lanes, one thread alone' '
	page_threads threads.er && er_print -report threads.html threads.er &&
	"$RP_SRC/t/page-large" threads.html threads.er
'

test_done
