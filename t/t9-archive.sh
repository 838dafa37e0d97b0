# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect -A: an experiment reads the same where the files that ran are not.
. "$RP_SRC/t/lib.sh"
need_sampling
need g++ objcopy strip readelf

mkdir -p src run
cat >src/work.h <<'END'
template <class T> static inline T churn(T x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 31 + i;
	return x;
}
END
cat >src/main.cc <<'END'
#include "work.h"
#include <ctime>
volatile unsigned sink;
__attribute__((noinline)) void hot() { sink = churn(sink + 1u); }
int main()
{
	while (clock() < CLOCKS_PER_SEC / 5)
		for (int i = 0; i < 100; i++)
			hot();
	return !sink;
}
END

# make_program FLAG…: run/prog, of a copy of src.
make_program() {
	rm -rf run hidden e.er && cp -r src run &&
		(cd run && g++ -O2 -g "$@" -c -o main.o main.cc && g++ "$@" -o prog main.o) 2>err
}

record() {
	rm -rf e.er && collect -A "$1" -p hi -o e.er run/prog 2>said
}

# answers FILE: what a person asks, without what earlier answers left.
answers() {
	rm -f e.er/lines
	for command in functions lines 'source hot' 'disasm hot' callers-callees symbols; do
		# shellcheck disable=SC2086
		er_print -limit 0 -$command e.er 2>&1 || return
	done >"$1"
}

# Before and after the program, all of it, is gone.
reads_the_same() {
	record usedsrc && answers before && test_grep churn before &&
		test_grep "work.h" before && test_grep "while (clock" before &&
		mv run hidden && answers after && test_cmp before after
}

while read -r what flags; do
	# shellcheck disable=SC2086
	if ! make_program $flags; then
		test_skip "$what: reads the same without program and source" "g++ has no $flags"
		continue
	fi
	test_expect_success "$what: reads the same without program and source" '
		reads_the_same && test_grep " and [0-9.]* [kM]B of archive$" said
	'
done <<'END'
whole -gdwarf-5
version-4 -gdwarf-4
compressed -gz
split -gsplit-dwarf
no-build-id -Wl,--build-id=none
END

build_id() { readelf -n "$1" | sed -n 's/ *Build ID: //p'; }

test_expect_success 'a stripped program: its debug file is kept' '
	make_program && mkdir run/.debug &&
	objcopy --only-keep-debug run/prog run/.debug/prog.debug && strip run/prog &&
	objcopy --add-gnu-debuglink=run/.debug/prog.debug run/prog && reads_the_same &&
	test -e "e.er/archive/$(build_id hidden/prog)/debug"
'

if command -v dwz >/dev/null; then
	test_expect_success 'dwz: the alternate file is kept' '
		make_program && (cd run && cp prog other && dwz -m shared.dwz -r prog other) &&
		readelf -S run/prog >sections && test_grep gnu_debugaltlink sections &&
		reads_the_same && test -e "e.er/archive/$(build_id hidden/prog)/alt"
	'
else
	test_skip 'dwz: the alternate file is kept' 'dwz is not installed'
fi

# Where units lie is written in the program.  make_split FOLDER: in a, as FOLDER has it,
# and in b by the same name.
make_split() {
	rm -rf run hidden e.er && cp -r src run && mkdir run/a run/b &&
		sed "s/^volatile/static &/; s/main/other/; s/hot/warm/; s|/ 5|/ 2|" \
			src/main.cc >run/b/main.cc &&
		sed -i "s/^int main/int other();\n&/; s/!sink/other() + &/" run/main.cc &&
		(cd run/a && g++ -O2 -g -gsplit-dwarf -I.. -c -o "$1main.o" ../main.cc) &&
		(cd run/b && g++ -O2 -g -gsplit-dwarf -I.. -c main.cc) &&
		g++ -o run/prog run/a/main.o run/b/main.o
}

test_expect_success 'split units in other folders, of the same name' '
	make_split "" && reads_the_same && test_grep "warm.*main.cc" before &&
	test "$(ls e.er/archive/*/dwo | wc -l)" -ge 2
'

test_expect_success 'split units by absolute names' '
	make_split "$PWD/run/a/" && reads_the_same && test_grep "warm.*main.cc" before
'

if command -v dwp >/dev/null; then
	test_expect_success 'a package of split units is kept' '
		make_program -gdwarf-4 -gsplit-dwarf && (cd run && dwp -e prog && rm ./*.dwo) &&
		reads_the_same && test -e "e.er/archive/$(build_id hidden/prog)/dwp"
	'
else
	test_skip 'a package of split units is kept' 'dwp is not installed'
fi

# objects MODE: how many are in an archive.
objects() {
	record "$1" && find e.er -path '*/archive/*/object' | wc -l
}

make_program
test_expect_success 'used has files in stacks, on mapped files, src and usedsrc sources' '
	source="e.er/archive/src$PWD/run/main.cc" &&
	used=$(objects used) && test "$used" -ge 1 && ! test -e "$source" &&
	on=$(objects on) && test "$on" -ge "$used" && ! test -e "$source" &&
	src=$(objects src) && test "$src" -eq "$on" && cmp src/main.cc "$source" &&
	objects usedsrc && test_cmp src/main.cc "$source" &&
	objects off && ! test -e e.er/archive && test_no_grep archive said
'

test_expect_success 'unread sections take no room' '
	record used && kept=e.er/archive/$(build_id run/prog)/object &&
	test "$(stat -c %s run/prog)" -eq "$(stat -c %s "$kept")" && ! cmp run/prog "$kept" &&
	readelf --debug-dump=info run/prog >want && readelf --debug-dump=info "$kept" >got &&
	test -s want && test_cmp want got
'

test_expect_success '-O removes the archive with the experiment' '
	collect -O e.er -p hi run/prog 2>said && ! test -e e.er/archive &&
	! ls -d e.er.old-*
'

test_expect_success 'a link in an archive leads nowhere else' '
	record usedsrc && echo secret >secret &&
	ln -sf "$PWD/secret" "e.er/archive/src$PWD/run/main.cc" && rm run/main.cc &&
	test_expect_code 1 er_print -source hot e.er >got 2>err &&
	test_no_grep secret got && test_grep "does not exist" err
'

test_expect_success 'a damaged archive: names stay, lines may be missing' '
	make_program && record used && er_print -inlines off -functions e.er >want &&
	for file in e.er/archive/*/object; do
		head -c 3000 "$file" >cut && cp cut "$file" || return 1
	done &&
	er_print -lines -callers-callees -disasm hot e.er >got &&
	er_print -inlines off -functions e.er >got && test_cmp want got &&
	for file in e.er/archive/*/object; do echo no ELF file >"$file"; done &&
	er_print -disasm hot e.er >got && test_grep "ret" got
'

test_expect_success 'a full disk: files that fit are kept, the others reported' '
	(ulimit -f 40 && record on) && test_grep "warning: the archive lacks .*File too large" said &&
	! grep " 1 other files" said &&
	er_print -functions e.er >got && test_grep hot got && er_print -header e.er >got &&
	test_grep "the archive lacks" got
'

test_done
