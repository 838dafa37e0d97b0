# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Several experiments: opening and closing them, the choices, and the selection.
. "$RP_SRC/t/lib.sh"

mkexp a.er <<'END'
thread 100 100 a
main;f 3000
thread 100 101 b
cpu 3
main;g 20
thread 100 102 b
cpu 4
main;g 5
END
printf "thread 7 7 x\nmain;f 2\nmain;z 5\n" | mkexp b.er
printf "event cycles cycles 1000 1000 1 CPU Cycles\nmain;q 4\n" | mkexp c.er

# names COMMAND…: the functions that are shown at the end, without <Total>.
names() {
	er_print "$@" -metrics all:name -printmode , -outfile functions.csv -functions >out &&
		tr -d '\r' <functions.csv | sed 1,2d | awk -F, '{ print $(NF - 3) }' | sort |
		paste -s -d ' ' - >got
}

test_expect_success 'lists: the choices, and the selection' '
	er_print -thread_list -process_list -cpu_list -sample_list \
		-thread_select 1:100,102+2:1-7 -thread_list a.er b.er >got &&
	cat >want <<-END &&
	Exp   Selected  Total   There are
	  1   all           3   1-3
	  2   all           1   1

	Exp   Selected  Total   There are
	  1   all           1   100
	  2   all           1   7

	Exp   Selected  Total   There are
	  1   all           3   0,3-4
	  2   all           1   0

	Exp   Selected  Total   There are
	  1   all           4   1-4
	  2   all           1   1

	Exp   Selected         Total   There are
	  1   1:100,102+2:1-7      3   1-3
	  2   1:100,102+2:1-7      1   1
	END
	test_cmp want got
'

# no_lists WORD…: each is refused.
no_lists() {
	for list; do
		test_expect_code 2 er_print -thread_select "$list" a.er 2>err &&
			test_grep "a list is of numbers and ranges" err || return 1
	done
}

test_expect_success 'a selection for only some experiments' '
	er_print -thread_select 1:100,102+2:1-7 -printmode , -threads a.er b.er |
		tr -d "\r" | sed 1d | cut -d , -f 5 | sort >got &&
	printf "%s\n" 100 102 7 >want && test_cmp want got &&
	er_print -thread_select 1:1,3+2:1-7 -printmode , -threads a.er b.er |
		tr -d "\r" | sed 1d | cut -d , -f 5 | sort >got && test_cmp want got &&
	er_print -thread_select 1-2:7 -printmode , -threads a.er b.er | tr -d "\r" |
		sed 1d | cut -d , -f 5 >got &&
	echo 7 >want && test_cmp want got &&
	no_lists 1: :1 1:2:3 1+ 1,+2 "1 2" ""
'

test_expect_success 'add_exp, drop_exp and open_exp' '
	names a.er -add_exp b.er && test "f g main z" = "$(cat got)" &&
	names a.er b.er -drop_exp 1 && test "f main z" = "$(cat got)" &&
	names a.er b.er -drop_exp ./b.er/ 2>err || test_grep "b.er/ is not open" err &&
	names a.er b.er -drop_exp b.er/ && test "f g main" = "$(cat got)" &&
	names a.er b.er -open_exp c.er && test "main q" = "$(cat got)" &&
	names -open_exp a.er && test "f g main" = "$(cat got)"
'

test_expect_success 'settings stay, if the experiments allow them' '
	er_print -sort name -limit 2 -object_hide a.out -thread_select 7 -drop_exp a.er \
		-functions a.er b.er >got &&
	test_grep "sorted by metric: Name" got && test_grep "<a.out>$" got &&
	test_no_grep " f$" got && test_grep "filter: (LWPID==7)" got &&
	er_print -metrics e.cycles -sort e.cycles -drop_exp c.er -functions -add_exp c.er \
		-metric_list a.er c.er >got &&
	test_grep "sorted by metric: Exclusive Total CPU Time" got &&
	test_grep "sorted by Exclusive CPU Cycles" got && test_grep "^e.cycles " got
'

test_expect_success 'a fragment ends with the experiments of its functions' '
	test_expect_code 1 er_print -csingle f -drop_exp a.er -crmlast a.er b.er >out 2>err &&
	test_grep "no stack fragment" err
