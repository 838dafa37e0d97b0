# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154,SC2034,SC2317
# Part of run.sh that prints doc/GROWTH.md: how the cost grows with one thing at a time.  Uses
# its $tmp, $timed, $patience, have and log_value.
#
# An axis has four sizes and more, ascending; with BENCH_BIG=1 the last ones too.

# sizes_of AXIS
sizes_of() {
	case $1 in
	threads) usual='500 2000 8000 30000' big=100000 ;;
	forks) usual='250 1000 4000 16000' big=60000 ;;
	execs) usual='125 500 2000 8000' big=30000 ;;
	mappings) usual='2000 8000 30000 100000' big=400000 ;;
	areas) usual='500 2000 8000 30000' big=60000 ;;
	objects) usual='30 125 500 2000' big=5000 ;;
	depth) usual='10 100 1000 10000' big='20000 100000' ;;
	stacks) usual='2500 5000 10000 40000' big='160000 1000000' ;;
	rate) usual='100 1000 5000 20000' big= ;;
	attached) usual='50 200 800 3200' big=12000 ;;
	idle) usual='50 200 800 3200' big=12000 ;;
	cpus) usual='4 16 64 256' big=1024 ;;
	debug) usual='4 16 64' big='256 1024' ;;
	samples) usual='10000 100000 1000000 10000000' big=100000000 ;;
	nodes) usual='10000 100000 300000 1000000' big=10000000 ;;
	functions) usual='500 2000 8000 30000' big=100000 ;;
	experiments) usual='4 16 64 128' big=500 ;;
	import) usual='4 8 16 32' big='128 512' ;;
	esac
	echo "$usual${BENCH_BIG:+ $big}"
}

# What a table's first column counts.
unit_of() {
	case $1 in
	areas) echo 'areas of code without a file' ;;
	objects) echo 'shared objects' ;;
	depth) echo 'calls deep' ;;
	stacks) echo 'distinct stacks' ;;
	rate) echo 'samples/s' ;;
	attached) echo 'threads attached to' ;;
	idle) echo 'idle processes, -a' ;;
	debug) echo 'MB of debug information' ;;
	import) echo 'MB of perf.data' ;;
	*) echo "$1" ;;
	esac
}

# ---- the exponent ----

# exponent COLUMN: of it by the first column, by least squares on their logarithms over the lines
# of standard input; then of the last step alone.
exponent() {
	awk -v c="$1" '
		$1 > 0 && $c > 0 {
			x = log($1); y = log($c)
			if (n++) last = (y - before_y) / (x - before_x)
			sx += x; sy += y; sxx += x * x; sxy += x * y
			before_x = x; before_y = y
		}
		END {
			spread = n * sxx - sx * sx
			if (n < 2 || spread <= 0) print "—"
			else printf "%.2f, %.2f\n", (n * sxy - sx * sy) / spread, last
		}'
}

# exponents FILE NAME COLUMN…: one line about the columns.
exponents() {
	file=$1
	shift
	printf '\nExponents, and of the last step:'
	separator=
	while [ $# -gt 0 ]; do
		printf '%s %s %s' "$separator" "$1" "$(exponent "$2" <"$file")"
		separator=';'
		shift 2
	done
	echo .
	echo
}

# ---- recording ----

# growth_command AXIS SIZE: the program to record.
growth_command() {
	case $1 in
	mappings) echo flood maps "$2" ;;
	areas) echo grow jit "$2" 1000 ;;
	objects) echo grow objects "$2" 1000 ;;
	depth) echo grow depth "$2" 4000 ;; # for calls that last: copies are large after 30 ms
	stacks) echo grow stacks 1 $(($2 / 10)) ;;
	rate) echo burn one=1000 ;;
	*) echo flood "$1" "$2" ;;
	esac
}

# Samples a second.
growth_rate() {
	case $1 in
	rate) echo "$2" ;;
	stacks) echo 10000 ;;
	*) echo 1000 ;;
	esac
}

# As it is for stacks beyond the usual 127 calls.
perf_stacks() {
	case $1 in
	depth) echo --call-graph dwarf,65528 ;;
	*) echo --call-graph fp ;;
	esac
}

