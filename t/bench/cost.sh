# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154,SC2317
# Parts of run.sh about what holds at 10 kHz and on short commands.  Uses its $tmp, $timed,
# $runs, have and medians.

# log_value KEY FILE: the first number of that key in a log.json.
log_value() { awk -F'[:, ]+' -v k="\"$1\"" '$2 == k { print $3; exit }' "$2"; }

# The workloads that come with the measured programs, where they are at hand.
hard_command() {
	workloads=$RP_SRC/../shared/workloads
	case $1 in
	sqlite | python | xz) echo "$RP_SRC/t/bench/workload.sh $1" ;;
	deep) echo "$tmp/deep 340" ;;
	contention) echo "$tmp/contention 50000" ;;
	fork) echo "$workloads/fork.sh 2" ;;
	gcc) echo "gcc -O2 -c -o $tmp/gcc.o $RP_SRC/t/bench/gaps.c -include $tmp/large.h" ;;
	esac
}

# As long as it takes until what a recording costs once does not hide what a sample does.
long_command() {
	case $1 in
	sqlite) echo "$RP_SRC/../shared/workloads/sqlite.sh 1500000" ;;
	python) echo "$RP_SRC/../shared/workloads/python.sh 25" ;;
	*) hard_command "$1" ;;
	esac
}

# A header of many functions of one shape, for the compiler to chew on.
make_large() {
	awk 'BEGIN {
		for (i = 0; i < 1200; i++)
			printf "int f%d(int *a, int n) { int s = %d; for (int i = 0; i < n; i++)" \
				" { if (a[i] %% %d) s += a[i] ^ s; else s -= a[n - 1 - i] * %d; }" \
				" return s; }\n", i, i, i % 17 + 2, i % 9
	}' >"$tmp/large.h"
}

make_hard() {
	make_large
	g++ -O2 -g -o "$tmp/deep" "$RP_SRC/../shared/workloads/deep.cc" 2>/dev/null || :
	gcc -O2 -g -pthread -o "$tmp/contention" \
		"$RP_SRC/../shared/workloads/contention.c" 2>/dev/null || :
}

# One line: samples, lost, share to root, us a sample, bytes a sample, MiB, difference from the accounting.
# shellcheck disable=SC2046
hard_run() {
	rm -rf "$tmp/hard.er"
	collect -p "$2" -O "$tmp/hard.er" $(long_command "$1") >/dev/null 2>&1
	log=$tmp/hard.er/log.json
	echo "$(log_value samples "$log") $(log_value lost "$log") $(log_value root "$log")" \
		"$(log_value cpu_ns "$log") $(wc -c <"$tmp/hard.er/data")" \
		"$(log_value max_rss_kb "$log") $(log_value count "$log")" \
		"$(log_value rusage_user_ns "$log") $(log_value rusage_system_ns "$log")" |
		awk '{ n = $1 ? $1 : 1; books = $8 + $9
			print $1, $2, 100 * $3 / n, $4 / 1000 / n, $5 / n, $6 / 1024,
				books ? 100 * ($7 - books) / books : 0 }'
}

hard() {
	make_hard
	echo "| 10 kHz | samples | lost | to root % | collect µs/sample | bytes/sample | collect MiB | samples − rusage % |"
	echo '|---|---|---|---|---|---|---|---|'
	for workload in sqlite python xz deep contention fork gcc; do
		command -v "$(long_command "$workload" | cut -d ' ' -f 1)" >/dev/null || continue
		rm -f "$tmp/hard"
		for run in $(seq "$runs"); do
			echo "$workload 10 kHz $run/$runs" >&2
			hard_run "$workload" 0.1 >>"$tmp/hard"
		done
		echo "$workload $(medians "$tmp/hard")"
	done | awk '{ printf "| %s | %d | %d | %.2f | %.1f | %.1f | %.0f | %+.1f |\n",
		$1, $2, $3, $4, $5, $6, $7, $8 }'
}

# What a sample takes from the target, by the gaps that it sees itself; median of runs.
gap_words() {
	case $1 in
	collect-*) echo "collect -p 0.1 --stack ${1#collect-} -O $tmp/gap.er" ;;
	perf) echo "perf record -q -e cpu-clock -F 10000 -o $tmp/gap.data" ;;
	perf-*) echo "perf record -q -e cpu-clock -F 10000 --call-graph ${1#perf-} -o $tmp/gap.data" ;;
	esac
}

# One run's median is good to some microseconds: it takes many.
GAP_RUNS=4

gap_recorders() {
	echo collect-off collect-fp collect-cfi
	! have perf || echo perf perf-fp perf-dwarf
}

# shellcheck disable=SC2046
gap_tables() {
	echo '| recorder | 5 deep, ns | 25 deep, ns | 100 deep, ns |'
	echo '|---|---|---|---|'
	for depth in 5 25 100; do
		for run in $(seq $((runs * GAP_RUNS))); do
			echo "gaps $depth $run/$((runs * GAP_RUNS))" >&2
			for recorder in $(gap_recorders); do
				$(gap_words "$recorder") "$RP_BUILD/t/bench/gaps" "$depth" 300 \
					2>/dev/null | tail -n 1 >>"$tmp/gaps.$recorder.$depth"
			done
		done
	done
	for recorder in $(gap_recorders); do
		echo "$recorder $(for depth in 5 25 100; do
			medians "$tmp/gaps.$recorder.$depth" | cut -d ' ' -f 2; done | paste -s -d ' ')"
	done | awk '{ printf "| %s | %d | %d | %d |\n", $1, $2, $3, $4 }'
}

# Start to end of a command that does nothing.
short_run() {
	rm -f "$tmp/short"
	for run in $(seq "$runs"); do
		"$timed" "$tmp/short" "$@" >/dev/null 2>&1
	done
	medians "$tmp/short" | cut -d ' ' -f 1
}

short() {
	echo '| command | ms |'
	echo '|---|---|'
	{
		echo "true $(short_run true)"
		echo "collect·true $(short_run collect -O "$tmp/short.er" true)"
		! have perf || echo "perf·record·true $(short_run perf record -q -g -o "$tmp/short.data" true)"
		! have gp-collect-app ||
			echo "gprofng·collect·true $(short_run gp-collect-app -O "$tmp/short2.er" true)"
	} | awk '{ gsub("·", " ", $1); printf "| %s | %.0f |\n", $1, $2 * 1000 }'
}

# Our stacks beside those of perf's unwinder, of one recording that perf made.
# shellcheck disable=SC2046
agreement() {
	have perf || return 0
	echo "| recording by perf | samples | same frames | perf ends earlier, same so far | perf leaves frames out | different | perf's has no root |"
	echo '|---|---|---|---|---|---|---|'
	for workload in sqlite python xz deep contention fork; do
		command -v "$(hard_command "$workload" | cut -d ' ' -f 1)" >/dev/null || continue
		echo "$workload: stacks beside perf's" >&2
		perf record -q -B -N -e cpu-clock -F 1500 --call-graph dwarf,16384 \
			-o "$tmp/agree.data" $(hard_command "$workload") >/dev/null 2>&1
		collect --import "$tmp/agree.data" -O "$tmp/agree.er" 2>/dev/null
		perf script -i "$tmp/agree.data" --no-inline -F tid,time,ip,sym,dso \
			>"$tmp/agree.txt" 2>/dev/null || continue
		echo "$workload $(python3 "$RP_SRC/t/bench/agree.py" \
			"$RP_BUILD/t/helper/samples" "$tmp/agree.er" "$tmp/agree.txt")"
	done | awk '{ printf "| %s | %d | %d | %d | %d | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7 }'
}
