# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Only for a terminal: colours and a pager.
. "$RP_SRC/t/lib.sh"
PATH=$RP_BUILD/t/bench:$PATH
need gcc nm readelf python3
set_terminal

printf 'main;f 1000\nmain;g 500\n' | mkexp a.er
printf 'main;f 1300\nmain;g 200\n' | mkexp b.er

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
' "$@" </dev/null >raw
	status=$?
	tr -d '\r' <raw >shown && return $status
}

TERM=xterm
export TERM
bold=$(printf '\033\\[1m')
red=$(printf '\033\\[31m')
green=$(printf '\033\\[32m')
escape=$(printf '\033')

test_expect_success TERMINAL 'headings are bold, worse rows are red, better ones green' '
	on_terminal er_print --no-pager -compare delta a.er b.er &&
	test_grep "^${bold}Base" shown &&
	test_grep "^$red.* f$escape" shown && test_grep "^$green.* g$escape" shown
'

test_expect_success TERMINAL 'hot lines of source are red' '
	printf "int f(void)\n{\n\treturn 1;\n}\nint main(void)\n{\n\treturn f();\n}\n" >hot.c &&
	gcc -g -O0 -Wl,--build-id -o hot hot.c && touch -d 2025-01-01 hot hot.c &&
	start=$(nm hot | sed -n "s/ T f$//p") &&
	printf "%s\n" "module hot=$PWD/hot" running \
		"module hot#$(readelf -n hot | sed -n "s/ *Build ID: //p")" "hot!+0x$start 5" | mkexp hot.er &&
	on_terminal er_print --no-pager -source f hot.er &&
	test_grep "^${red}##.* 2   {$escape" shown && test_grep "^  .*return f();$" shown
'

test_expect_success TERMINAL 'not in a file, not with NO_COLOR, not on a dumb terminal' '
	er_print -compare delta a.er b.er >shown && test_no_grep "$escape" shown &&
	on_terminal env NO_COLOR=1 er_print --no-pager -compare delta a.er b.er &&
	test_grep " f$" shown && test_no_grep "$escape" shown &&
	on_terminal env TERM=dumb er_print -compare delta a.er b.er &&
	test_grep " f$" shown && test_no_grep "$escape" shown
'

test_expect_success TERMINAL 'a pager shows it all, whichever setting names it' '
	PAGER="sed s/^/paged:/" on_terminal er_print -functions -threads a.er &&
	test_grep "^paged:.* f$" shown && test_grep "^paged:.*a.out$" shown &&
	RINGPROF_PAGER="sed s/^/own:/" PAGER=false on_terminal er_print -functions a.er &&
	test_grep "^own:.* f$" shown
'

test_expect_success TERMINAL 'no pager: by option, by name, in a file' '
	PAGER="sed s/^/paged:/" on_terminal er_print --no-pager -functions a.er &&
	test_no_grep paged shown && test_grep " f$" shown &&
	PAGER=cat on_terminal er_print -functions a.er && test_grep " f$" shown &&
	PAGER= on_terminal er_print -functions a.er && test_grep " f$" shown &&
	PAGER="sed s/^/paged:/" er_print -functions a.er >shown && test_no_grep paged shown
'

test_expect_success TERMINAL 'a pager that is left early, or missing, is no failure' '
	PAGER="head -n 1" on_terminal er_print -functions -callers-callees a.er &&
	test 1 = "$(grep -c Functions shown)" &&
	PAGER=true on_terminal er_print -json -functions a.er &&
	PAGER="no-such-pager -x" on_terminal er_print -functions a.er &&
	test_grep "no-such-pager.*\(not found\|denied\)" shown && test_grep " f$" shown &&
	mkdir -p small && for tool in sh cat env sed; do
		ln -sf "$(command -v $tool)" small/
	done && er_print=$(command -v er_print) &&
	on_terminal env -u PAGER PATH="$PWD/small" "$er_print" -functions a.er &&
	test_grep " f$" shown && test_no_grep "not found" shown
'

# A view that waits in a file, which the pager cuts before it reads any of it.
test_expect_success TERMINAL 'a view that is lost while the pager runs is a failure' '
	gen_experiment many.er 20000 20000 && mkdir -p tmp && cat >cuts <<-\END &&
	#!/bin/sh
	for fd in /proc/$PPID/fd/*; do
		case $(readlink "$fd") in */er_print.*) : >"$fd" ;; esac
	done
	cat >page
	END
	chmod +x cuts && TMPDIR=$PWD/tmp PAGER="exec ./cuts" \
		test_expect_code 1 on_terminal er_print -json -calltree 0 many.er &&
	test_grep "er_print: error: .*/tmp: Input/output error" shown && test -s page
