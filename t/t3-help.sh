# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The help of er_print: its groups and its examples.
. "$RP_SRC/t/lib.sh"
need python3 gcc nm readelf

# A program whose source and instructions are there.
mkdir -p open && cd open || test_bug 'no folder'
cat >prog.c <<'END'
volatile int x;
int main(void)
{
	x++;
	return x;
}
END
gcc -O1 -g -Wl,--build-id -o prog prog.c || test_bug 'gcc fails'
start=$(nm prog | awk '$3 == "main" { print $1 }')
make_experiment() {
	mkexp "$1" <<END
event totalcpu ns 1000000000 0 1 Total CPU Time
module prog=$PWD/prog
module prog#$(readelf -n prog | sed -n 's/ *Build ID: //p')
module libc.so.6=/lib/libc.so.6
running
prog!+$start;libc.so.6!+1230 3
prog!+$start 2
state lock
life 0 9000000000
region /event 0 1000000000
mark 5000 1 here 0
time 3000000000
step 0
weight 500000000
wakes 3
waker 1
prog!+$start;libc.so.6!+1230 2
END
}
make_experiment test.1.er && make_experiment test.2.er && echo functions >commands || test_bug 'no experiment'
er_print -json -help >../help.json || test_bug 'no help'
cd ..

test_expect_success 'every command has an example that begins with it, and works' '
	python3 -c "
import json
for row in json.load(open(\"help.json\"))[\"help\"]:
    print(row[\"command\"].split()[0], row[\"example\"], sep=\"\t\")" >examples &&
	test 60 -lt "$(wc -l <examples)" &&
	while IFS="$(printf "\t")" read -r name line; do
		case $line in "$name" | "$name "*) ;; *) echo "$name: $line" && return 1 ;; esac
		# a fragment must have a function to lose
		case $name in crm*) printf "%s\n" "csingle main" "cprepend main" "$line" ;; *) echo "$line" ;; esac >script
		(cd open && er_print -script ../script test.1.er test.2.er) >out 2>err &&
			test_no_grep "error:" err || { echo "$line:" && return 1; }
	done <examples
'

test_expect_success 'every command is in one group, the most used first' '
	python3 -c "
import json
rows = json.load(open(\"help.json\"))[\"help\"]
names = [row[\"command\"].split()[0] for row in rows]
assert len(set(names)) == len(names)
assert names[:6] == \"overview functions calltree csingle source filters\".split(), names[:6]
rest = [(row[\"group\"], row[\"command\"]) for row in rows[6:]]
order = \"look find filter compare export set\".split()
assert rest == sorted(rest, key=lambda r: (order.index(r[0]), r[1].split()[0])), rest" &&
	er_print -help >out && for title in "Most used" Look: Find: Filter: Compare: Export: Set:; do
		test_grep "^$title" out || return 1
	done &&
	er_print --help >out && test_grep "^Most used$" out && test_grep "^Look:" out
'

test_expect_success 'words of older tools are the commands of today, or refused with the reason' '
	for pair in ctree:calltree exp_list:experiment_list gprof:callers-callees gmetric_list:cmetric_list \
		lwp_list:thread_list indx_metric_list:metric_list procstats:statistics "?:help"; do
		er_print -"${pair%:*}" -"${pair#*:}" open/test.1.er >out 2>err &&
		er_print -"${pair#*:}" -"${pair#*:}" open/test.1.er >want 2>err && test_cmp want out || return 1
	done &&
	printf "%s\n" "dmetrics e.totalcpu" "dsort name" functions exit objects >s &&
	er_print -metrics e.totalcpu -sort name -functions open/test.1.er >want &&
	er_print -script s open/test.1.er >out && test_cmp want out &&
	for word in cc dcc scc en_desc ifreq preload_libdirs; do
		test_expect_code 2 er_print -$word open/test.1.er 2>err &&
		test_grep "there is no command .$word. here: [a-z]" err || return 1
	done
'

test_expect_success 'header and statistics of one experiment' '
	for view in header statistics; do
		er_print -$view 2 open/test.1.er open/test.2.er >out 2>err &&
		test_grep "test.2.er" out && test_no_grep "test.1.er" out &&
		test_expect_code 2 er_print -$view 3 open/test.1.er open/test.2.er 2>err &&
		test_grep "is no experiment.s number" err || return 1
	done
'

test_expect_success 'source of a file by its name, fsingle with its source file' '
	er_print -source main open/test.1.er >want 2>err && test_grep "x++;" want &&
	for name in prog.c "$PWD/open/prog.c"; do
		er_print -source "$name" open/test.1.er >out 2>err && test_cmp want out || return 1
	done &&
	er_print -fsingle main open/test.1.er >out 2>err && test_grep "^Source file: *$PWD/open/prog.c$" out &&
	test_expect_code 1 er_print -source prog.cc open/test.1.er 2>err && test_grep "no function .prog.cc." err
'

test_expect_success 'objects_default shows what object_hide hid, in .er.rc too' '
	printf "main;lib.so!f 3\n" | mkexp hide.er && er_print -functions hide.er >want &&
	echo "object_hide lib.so" >.er.rc && er_print -functions hide.er >out && rm .er.rc &&
	test_grep "<lib.so>" out && test_no_grep " f$" out &&
	er_print -object_hide lib.so -objects_default -functions hide.er >out && test_cmp want out
'

test_expect_success 'help of one command, on the command line too, has its example' '
	er_print -help cappend >out && test_grep "^Example: *cappend main$" out &&
	er_print -help cappe -limit 2 >out && test_grep "^Example: *cappend main$" out &&
	echo "help cappend" >s && er_print -script s open/test.1.er >got && test_cmp out got &&
	test_expect_code 2 er_print -help cappendd >out 2>err && test_grep "did you mean cappend" err &&
	test ! -s out
'

test_done
