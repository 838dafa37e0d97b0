#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What profiling costs: ringprof beside perf and gprofng, in one run.  Prints
# doc/BENCHMARKS.md.
#
#	BENCH_N=5       how often each is measured; medians are shown
#	BENCH_SIZES     numbers of samples for the part about reading
#	BENCH_BIG=1     a hundred million of them, too: 400 MB on the disk
#	BENCH_PARTS     of: recording hard stacks gaps short reading import answers page regions waits fleet; or growth,
#	                which is a page of its own, doc/GROWTH.md; of that BENCH_AXES
#	FLEET_HOSTS     numbers of hosts for the part about many machines: 64 are 48 million samples, and half an hour
set -eu

: "${RP_SRC:?use make bench}" "${RP_BUILD:?use make bench}"
runs=${BENCH_N:-5}
sizes=${BENCH_SIZES:-'10000 100000 1000000'}
[ -z "${BENCH_BIG:-}" ] || sizes="$sizes 100000000"
parts=${BENCH_PARTS:-recording hard stacks gaps short reading import answers page regions waits fleet}
title=Benchmarks how='make -s bench >doc/BENCHMARKS.md' measured="Medians of $runs runs"
[ "$parts" != growth ] || title=Growth how='BENCH_PARTS=growth make -s bench >doc/GROWTH.md' \
	measured='One run of each'
timed=$RP_BUILD/t/bench/timed
PATH=$RP_BUILD:$RP_BUILD/t/progs:$RP_BUILD/t/bench:$PATH
LC_ALL=C
export PATH LC_ALL
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Ticks that a hypervisor kept for itself, and all; proc(5), /proc/stat.
cpu_ticks() { awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print $9 + 0, all }' /proc/stat; }
ticks_before=$(cpu_ticks)

stolen() {
	echo "$ticks_before $(cpu_ticks)" | awk '$4 > $2 && $3 > $1 {
		printf "\nWhile this was measured the hypervisor kept %.0f %% of the CPUs'"'"' time for itself.\n",
			100 * ($3 - $1) / ($4 - $2) }'
}

have() { command -v "$1" >/dev/null; }

# shellcheck source=t/bench/cost.sh
. "$RP_SRC/t/bench/cost.sh"
# shellcheck source=t/bench/answers.sh
. "$RP_SRC/t/bench/answers.sh"
# shellcheck source=t/bench/import.sh
. "$RP_SRC/t/bench/import.sh"
# shellcheck source=t/bench/page.sh
. "$RP_SRC/t/bench/page.sh"
# shellcheck source=t/bench/regions.sh
. "$RP_SRC/t/bench/regions.sh"
# shellcheck source=t/bench/waits.sh
. "$RP_SRC/t/bench/waits.sh"
# shellcheck source=t/bench/fleet.sh
. "$RP_SRC/t/bench/fleet.sh"
# shellcheck source=t/bench/growth.sh
. "$RP_SRC/t/bench/growth.sh"

machine() {
	cpu=$(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo)
	kind='no hypervisor seen'
	! grep -q '^flags.* hypervisor' /proc/cpuinfo || kind='a virtual machine'
	pmu='no hardware counters'
	for device in /sys/bus/event_source/devices/cpu* /sys/bus/event_source/devices/armv*; do
		[ ! -e "$device" ] || pmu='hardware counters'
	done
	echo "${cpu:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) CPUs, $kind, $pmu;" \
		"Linux $(uname -r), $(. /etc/os-release && echo "$PRETTY_NAME")."
	echo "$(collect -V | head -n 1)$(have perf && echo ", $(perf --version)")$(
		have gp-collect-app && echo ', gprofng of binutils')."
	echo "$measured, $(date -u +%Y-%m-%d); load average $(cut -d ' ' -f 1 /proc/loadavg)" \
		"when it began."
}

# ---- the recorders: all sample the CPU clock at about 1 kHz ----

recorders() {
	echo none collect
	! have perf || echo perf-fp perf-dwarf
	! have gp-collect-app || echo gprofng
}

# The words before the command that is to be recorded in $tmp/rec.
record_words() {
	case $1 in
	none) ;;
	collect) echo "collect -p hi -O $tmp/rec.er" ;;
	perf-*) echo "perf record -q -e cpu-clock -F 1003 --call-graph ${1#perf-} -o $tmp/rec.er" ;;
	gprofng) echo "gp-collect-app -p hi -O $tmp/rec.er" ;;
	esac
}

# The words that print the functions.
report_words() {
	case $1 in
	collect) echo er_print -functions ;;
	perf-*) echo perf report --stdio -g none -i ;;
	gprofng) echo gp-display-text -functions ;;
	esac
}