'

test_expect_success 'groups to compare' '
	er_print -add_exp b.er -compare delta a.er >want &&
	er_print -compare delta a.er b.er >got && test_cmp want got &&
	er_print -drop_exp c.er -compare delta a.er c.er b.er >got && test_cmp want got
'

test_expect_success 'a failure to open changes nothing' '
	printf "%s\n" "open_exp b.er,nosuch.er" >commands &&
	test_expect_code 1 er_print -script commands a.er 2>err && test_grep "nosuch.er" err &&
	test_expect_code 1 er_print -drop_exp nosuch.er a.er 2>err &&
	test_grep "nosuch.er is not open" err &&
	test_expect_code 1 er_print -drop_exp 2 a.er 2>err &&
	test_expect_code 2 er_print -drop_exp 1 -functions a.er 2>err &&
	test_grep "functions needs an experiment" err
'

test_expect_success 'cmetric_list: the metrics of callers-callees' '
	er_print -cmetric_list a.er >got &&
	test_grep "sorted by Attributed Total CPU Time" got &&
	test_grep "^a.%totalcpu *Attributed Total CPU Time" got
'

test_expect_success 'samples and sample_detail are older names of seconds' '
	er_print -seconds a.er >want && er_print -samples a.er >got && test_cmp want got &&
	er_print -sample_detail a.er >got && test_cmp want got
'

test_expect_success 'sample_detail shows one second' '
	printf "%s\n" "event totalcpu ns 100000000 0 1 Total CPU Time" "step 100000000" "time 0" \
		"main;f 8" "thread 2 3 other" "main;f 4" "loss 7" "<unsampled> 1" | mkexp sec.er &&
	er_print -sample_detail 1 -sample_detail 2 sec.er | sed "/^$/d; s/:  */: /" >got &&
	cat >want <<-END &&
	Second 1 of sec.er
	Time: from 0 s to 1 s
	Total CPU Time: 0.900 s, 9 samples
	Processes with samples: 2
	Threads with samples: 2
	Lost records: 0
	Second 2 of sec.er
	Time: from 1 s to 2 s
	Total CPU Time: 0.400 s, 3 samples
	Processes with samples: 1
	Threads with samples: 1
	Lost records: 7
	END
	test_cmp want got &&
	test_expect_code 2 er_print -sample_detail 3 sec.er 2>err &&
	test_grep "takes a second from 1 to 2, not .3." err
'

test_expect_success 'one that is open twice counts twice, with a warning' '
	ln -s a.er link.er &&
	er_print -functions a.er ./b.er link.er >got 2>err && test_grep "6.002 .* f$" got &&
	echo "er_print: warning: link.er is open already: its samples count twice" >want &&
	test_cmp want err &&
	printf "%s\n" "add_exp b.er" "add_exp a.er" | er_print a.er 2>err &&
	echo "er_print: warning: a.er is open already: its samples count twice" >want &&
	test_cmp want err &&
	echo "open_exp a.er" | er_print a.er 2>err && test_cmp /dev/null err
'

# The stored lines of each are those that it would have found alone, in the same bytes.
draw_places() {
	for one in 1 2 3 4 5 6; do
		python3 - "$one" <<-'END' >places.txt && rm -rf "$1.$one.er" && mkexp "$1.$one.er" <places.txt || return 1
			import os, random, sys
			random.seed(int(sys.argv[1]))
			build = os.environ["RP_BUILD"]
			print(f"module burn={build}/t/progs/burn\nmodule waits={build}/t/progs/waits")
			for _ in range(20):
			    stack = [f"{random.choice(('burn', 'waits'))}!+{hex(random.randrange(0x1350, 0x1a00, 8))}" for _ in range(3)]
			    print(";".join(stack), random.randint(1, 3))
		END
	done
}

test_expect_success 'lines of several are those of each alone' '
	draw_places together && draw_places alone && er_print -lines together.*.er >out &&
	for one in 1 2 3 4 5 6; do
		er_print -lines alone.$one.er >out && cmp together.$one.er/lines alone.$one.er/lines || return 1
	done &&
	test_grep "burn.c" out
'

test_done
