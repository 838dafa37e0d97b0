# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Index objects: samples grouped by an expression.  Expected rows were computed by hand.
. "$RP_SRC/t/lib.sh"
set_jsonschema

# A sample is a second.  Depths: main;f 2, main;f;read 3.
mkexp a.er <<'END'
event totalcpu ns 1000000000 0 1 Total CPU Time
step 100000000
time 0
main;f 3
main;f;[kernel]!read 2
thread 100 101 worker
cpu 9
main;f 4
main;f;[kernel]!read 1
thread 200 200 other
cpu 10
main 1
<unsampled> 2
END

# rows NAME [ARGUMENT…]: "value amount", in the table's order.
rows() {
	name=$1 && shift
	er_print -printmode , -metrics e.totalcpu:name "$@" -indxobj "$name" a.er | tr -d '\r' | sed 1d |
		awk -F, '{ print $3 == "" ? $2 : $3, $1 }' >got
}

test_expect_success 'those that are there from the start, like the views of these names' '
	rows cpus && printf "%s\n" "<Total> 13" "0 5" "9 5" "10 3" >want && test_cmp want got &&
	rows Processes && printf "%s\n" "<Total> 13" "100 10" "200 3" >want && test_cmp want got &&
	rows experiments && printf "%s\n" "<Total> 13" "1 13" >want && test_cmp want got &&
	for view in threads processes cpus seconds; do
		er_print -json -"$view" -indxobj "$view" a.er >both.json &&
		holds both.json "sorted(r[\"exclusive\"][\"totalcpu\"][\"value\"] for r in d[\"$view\"]) ==
			sorted(r[\"exclusive\"][\"totalcpu\"][\"value\"] for r in d[\"indxobj\"][1:])" || return 1
	done
'

test_expect_success 'an expression of numbers, of stacks, and of both' '
	rows depth -indxobj_define depth DEPTH &&
	printf "%s\n" "<Total> 13" "2 7" "3 3" "1 3" >want && test_cmp want got &&
	rows Reads -indxobj_define reads "(FNAME(\"^read\") SOME IN STACK) ? CPUID : -1" &&
	printf "%s\n" "<Total> 13" "-1 10" "0 2" "9 1" >want && test_cmp want got &&
	rows half -indxobj_define half "TSTAMP / 500ms" -sort name &&
	printf "%s\n" "<Total> 13" "0 4" "1 5" "2 4" >want && test_cmp want got
'

test_expect_success 'samples without a row in the filter are not there' '
	rows cpus -filters "PID == 100" && printf "%s\n" "<Total> 10" "0 5" "9 5" >want && test_cmp want got &&
	rows cpus -limit 1 && printf "%s\n" "<Total> 13" "0 5" >want && test_cmp want got
'

test_expect_success 'with user and system' '
	er_print -printmode , -metrics e.user:e.system -indxobj cpus a.er | tr -d "\r" | sed 1d |
		cut -d, -f1-3 >got &&
	printf "%s\n" "8,3,<Total>" "4,1,9" "3,2,0" "1,0,10" >want && test_cmp want got
'

test_expect_success 'in scripts the rest of the line, with its quotes; defined again, changed' '
	printf "%s\n" "indxobj_define how (FNAME(\"^read\") SOME IN STACK)" "indxobj_define how CPUID  % 2" \
		indxobj_list >script &&
	er_print -printmode , -script script a.er | tr -d "\r" | sed 1d | tail -2 >got &&
	printf "%s\n" "experiments,EXPID" "how,CPUID  % 2" >want && test_cmp want got &&
	echo "indxobj_define odd CPUID % 2" >.er.rc && rows odd && rm .er.rc &&
	printf "%s\n" "<Total> 13" "0 8" "1 5" >want && test_cmp want got
'

# Of "cpu", a prefix of commands, and of names in another case.
test_expect_success 'a name is a command, on the command line, in scripts and from .er.rc; no command is hidden' '
	plain() { er_print "$@" | sed "/^$/d"; }
	plain -indxobj_define odd "CPUID % 2" -indxobj odd a.er >want &&
	for word in -odd --odd -ODD; do
		plain -indxobj_define odd "CPUID % 2" $word a.er >got && test_cmp want got || return 1
	done &&
	printf "%s\n" "indxobj_define odd CPUID % 2" odd " -Odd" >script && plain -script script a.er >got &&
	cat want want >twice && test_cmp twice got &&
	echo "indxobj_define odd CPUID % 2" >.er.rc && plain -odd a.er >got && rm .er.rc && test_cmp want got &&
	plain -indxobj_define cpu "CPUID % 2" -cpu a.er >got && sed -i 1d got want && test_cmp want got &&
	er_print -indxobj_define filt "CPUID % 2" -filt -experiments a.er >got && test_grep "^filt (CPUID" got &&
	test_grep "^experiments (EXPID)" got &&
	er_print -indxobj_define metrics CPUID -metrics e.totalcpu -functions a.er >got && test_grep "^Functions" got &&
	printf "%s\n" "indxobj_define odd CPUID % 2" "odd 3" >script &&
	test_expect_code 2 er_print -script script a.er 2>err && test_grep "indxobj takes I, not .odd 3" err &&
	test_expect_code 2 er_print -odd a.er 2>err && test_grep "no command .odd" err
'

test_expect_success 'two sides are compared' '
	sed "s/^cpu 10/cpu 11/; s/^main;f 3/main;f 30/" >b.in <<-END &&
	event totalcpu ns 1000000000 0 1 Total CPU Time
	main;f 3
	cpu 10
	main 1
	END
	mkexp b.er <b.in && er_print -json -compare on -indxobj cpus a.er b.er >c.json &&
	holds c.json "sorted((r[\"name\"], r[\"index\"], round(r[\"base\"][\"exclusive\"][\"totalcpu\"][\"value\"], 6),
		round(r[\"other\"][\"exclusive\"][\"totalcpu\"][\"value\"], 6)) for r in d[\"compare_indxobj\"]) ==
		[(\"0\", \"cpus\", 5, 30), (\"10\", \"cpus\", 3, 0), (\"11\", \"cpus\", 0, 1),
		(\"9\", \"cpus\", 5, 0), (\"<Total>\", \"cpus\", 13, 31)]"
'

test_expect_success 'refused: bad names, taken ones, bad expressions, unknown objects' '
	for bad in "9a:is_name:unlike .9a." "cpus:CPUID:defined already" "x:FNAME(\"a\"):functions are asked" \
		"x:1 +:the end" "x::"; do
		name=${bad%%:*} rest=${bad#*:} && expression=${rest%%:*}
		test_expect_code 2 er_print -indxobj_define "$name" "$expression" a.er 2>err &&
		test_grep "${rest#*:}" err || return 1
	done &&
	test_expect_code 2 er_print -indxobj nothing a.er 2>err && test_grep "indxobj_list has them" err
'

test_expect_success JSONSCHEMA 'the tables fit the schema' '
	er_print -json -metrics e.user -indxobj cpus -indxobj_list -sample_detail 1 a.er >one.json &&
	fits_schema one.json && fits_schema c.json
'

test_done