samples() {
	case $1 in
	collect) awk '/"totals"/ { t = 1 } t && /"samples"/ { print $2 + 0; exit }' "$tmp/rec.er/log.json" ;;
	perf-*) perf report --stats -i "$tmp/rec.er" 2>&1 | awk '/SAMPLE events:/ { print $3; exit }' ;;
	# It does not say: its total over its interval.
	gprofng) gp-display-text -functions "$tmp/rec.er" 2>&1 |
		awk '/<Total>/ { print int($1 / 0.000997 + 0.5); exit }' ;;
	esac
}

# record WORKLOAD RECORDER: appends to $tmp/row one line:
# target's wall and CPU, CPU of the recorder, samples, bytes, report's wall and MiB
# shellcheck disable=SC2046
record() {
	rm -rf "$tmp/rec.er" "$tmp/target" "$tmp/whole" "$tmp/report"
	"$timed" "$tmp/whole" $(record_words "$2") \
		"$timed" "$tmp/target" "$RP_SRC/t/bench/workload.sh" "$1" >"$tmp/out" 2>&1 ||
		{ cat "$tmp/out" >&2; exit 1; }
	count=0 bytes=0
	if [ "$2" = none ]; then
		echo 0 0 0 0 >"$tmp/report"
	else
		count=$(samples "$2")
		bytes=$(du -sb "$tmp/rec.er" | cut -f 1)
		"$timed" "$tmp/report" $(report_words "$2") "$tmp/rec.er" >"$tmp/out" 2>&1
	fi
	paste "$tmp/target" "$tmp/whole" "$tmp/report" | awk -v count="$count" -v bytes="$bytes" '
		{ print $1, $2 + $3, $6 + $7 - $2 - $3, count, bytes, $9, $12 / 1024 }' \
		>>"$tmp/$1.$2"
}

# medians FILE: of each column, in one line.
medians() {
	columns=$(awk '{ print NF; exit }' "$1")
	for column in $(seq "$columns"); do
		awk -v c="$column" '{ print $c }' "$1" | sort -n | awk '
			{ v[NR] = $1 }
			END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
	done | paste -s -d ' '
}

recording_table() {
	echo "| $1 | target CPU s | slowdown | recorder CPU s | samples | µs/sample | bytes/sample | report s | report MiB |"
	echo '|---|---|---|---|---|---|---|---|---|'
	for recorder in $(recorders); do
		echo "$recorder $(medians "$tmp/$1.$recorder")"
	done | awk '
		$1 == "none" { base = $3; printf "| %s | %.2f | 1 | | | | | | |\n", $1, $3; next }
		{
			n = $5 ? $5 : 1
			printf "| %s | %.2f | %.3f | %.3f | %d | %.1f | %.1f | %.2f | %.0f |\n",
				$1, $3, $3 / base, $4, $5, $4 * 1e6 / n, $6 / n, $7, $8
		}'
}

# The recorders take turns, so that a machine that changes its pace changes it for all.
recording() {
	for workload; do
		"$RP_SRC/t/bench/workload.sh" "$workload" >/dev/null 2>&1 || continue
		for run in $(seq "$runs"); do
			for recorder in $(recorders); do
				echo "$workload $recorder $run/$runs" >&2
				record "$workload" "$recorder"
			done
		done
		[ "$workload" = "$1" ] || echo
		recording_table "$workload"
	done
}

reading() {
	echo '| samples (generated) | bytes/sample | er_print -functions s | peak MiB |'
	echo '|---|---|---|---|'
	for size in $sizes; do
		"$RP_BUILD/t/bench/gen_experiment" "$tmp/gen.er" "$size"
		rm -f "$tmp/read"
		for run in $(seq "$runs"); do
			echo "er_print $size $run/$runs" >&2
			"$timed" "$tmp/read" er_print -functions "$tmp/gen.er" >"$tmp/out"
		done
		echo "$size $(du -sb "$tmp/gen.er" | cut -f 1) $(medians "$tmp/read")" | awk '{
			printf "| %d | %.1f | %.3f | %.1f |\n", $1, $2 / $1, $3, $6 / 1024 }'
		rm -rf "$tmp/gen.er"
	done
}

# part NAME COMMAND…: the text on standard input and what COMMAND prints, where NAME is wanted.
part() {
	case " $parts " in
	*" $1 "*) echo && cat ;;
	*) return 0 ;;
	esac
	shift
	"$@"
}

cat <<END
# $title

