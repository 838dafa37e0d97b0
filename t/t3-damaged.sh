# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# er_print with things that are not experiments, or no longer whole: a plain sentence and
# a status other than 0, or everything that can still be read.
. "$RP_SRC/t/lib.sh"
need_sampling

test_expect_success 'an experiment to damage' '
	collect -p hi -o whole.er burn one=200 two=100 >out 2>err &&
	er_print -functions whole.er >want &&
	test_grep "one$" want
'

# copy: a fresh one in x.er
copy() {
	rm -rf x.er && cp -r whole.er x.er
}

# refuses WORDS EXPERIMENT
refuses() {
	er_print -functions "$2" >got 2>err
	status=$?
	test $status -ne 0 && test $status -lt 126 &&
	test_grep "^er_print: error: .*$1" err &&
	test 1 = "$(grep -c . err)" &&
	test ! -s got
}

test_expect_success 'a missing experiment' '
	refuses "no-such.er" no-such.er
'

test_expect_success 'a file, and a directory that is no experiment' '
	echo text >file.er && refuses "file.er" file.er &&
	mkdir folder.er && refuses "folder.er" folder.er
'

test_expect_success 'a log that is no JSON' '
	copy && echo "{ \"schema\": " >x.er/log.json && refuses "x.er" x.er
'

test_expect_success 'a log that is JSON, and something else' '
	copy && echo "[1, 2, 3]" >x.er/log.json && refuses "x.er" x.er &&
	copy && echo "{ \"schema\": \"other/1\" }" >x.er/log.json && refuses "x.er" x.er
'

test_expect_success 'a later format of the log: says so' '
	copy && sed "s|ringprof-experiment/1|ringprof-experiment/2|" whole.er/log.json >x.er/log.json &&
	refuses "later version" x.er
'

test_expect_success 'a later format of the data: says so' '
	copy && printf "\002" | dd of=x.er/data bs=1 seek=8 conv=notrunc 2>/dev/null &&
	refuses "version 2" x.er
'

test_expect_success 'no data at all' '
	copy && rm x.er/data && refuses "x.er" x.er &&
	copy && : >x.er/data && refuses "x.er" x.er
'

# The log knows how large the data is.  Blocks begin with RPB1.
test_expect_success 'data cut off between two blocks' '
	grep -q "\"bytes\": $(wc -c <whole.er/data)," whole.er/log.json &&
	grep -abo RPB1 whole.er/data | cut -d : -f 1 | tail -n +2 >blocks && test -s blocks &&
	for at in $(cat blocks); do
		copy && head -c $at whole.er/data >x.er/data || return 1
		er_print -functions x.er >got 2>err
		test $? -le 1 && test -s err || { echo "cut at $at" && return 1; }
	done
'

# Cut at places over the whole file: it loads what came before and says so, or refuses.
test_expect_success 'data cut off at any place: no crash, never silence' '
	size=$(wc -c <whole.er/data) &&
	at=1 &&
	while test $at -lt $size; do
		copy && head -c $at whole.er/data >x.er/data || return 1
		er_print -functions x.er >got 2>err
		status=$?
		if test $status -gt 1 || ! test -s err; then
			echo "cut at $at of $size: status $status" && cat err && return 1
		fi
		at=$((at + size / 60 + 1))
	done
'

test_expect_success 'bytes changed at any place: no crash, never silence' '
	at=0 &&
	while test $at -lt $size; do
		copy && printf "\252" | dd of=x.er/data bs=1 seek=$at conv=notrunc 2>/dev/null || return 1
		cmp -s x.er/data whole.er/data || {
			er_print -functions x.er >got 2>err
			status=$?
			if test $status -gt 1 || ! { test -s err || test_cmp want got; }; then
				echo "changed at $at of $size: status $status" && cat err && return 1
			fi
		}
		at=$((at + size / 60 + 1))
	done
'

# Its target continues undisturbed.  Names are stored last, so the flushed data has only
# places in files.
test_expect_success 'a collector killed by SIGKILL leaves the flushed data' '
	{ collect -p hi -o killed.er sh -c "echo \$\$ >burning; exec burn one=600000" >out 2>err & } &&
	collector=$! &&
	until er_print -functions killed.er 2>err | grep -q "burn\|one"; do moment; done &&
	kill -KILL $collector
	wait $collector
	kill "$(cat burning)" && er_print -functions killed.er >got 2>err &&
	test_grep "burn\|one" got &&
	test -s err
'

test_expect_success 'an unknown command, metric, function: names it, status not 0' '
	! er_print -no-such-command whole.er 2>err && test_grep "no-such-command" err &&
	! er_print -metrics e.nonsense -functions whole.er 2>err && test_grep "nonsense" err &&
	! er_print -fsingle no_such_function whole.er 2>err && test_grep "no_such_function" err &&
	! er_print -sort e.nonsense -functions whole.er 2>err && test_grep "nonsense" err
'

test_expect_success 'a full disk behind standard output is an error' '
	test -e /dev/full && ! er_print -functions whole.er >/dev/full 2>err && test -s err
'

test_done
