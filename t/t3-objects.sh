# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Objects whose functions are one.
. "$RP_SRC/t/lib.sh"

mkexp a.er <<'END'
main;libc.so!qsort;libc.so!merge;compare 3
main;libc.so!qsort;libc.so!merge 2
main;/lib/libm.so!sin 4
libc.so!start 1
END

# tree ARGUMENT…: the call tree, names and counts alone.
tree() {
	er_print -metrics a.totalcpu "$@" -calltree 0 a.er | sed "1,5d; s/^ *//"
}

test_expect_success 'a hidden object is one function, once for its internal calls' '
	tree -object_hide libc.so >got &&
	cat >want <<-END &&
	0.010   +-<Total>
	0.009     +-main
	0.005     |  +-<libc.so>
	0.003     |  |  +-compare
	0.004     |  +-sin
	0.001     +-<libc.so>
	END
	test_cmp want got &&
	er_print -object_hide libc.so -functions a.er >got &&
	test_grep "0.003  30.00  0.006  60.00   <libc.so>" got &&
	test_no_grep qsort got
'

# Stacks drawn at random, and with calls within the API objects merged by this program instead.
drawn() {
	python3 - "$1" <<-'END'
	import random, sys
	random.seed(int(sys.argv[1]))
	api = ("lib.so", "[kernel]")
	whole, merged = open("whole.txt", "w"), open("merged.txt", "w")
	def object_of(frame):
	    return frame.split("!")[0] if "!" in frame else "a.out"
	for _ in range(60):
	    stack = []
	    for _ in range(random.randint(1, 9)):
	        stack.append(random.choice(("a.out!", "lib.so!", "lib.so!", "libx.so!", "[kernel]!")) + random.choice("fgh"))
	    kept = [f for i, f in enumerate(stack)
	            if not i or object_of(f) not in api or object_of(f) != object_of(stack[i - 1])]
	    count = random.randint(1, 5)
	    print(";".join(stack), count, file=whole)
	    print(";".join(kept), count, file=merged)
	END
	rm -rf whole.er merged.er && mkexp whole.er <whole.txt && mkexp merged.er <merged.txt
}

test_expect_success 'object_api: calls within an object belong to the function that entered it' '
	for seed in 1 2 3 4 5; do
		drawn $seed || return 1
		for view in functions callers-callees "calltree 0"; do
			er_print -printmode , -name long:soname -recursion full -object_api "lib.so,[kernel]" -$view whole.er >got &&
			er_print -printmode , -name long:soname -recursion full -$view merged.er >want &&
			test_cmp want got || return 1
		done
	done &&
	er_print -object_api lib.so -object_list whole.er >got && test_grep "^API *lib.so" got &&
	er_print -object_api all -objects_default -functions whole.er >got &&
	er_print -functions whole.er >want && test_cmp want got
'

test_expect_success 'shown again, selected, all' '
	tree >want &&
	tree -object_hide all -object_show all >got && test_cmp want got &&
	er_print -object_select a.out -functions a.er >got &&
	test_grep " main$" got && test_grep " <libm.so>$" got && test_grep " <libc.so>$" got &&
	er_print -object_hide /lib/libm.so,libc.so -object_list a.er >got &&
	test_grep "^hidden *libc.so" got && test_grep "^shown *a.out" got
'

test_expect_success 'filters still know the functions' '
	er_print -object_hide libc.so -filters "FNAME(\"merge\") SOME IN STACK" -functions a.er >got &&
	test_grep "0.002  40.00  0.005 100.00   <libc.so>" got
'

test_expect_success 'a missing object' '
	test_expect_code 1 er_print -object_hide libx.so -functions a.er 2>err &&
	test_grep "there is no object .libx.so." err
'

test_expect_success 'a function of a hidden object is not reported as missing' '
	test_expect_code 1 er_print -object_hide libc.so -fsingle merge a.er >got 2>err &&
	test_grep "no function .merge. among those shown; .*object_show all" err &&
	test_expect_code 1 er_print -fsingle merged_ a.er 2>err && test_grep "in the recording" err
'

test_done
