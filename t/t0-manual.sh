# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The manual pages format without warnings in 80 columns.
. "$RP_SRC/t/lib.sh"

set_tools MAN man

for page in "$RP_SRC"/man/*.[1-8]; do
	test_expect_success MAN "$(basename "$page") formats without warnings" '
		MANWIDTH=80 man --warnings=w -E UTF-8 -l -Tutf8 "$page" 2>said >formatted &&
		test ! -s said || { cat said; false; }
	'
done

test_done
