# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Pauses, late starts and early ends, and sample points: asked for by the program, by signals,
# by time.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

# recorded NAME OPTION… -- COMMAND…: NAME.said, NAME.json
recorded() {
	name=$1
	shift
	collect -O "$name.er" "$@" >"$name.out" 2>"$name.said" &&
		er_print -json -functions "$name.er" >"$name.json"
}

# What is asked for counts from its instant on, so nothing of `unwanted` is recorded.  A round
# that takes records between the request's reading of the clock and its being written keeps a
# sample too many: 0.1 us of 10 ms, so two in ten pauses less than once in 10^8 runs.
only_wanted='[ "$(er_print -printmode , -metrics i.totalcpu:name -functions "$name.er" | sed -n "s/,unwanted$//p" |
	awk "{ print (\$1 > 0.0011) }")" != 1 ]'

for scope in best task; do
	[ $scope = best ] && flag= || flag="--scope $scope"
	# shellcheck disable=SC2086
	test_expect_success "a program pauses its recording, and resumes it ($scope)" '
		recorded pauses --regions on $flag controlled pauses && eval "$only_wanted" &&
		holds pauses.json "0.15 < incl(\"wanted\") < 0.33" &&
		holds pauses.json "0.25 < e[\"recorded_s\"] < e[\"duration_s\"]" &&
		test_grep "recorded for .* s of " pauses.said && er_print -header pauses.er >got && test_grep "recorded for .* in 11 parts" got
	'
done

test_expect_success 'it ends its recording, and goes on' '
	recorded terminates --regions on controlled terminates && eval "$only_wanted" &&
	holds terminates.json "0.05 < incl(\"wanted\") < 0.11" &&
	er_print -header terminates.er >got && test_grep "recorded from 0.000 s to 0" got
'

test_expect_success 'what -t leaves out at the end is no part of it, and is told' '
	recorded begins -t 0.05 controlled terminates && test_grep "recorded for 0.050 s of [0-9.]* s" begins.said &&
	er_print -header begins.er >got && test_grep "recorded from 0.000 s to 0.050 s" got &&
	holds begins.json "0.0499 < e[\"recorded_s\"] < 0.0501 and 0.3 < e[\"duration_s\"] < 60" &&
	recorded whole controlled terminates && ! test_grep "recorded" whole.said &&
	holds whole.json "e[\"recorded_s\"] == e[\"duration_s\"]"
'

test_expect_success 'a pause of one process is one of all' '
	recorded child --regions on controlled child && eval "$only_wanted" && holds child.json "0.05 < incl(\"wanted\") < 0.11"
'

# Requests are read every 80 ms at the latest, by a collect that has the higher priority.
test_expect_success 'a program that can open no file any more is heard, a little later' '
	recorded unheard --regions on controlled unheard && er_print -json -samples unheard.er >points.json &&
	holds unheard.json "incl(\"unwanted\") < 0.4 and incl(\"wanted\") > 0.65 and e[\"recorded_s\"] < e[\"duration_s\"] - 0.2" &&
	python3 -c "