# recorder_words RECORDER AXIS SIZE
recorder_words() {
	case $1 in
	collect) echo collect -p "$(growth_rate "$2" "$3" | awk '{ print 1000 / $1 }')" \
		-O "$tmp/grow.er" ;;
	perf) echo perf record -q -e cpu-clock -F "$(growth_rate "$2" "$3")" \
		"$(perf_stacks "$2")" -o "$tmp/grow.data" ;;
	esac
}

# What the recorder RECORDER lost, and has: its peak in MiB, samples, those lost, and % of them
# to the root.  perf's peak is that of it and its target, whichever is larger.
recorder_result() {
	if [ "$1" = perf ]; then
		echo "$(awk '{ print $4 / 1024 }' "$tmp/outer")" "$(perf report --stats -i \
			"$tmp/grow.data" 2>&1 | awk '/SAMPLE events:/ { print $3; exit }')"
		return
	fi
	log=$tmp/grow.er/log.json
	echo "$(log_value max_rss_kb "$log") $(log_value samples "$log")" \
		"$(log_value lost "$log") $(log_value root "$log")" |
		awk '{ print $1 / 1024, $2, $3 + 0, $2 ? 100 * $4 / $2 : 0 }'
}

# growth_record RECORDER AXIS SIZE: target's CPU, the recorder's, recorder_result.
# shellcheck disable=SC2046
growth_record() {
	rm -rf "$tmp/grow.er" "$tmp/grow.data" "$tmp/outer" "$tmp/inner"
	(cd "$tmp/grow" && "$timed" "$tmp/outer" $(recorder_words "$1" "$2" "$3") \
		"$timed" "$tmp/inner" $(growth_command "$2" "$3") >"$tmp/out" 2>&1) || return 0
	echo "$(paste "$tmp/outer" "$tmp/inner" | awk '{ print $6 + $7, $2 + $3 - $6 - $7 }')" \
		"$(recorder_result "$1")"
}

# attached_words RECORDER AXIS: what records the crowd for a second.
attached_words() {
	case $1.$2 in
	collect.idle) echo collect -p hi -a -t 1 -O "$tmp/grow.er" ;;
	collect.attached) echo collect -p hi -t 1 -P "$crowd" -O "$tmp/grow.er" ;;
	perf.idle) echo perf record -q -e cpu-clock -F 1000 -g -a -B -N -o "$tmp/grow.data" \
		sleep 1 ;;
	perf.attached) echo perf record -q -e cpu-clock -F 1000 -g -p "$crowd" \
		-o "$tmp/grow.data" sleep 1 ;;
	esac
}

# As growth_record, of processes or threads that are there and wait.
# shellcheck disable=SC2046
growth_attach() {
	kind=processes
	[ "$2" = idle ] || kind=threads
	rm -rf "$tmp/grow.er" "$tmp/grow.data" "$tmp/outer" "$tmp/crowd" "$tmp/ready"
	mkfifo "$tmp/crowd"
	crowd "$kind" "$3" <"$tmp/crowd" >"$tmp/ready" &
	crowd=$!
	exec 9>"$tmp/crowd"
	until [ -s "$tmp/ready" ] || ! kill -0 $crowd 2>/dev/null; do sleep 0.1; done
	if [ -s "$tmp/ready" ] && "$timed" "$tmp/outer" $(attached_words "$1" "$2") \
		>"$tmp/out" 2>&1 9>&-; then
		echo "0 $(awk '{ print $2 + $3 }' "$tmp/outer") $(recorder_result "$1")"
	fi
	exec 9>&-
	wait $crowd || :
}

growth_point() {
	case $2 in
	attached | idle) growth_attach "$@" ;;
	*) growth_record "$@" ;;
	esac
}

make_grow() {
	mkdir -p "$tmp/grow"
	printf 'void spin(unsigned long n) { for (volatile unsigned long i = 0; i < n; i++); }\n' |
		gcc -O2 -g -fno-omit-frame-pointer -shared -fPIC -nostdlib -x c \
			-Wl,--build-id=0x72696e6770726f660123456789abcdef01234567 \
			-o "$tmp/grow/grow.so" - 2>/dev/null || :
}

