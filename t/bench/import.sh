# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Part of run.sh about recordings that perf made.  Uses its $tmp, $timed, $runs, have, medians,
# long_command and make_hard.

# import_command NAME: the program to record for it.
import_command() {
	case $1 in
	deep) echo "$tmp/deep-fp 340" ;;
	stacks) echo grow stacks 1 8000 ;;
	*) long_command "$1" ;;
	esac
}

# perf_reads OPTION: appends what perf report takes to $tmp/reportedOPTION.
perf_reads() {
	"$timed" "$tmp/reported$1" perf report --stdio -g none --no-inline "$1" \
		-i "$tmp/import.data" >/dev/null 2>&1 || :
}

# NAME CALL-GRAPH PERIOD: one line of the table; CPU times of the reader alone, in seconds.
# shellcheck disable=SC2046
import_row() {
	rm -f "$tmp/imported" "$tmp"/reported--*
	perf record -q -B -N -e cpu-clock -c "$3" --call-graph "$2" -o "$tmp/import.data" \
		$(import_command "$1") >/dev/null 2>&1 || return 0
	for run in $(seq "$runs"); do
		echo "import of $1, $2 $run/$runs" >&2
		"$timed" "$tmp/imported" collect --import "$tmp/import.data" -O "$tmp/import.er" \
			2>/dev/null
		perf_reads --children
		perf_reads --no-children
	done
	echo "$1 $2 $(wc -c <"$tmp/import.data") $(log_value samples "$tmp/import.er/log.json")" \
		"$(medians "$tmp/imported") $(medians "$tmp/reported--children")" \
		"$(medians "$tmp/reported--no-children")" | awk '{
		cpu = $6 + $7
		printf "| %s, %s | %.0f | %d | %.2f | %.0f | %.2f | %.2f (%.1f) | %.2f (%.1f) |\n",
			$1, $2, $3 / 1e6, $4, cpu, $3 / 1e6 / cpu, $4 / 1e6 / cpu,
			$10 + $11, ($10 + $11) / cpu, $14 + $15, ($14 + $15) / cpu }'
	rm -rf "$tmp/import.data" "$tmp/import.er"
}

import() {
	have perf || return 0
	make_large
	g++ -O2 -g -fno-omit-frame-pointer -o "$tmp/deep-fp" \
		"$RP_SRC/../shared/workloads/deep.cc" 2>/dev/null || :
	echo '| recording by perf | MB | samples | import CPU s | MB/s | million samples/s | perf report CPU s (times ours) | … --no-children (times ours) |'
	echo '|---|---|---|---|---|---|---|---|'
	import_row deep fp 50000
	import_row sqlite fp 40000
	import_row gcc fp 50000
	import_row stacks fp 50000
	import_row sqlite dwarf 500000
}
