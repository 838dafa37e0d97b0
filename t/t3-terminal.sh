# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What a terminal gets that a file does not: colours and a pager.
. "$RP_SRC/t/lib.sh"
need python3

printf 'main;f 1000\nmain;g 500\n' | mkexp a.er
printf 'main;f 2000\nmain;g 100\n' | mkexp b.er

# on_terminal COMMAND…: what it writes to one; its status.
on_terminal() {
	python3 -c '
import os, pty, sys
chunks = []
def read(fd):
    data = os.read(fd, 65536)
    chunks.append(data)
    return data
status = pty.spawn(sys.argv[1:], read, lambda fd: b"")
sys.exit(os.waitstatus_to_exitcode(status))
' "$@" </dev/null | tr -d '\r' >shown
}

TERM=xterm
export TERM
bold=$(printf '\033\\[1m')
red=$(printf '\033\\[31m')
green=$(printf '\033\\[32m')
escape=$(printf '\033')

test_expect_success 'headings are bold, what became worse is red, what became better green' '
	on_terminal er_print --no-pager -compare delta a.er b.er &&
	test_grep "^${bold}Base" shown &&
	test_grep "^$red.* f$escape" shown && test_grep "^$green.* g$escape" shown
'

test_expect_success 'not in a file, not with NO_COLOR, not on a dumb terminal' '
	er_print -compare delta a.er b.er >shown && test_no_grep "$escape" shown &&
	on_terminal env NO_COLOR=1 er_print --no-pager -compare delta a.er b.er &&
	test_grep " f$" shown && test_no_grep "$escape" shown &&
	on_terminal env TERM=dumb er_print -compare delta a.er b.er &&
	test_grep " f$" shown && test_no_grep "$escape" shown
'

test_expect_success 'a pager shows it all, whoever says which' '
	PAGER="sed s/^/paged:/" on_terminal er_print -functions -threads a.er &&
	test_grep "^paged:.* f$" shown && test_grep "^paged:.*a.out$" shown &&
	RINGPROF_PAGER="sed s/^/own:/" PAGER=false on_terminal er_print -functions a.er &&
	test_grep "^own:.* f$" shown
'

test_expect_success 'no pager: by option, by name, in a file' '
	PAGER="sed s/^/paged:/" on_terminal er_print --no-pager -functions a.er &&
	test_no_grep paged shown && test_grep " f$" shown &&
	PAGER=cat on_terminal er_print -functions a.er && test_grep " f$" shown &&
	PAGER= on_terminal er_print -functions a.er && test_grep " f$" shown &&
	PAGER="sed s/^/paged:/" er_print -functions a.er >shown && test_no_grep paged shown
'

test_expect_success 'a pager that is left early, or is not there, is no failure' '
	PAGER="head -n 1" on_terminal er_print -functions -callers-callees a.er &&
	test 1 = "$(grep -c Functions shown)" &&
	PAGER=true on_terminal er_print -json -functions a.er
'

test_done
