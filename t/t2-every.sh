# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect --every: recordings one after the other, the oldest removed, each handed to a hook.
. "$RP_SRC/t/lib.sh"
need python3

set_sampling

sh -c 'while :; do :; done' &
busy=$!
trap 'kill $busy 2>/dev/null' EXIT

# until_found COUNT PATTERN FILE: waits until FILE has so many lines of it.
until_found() {
	for _ in $(seq 600); do
		test "$(grep -c "$2" "$3")" -ge "$1" && return 0
		sleep 0.1
	done
	return 1
}

# series COUNT PATTERN OPTION…: a series of the busy process, until err has so many lines of PATTERN.
series() {
	count=$1 pattern=$2
	shift 2
	: >err
	collect --every 1 -P $busy -p 5 "$@" 2>err &
	collect=$!
	until_found "$count" "$pattern" err
	found=$?
	kill -TERM $collect && wait $collect && return $found
}

test_expect_success SAMPLING 'each begins where the one before ends; samples and counts add up' '
	before=$(stolen) && series 4 " samples, " --keep 50 -o web.er && taken=$(($(stolen) - before)) &&
	ls -d web.*Z.er >names && test "$(wc -l <names)" -ge 5 && python3 - "$taken" $(cat names) <<-\END
	import datetime, json, re, sys
	second = lambda text: datetime.datetime.strptime(text, "%Y%m%dT%H%M%SZ").timestamp()
	logs = []
	taken, *names = sys.argv[1:]
	for name in names:
	    assert re.fullmatch(r"web\.[0-9]{8}T[0-9]{6}Z\.er", name), name
	    logs.append(json.load(open(name + "/log.json")))
	assert len({log["started_ns"] for log in logs}) == len(logs)
	for name, log in zip(names, logs):
	    assert log["series"] == "web"
	    # a name that is taken becomes that of the next second, and the log is begun after the name is made
	    since = second(log["started"].replace("-", "").replace(":", "")) - second(name[4:-3])
	    assert -10 < since < 10, (name, log["started"])
	    event = log["events"][0]
	    assert event["samples"] == log["totals"]["samples"] and log["totals"]["lost"] == 0
	for one, next in zip(logs, logs[1:]):
	    assert one["started_ns"] + one["duration_ns"] == next["started_ns"]
	whole = logs[-1]["started_ns"] + logs[-1]["duration_ns"] - logs[0]["started_ns"]
	assert sum(log["duration_ns"] for log in logs) == whole
	counts = sum(log["events"][0]["count"] for log in logs)
	samples = sum(log["events"][0]["samples"] for log in logs)
	assert samples > 0 and counts <= whole * 1.01, (counts, whole)
	# a period is 5 ms, give or take its variation, and each experiment leaves at most one begun
	assert abs(counts - samples * 5e6) < 0.2 * counts + len(logs) * 2e7 + int(taken) * 1e7, (counts, samples, taken)
	END
'

test_expect_success SAMPLING 'the oldest beyond --keep are removed, of this series alone, but for what is still recorded' '
	set -- $(cat names) && mkdir outside && cp -r "$1" outside/kept.er && cp -r "$1" outside/linked.er &&
	cp -r "$1" old.er && rm -rf web.*.er && mv old.er web.20010101T000000Z.er &&
	ln -s outside/linked.er web.20010102T000000Z.er && mkdir web.20010103T000000Z.er && : >web.20010103T000000Z.er/data &&
	cp -r outside/kept.er web.20010104T000000Z.er && sed -i "s/\"series\": *\"web\"/\"series\":\"other\"/" web.20010104T000000Z.er/log.json &&
	cp -r outside/kept.er web.20010105T000000Z.er && sed -i "s/\"state\": *\"complete\"/\"state\":\"recording\"/" web.20010105T000000Z.er/log.json &&
	cp -r web.20010105T000000Z.er web.20010108T000000Z.er && exec 8<web.20010108T000000Z.er && flock -n 8 &&
	cp -r outside/kept.er web.2001.er && : >web.20010106T000000Z.er && cp -r outside/kept.er web.20010107T0000000Z.er &&
	ln -s ../outside/kept.er/data web.20010101T000000Z.er/lines &&
	series 3 " samples, " --keep 2 -o web.er && ls -d web.*Z.er | grep -v "web.2001" >names &&
	exec 8<&- && test "$(wc -l <names)" = 2 && ! test -e web.20010101T000000Z.er && test -s outside/kept.er/data &&
	test -h web.20010102T000000Z.er && test -s outside/linked.er/data && test -e web.20010103T000000Z.er/data &&
	test -s web.20010104T000000Z.er/data && ! test -e web.20010105T000000Z.er && test -s web.20010108T000000Z.er/data && test -s web.2001.er/data &&
	test -f web.20010106T000000Z.er && test -s web.20010107T0000000Z.er/data
