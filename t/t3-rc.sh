# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# .er.rc: the sources of defaults, and their restrictions.
. "$RP_SRC/t/lib.sh"

mkdir home config config/ringprof work
printf 'main;f 3\nmain;g 2\nmain 1\n' | mkexp a.er
HOME=$PWD/home XDG_CONFIG_HOME=$PWD/config
export HOME XDG_CONFIG_HOME
cd work || test_bug 'no work'

# functions_now: how many rows there are besides <Total>.
functions_now() {
	(cd "$test_dir/work" && er_print "$@" -functions ../a.er 2>../err) |
		sed 1,6d | wc -l
}

test_expect_success 'without any, defaults apply' '
	test 3 = "$(functions_now)"
'

test_expect_success 'each file applies, a later one over an earlier one' '
	echo "limit 1" >config/ringprof/er.rc && test 1 = "$(functions_now)" &&
	echo "limit 2" >home/.er.rc && test 2 = "$(functions_now)" &&
	echo "limit 3" >work/.er.rc && test 3 = "$(functions_now)" &&
	! test -s err
'

test_expect_success 'commands come after them, and --no-rc ignores them' '
	echo "limit 1" >work/.er.rc &&
	test 2 = "$(functions_now -limit 2)" &&
	test 3 = "$(functions_now --no-rc)"
'

test_expect_success 'metrics and other settings of recordings' '
	echo "metrics e.totalcpu:name" >work/.er.rc &&
	(cd work && er_print -functions ../a.er) >out && test_grep " 0.006   <Total>$" out
'

test_expect_success 'compare applies where two groups are open' '
	cp -r a.er b.er && echo "compare delta" >work/.er.rc && test 2 = "$(functions_now)" && ! test -s err &&
	(cd work && er_print -functions ../a.er ../b.er) >out 2>err && ! test -s err &&
	test_grep "^Functions compared by metric" out && test 1 = "$(grep -c "^Functions" out)" &&
	(cd work && er_print -threads ../a.er ../b.er) >out && test_no_grep "Functions" out &&
	(cd work && er_print -functions ../a.er,../b.er) >out && test_grep "^Functions sorted" out &&
	(cd work && er_print -compare off -functions ../a.er ../b.er) >out &&
	test_grep "^Functions sorted" out
'

test_expect_success 'an error is a warning with its place, the rest applies' '
	printf "%s\n" "# mine" "nonsense 3" "limit 1" "metrics e.nothing" >work/.er.rc &&
	test 1 = "$(functions_now)" &&
	test_grep "^er_print: warning: .er.rc:2: there is no command .nonsense." err &&
	test_grep "^er_print: warning: .er.rc:4: " err &&
	test 2 = "$(wc -l <err)"
'

test_expect_success 'only settings' '
	printf "%s\n" "outfile stolen" "script ../a.er/log.json" functions quit "limit 1" >work/.er.rc &&
	test 1 = "$(functions_now)" &&
	test 4 = "$(grep -c "is not a setting" err)" &&
	! test -e work/stolen
'

# binary: 5,000 bytes of all values, without order and always the same.
binary() {
	LC_ALL=C awk "BEGIN { for (i = 0; i < 5000; i++) {
		x = (x * 16807 + 11) % 2147483647; printf(\"\\\\%03o\", int(x / 256) % 256) } }" |
		xargs -0 printf
}

test_expect_success 'hostile files: binary, endless, a FIFO, a folder' '
	binary >work/.er.rc && functions_now >out && test 2 = "$(cat out)" &&
	test 11 -ge "$(wc -l <err)" && ! grep -q "$(printf "\\033")" err &&
	head -c 200000 /dev/zero >work/.er.rc && test 2 = "$(functions_now)" &&
	test_grep ".er.rc: File too large" err &&
	rm work/.er.rc && mkfifo work/.er.rc && test 2 = "$(functions_now)" &&
	test_grep ".er.rc: " err &&
	rm work/.er.rc && mkdir work/.er.rc && test 2 = "$(functions_now)"
'

test_expect_success 'a NUL in a line: only that line is an error' '
	rm -rf work/.er.rc && printf "limit 1\nlimit 2\0 5\n\0\nmetrics e.nothing" >work/.er.rc &&
	test 1 = "$(functions_now)" && test 3 = "$(wc -l <err)" &&
	test_grep "warning: .er.rc:2: there is a NUL byte" err &&
	test_grep "warning: .er.rc:3: there is a NUL byte" err && test_grep "rc:4: " err
'

test_expect_success 'at home the file is read once' '
	echo nonsense >home/.er.rc &&
	(cd home && er_print -functions ../a.er >/dev/null 2>../err) &&
	test 1 = "$(wc -l <err)"
'

test_expect_success 'without experiments nothing is set' '
	rm -r work/.er.rc && echo "metrics e.totalcpu" >work/.er.rc && rm home/.er.rc &&
	(cd work && er_print -version >/dev/null 2>../err) && ! test -s err
'

test_done
