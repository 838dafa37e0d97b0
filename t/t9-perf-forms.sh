# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings that the perf of this machine makes, with the fields and in the forms that its
# options ask for: imported they are what perf itself counts in them.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3
need perf

PERF_COUNT=$PWD/counted && export PERF_COUNT
counts() { rm -f counted && perf script -i "$1" -s "$RP_SRC/t/perf-count.py" >/dev/null 2>perf.err; }

can_count() { perf record -q -o try.data -e cpu-clock true >/dev/null 2>&1 && counts try.data && [ -f counted ]; }
can_count || skip_all "perf does not record here, or knows no Python"

# Some processes, threads and names; and what perf's own start adds.
cat >work <<'END'
burn one=10 & burn kernel=10 & threads one=10 two=10 & wait
exec burn recurse=5
END

# same FILE: the import of FILE against what perf counted in it.
same() {
	rm -rf it.er && collect --import "$1" -o it.er 2>err && samples it.er >mine &&
		"$RP_SRC/t/perf-same" counted it.er mine
}

# Names of recordings, and the options that each is made with.
cat >forms <<'END'
plain -e cpu-clock
chains -e cpu-clock -g
stacks -e cpu-clock --call-graph dwarf,1024
everything -e cpu-clock -d --weight --phys-data --code-page-size --data-page-size --sample-cpu -T -P -R --user-regs=ip,sp --intr-regs=ip,sp --all-cgroups --namespaces
groups -e {cpu-clock,task-clock,page-faults}:S
several -e cpu-clock -e page-faults -e cpu-clock/call-graph=fp,name=named/ -e context-switches
mixed -e cpu-clock/call-graph=dwarf/ -e page-faults/period=1/
levels -e cpu-clock:u -e cpu-clock:k
switches -e cpu-clock --switch-events
compressed -e cpu-clock -g -z
rings -e cpu-clock,page-faults -g --threads=cpu
rings-compressed -e cpu-clock --threads=cpu -z
rings-stacks -e cpu-clock --call-graph dwarf,1024 --threads=core
clock -e cpu-clock -k mono --timestamp-boundary
build-ids -e cpu-clock -g --buildid-mmap
synthesized -e cpu-clock --overwrite --tail-synthesize
no-inherit -e cpu-clock -i --no-buildid -N
threads -e cpu-clock --per-thread
dummy -e cpu-clock -e dummy:u
END

# Four at once, since perf waits for a thread of its own at the end, up to a second; of an
# ordinary user one, whose rings may take little memory together.
at_once=4
[ "$(id -u)" -eq 0 ] || at_once=1
# shellcheck disable=SC2016 # the words of the inner shell
xargs -L 1 -P $at_once sh -c 'name=$1 && shift
	perf record -q -o "$name.data" "$@" -- sh work >/dev/null 2>"$name.err" && : >"$name.made"
	:' sh <forms

# form NAME OPTION…: that recording; skipped where this perf or kernel has no such thing.
form() {
	name=$1
	shift
	if [ ! -e "$name.made" ]; then
		test_skip "$name" "perf: $(tail -n 1 "$name.err")"
		return
	fi
	if ! counts "$name.data"; then
		test_skip "$name" "perf script: $(tail -n 1 perf.err)"
		return
	fi
	test_expect_success "$name: perf record $*" 'same "$name.data"'
}

while read -r name options; do
	# shellcheck disable=SC2086 # options are words
	form "$name" $options
done <forms

# Names of the running kernel and its vDSO, which only this machine has; a recording without
# the kernel does not identify it.  The program asks for the time until it has used 0.3 s, at
# least a tenth of it in the vDSO, even if only the kernel can read the clock: the chance that
# none of 1,200 samples lies there is 0.9^1200, 10^-55.
cat >clock.c <<'END'
#include <time.h>
int main(void)
{
	struct timespec now;
	while (clock() < 3 * CLOCKS_PER_SEC / 10)
		for (int i = 0; i < 10000; i++)
			clock_gettime(CLOCK_MONOTONIC, &now);
	return 0;
}
END
if ! ${CC:-cc} -O2 -o clock clock.c 2>/dev/null; then
	test_set_prereq KERNEL 'no compiler'
else
	test_set_prereq KERNEL "$(perf record -q -e cpu-clock:k -o k.data true >/dev/null 2>&1 ||
		echo 'the kernel cannot be sampled here')"
fi
test_expect_success KERNEL 'the vDSO has names: it is that of the kernel that runs' '
	perf_record -e cpu-clock -F 4000 -o clock.data ./clock &&
	collect --import clock.data -O names.er 2>err && er_print -functions names.er >functions &&
	test_grep "__vdso_clock_gettime\|__kernel_clock_gettime" functions
'

# A function made at run time, with its name in a map: mov $N,%ecx; dec; jnz; ret.
cat >jit.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };
	unsigned char *at = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *f;
	memcpy(at, code, sizeof(code));
	sprintf(name, "/tmp/perf-%d.map", (int)getpid());
	f = fopen(name, "w");
	fprintf(f, "%lx %zx made_at_run_time\n", (long)at, sizeof(code));
	fclose(f);
	puts(name);
	((void (*)(void))at)();
}
END
if [ "$(uname -m)" = x86_64 ] && ${CC:-cc} -o jit jit.c 2>/dev/null; then
	test_set_prereq JIT
else
	test_set_prereq JIT 'no compiler for code of x86-64'
fi

test_expect_success JIT 'what a JIT told in its map has names' '
	perf_record -e cpu-clock -g -o jit.data ./jit >map &&
	collect --import jit.data -O jit.er 2>err && er_print -functions jit.er >functions &&
	test_grep made_at_run_time functions && xargs rm -f <map &&
	perf record -q -e cpu-clock -o - ./jit 2>map | collect --import - -O jit.er 2>err &&
	er_print -functions jit.er >functions && test_grep made_at_run_time functions &&
	grep "^/tmp/perf-" map | xargs rm -f
'

# perf script reads a pipe too; what was recorded is kept beside for it.  It aborts at some build-ids: see
# perf_record.
piped() {
	for try in 1 2 3; do
		perf record -q -o - "$@" -- sh work 2>record.err | tee pipe.data |
			collect --import - -O piped.er 2>err && samples piped.er >mine || return
		counts pipe.data
		status=$?
		[ $status -gt 128 ] || break
	done
	[ $status -le 128 ] || { echo "perf script ended with $status" && return 77; }
	[ $status -eq 0 ] && "$RP_SRC/t/perf-same" counted piped.er mine
}

test_expect_success 'perf record -o - | collect --import -' '
	piped -e cpu-clock -e page-faults -g
'

test_done