# A table of one axis; a recorder that fails has no numbers there.
recording_axis() {
	rm -f "$tmp/points"
	for size in $(sizes_of "$1"); do
		echo "growth: $1 $size" >&2
		ours=$(growth_point collect "$1" "$size")
		perfs=
		! have perf || perfs=$(growth_point perf "$1" "$size")
		echo "$size ${ours:-0 0 0 0 0 0} ${perfs:-0 0 0 0}" >>"$tmp/points"
		find "$tmp/grow" -name '[0-9]*.so' -delete
	done
	echo "| $(unit_of "$1") | target CPU s | collect CPU s | MiB | samples | lost | to root % | perf CPU s | MiB | samples |"
	echo '|---|---|---|---|---|---|---|---|---|---|'
	awk '{ printf "| %d | %.2f | %.3f | %.0f | %d | %d | %.2f |", $1, $2, $3, $4, $5, $6, $7
		if ($9) printf " %.3f | %.0f | %d |\n", $9, $10, $11
		else print " — | — | — |" }' "$tmp/points"
	exponents "$tmp/points" target 2 collect 3 'its memory' 4 perf 9
}

# ---- reading ----

# question AXIS: the command that reads $tmp/read.*.
question() {
	case $1 in
	import) echo collect --import "$tmp/grow.data" -O "$tmp/read.er" ;;
	nodes) echo er_print --any-size -overview -functions -calltree "$tmp/read.1.er" ;;
	debug) echo er_print -functions -lines "$tmp/read.1.er" ;;
	*) echo er_print -functions "$tmp"/read.*.er ;;
	esac
}

# perf_question AXIS: the same of perf, where there is one.
perf_question() {
	case $1 in
	import) echo perf report --stdio -g none --no-children --no-inline -i "$tmp/grow.data" ;;
	debug) echo perf report --stdio --no-children -g none -F overhead,srcline \
		-i "$tmp/grow.data" ;;
	esac
}

