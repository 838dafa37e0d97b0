# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# For run.sh: what records of switches cost the program and the recorder, and the reader.

switches_program=$RP_BUILD/t/bench/bench_switches
switch_rates='10000 100000 500000' switch_ms=2000
# How many waits of how many threads the reader has.
wait_number=10000000 wait_threads=64

# With two CPUs, collect shares none with the program, as the program has one alone.
switch_recorders() {
	echo none sampled collect
	! have perf || echo perf perf-fp perf-dwarf
}

# The words before the program; all sample the CPU clock at 100 Hz besides.
switch_words() {
	case $1 in
	sampled) echo "collect -p 10 -O $tmp/switches.er" ;;
	collect) echo "collect -p 10 -w on -O $tmp/switches.er" ;;
	perf) echo "perf record -q -N -B -e cpu-clock -F 100 --switch-events -o $tmp/switches.er" ;;
	perf-*) echo "perf record -q -N -B -e cpu-clock/freq=100/ -e context-switches/period=1/" \
		"--call-graph ${1#perf-} --switch-events -o $tmp/switches.er" ;;
	esac
}

# switch_run RATE RECORDER: appends one line: switches a second, CPU time of the program and of the
# recorder in us a switch, bytes a switch, MiB, and lost
# records, of perf the reports of such.
# shellcheck disable=SC2046
switch_run() {
	rm -rf "$tmp/switches.er" "$tmp/switches.target" "$tmp/switches.whole"
	"$timed" "$tmp/switches.whole" $(switch_words "$2") \
		"$timed" "$tmp/switches.target" "$switches_program" "$1" "$switch_ms" >"$tmp/switches.out" 2>"$tmp/switches.said" ||
		{ cat "$tmp/switches.said" >&2; exit 1; }
	bytes=0 lost=0
	[ ! -e "$tmp/switches.er" ] || bytes=$(du -sb "$tmp/switches.er" | cut -f 1)
	case $2 in
	sampled | collect) lost=$(($(log_value lost "$tmp/switches.er/log.json") + $(log_value lost_other "$tmp/switches.er/log.json"))) ;;
	perf*) lost=$(perf report --stats -i "$tmp/switches.er" 2>/dev/null |
		awk '/LOST_SAMPLES events:/ { next } /LOST events:/ { print $3; exit }') ;;
	esac
	tail -n 1 "$tmp/switches.out" | paste -d ' ' - "$tmp/switches.target" "$tmp/switches.whole" |
		awk -v bytes="$bytes" -v lost="${lost:-0}" '
			{ print $1 / $2, ($4 + $5) * 1e6 / $1, ($8 + $9 - $4 - $5) * 1e6 / $1, bytes / $1, $10 / 1024, lost }' \
			>>"$tmp/switches.$1.$2"
}

switch_costs() {
	echo '| asked, a second | recorder | switches/s | target µs/switch | of it for the recording | recorder µs/switch | bytes/switch | MiB | lost |'
	echo '|--:|---|--:|--:|--:|--:|--:|--:|--:|'
	for rate in $switch_rates; do
		for run in $(seq "$runs"); do
			for recorder in $(switch_recorders); do
				echo "switches $rate $recorder $run/$runs" >&2
				switch_run "$rate" "$recorder"
			done
		done
		for recorder in $(switch_recorders); do
			echo "$rate $recorder $(medians "$tmp/switches.$rate.$recorder")"
		done
	done | awk '
		$2 == "none" { base = $4; printf "| %d | none | %d | %.2f | | | | | |\n", $1, $3, $4; next }
		{ printf "| | %s | %d | %.2f | %.2f | %.2f | %.1f | %.0f | %d |\n", $2, $3, $4, $4 - base, $5, $6, $7, $8 }'
}

wait_reports() {
	"$RP_BUILD/t/bench/gen_experiment" "$tmp/waits.er" "$wait_number" 20000 "$wait_threads"
	echo
	echo "| $wait_number waits of $wait_threads threads, $(du -sb "$tmp/waits.er" | awk -v n="$wait_number" '{ printf "%.1f", $1 / n }') bytes each | CPU s | MiB |"
	echo '|---|--:|--:|'
	for view in functions waits locks timeline; do
		rm -f "$tmp/waits.cost"
		for run in $(seq "$runs"); do
			echo "waits $view $run/$runs" >&2
			"$timed" "$tmp/waits.cost" er_print "-$view" "$tmp/waits.er" >/dev/null 2>&1
		done
		medians "$tmp/waits.cost" | awk -v view="$view" '{ printf "| `-%s` | %.2f | %.0f |\n", view, $2 + $3, $4 / 1024 }'
	done
	rm -rf "$tmp/waits.er"
}

waits_table() {
	switch_costs
	wait_reports
}
