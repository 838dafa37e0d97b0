#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# er_print wakers.  Expected rows were computed by hand from this recording:
#
#	eater    0 to 10 s: pipe 1-2 (feeder), 3-5 (feeder), 6-6.5 (a timer), 7-7.25 (not known), wait 7.25-8
#	feeder   0 to 10 s: lock 2-2.5 (no thread of the recording), 4-4.25 (eater, whose stack is not known)
. "$RP_SRC/t/lib.sh"

# wait_of STATE END_NS NS WAKER STACK
wait_of() {
	printf '%s\n' "on $1" "time $2" "weight $3" "waker $4" "$5 1"
}

{
	cat <<-END
	event totalcpu ns 1000000000 0 1 Total CPU Time
	state wait
	state lock
	state pipe
	step 0
	thread 100 101 feeder
	life 0 10000000000
	wakes 1 main;feed;libc.so.6!write;[kernel]!try_to_wake_up
	wakes 2
	wakes 3
	thread 100 100 eater
	life 0 10000000000
	wakes 1 <unsampled>
	wakes 99
	END
	wait_of pipe 2000000000 1000000000 1 'main;eat;libc.so.6!read'
	wait_of pipe 5000000000 2000000000 1 'main;eat;libc.so.6!read'
	wait_of pipe 6500000000 500000000 3 'main;eat;libc.so.6!read'
	wait_of pipe 7250000000 250000000 0 'main;eat;libc.so.6!read'
	wait_of wait 8000000000 750000000 0 'main;eat'
	echo thread 100 101 feeder
	wait_of lock 2500000000 500000000 2 'main;take;libc.so.6!pthread_mutex_lock'
	wait_of lock 4250000000 250000000 4 'main;take;libc.so.6!pthread_mutex_lock'
} | mkexp w.er

# rows EXPERIMENT… -- [OPTION…]: sum in ms, waits, longest in ms, state, place, who, its kind, where.
rows() {
	er_print -json -wakers all "$@" >rows.json && python3 -c '
import json
ms = lambda ns: "-" if ns is None else "%g" % (ns / 1e6)
for r in json.load(open("rows.json"))["wakers"]:
    print(ms(r["total_ns"]), r["count"], ms(r["longest_ns"]), *(r[k] or "-" for k in
          ("state", "name", "waker", "waker_kind", "waker_function")))'
}

cat >want <<'END'
4500 6 - - <Total> - - -
250 1 - - <Waker not known> - - -
3000 2 2000 pipe eat feeder thread feed
500 1 500 lock take outside outside -
500 1 500 pipe eat timer timer -
250 1 250 lock take eater thread <Unsampled>
END
test_expect_success 'a row for each place and who ended it there' 'rows w.er >got && test_cmp want got'

# A waker of a later version's kind, and one that has no row: the recording lost it.
test_expect_success 'wakers of unknown kinds, and without a row, are not known' '
	printf "%s\n" "state lock" "life 0 9000000000" "step 0" "wakes 99" "wakes 3" "time 1000000000" "weight 500000000" \
		"waker 1" "main;f 1" "waker 7" "main;f 1" "waker 2" "main;f 1" | mkexp later.er &&
	rows later.er >got && grep "^1000 2 - - <Waker not known>" got && grep "^500 1 500 lock f timer timer -" got
'

test_expect_success 'filters choose waits' '
	er_print -filters "STATE==\"lock\"" -wakers all w.er >got && test_grep "take .*outside" got && test_no_grep "feeder" got
'

test_expect_success 'an experiment without wakers beside one that has some: a note says so' '
	printf "%s\n" "state lock" "life 0 9000000000" "step 0" "time 1000000000" "weight 500000000" "main;f 1" | mkexp none.er &&
	er_print -wakers all w.er none.er >got && test_grep "<Waker not known>: 1 of these waits are of experiments without" got &&
	er_print -wakers all w.er >got && test_no_grep "experiments without" got &&
	test_expect_code 1 er_print -wakers none.er 2>err && test_grep "collect -w wakers" err
'

test_expect_success 'a recording with wakers, but no wait that has one, is no other recording' '
	printf "%s\n" wakers "state wait" "life 0 9000000000" "step 0" "time 1000000000" "weight 500000000" "main;f 1" |
		mkexp cpu.er &&
	rows cpu.er >got && echo "0 0 - - <Total> - - -" | test_cmp - got &&
	printf "%s\n" wakers "state lock" "life 0 9000000000" "step 0" "time 1000000000" "weight 500000000" "main;f 1" |
		mkexp unknown.er &&
	rows unknown.er >got && printf "%s\n" "500 1 - - <Total> - - -" "500 1 - - <Waker not known> - - -" | test_cmp - got &&
	er_print -wakers all w.er unknown.er >got && test_no_grep "experiments without" got
'

test_expect_success 'no comparison; no other argument' '
	test_expect_code 1 er_print -compare on -wakers w.er w.er 2>err && test_grep "wakers cannot compare" err &&
	echo "wakers most" >script && ! er_print -script script w.er 2>err && test_grep "or .all., not .most." err
'

test_done
