# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Processes that run already: collect -P.  What it tells adds up, and they do not notice.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

# attached NAME.er [OPTION…] -- PROGRAM…: PROGRAM waits until it is recorded, and goes on; its
# output is in NAME.er.out.
attached() {
	out=$1 options=
	shift
	while [ "$1" != -- ]; do options="$options $1" && shift; done
	shift
	sh -c 'kill -STOP $$; exec "$@"' sh "$@" >"$out.out" &
	pid=$!
	until grep -q "^State:.*stopped" "/proc/$pid/status"; do sleep 0.02; done
	: >said # what the recording before said must not be taken for this one's word
	# shellcheck disable=SC2086 # options are words
	collect -O "$out" $options -P $pid >said 2>&1 &
	collector=$!
	until grep -q "recording the process\|error" said || ! kill -0 $collector; do sleep 0.02; done
	kill -CONT $pid
}

# ended: what ran ends by itself, and the recording with it.
ended() {
	wait $pid && wait $collector && cat said
}

# logged NAME.er EXPRESSION: of its log, d, and its first event, e.
logged() {
	python3 -c "
import json, sys
d = json.load(open(sys.argv[1] + '/log.json'))
e = d['events'][0]
print(d['totals'], e)
sys.exit(not ($2))" "$1"
}

# whole NAME.er SECONDS: what was sampled and what was not are what the process says that it used,
# and up to so much that it does not tell of; the clock has what a hypervisor took as well.
whole() {
	used=$(sed -n 's/^total //p' "$1.out")
	er_print -json -functions "$1" >"$1.json" && cat "$1.json.taken" &&
		holds "$1.json" "$used / 1e9 * 0.98 <= total <= $used / 1e9 * 1.03 + taken + $2"
}

short_threads() {
	attached threads.er -p 100 -- threads 200 3 && ended
}

test_expect_success 'threads shorter than a period: their time is told all the same' '
	undisturbed threads.er.json short_threads && whole threads.er 0.03 &&
	logged threads.er "e[\"samples\"] < 5 and e[\"unsampled\"] > 0.3e9" &&
	er_print -functions threads.er >shown && test_grep "<Unsampled>" shown
'

short_processes() {
	attached forks.er -p 100 -- forks 60 5 && ended
}

test_expect_success 'so are processes that it starts, each by its name' '
	undisturbed forks.er.json short_processes && whole forks.er 0.1 &&
	logged forks.er "e[\"unsampled\"] > 0.2e9"
'

test_expect_success '-t: the part of the time is settled, and the rest is not in it' '
	{ burn one=2500 >part.out & } && pid=$! &&
	collect -o part.er -t 0.5 -p hi -P $pid && kill -0 $pid &&
	test_grep "^TracerPid:.0" /proc/$pid/status && wait $pid &&
	logged part.er "e[\"samples\"] and
		abs(e[\"samples\"] * e[\"period\"] + e[\"unsampled\"] - e[\"count\"]) < e[\"period\"]" &&
	logged part.er "e[\"count\"] < 1.5e9"
'

# The books say how much that is, to the nanosecond; which level is counted is the user's.  The
# clock may have had more, while a hypervisor kept the CPU.
test_expect_success 'a program that ends before the time of -t does is recorded whole' '
	collect -o early.er --scope task -t 600 -p 100 burn one=150 &&
	python3 -c "
import json
d = json.load(open(\"early.er/log.json\"))
e, books = d[\"events\"][0], [d[\"target\"][\"rusage_%s_ns\" % w] for w in (\"user\", \"system\")]
print(e, books)
sampled = e[\"samples\"] * e[\"period\"]
exit(e[\"unsampled\"] not in (max(0, books[0] - sampled), max(0, sum(books) - sampled)))"
'

# used PID: it has used a tenth of a second; proc(5), /proc/PID/stat.
used() {
	until [ "$(cut -d " " -f 14 "/proc/$1/stat")" -ge 10 ]; do sleep 0.02; done
}

test_expect_success 'Ctrl-C ends the recording, not what is recorded' '
	attached stop.er -p hi -- burn one=1000 && used $pid && kill -INT $collector &&
	wait $collector && kill -0 $pid && wait $pid && test_grep "^one " stop.er.out &&
	er_print -functions stop.er >shown && test_grep " one$" shown
'

# Files in /proc/PID/map_files are not for such a user.
set_nobody collect burn && mkdir -p open && chmod 777 open
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] ||
	test_set_prereq NOBODY 'kernel.perf_event_paranoid is above 2'
test_expect_success NOBODY 'a program that was deleted has names, for an ordinary user too' '
	cp burn gone && chmod 755 gone &&
	{ as_nobody sh -c "echo \$\$ >open/pid; exec ./gone one=60000" >out & } &&
	until readlink "/proc/$(cat open/pid)/exe" | grep -q "/gone\$"; do sleep 0.02; done &&
	rm gone && as_nobody ./collect -p hi -t 0.3 -P "$(cat open/pid)" -o open/gone.er
	status=$? && kill "$(cat open/pid)" && test $status -eq 0 &&
	er_print -functions open/gone.er >got && cat got && test_grep " one$" got
'

test_done