# A program with so many MB of debug information that runs only one function.
make_debug() {
	[ -e "$tmp/unit.o" ] || awk 'BEGIN {
		for (i = 0; i < 2000; i++)
			printf "struct s%d { int a%d; long b%d; char *c%d; struct s%d *d%d; };\n" \
				"static __attribute__((used)) int f%d(struct s%d *p, int n)" \
				" { int s = n; for (int i = 0; i < s; i++) s += p->a%d; return s; }\n",
				i, i, i, i, i, i, i, i, i
	}' | gcc -g -O1 -x c -c -o "$tmp/unit.o" -
	printf 'int main(void) { for (volatile long i = 0; i < 300000000; i++); }\n' |
		gcc -g -O1 -x c -c -o "$tmp/main.o" -
	unit=$(size -A "$tmp/unit.o" | awk '/\.debug/ { n += $2 } END { print n }')
	rm -rf "$tmp/units"
	mkdir "$tmp/units"
	for i in $(seq $(($1 * 1000000 / unit))); do
		ln "$tmp/unit.o" "$tmp/units/$i.o"
	done
	gcc -o "$tmp/debugged" "$tmp/main.o" "$tmp"/units/*.o
	rm -rf "$tmp/units"
	collect -p hi -O "$tmp/read.1.er" "$tmp/debugged" >/dev/null 2>&1
	! have perf || perf record -q -e cpu-clock -F 1000 -g -o "$tmp/grow.data" \
		"$tmp/debugged" >/dev/null 2>&1
}

# Of about so many MB: at 50 kHz a sample of these has some 400 bytes.
make_import() {
	have perf || return 0
	perf record -q -B -N -e cpu-clock -c 50000 --call-graph fp -o "$tmp/grow.data" \
		grow stacks 1 $(($1 * 1000000 / 400 / 20)) >/dev/null 2>&1
}

# Stacks for mkexp: so many of 300 functions, or so many functions at two places each.
folded() {
	awk -v axis="$1" -v n="$2" 'BEGIN {
		for (i = 0; i < n; i++)
			if (axis == "nodes")
				printf "main;a%d;b%d;c%d 2\n", i / 10000, i / 100 % 100, i % 100
			else
				printf "main;f%d 2\nmain;f%d;f%d 2\n", i, i % 100, i
	}'
}

make_read() {
	rm -rf "$tmp"/read.*.er
	case $1 in
	import) make_import "$2" ;;
	debug) make_debug "$2" ;;
	experiments)
		for i in $(seq "$2"); do
			"$RP_BUILD/t/bench/gen_experiment" "$tmp/read.$i.er" 1000
		done
		;;
	samples) "$RP_BUILD/t/bench/gen_experiment" "$tmp/read.1.er" "$2" ;;
	nodes | functions) folded "$@" | "$RP_BUILD/t/helper/mkexp" "$tmp/read.1.er" ;;
	esac
}

# asked_growth COMMAND…: its CPU time and its peak in MiB; no number where it takes too long.
asked_growth() {
	rm -f "$tmp/outer"
	if [ $# -gt 0 ] && "$timed" "$tmp/outer" timeout "$patience" "$@" >"$tmp/out" 2>&1; then
		awk '{ print $2 + $3, $4 / 1024 }' "$tmp/outer"
	else
		echo 0 0
	fi
}

# What was made may be of another size than was asked.
size_made() {
	case $1 in
	import) awk -v n="$(wc -c <"$tmp/grow.data")" 'BEGIN { print n / 1e6 }' ;;
	*) echo "$2" ;;
	esac
}

# shellcheck disable=SC2046
reading_axis() {
	rm -f "$tmp/points"
	for size in $(sizes_of "$1"); do
		echo "growth: $1 $size" >&2
		make_read "$1" "$size"
		echo "$(size_made "$1" "$size") $(asked_growth $(question "$1"))" \
			"$(asked_growth $(have perf && perf_question "$1"))" >>"$tmp/points"
	done
	rm -rf "$tmp"/read.*.er "$tmp/grow.data"
	echo "| $(unit_of "$1") | CPU s | MiB | perf CPU s | MiB |"
	echo '|---|---|---|---|---|'
	awk '{ printf "| %.0f | %.3f | %.0f |", $1, $2, $3
		if ($4) printf " %.2f | %.0f |\n", $4, $5
		else print " — | — |" }' "$tmp/points"
	exponents "$tmp/points" CPU 2 memory 3 perf 4
}

# ---- CPUs ----

# cpus_points HZ NEW-EACH READERS SIZE…: half a second of each size; appends to $tmp/points: CPUs,
# µs a sample, and a row of the table.
cpus_points() {
	hz=$1 each=$2 readers=$3
	shift 3
	for size; do
		echo "growth: cpus $size at $hz Hz, one new stack in $each, readers $readers" >&2
		bench_cpus "$size" "$hz" 500 "$each" "$readers" |
			awk -v each="$each" -v readers="$readers" '{
			read = $5 - $6; us = read ? $8 * 1e6 / read : 0
			printf "%d %.3f | %d | %d | %d | 1 in %d | %d | %.0f | %d | %.1f | %.2f | %.0f | %.2f | %d |\n",
				$1, us, $1, readers, $2, each, $3, $4 / 1024, $5, 100 * $6 / $5, us,
				us ? 1e3 / us : 0, read ? $11 * 1e6 / read : 0, $9 }' >>"$tmp/points"
	done
}

cpus_axis() {
	rm -f "$tmp/points"
	# shellcheck disable=SC2046 # words
	set -- $(sizes_of cpus)
	cpus_points 1000 10 1 "$@"
	exponents "$tmp/points" 'a sample, at 1 kHz' 2 >"$tmp/exponents"
	cpus_points 2000 10 1 "$@"
	cpus_points 4000 10 1 "$@"
	cpus_points 1000 1 1 "$@"
	shift $(($# - 1))
	for many in 2 4 8; do
		for rate in 1000 2000 4000; do
			cpus_points $rate 10 $many "$1"
		done
		cpus_points 1000 1 $many "$1"
	done
	echo '| CPUs | readers | Hz of each | new stacks | KiB of a ring | of a copy | samples | lost % | CPU µs a sample | 1,000 samples/s | real µs a sample | out of order or missing |'
	echo '|---|---|---|---|---|---|---|---|---|---|---|---|'
	cut -d ' ' -f 3- "$tmp/points"
	cat "$tmp/exponents"
}

# ---- the page ----

growth() {
	make_grow
	for axis in ${BENCH_AXES:-threads forks execs mappings areas objects depth stacks rate attached \
		idle cpus samples nodes functions experiments debug import}; do
		case $axis in
		cpus) cpus_axis ;;
		samples | nodes | functions | experiments | debug | import) reading_axis "$axis" ;;
		*) recording_axis "$axis" ;;
		esac
	done
	echo "The load average was $(cut -d ' ' -f 1 /proc/loadavg) when it ended."
}
