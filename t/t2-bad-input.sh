# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Errors of collect: one plain sentence on stderr that names the thing, the right exit
# status, and nothing left behind.
. "$RP_SRC/t/lib.sh"
need_sampling

# refuses STATUS WORDS ARGUMENTS…: in an empty folder that stays empty.
refuses() {
	status=$1 words=$2
	shift 2
	rm -rf empty && mkdir empty && cd empty || return
	test_expect_code "$status" collect "$@" >../out 2>../err || {
		cat ../err
		return 1
	}
	cd .. &&
	test_grep "^collect: error: .*$words" err &&
	test ! -s out &&
	test 1 = "$(grep -c . err)" &&
	test -z "$(ls -A empty)"
}

test_expect_success 'an unknown counter: similar names' '
	refuses 2 "cycels.*cycles" -h cycels,on true
'

for rate in 0 -5 banana 1e3 99999999999999999999999; do
	test_expect_success "a RATE of $rate" '
		refuses 2 "$rate" -h "cycles,$rate" true
	'
done

for interval in 0 -1 fast 0.0; do
	test_expect_success "-p $interval" '
		refuses 2 "$interval" -p "$interval" true
	'
done

test_expect_success 'no target' '
	refuses 2 "" -o x.er
'

test_expect_success 'an unknown option' '
	refuses 2 "no-such-option" --no-such-option true
'

test_expect_success 'a target that does not exist: 127' '
	refuses 127 "/no/such/program" /no/such/program &&
	(PATH=$RP_BUILD:/usr/bin:/bin && refuses 127 "no-such-program" no-such-program)
'

test_expect_success 'a target that may not be executed: 126' '
	: >plain && refuses 126 "plain" ../plain
'

test_expect_success 'a target that is a folder: 126' '
	mkdir folder && refuses 126 "folder" ../folder
'

test_expect_success 'an existing experiment stays unchanged' '
	mkdir there.er && echo mine >there.er/file && cp -r there.er before &&
	refuses 1 "there.er" -p hi -o ../there.er true &&
	diff -r before there.er
'

test_expect_success '-O replaces only an experiment' '
	collect -O again.er true 2>err && collect -O again.er true 2>err &&
	mkdir precious.er && echo mine >precious.er/file && cp -r precious.er before2 &&
	refuses 1 "precious.er" -p hi -O ../precious.er true &&
	diff -r before2 precious.er
'

test_expect_success 'a folder that does not exist' '
	refuses 1 "no-such-folder" -p hi -d no-such-folder true
'

test_expect_success 'a folder where nothing can be written' '
	refuses 1 "/proc" -p hi -d /proc true
'

# A full disk, if we have the right to make one: the target still runs, and the written part can be
# read.  A sixth of the samples fills it.
if mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	test_set_prereq FULL_DISK
else
	test_set_prereq FULL_DISK 'not allowed to mount a small disk'
fi

test_expect_success FULL_DISK 'a full disk: reported, and the target runs to its end' '
	dd if=/dev/zero of=full/ballast bs=1k count=44 2>/dev/null &&
	! collect -p 0.02 --stack off -o full/x.er \
		sh -c "burn one=400 two=400; echo ended >ended" 2>err &&
	test_grep "No space left\|full" err &&
	test_grep "x.er: [0-9]* samples, of which the file has the first ones, " err &&
	test -s ended
'
test_expect_success FULL_DISK '… in the log too, for which room was kept' '
	rm -rf full/x.er ended &&
	! collect -p 0.02 --stack off -o full/x.er \
		sh -c "cat /dev/zero >full/more; burn one=400; echo ended >ended" 2>err && cat err &&
	er_print -header full/x.er >header 2>&1 && test_grep "^Error: .*No space left" header &&
	test -s ended
'
umount full 2>/dev/null

test_done
