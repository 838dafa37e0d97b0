#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh SECONDS FUZZER [FLAG…]: runs it from its seeds; what it finds stays beside it, and
# what it prints in FUZZER-log, which is shown where it fails.
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

# code FILE FLAGS SEED: the beginning of its text in pieces, behind the two bytes that
# fuzz_scan wants.
code() {
	objcopy -O binary --only-section=.text "$1" "$3.raw" || return 0
	head -c 200000 "$3.raw" | split -b 1000 - "$3-"
	rm -f "$3.raw"
	for piece in "$3"-??; do
		{ printf '%b\0' "\\0$2" && cat "$piece"; } >"$piece.code"
		rm -f "$piece"
	done
}

# The project's own code, and what is partly written by hand.
seeds_scan() {
	code "$fuzzer" 1 "$1/own"
	for lib in /lib/*/libc.so.6; do
		[ ! -f "$lib" ] || code "$lib" 0 "$1/libc"
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
	for words in 'tracing meta pipe' 'simpleperf dex' nmi drawn=1 switches 'sched pipe' \
		'sched big' 'sched flags ahead' 'switches nocpu hidden' 'switches wide offcpu'; do
		# shellcheck disable=SC2086
		"$(dirname "$0")/../mkperf" "$1/made-$(echo "$words" | tr " " -)" $words
	done
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

# The first byte says which of the parsers.
seeds_proc() {
	number=0
	for file in maps stat status cmdline; do
		for pid in self 1; do
			{ printf '%b' "\\0$number" && cat "/proc/$pid/$file"; } >"$1/$file-$pid" 2>/dev/null || :
		done
		number=$((number + 1))
	done
	head -n 1 "$1/maps-self" >"$1/maps-line"
	printf '\5python3.12-debug' >"$1/program"
	printf '\4docker-%064d.scope\n0000' 0 >"$1/container"
	printf '\4_my\\x2dunit.service\nmy-unit' >"$1/unit"
}

# object OUT FLAG…: a small library with an inlined function, without the C library.
object() {
	out=$1 && shift
	printf '%s\n' 'static inline int twice(int x) { return x + x; }' \
		'int f(int a) { int s = 0; for (; a > 0; a--) s += twice(a); return s; }' \
		'int g(int a) { return f(a) + 1; }' >"$out.c"
	${CC:-cc} -O1 -fno-stack-protector -nostdlib -shared -fPIC -Wl,-z,noseparate-code \
		-Wl,--hash-style=sysv "$@" -o "$out" "$out.c" && strip -N nothing "$out"
	rm -f "$out.c"
}

# As compilers and tools make them: with names and without, in both forms of tables.
seeds_elf() {
	object "$1/named" && object "$1/linked" -Wl,-z,lazy -Wl,--build-id
	object "$1/mini" -g0 && cp "$1/mini" "$1/stripped" && strip "$1/stripped"
	if command -v xz >/dev/null; then
		xz -k "$1/mini" && cp "$1/stripped" "$1/packed" &&
			objcopy --add-section .gnu_debugdata="$1/mini.xz" "$1/packed"
		rm -f "$1/mini.xz"
	fi
}

seeds_lineinfo() {
	object "$1/v4" -gdwarf-4 && object "$1/v5" -gdwarf-5 && object "$1/gz" -g -gz
	object "$1/split" -g -gsplit-dwarf || :
	packed "$1/packed-4" gcc dwp -gdwarf-4 || :
	packed "$1/packed-5" clang llvm-dwp -gdwarf-5 || :
}

# packed SEED COMPILER TOOL FLAG: a program that has its own package in it.
packed() {
	echo "static int twice(int x) { return x + x; } int main(int c, char **v)
		{ for (int i = 0; v[i]; i++) c = twice(c) ^ *v[i]; return c; }" >"$1.c"
	"$2" -O2 "$4" -gsplit-dwarf -nostartfiles -e main -o "$1" "$1.c" &&
		"$3" -e "$1" -o "$1.dwp" || return
	for section in debug_info.dwo debug_abbrev.dwo debug_str.dwo debug_str_offsets.dwo \
		debug_rnglists.dwo debug_cu_index; do
		objcopy -O binary --only-section=".$section" --set-section-flags ".$section=alloc" \
			"$1.dwp" "$1.raw" && test -s "$1.raw" &&
			objcopy --add-section ".$section=$1.raw" "$1"
	done
	rm -f "$1.c" "$1.raw" "$1.dwp" ./*.dwo
}

corpus=$fuzzer.corpus
mkdir -p "$corpus"
"seeds_${fuzzer##*/fuzz_}" "$corpus"
if "$fuzzer" -max_total_time="$seconds" -timeout=10 -max_len=16384 \
	-artifact_prefix="$fuzzer-" -print_final_stats=1 "$@" "$corpus" >"$fuzzer-log" 2>&1; then
	printf '%s: %s inputs, nothing found\n' "${fuzzer##*/}" \
		"$(sed -n 's/^stat::number_of_executed_units: *//p' "$fuzzer-log")"
else
	grep -av '^#[0-9]\|^INFO\|# Uses: ' "$fuzzer-log" || :
	exit 1
fi
