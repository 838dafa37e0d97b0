# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Fragments of stacks: csingle, cprepend, cappend, crmfirst, crmlast; and fsummary.
. "$RP_SRC/t/lib.sh"

mkexp a.er <<'END'
event totalcpu ns 1000000000 0 1 Total CPU Time
main;a;b;c 4
main;a;b 2
main;a;c 1
main;b;c 3
main;a;b;a;b;d 5
END

test_expect_success 'cappend: callers of the first, callees of the last, the innermost counts' '
	er_print -outfile first -csingle a -outfile got -cappend b a.er &&
	cat >want <<-END &&
	Callers and callees sorted by metric: Attributed Total CPU Time

	Attr. Total   Name
	CPU
	 sec.     %

	Callers
	6.000 54.55   main
	5.000 45.45   b

	Stack Fragment
	              a
	2.000 18.18  *b

	Callees
	5.000 45.45   d
	4.000 36.36   c
	0.     0.     a
	END
	test_cmp want got
'

test_expect_success 'cprepend, crmfirst and crmlast lead to the same fragments' '
	er_print -outfile ab -csingle a -outfile ab -cappend b \
		-outfile ab2 -csingle b -outfile ab2 -cprepend a \
		-outfile x -cprepend main -outfile mab -cprepend main \
		-outfile x -crmfirst -outfile ab3 -crmfirst \
		-outfile x -cappend c -outfile ab4 -crmlast a.er &&
	test_cmp ab ab2 && test_cmp ab ab3 && test_cmp ab ab4 &&
	test_grep "no stack has this sequence" mab
'

test_expect_success 'a fragment of one function is csingle, and csingle starts a new one' '
	er_print -csingle b a.er >want &&
	er_print -outfile x -csingle a -cappend b -outfile got -crmfirst a.er &&
	test_cmp want got &&
	er_print -outfile x -cappend a -cappend b -outfile got -csingle b a.er &&
	test_cmp want got
'

test_expect_success 'impossible removals are refused' '
	test_expect_code 1 er_print -crmlast a.er 2>err && test_grep "csingle begins one" err &&
	test_expect_code 1 er_print -csingle a -crmfirst a.er 2>err >out &&
	test_grep "only one function" err &&
	test_expect_code 1 er_print -cappend nosuch a.er 2>err && test_grep "no function .nosuch." err
'

test_expect_success 'edges that a filter leaves empty are not shown' '
	er_print -filters "LEAF IN FNAME(\"d\")" -csingle b a.er >got &&
	test_grep " d$" got && test_no_grep " c$" got && test_no_grep "main$" got
'

test_expect_success 'fsummary: each function as a paragraph' '
	er_print -limit 1 -fsummary a.er >got &&
	cat >want <<-END &&
	Functions sorted by metric: Exclusive Total CPU Time

	Exclusive Total CPU Time: 15.000 sec.  100.00 %
	Inclusive Total CPU Time: 15.000 sec.  100.00 %
	Name:                     <Total>

	Exclusive Total CPU Time: 8.000 sec.  53.33 %
	Inclusive Total CPU Time: 8.000 sec.  53.33 %
	Name:                     c
	Size:                     64
	Address:                  0x1100
	Object:                   a.out
	Linkage name:             c
	END
	test_cmp want got
'

test_done