'

# at_width COLUMNS ARGUMENT…: what er_print shows on a terminal of that width.
at_width() {
	width=$1
	shift
	on_terminal env NO_COLOR=1 sh -c "stty cols $width && exec er_print --no-pager \"\$@\"" sh "$@"
}

# all_fit VIEW…: none has a line of more than 70 characters.
all_fit() {
	for view; do
		at_width 70 "$view" long.er && python3 -c '
import sys
text = open("shown", encoding="utf-8").read()
sys.exit(any(len(line) > 70 for line in text.split("\n")))
' || return 1
	done
}

long=std::vector_of_something_that_has_a_long_name::member_with_a_name_of_its_own
{
	echo "note warning a sentence of many words that a terminal of sixty columns cannot show in one line"
	echo "arg ./a.out"
	echo "$(seq -f "${long}_%g" -s ';' 1 30) 10"
	echo "main;$long 5"
	echo "main;short 5"
} | mkexp long.er

test_expect_success TERMINAL 'no line is wider than the terminal, and names keep their own name' '
	LC_ALL=C.UTF-8 && all_fit -functions -calltree -overview -header -callers-callees -threads -lines &&
	at_width 60 -functions long.er && test_grep " member_with_a_n….*its_own_30$" shown &&
	at_width 300 -functions long.er && test_grep " ${long}_30$" shown
'

{
	echo "$long 8"
	for state in wait disk sleep lock; do printf "%s\n" "state $state" "$long ${#state}"; done
} | mkexp waits.er
test_expect_success TERMINAL 'where figures leave no room for names, the smallest waits are left out, unless they were named' '
	for width in 80 100 120; do
		at_width $width -functions -calltree waits.er && python3 -c "
import sys
lines = open(\"shown\", encoding=\"utf-8\").read().split(\"\n\")
notes = [line for line in lines if \"for want of room\" in line]
assert all(len(line) <= $width for line in lines), lines
assert notes if $width < 120 else len(notes) < 2, lines" && test_grep "its_own" shown || return 1
	done &&
	at_width 80 -functions waits.er && test_grep "^(3 metrics of waits are omitted for want of room: metrics default shows them)$" shown &&
	test_grep "^Excl. Total   Incl. Total   Excl. Sleep  Incl. Sleep   Name$" shown &&
	at_width 80 -metrics default -functions waits.er && test_no_grep "for want of room" shown && test_grep "Excl. Disk.*Excl. User" shown &&
	test_grep " member_with_….*_own$" shown && at_width 80 -sort e.lock -functions waits.er && test_grep "Excl. User" shown &&
	er_print -functions waits.er >out && test_no_grep "for want of room" out
'

test_expect_success TERMINAL 'a terminal that says it has no columns has 80' '
	at_width 80 -functions -overview long.er && mv shown want && at_width 0 -functions -overview long.er &&
	test_cmp want shown && test_no_grep "${long}_30$" shown
'

test_expect_success TERMINAL 'source is shortened at the end, not in the middle' '
	{ cat hot.c && echo "/* a comment of many words, which sixty columns cannot show */"; } >longer.c &&
	mv longer.c hot.c && touch -d 2025-01-01 hot.c && at_width 60 -source f hot.er &&
	test_grep "/\* a comment of.*…$" shown
'

test_expect_success TERMINAL 'without UTF-8 three dots mark an omission' '
	LC_ALL=C at_width 60 -functions long.er && test_grep " member_with_a_[.][.][.].*its_own_30$" shown &&
	test_no_grep "…" shown && LC_ALL=C at_width 60 -source f hot.er &&
	test_grep "/\* a comment of.*[.][.][.]$" shown
'

test_expect_success TERMINAL 'deep trees are indented to half of a line, deeper nodes show their depth' '
	at_width 60 -calltree long.er && test_grep "^0.*   +-\[30\] memb…n_30$" shown &&
	at_width 300 -calltree long.er && test_no_grep "+-\[" shown
'

test_expect_success TERMINAL 'sentences continue below their beginning' '
	at_width 60 -overview long.er &&
	test_grep "^Warning:         a sentence of many words that a terminal of$" shown &&
	test_grep "^                 sixty columns cannot show in one line$" shown
'

test_done
