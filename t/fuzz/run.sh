#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh SECONDS FUZZER [FLAG…]: runs it from its seeds; what it finds stays beside it.
set -eu
seconds=$1 fuzzer=$2
shift 2

# section FILE NAME FLAGS SEED: a section's first bytes behind the two that fuzz_cfi wants.
section() {
	[ -f "$1" ] || return 0
	objcopy -O binary --only-section="$2" --set-section-flags "$2=alloc" "$1" "$4.raw"
	{
		printf '%b\0' "\\0$3"
		head -c 4000 "$4.raw"
	} >"$4"
	rm -f "$4.raw"
}

seeds_cfi() {
	for lib in /lib/*/libc.so.6 /lib/*/ld-linux-*.so.* /lib/*/libcrypto.so.3; do
		section "$lib" .eh_frame 0 "$1/$(basename "$lib")"
	done
}

seeds_record() {
	python3 "$(dirname "$0")/seeds.py" record "$1"
}

# Shared recordings, where they are; else the fuzzer finds its way from the magic alone.
seeds_perf_data() {
	printf 'PERFILE2\20\0\0\0\0\0\0\0' >"$1/pipe"
	find "$(dirname "$0")/../../../shared/fixtures/perf.data" -maxdepth 2 -size -40k \
		\( -name '*.data' -o -name 'poc-*' \) -exec cp {} "$1" \; 2>/dev/null || :
}

seeds_experiment() {
	python3 "$(dirname "$0")/seeds.py" experiment "$1"
}

seeds_filter() {
	sed -n 's/^.*\(admits [0-9]*\|refused "[^"]*"\) "\(.*\)".*/\2/p' \
		"$(dirname "$0")/../t3-filters.sh" | sed 's/\\"/"/g' | split -l 1 - "$1/t3-"
}

seeds_event() {
	sed -n 's/^.*{ "\([^"]*\)",.*/\1/p' "$(dirname "$0")/../unit/u-event-parse.c" |
		split -l 1 - "$1/parse-"
}

seeds_log() {
	python3 "$(dirname "$0")/seeds.py" log "$1"
}

seeds_rc() {
	printf '%s\n' 'metrics e.%cycles:name' 'sort -i.cycles' 'limit 3' 'name short:soname' \
		"printmode ','" 'setpath /a:/b' 'addpath "/c d"' 'pathmap /a /b' 'sthresh 10' \
		'dthresh 5.5' 'inlines off' 'ci on' 'viewmode machine' '# a comment' \
		'filters 1 == 1' 'outfile x' | split -l 2 - "$1/rc-"
}

corpus=$fuzzer.corpus
mkdir -p "$corpus"
"seeds_${fuzzer##*/fuzz_}" "$corpus"
exec "$fuzzer" -max_total_time="$seconds" -timeout=10 -max_len=8192 \
	-artifact_prefix="$fuzzer-" -print_final_stats=1 "$@" "$corpus"
