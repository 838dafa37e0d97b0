# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The call tree: folded recursion, every call of it, and from the leaf.
. "$RP_SRC/t/lib.sh"

need python3

mkexp a.er <<-'END'
	event totalcpu ns 1000000000 0 1 Total CPU Time
	main;fib;fib;fib;work 5
	main;fib;work 3
	main;fib;fib;fib;fib;fib 7
	main;even;odd;even;odd;even;leaf 11
	main;even;odd;even;odd;even;odd;leaf 4
	main;run;fib;fib;help;fib;help;work 2
END

# tree WORDS...: only metric and tree
tree() {
	er_print -metrics a.totalcpu "$@" a.er | sed '1,5d; s/^ *//'
}

test_expect_success 'repeated calls are one row with the most of a stack' '
	tree -calltree 0 >got && cat >want <<-END && test_cmp want got &&
	32.000   +-<Total>
	32.000     +-main
	15.000        +-even x3
	15.000        |  +-odd x3, cycle of 2
	11.000        |     +-even
	11.000        |     |  +-leaf
	4.000        |     +-leaf
	15.000        +-fib x5
	8.000        |  +-work
	2.000        +-run
	2.000           +-fib x3
	2.000              +-help x2, cycle of 2
	2.000                 +-work
	END
	LC_ALL=C.UTF-8 er_print -calltree 0 a.er >got && test_grep "+-fib ×5$" got
'

test_expect_success 'recursion full shows every call' '
	tree -recursion full -calltree 30 >got && cat >want <<-END && test_cmp want got &&
	32.000   +-<Total>
	32.000     +-main
	15.000        +-even
	15.000        |  +-odd
	15.000        |     +-even
	15.000        |        +-odd
	15.000        |           +-even
	11.000        |              +-leaf
	15.000        +-fib
	12.000           +-fib
	12.000              +-fib
	(13 more nodes are omitted, whose own parts add up to 65.62 % of the total: calltree 0 shows all)
	END
	tree -recursion full -recursion folded -calltree 0 >got && test_grep "x5" got
'

test_expect_success 'calltree inverted begins with the leaf' '
	tree -calltree inverted 20 >got && cat >want <<-END && test_cmp want got &&
	32.000   +-<Total>
	15.000     +-leaf
	11.000     |  +-even
	11.000     |     +-odd x2
	11.000     |        +-even x2, cycle of 2
	11.000     |           +-main
	10.000     +-work
	8.000     |  +-fib x3
	8.000     |     +-main
	7.000     +-fib x5
	7.000        +-main
	(smaller nodes are omitted: calltree inverted 0 shows all)
	END
	tree -calltree -inverted 20 >got && test_cmp want got &&
	printf "metrics a.totalcpu\ncalltree -inverted 20\n" >script &&
	er_print -script script a.er | sed "1,5d; s/^ *//" >got && test_cmp want got &&
	tree -compare on -recursion full -calltree inverted 0 -compare off >/dev/null 2>err &&
	test_expect_code 2 er_print -calltree inverted 101 a.er 2>err && test_grep "least share" err
'

test_expect_success 'random trees are what their definition says' '
	"$RP_SRC/t/trees-agree" 1 4 60
'

test_expect_success '... and one of tens of thousands of nodes' '
	"$RP_SRC/t/trees-agree" 2 1 3000
'

test_expect_success 'the second computation sees mistakes' '
	for mistake in "s/PERIOD_MAX = 8/PERIOD_MAX = 7/" "s/a\[1\] + b\[1\], max/max(a[1], b[1]), max/" \
		"s/first_of if inverted/last_of if inverted/" "s/rows\[::-1\] if inverted/rows if inverted/" \
		"s/0.95 \* whole/0.5 * whole/" "s/2 \* tree.total/3 * tree.total/" \
		"s/max(self.frames\[path\], frames)/frames/" "s/self.own\[path\]\[metric\] += samples/self.own[path][metric] += 1/"; do
		sed "$mistake; s/^    assert.*//" "$RP_SRC/t/trees-agree" >broken &&
		! cmp -s broken "$RP_SRC/t/trees-agree" &&
		test_expect_code 1 python3 broken 1 4 60 >said && test_grep "^seed" said ||
			{ echo "$mistake" && return 1; }
	done
'

test_expect_success 'nodes with next to nothing have no share in the note' '
	printf "%s\n" "main;f 100000" "main;g 1" | mkexp tiny.er && er_print -calltree tiny.er >got &&
	test_grep "^(1 more node is omitted: calltree 0 shows all)$" got
'

test_done
