# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect --import: shared recordings of other machines agree with what perf and a byte
# walker count in them; damaged ones end in a sentence.
. "$RP_SRC/t/lib.sh"
need python3

recordings=$RP_SRC/../shared/fixtures/perf.data
cuts=${RP_CUTS:-10} changes=${RP_CHANGES:-40}

# refused WORDS FILE: one sentence, status 1, and nothing left behind.
refused() {
	rm -rf empty && mkdir empty && cd empty || return
	test_expect_code 1 timeout 10 collect --import "$2" >../out 2>../err || {
		cat ../err
		return 1
	}
	cd .. &&
	test_grep "^collect: error: .*$1" err &&
	test ! -s out && test 1 = "$(grep -c . err)" && test -z "$(ls -A empty)"
}

agrees() {
	rm -rf it.er &&
	collect --import "$recordings/$1.data" -o it.er &&
	samples it.er >samples.txt &&
	perfdump "$recordings/$1.data" >dump.txt &&
	"$RP_SRC/t/perf-agrees" "$recordings/expected/$1.json" it.er samples.txt dump.txt
}

# word SIZE NUMBER: little-endian.
word() {
	python3 -c 'import sys
sys.stdout.buffer.write(int(sys.argv[2], 0).to_bytes(int(sys.argv[1]), "little"))' "$@"
}

test_expect_success 'a file that is not there' '
	refused "cannot be read: No such file" "$test_dir/none"
'

test_expect_success 'a file that is no recording' '
	echo "PERFILE3 and more than sixteen bytes" >text &&
	refused "no perf.data file" "$test_dir/text"
'

test_expect_success 'a header of no version' '
	{ printf PERFILE2 && word 8 17; } >odd &&
	refused "header has 17 bytes" "$test_dir/odd"
'

test_expect_success 'a pipe without an event' '
	{ printf PERFILE2 && word 8 16; } >pipe &&
	refused "ends before its first event" "$test_dir/pipe"
'

test_expect_success 'a record of no bytes' '
	{ printf PERFILE2 && word 8 16 && word 8 1; } >zero &&
	refused "record of 0 bytes at byte 16" "$test_dir/zero"
'

test_expect_success 'a FIFO is no file' '
	mkfifo fifo && refused "cannot be read" "$test_dir/fifo"
'

test_expect_success 'with a program there is nothing to import' '
	test_expect_code 2 collect --import text true 2>err &&
	test_grep "records nothing" err
'

if [ ! -d "$recordings" ]; then
	test_skip 'recordings of other machines' 'no ../shared/fixtures/perf.data'
	test_done
fi

for file in "$recordings"/*.data; do
	name=$(basename "$file" .data)
	test_expect_success "$name is what others count in it" '
		agrees "$name"
	'
	test_expect_success "$name: $cuts times cut, $changes times changed" '
		mangle "$file" "$cuts" "$changes" >out && cat out
	'
done

for file in "$recordings"/bad/*[!v]; do
	test_expect_success "$(basename "$file") is refused" '
		refused "cannot be imported" "$file"
	'
done

test_done