Made by \`$how\`.

END
machine
part recording recording sqlite python xz <<'END'
## Recording

All sample the CPU clock at about 1 kHz: `collect -p hi`, `perf record -F 1003` with frame
pointers and with copied stacks (dwarf), `gp-collect-app -p hi`. *Target* is the CPU time that
the program used, *slowdown* that by what it uses alone, *recorder* the CPU time of the
profiler itself, *report* the time and peak memory of printing the functions. perf with frame
pointers gets a fragment of most of these stacks; gprofng's count of samples is its total
over its interval.

END
part hard hard <<'END'
## At 10 kHz, and on what is hard

`collect -p 0.1`. *To root*: samples whose stack was followed to its root. *collect µs*: its own
CPU time, all stages, over the samples. The last column compares the counter with the kernel's accounting: what a
hypervisor took is in the counter alone. The profile's total, with `<Unsampled>`, is that of the accounting.

END
part stacks agreement <<'END'
## The same stacks as perf's unwinder

Recordings that perf made with copies of 16 KiB, unwound by `collect --import` and by `perf script`
(127 frames at most). A stack of perf's ends earlier at those 127 frames, at the end of its copy, in
epilogues, where it believes stale slots, and before the root frame of threads (`clone3`). Where it
reaches a root and leaves frames out, the call that it shows is not in the code: in the dynamic
linker's start of a program `_start` calls `_dl_start`, and not, as there, `_dl_sysdep_start`. Where
it reaches none it has also kept the mappings of the program before an exec.

END
part gaps gap_tables <<'END'
## What a sample takes from the target

The median gap that a spinning program sees in its own time, at 10 kHz: the interrupt with all
that the kernel does for a sample. The difference to a recording without call chains (`collect-off`,
`perf`) is what the stack costs.

END
part short short <<'END'
## A command that does nothing, start to end

END
part reading reading <<'END'
## Reading

Experiments of `t/bench/gen_experiment`: 20,000 stacks of 2,000 frames, up to 40 deep, of which
every sample is read. Memory has the sums of each second of the run besides; a hundred million
samples are a day and more (`BENCH_BIG=1`).

END
part import import <<'END'
## Recordings of perf

`collect --import` of what `perf record -e cpu-clock --call-graph fp|dwarf` wrote, in its own CPU
time, on one core: from bytes to interned stacks with names, as in our own recordings. *deep*
is compiled with frame pointers; *sqlite* and *gcc* are not, so that their chains are short, and of gcc
mostly wrong: there a sample is hardly ever like another. Of *stacks*, 45 frames deep, none is. Beside it the
CPU time of `perf report -g none`: by default it adds up what each caller's callees have; with
`--no-children` it puts no stack together at all.

END
part answers answers <<'END'
## Until the answer is there

The same command recorded by all three at about 1 kHz, perf with copied stacks; then each is asked.
The first time nothing is kept of what er_print looks up: names, lines and inlined functions of every
frame. perf: `report --children` with inlined functions, `annotate`. Peak memory in parentheses;
what takes more than 60 s is given up.

END
part page page_table <<'END'
## The page to look at

`er_print -report` of the demo, of a million samples of 20,000 stacks, drawn at random, of as many of 100,000, of
17 million (a day of two CPUs at 100 Hz), of 101,000 functions and of 2,000 threads; then
headless Chromium. First paint is until all views are there, and the main thread's CPU time until then; a drag, a
zoom, a hover, and showing the timeline of threads are the longest
computation that one event causes. The heap is after a garbage collection.

END
part regions regions_table <<'END'
## Regions

`libcollector.h`'s begin and end together, the least of 50 rounds of 5,000; then a million regions with some work in each,
by the CPU time that the program used; then ten million of them, and how long er_print takes over these.

END
part waits waits_table <<'END'
## Waits

Two threads on one CPU that wake each other, in bursts each millisecond: `collect -p 10` alone and with `-w on`, perf with
`--switch-events`, and with each switch's stack besides. *Target* is the CPU time of the program a switch, its two system
calls included. What perf reads it does not unwind, and names nothing. MiB are those of the recorder or the program, whichever
has more. *Lost* are records, with perf its reports of losses, whatever their size. Then a generated recording of many waits, in
all states and 20,000 stacks.

END
part fleet fleet_table <<'END'
## Many machines

Simulated hosts with 24 recordings each, half of each release, of 700 functions and 3,000 stacks, made by `t/helper/mkexp`, in
ClickHouse on this machine: one server, and a cluster of three, which shows what a cluster costs here, not what it gains.
`load` by four at a time; each question is `share/sql/ask`, with the start of its client.

END
part growth growth <<'END'
One thing grows at a time, and the rest stays as it is. An exponent is the slope of the
logarithms, by least squares over all lines, and over the last two alone: of a cost in proportion
to its cause it is 1, less where something fixed is in it. *CPU* is the recorder's own, *MiB* its
peak memory; perf's includes its target's. *To root*: samples whose stack was followed to its root.
collect samples at 1 kHz (stacks at 10 kHz) and unwinds, interns and names all stacks; perf copies
frame pointers' chains, at depth 64 KiB of the stack, and has all that to do in its report.

CPUs are not this machine's: `t/bench/bench_cpus` writes what the kernel would write into their rings
(registers, copies of real stacks 20 to 30 calls deep, processes that begin and end), and the loop of
collect reads it. Time passes there by the CPU time of this one thread, and a sample that finds no room
is lost. Of several readers, while they read, it is the time of the one that takes longest: as if each had
a CPU, though two share caches and memory here.

END
stolen
