# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The help of er_print: its groups and its examples.
. "$RP_SRC/t/lib.sh"
need python3 gcc nm readelf

# A program whose source and instructions are there.
mkdir -p work && cd work || test_bug 'no folder'
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
		(cd work && er_print -script ../script test.1.er test.2.er) >out 2>err &&
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

test_expect_success 'help of one command, on the command line too, has its example' '
	er_print -help cappend >out && test_grep "^Example: *cappend main$" out &&
	er_print -help cappe -limit 2 >out && test_grep "^Example: *cappend main$" out &&
	echo "help cappend" >s && er_print -script s work/test.1.er >got && test_cmp out got &&
	test_expect_code 2 er_print -help cappendd >out 2>err && test_grep "did you mean cappend" err &&
	test ! -s out
'

test_done