import json
first, last = json.load(open(\"points.json\"))[\"samples\"]
assert first[\"until\"] == \"unheard\" and first[\"user_ns\"] + first[\"system_ns\"] > 1.1e9, first
assert last[\"totalcpu\"] > 0.2e9, last"
'

# Events 3 to 6 of 10, in each of which 20 ms are wanted; between them 2 ms are not.  The samples of a
# spell stand for at most a period, 1.05 ms, more than it lasts: 84.2 and 9.2 ms, and a fifth event for
# 94.7 at least.
test_expect_success 'the recording begins with one region, and ends with one' '
	recorded events --regions on --from event:3 --to event:6 controlled events 10 &&
	holds events.json "0.04 < incl(\"wanted\") < 0.09 and incl(\"unwanted\") < 0.0105" &&
	recorded from --regions on --from event:9 controlled events 10 && holds from.json "0.02 < incl(\"wanted\") < 0.045" &&
	recorded to --regions on --to event controlled events 5 && holds to.json "0.01 < incl(\"wanted\") < 0.0225" &&
	recorded never --regions on --from nothing controlled events 2 && holds never.json "e[\"samples\"] == 0 and e[\"recorded_s\"] == 0" &&
	test_grep "nothing is recorded: the program did not begin the region nothing, at which --from starts" never.said &&
	recorded seldom --regions on --from event:3 controlled events 2 && test_grep "the region event 3 times, at which" seldom.said
'

# A parent's one does not count.
test_expect_success 'regions are counted in each process' '
	recorded forks --regions on --from event:2 --to event:2 controlled forks &&
	holds forks.json "0.05 < incl(\"wanted\") < 0.11 and incl(\"unwanted\") < 0.02"
'

# until_it COMMAND…: waits until it succeeds, for two minutes at most.
until_it() {
	tries=6000
	until "$@"; do
		tries=$((tries - 1)) && [ $tries -gt 0 ] && sleep 0.02 || return 1
	done
}

# used_cpu PID TICKS: it has used that much CPU time
used_cpu() {
	awk -v want="$2" "{ exit !(\$14 + \$15 >= want) }" "/proc/$1/stat"
}

# The program that collect, PID, runs.
program_of() {
	ps -o pid= --ppid "$1" | tr -d ' '
}

has_program() {
	[ -n "$(program_of "$1")" ]
}

test_expect_success 'a signal pauses, another one makes a point; both are no longer the program'"'"'s' '
	collect -y USR1 -l USR2 -O signals.er controlled spins 2>said &
	pid=$! && until_it has_program $pid && spinner=$(program_of $pid) &&
	until_it test -e signals.er/data && until_it used_cpu "$spinner" 10 && kill -USR2 $pid && kill -USR1 $pid &&
	until_it used_cpu "$spinner" 40 && kill -USR2 $pid && until_it used_cpu "$spinner" 60 && kill -USR1 $pid &&
	until_it used_cpu "$spinner" 80 && kill -TERM $pid && { wait $pid; :; } &&
	er_print -json -functions signals.er >signals.json && holds signals.json "0 < incl(\"wanted\") < 0.7" &&
	er_print -header signals.er >got && test_grep "recorded f" got
'

test_expect_success 'a running process too, which is recorded at first with -y SIGNAL,r' '
	controlled spins & spinner=$! && until_it used_cpu $spinner 1 &&
	{ collect -P $spinner -y USR1,r -S 0.05 -O attached.er 2>said & pid=$!; } && until_it test -e attached.er/data &&
	used=$(awk "{ print \$14 + \$15 }" /proc/$spinner/stat) && until_it used_cpu $spinner $((used + 20)) && kill -USR1 $pid &&
	until_it used_cpu $spinner $((used + 50)) && kill -INT $pid && { wait $pid; kill -KILL $spinner; wait $spinner; :; } &&
	er_print -json -functions attached.er >attached.json && holds attached.json "e[\"recorded_s\"] < e[\"duration_s\"] and incl(\"wanted\") > 0"
'

# Each of four parts uses 50 ms and touches 100 new pages; the first has the program's start too.  What was
# used is read a moment after the request, so parts may have a little of the next one, but together they have all.
test_expect_success 'sample points of the program: what it used between them' '
	collect --regions on -O points.er controlled points >out 2>err && er_print -json -samples points.er >points.json && python3 -c "
import json
rows = json.load(open(\"points.json\"))[\"samples\"]
assert [(r[\"sample\"], r[\"until\"], r[\"kind\"]) for r in rows] == [(1, \"even\", \"program\"), (2, \"odd\", \"program\"),
	(3, \"even\", \"program\"), (4, \"odd\", \"program\"), (5, \"the program\", \"program\"), (6, \"the end\", \"end\")], rows
assert all(r[\"duration_ns\"] >= 0.05e9 for r in rows[:4]), rows
assert 400 <= sum(r[\"minor_faults\"] for r in rows) < 1000 and sum(r[\"totalcpu\"] for r in rows) >= 0.2e9, rows
assert sum(r[\"user_ns\"] + r[\"system_ns\"] for r in rows) >= 0.19e9, rows
assert all(a[\"begin_ns\"] + a[\"duration_ns\"] == b[\"begin_ns\"] for a, b in zip(rows, rows[1:])), rows"
'

test_expect_success 'more sample points than can wait, and one of a signal handler' '
	collect --regions on -O flood.er controlled flood >out 2>err && er_print -json -samples flood.er >flood.json &&
	python3 -c "
import json
rows = json.load(open(\"flood.json\"))[\"samples\"]
assert rows[-2][\"until\"] == \"handler\" and 10 < len(rows) <= 100002, rows[-2:]"
'

# The program uses 0.1 s before it asks, and 1 s behind; rounds are 100 ms apart at most.  On a busy machine
# none may come before the end; then there are no points, and it is recorded again.
test_expect_success 'what -t has ended does not go on, whatever the program asks for' '
	for try in 1 2 3 4 5; do
		rm -rf restarts.er
		recorded restarts --regions on -t 0.05 -S 0.02 controlled restarts && eval "$only_wanted" &&
		er_print -json -samples restarts.er >restarts.json || return
		! grep -q "^\"samples\":" restarts.json || break
	done &&
	python3 -c "
import json
rows = json.load(open(\"restarts.json\"))[\"samples\"]
assert all(r[\"kind\"] in (\"period\", \"end\") for r in rows) and len(rows) <= 3, rows
assert sum(r[\"totalcpu\"] for r in rows) < 0.9e9 and sum(r[\"user_ns\"] + r[\"system_ns\"] for r in rows) < 0.9e9, rows"
'

test_expect_success 'options that contradict each other, or make no sense' '
	for options in "-y KILL" "-y USR1,x" "-l 99999" "-S 0.001" "-S never" "--regions on --from x:0" "--from event" \
		"--regions on --from event -t 1-2" "-y USR1 -l USR1" "--every 10 --keep 2 -a -y USR1"; do
		case $options in *-a*) program= ;; *) program=true ;; esac
		# shellcheck disable=SC2086
		test_expect_code 2 collect $options $program 2>err || { echo "$options"; return 1; }
		test_grep "collect: error: " err || return 1
	done
'

test_done
