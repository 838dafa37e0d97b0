# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Several threads may look up stacks; what they find is what one finds.
. "$RP_SRC/t/lib.sh"
need_sampling

test_expect_success 'their number is from 1 to 64' '
	test_expect_code 2 collect --readers 0 true 2>err && grep "from 1 to 64" err &&
	test_expect_code 2 collect --readers 65 true 2>err &&
	test_expect_code 2 collect --readers some true 2>err
'

# The times of functions, which are known; stacks that begin at main; and what -v says.  A thread
# has its samples in order, and a round of a tenth of a second 1,000 of them.
recorded_by() {
	collect -v --readers "$1" -p 0.1 -O "r$1.er" burn one=200 two=400 recurse=200 >out 2>said &&
		cat said && er_print -json -functions -statistics "r$1.er" >"r$1.json" &&
		holds "r$1.json" 'spent(incl("one"), 0.2) and spent(incl("two"), 0.4)' &&
		holds "r$1.json" 'incl("main") > 0.95 * sampled'
}

test_expect_success 'one thread does all by itself' '
	recorded_by 1 && ! grep "looked up" said
'
test_expect_success 'several find the same, and -v tells how much they did' '
	recorded_by 3 && grep -E "^collect: (3 threads looked up the stacks of [0-9]* samples together, and found [0-9]*;|of 3 threads )" said
'
test_done
