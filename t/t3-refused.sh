# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A mistake in one command leaves the others alone: they run, and answer as if it were not there.
. "$RP_SRC/t/lib.sh"
need python3
set_jsonschema

mkexp a.er <<'END' || test_bug 'no experiment'
event totalcpu ns 1000000 0 1 Total CPU Time
thread 100 101 first
main;f;lib.so!g 4
main;f;_ZN4Node6insertEPS_i 3
event cycles cycles 1000 0 1 CPU Cycles
thread 100 102 second
main;f 2
main;f;lib.so!g 1
END
echo 'main;f 3' | mkexp b.er && mkdir folder && echo 'not one' >no.er

# The state that a command could spoil, and answers that would show it.
cat >setup <<'END'
metrics e.totalcpu:i.totalcpu:e+cycles:name
sort i.totalcpu
limit 3
recursion full
ci on
name short:soname
sthresh 40
filters LEAF IN FNAME("g|f")
thread_select 101-102
cpu_select 0-9
object_hide lib.so
csingle f
cprepend main
END
cat >answers <<'END'
metric_list
cmetric_list
experiment_list
filters
thread_list
process_list
cpu_list
sample_list
object_list
functions
callers-callees
cprepend main
crmfirst
calltree
objects
threads
processes
cpus
seconds
lines
pcs
overview
header
statistics
fsingle f
viewmode user
functions
inlines on
functions
limit 0
functions
compare off
END

# Each is refused here, or fails.
cat >mistakes <<'END'
recursion perhaps
source F
disasm F
functoins
c
-
"
functions of mine
functions "
limit
limit many
limit -1
limit 99999999999
limit 99999999999999999999
limit 3 4
metrics e.nothing
metrics :
metrics e.totalcpu:e.nothing
metrics e.IPC
sort e.nothing
sort -
sort -i.nothing
ci perhaps
ci on off
name long:always
name wrong
name mangled:nosonames
viewmode wrong
inlines perhaps
sthresh 101
sthresh many
dthresh -1
calltree 101
calltree many
filters (
filters LEAF IN
filters FNAME("(") SOME IN STACK
filters THRID == 99999999999999999999
filters NOTHING == 1
filters STACK
filters 1 && "
thread_select 99999999999999999999
thread_select 9223372036854775808
thread_select 1-99999999999999999999
thread_select many
thread_select 5-3
thread_select 1,
thread_select 1:
thread_select
process_select 1-
process_select 99999999999999999999:1
cpu_select -1
cpu_select 99999999999999999999
cpu_select 1;2
sample_select 18446744073709551616
sample_select 1+
object_hide nothing.so
object_hide a.out,nothing.so
object_show nothing.so
object_select a.out,nothing.so
object_select nothing.so
csingle nothing
csingle f 2
csingle <Total>
cprepend nothing
cappend nothing
fsingle nothing
source nothing
disasm nothing
disasm f
compare perhaps
compare
fail-above many
fail-above -1
printmode xml
printmode ab
printmode 7
outfile nowhere/out
outfile folder
appendfile nowhere/out
export nothing out
export collapsed nowhere/out
export collapsed folder
export collapsed
pathmap old
add_exp nothing.er
add_exp no.er
add_exp b.er,nothing.er
open_exp nothing.er
open_exp b.er,no.er
drop_exp 7
drop_exp nothing.er
drop_exp 99999999999999999999
script nothing
script folder
help nothing
version 2
quit now
json now
END

# session FILE…: what these commands answer, one after the other, in one run; without the
# notes of refused filters, which only say so.
session() {
	cat "$@" >session.all && er_print -script session.all a.er >session.out 2>err
	session_status=$?
	sed 's/; refused and not applied: .*)$/)/; /^(refused and not applied: .*)$/d' session.out
	return $session_status
}

session setup answers >want || test_bug 'the answers fail'
test_expect_success 'every refused command leaves everything as it was' '
	test ! -s err && test 70 -lt "$(wc -l <mistakes)" &&
	while read -r line; do
		echo "$line" >mistake
		session setup mistake answers >got
		status=$?
		case $status in 1 | 2) ;; *) echo "$line: status $status" && return 1 ;; esac
		test "$(wc -l <err)" -eq 1 && grep -q "^er_print: error: session.all:14: " err ||
			{ echo "$line:" && cat err && return 1; }
		cmp -s want got || { echo "$line:" && diff -u want got && return 1; }
	done <mistakes
'

test_expect_success '… all of them together, too, and the first decides the status' '
	grep -v "^\"\|^functions \"" mistakes >together &&
	session setup together answers >got
	test $? -eq 2 && test_cmp want got && test "$(wc -l <err)" -eq "$(wc -l <together)" &&
	printf "%s\n" "csingle nothing" "limit many" >two &&
	session two >got
	test $? -eq 1
