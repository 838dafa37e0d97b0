# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The harness itself: a check that cannot fail would make every other test worthless.
. "$RP_SRC/t/lib.sh"

# try BODY: a script with BODY under t/run; its report is left in ./report.
try() {
	rm -rf inner && mkdir -p inner/t || return
	cp "$RP_SRC/t/lib.sh" "$RP_SRC/t/run" "$RP_SRC/t/run-one" inner/t/ || return
	printf '. "$RP_SRC/t/lib.sh"\n%s\n' "$1" >inner/t/t0-inner.sh || return
	RP_SRC=$PWD/inner RP_BUILD=$PWD/inner RP_TIMEOUT=${2:-600} \
		sh inner/t/run t/t0-inner.sh >report 2>&1
}

last_line_is() {
	tail -n 1 report >got && echo "$1" >want && test_cmp want got
}

test_expect_success 'a check that holds passes' '
	try "test_expect_success a true; test_done" &&
	last_line_is "1 passed, 0 failed"
'

test_expect_success 'a failed check fails the run, and shows its output' '
	test_expect_code 1 try "test_expect_success a \"echo seen; false\"; test_done" &&
	test_grep "not ok 1 - a" report &&
	test_grep "#   seen" report &&
	last_line_is "0 passed, 1 failed"
'

test_expect_success 'what failed stands once more above the sum' '
	test_expect_code 1 try "test_expect_success a \"echo seen; false\"; test_done" &&
	sed "1,/^\$/d" report >again &&
	grep -c "^FAILED t0-inner" report >got && echo 2 >want && test_cmp want got &&
	test_grep "#   seen" again &&
	try "test_expect_success a true; test_done" &&
	! grep "^\$" report
'

test_expect_success 'a body that returns has a result' '
	test_expect_code 1 try "
		test_expect_success a \"for i in 1 2; do false || return 1; done\"
		test_expect_success b \"return 0; false\"
		test_done" &&
	test_grep "not ok 1 - a" report &&
	last_line_is "1 passed, 1 failed"
'

test_expect_success 'a body that ends with 77 is skipped, with its last line as the reason' '
	try "
		test_expect_success a true
		test_expect_success b \"echo no moon tonight; return 77\"
		test_done" &&
	test_grep "ok 2 - b # SKIP no moon tonight" inner/t/log/t0-inner.tap &&
	last_line_is "1 passed, 0 failed, 1 skipped"
'

test_expect_success 'later checks run after a failed one' '
	test_expect_code 1 try "
		test_expect_success a false
		test_expect_success b true
		test_done" &&
	last_line_is "1 passed, 1 failed"
'

test_expect_success 'a script that ends early is a failure' '
	test_expect_code 1 try "test_expect_success a true; exit 0" &&
	test_grep "no plan" report &&
	last_line_is "1 passed, 1 failed"
'

test_expect_success 'a script that never ends is a failure' '
	test_expect_code 1 try "sleep 30" 1 &&
	test_grep "not finished after 1 s" report &&
	last_line_is "0 passed, 1 failed"
'

test_expect_success 'a mistake in a script is status 99 and a failure' '
	test_expect_code 1 try "test_expect_success a" &&
	test_grep "status 99" report &&
	test_expect_code 1 try "test_expect_success NEVER_SET a true; test_done" &&
	test_grep "status 99" report
'

set_tools FLOCK flock
test_expect_success FLOCK 'a second run in the same folder is refused, and harms nothing' '
	try "test_expect_success a true; test_done" &&
	ls inner/t/log >before &&
	(flock 9 && RP_SRC=$PWD/inner RP_BUILD=$PWD/inner test_expect_code 99 \
		sh inner/t/run t/t0-inner.sh) 9>inner/t/.running 2>refused &&
	test_grep "tests run in .* already" refused && ls inner/t/log >after && test_cmp before after
'

test_expect_success 'a check without its prerequisite is skipped, with the reason' '
	try "
		test_set_prereq MOON \"no moon tonight\"
		test_set_prereq SUN
		test_expect_success MOON a false
		test_expect_success SUN b true
		test_done" &&
	test_grep "1 skipped: no moon tonight" report &&
	last_line_is "1 passed, 0 failed, 1 skipped"
'

test_expect_success 'a script without its program is skipped, with the reason' '
	try "need no-such-program-here; test_done" &&
	test_grep "1 skipped: no-such-program-here is not installed" report &&
	last_line_is "0 passed, 0 failed, 1 skipped"
'

test_expect_success 'test_expect_code and test_cmp can fail' '
	test_expect_code 3 sh -c "exit 3" &&
	! test_expect_code 3 true &&
	echo a >a && echo b >b && ! test_cmp a b &&
	! test_grep b a &&
	! test_no_grep a a
'

# A stopped thread sees what one does whose CPU a hypervisor took: its timer comes late.
test_expect_success 'time in which a CPU took no interrupt is counted as taken' '
	pid=$(holes $$ seen) && grep "^0$" seen &&
	until [ "$(cat seen)" -ge 25 ]; do
		kill -STOP "$pid" && sleep 0.3 && kill -CONT "$pid" && moment || return
	done
'

# Between two calls the kernel reports 30 and timers see 20; then it reports 5 and they see 40.
test_expect_success 'of what the kernel reports and what timers see, the larger counts' '
	(
		awk() { case $1 in "/^cpu /"*) cat steal ;; *) command awk "$@" ;; esac; }
		holes() { echo 7 >"$2"; }
		echo 1000 >steal && test "$(stolen)" = 0 &&
		echo 1030 >steal && echo 27 >.holes && test "$(stolen)" = 30 &&
		echo 1035 >steal && echo 67 >.holes && test "$(stolen)" = 70 && test "$(stolen)" = 70
	)
'

# As if of a check's time, 0.1 s or less on each CPU, so much were taken in it.
taken_in_a_check() {
	try "
		holes() { echo 0 >\"\$2\"; }
		watch_cpus
		test_expect_success a \"echo $1 >.holes; echo seen; $2\"
		test_expect_success b \"$2\"
		test_expect_success c true
		test_done"
}

test_expect_success 'what fails while the CPUs are taken is skipped, with what comes of it' '
	taken_in_a_check 1000 false && test_grep "2 skipped: failed while a hypervisor took [0-9]* % of the CPUs" report &&
	test_grep "#   seen" inner/t/log/t0-inner.tap && last_line_is "1 passed, 0 failed, 2 skipped" &&
	taken_in_a_check 1000 true && last_line_is "3 passed, 0 failed" &&
	test_expect_code 1 taken_in_a_check 0 false && last_line_is "1 passed, 2 failed" &&
	test_expect_code 1 taken_in_a_check 1 "sleep 0.2; false" && last_line_is "1 passed, 2 failed" &&
	try "
		holes() { echo 0 >\"\$2\"; }
		watch_cpus
		test_expect_success \"a recording\" \"echo 1000 >.holes\"
		test_expect_success \"what is in it\" false
		test_done" && last_line_is "1 passed, 0 failed, 1 skipped"
'

test_expect_success 'standard input is empty' '
	test -z "$(cat)"
'

test_done
