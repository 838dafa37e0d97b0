# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# For run.sh: what regions cost the program, the recording, and its reader.

regions_program=$RP_BUILD/t/bench/bench_regions
# A million regions a second and more: 10 million in some 10 s.
regions_each=1500 regions_number=10000000

region_runs() {
	for run in $(seq "$runs"); do
		echo "regions $run/$runs" >&2
		"$regions_program" pair >>"$tmp/pair.off"
		"$regions_program" clock >>"$tmp/pair.clock"
		collect --regions on -O "$tmp/regions.er" "$regions_program" pair >>"$tmp/pair.on" 2>/dev/null
		"$regions_program" work 1000000 "$regions_each" >>"$tmp/work.off"
		collect -O "$tmp/regions.er" "$regions_program" work 1000000 "$regions_each" >>"$tmp/work.sampled" 2>/dev/null
		collect --regions on -O "$tmp/regions.er" "$regions_program" work 1000000 "$regions_each" >>"$tmp/work.on" 2>/dev/null
	done
	paste -d ' ' "$tmp/work.off" "$tmp/work.sampled" "$tmp/work.on" |
		awk '{ print $2 / $1, $3 / $1, 1e15 / $3 }' >"$tmp/work.cost"
}

region_report() {
	collect --regions on -O "$tmp/regions.er" "$regions_program" work "$regions_number" "$regions_each" >/dev/null 2>&1
	for view in regions "group region -functions"; do
		rm -f "$tmp/regions.cost"
		for run in $(seq "$runs"); do
			# shellcheck disable=SC2086 # words
			"$timed" "$tmp/regions.cost" er_print -$view "$tmp/regions.er" >/dev/null 2>&1
		done
		echo "| \`$view\` of $regions_number instances | $(medians "$tmp/regions.cost" |
			awk '{ printf "%.2f s, %.0f MiB", $1, $4 / 1024 }') |"
	done
}

regions_table() {
	region_runs
	echo '| | |'
	echo '|---|--:|'
	echo "| a pair, without collect | $(medians "$tmp/pair.off") ns |"
	echo "| a reading of the clock | $(medians "$tmp/pair.clock") ns |"
	echo "| a pair, recorded; the clocksource is $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource) | $(medians "$tmp/pair.on") ns |"
	medians "$tmp/work.cost" | awk '{
		printf "| slowdown of a program with %.1f million regions a second of CPU time, sampled alone | %.3f |\n", $3 / 1e6, $1
		printf "| … and with its regions | %.3f |\n", $2 }'
	region_report
	du -sb "$tmp/regions.er" | awk -v n="$regions_number" '{ printf "| bytes a region, with the samples | %.2f |\n", $1 / n }'
}