'

test_expect_success 'tables below a refused filter say so, until one is applied' '
	test_expect_code 2 er_print -filters "THRDI == 1" -functions -calltree -filters "THRID == 1" -functions a.er >got 2>/dev/null &&
	test "$(grep -c "^(refused and not applied: filters THRDI == 1)$" got)" -eq 2 &&
	test_grep "^(filter: THRID == 1" got &&
	test_expect_code 2 er_print -thread_select 1-x -functions a.er >got 2>/dev/null &&
	test_grep "refused and not applied: thread_select 1-x" got &&
	test_expect_code 2 er_print -filters "THRDI == 1" -thread_select 1 -cpu_select x -functions a.er >got 2>/dev/null &&
	test_grep "refused and not applied: filters THRDI == 1, cpu_select x" got &&
	test_expect_code 2 er_print -json -filters "1 +" -functions a.er 2>/dev/null >got &&
	test_grep "refused and not applied: filters 1 +" got
'

test_expect_success 'a mistake on the command line or in a pipe does not end the rest' '
	er_print -objects -threads a.er >want2 &&
	test_expect_code 2 er_print -objects -functoins nothing -limit many -threads a.er >got 2>err &&
	test_cmp want2 got && test "$(grep -c "^er_print: error: " err)" -eq 2 && test 2 -eq "$(wc -l <err)" &&
	printf "%s\n" objects functoins threads | test_expect_code 2 er_print a.er >got 2>err &&
	test_cmp want2 got && test_grep "standard input:2: there is no command" err
'

test_expect_success 'a script that fails inside another does not end either' '
	printf "%s\n" functoins threads >inner && printf "%s\n" objects "script inner" >outer &&
	test_expect_code 2 er_print -script outer a.er >got 2>err &&
	test_cmp want2 got && test_grep "error: inner:1: " err && test 1 -eq "$(wc -l <err)"
'

test_expect_success 'JSON has what succeeded, and the mistakes' '
	test_expect_code 1 er_print -json -objects -csingle nothing -functoins -threads a.er >report.json 2>err &&
	holds report.json "[(e[\"command\"], e[\"status\"]) for e in d[\"errors\"]] == [(\"csingle\", 1), (None, 2)]" &&
	holds report.json "\"no function\" in d[\"errors\"][0][\"text\"] and d[\"objects\"] and d[\"threads\"]" &&
	er_print -json -objects a.er >report2.json && holds report2.json "d[\"errors\"] == []" &&
	test_expect_code 2 er_print -limit many -outfile 1.json -json -outfile 2.json -objects -help nothing a.er 2>err &&
	holds 2.json "[e[\"command\"] for e in d[\"errors\"]] == [\"limit\", \"help\"]"
'

test_expect_success JSONSCHEMA '… as the schema has it' '
	fits_schema report.json && fits_schema report2.json
'

test_expect_success 'a bad file for answers does not split the document' '
	test_expect_code 1 er_print -json -objects -outfile nowhere/out -threads a.er >report.json 2>err &&
	test_grep "nowhere/out: No such file or directory; answers still go to standard output" err &&
	holds report.json "d[\"objects\"] and d[\"threads\"]"
'

test_expect_success 'an experiment among several that cannot be opened' '
	er_print -functions a.er b.er >want3 &&
	test_expect_code 1 er_print -functions a.er nothing.er b.er >got 2>err &&
	test_cmp want3 got && test_grep "error: nothing.er: No such file" err && test 1 -eq "$(wc -l <err)" &&
	test_expect_code 1 er_print -json -functions no.er a.er b.er >report.json 2>err &&
	holds report.json "len(d[\"experiments\"]) == 2 and len(d[\"errors\"]) == 1" &&
	test_expect_code 1 er_print -functions nothing.er no.er >got 2>err &&
	test ! -s got && test 2 -eq "$(wc -l <err)"
'

test_expect_success '… is not compared' '
	test_expect_code 1 er_print -compare delta -objects a.er nothing.er b.er >got 2>err &&
	test_grep "compare needs both sides whole" err && test_no_grep "Change" got &&
	printf "%s\n" "compare delta" "open_exp a.er" "add_exp b.er" "compare delta" |
		test_expect_code 1 er_print a.er nothing.er b.er >got 2>err &&
	test "$(grep -c "needs both sides" err)" -eq 1 && test_grep "Change" got
'

test_expect_success 'output that is lost ends everything' '
	test_expect_code 1 er_print -functions -objects -threads a.er >/dev/full 2>err &&
	test 1 -eq "$(wc -l <err)"
'

test_done