'

test_expect_success SAMPLING 'a hook gets each; a failure is reported, and nothing stops' '
	rm -rf web.* && series 3 "hook .* failed" --keep 9 --hook "echo \"\$1\" >>hooked; exit 3" -o web.er &&
	test_grep "the hook for web.*Z.er failed with status 3" err && ls -d web.*Z.er >names && sort hooked | test_cmp - names
'

test_expect_success SAMPLING 'one that hangs is ended after the length of a recording' '
	rm -rf web.* && series 1 "took longer than a recording" --keep 9 --hook "sleep 1000" -o web.er &&
	test "$(grep -c " samples, " err)" -ge 2
'

# stopped: collect, a child of ours, ends well after SIGTERM.
stopped() { kill -TERM $collect && wait $collect; }

test_expect_success SAMPLING 'a slow hook gets each before --keep removes it' '
	rm -rf web.* hooked && : >err && {
		collect --every 1 -P $busy -p 5 --keep 1 -o web.er \
			--hook "echo \"\$1\" >>hooked; test \$(wc -l <hooked) -gt 1 || { trap \"\" TERM; sleep 1000; }" 2>err &
		collect=$!
	} && until_found 4 " samples, " err && stopped &&
	sed -n "s/.*\(web[.][0-9TZ]*[.]er\).* samples*, .*/\1/p" err | sort -u >made && sort hooked | test_cmp - made &&
	test_no_grep "removed before" err
'

test_expect_success SAMPLING 'with -A too a second signal ends only the waiting for a hook' '
	rm -rf web.* hooked && {
		collect --every 60 -A on -P $busy -p 5 --keep 1 --hook ": >hooked; sleep 1000" -o web.er 2>err &
		collect=$!
	} && until test -n "$(ls web.*/data 2>/dev/null)"; do moment; done && kill -TERM $collect &&
	until test -e hooked; do moment; done && stopped && test_grep "the hook was sent SIGTERM before" err
'

test_expect_success SAMPLING 'names that others took: the next free one' '
	rm -rf web.* && python3 -c "
import os, time
for s in range(100):
	os.mkdir(time.strftime(\"web.%Y%m%dT%H%M%SZ.er\", time.gmtime(time.time() + s)))" &&
	series 2 " samples, " --keep 9 -o web.er && sed "/those before are not finished/d" err >said && # of a busy machine
	test_no_grep "goes on" said && test "$(ls -d web.*/log.json | wc -l)" -ge 2
'

test_expect_success SAMPLING 'beyond a size: the oldest, but for the newest' '
	rm -rf web.* && for year in 2001 2002 2003; do
		cp -r outside/kept.er web.${year}0101T000000Z.er &&
		dd if=/dev/zero bs=1000 count=500 >>web.${year}0101T000000Z.er/data 2>/dev/null || return 1
	done &&
	series 3 " samples, " --keep-mb 1 -o web.er && ls -d web.*.er >names && test "$(wc -l <names)" -ge 4 &&
	test_grep web.2003 names && test_no_grep "web.200[12]" names &&
	rm -rf web.2* && cp -r outside/kept.er web.20010101T000000Z.er &&
	dd if=/dev/zero bs=1000 count=2000 >>web.20010101T000000Z.er/data 2>/dev/null &&
	series 1 " samples, " --keep-mb 1 -o web.er && ls -d web.*.er >names && test_no_grep web.2001 names && test -s names
'

test_expect_success 'what cannot be together is refused' '
	for bad in "--every 1 --keep 1 true" "--every 1 --keep 1" "--keep 1 -a" "--hook x -a" "--every 1 -a" "--every 0.5 --keep 1 -a" \
		"--every 1x --keep 1 -a" "--every 1 --keep 0 -a" "--every 1 --keep 1 -w on -a" "--every 1 --keep 1 -O x.er -a" \
		"--every 1 --keep 1 -L 5 -a" "--every 1 --keep 1 --report x.html -a"; do
		test_expect_code 2 collect $bad 2>err && test_grep "a time of\|--\(every\|keep\|hook\)" err || return 1
	done
'

test_done
