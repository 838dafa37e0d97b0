#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect -w wakers: who ends waits, in a program whose threads wait for each other in known ways.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

collect -w wakers -O can.er true >out 2>can.said || :
unable=
grep -q 'who ended waits is not known' can.said && unable='the kernel shows no wakings here'
grep -q 'short waits have no stack' can.said && unable='the kernel may not be sampled here'
test_set_prereq WAKERS "$unable"

# recorded NAME [OPTION…]: NAME.er and NAME.json of the program, which hears from a stranger.
recorded() {
	name=$1
	shift
	(sleep 0.7 && for _ in 1 2 3 4 5; do sleep 0.2 && echo; done) | collect -w wakers "$@" -O "$name.er" woken >"$name.out" 2>"$name.said" &&
		er_print -json -wakers all "$name.er" >"$name.json"
}

# right NAME: no wait has a wrong waker, in any place that the program knows.  Adds to "known"
# how many have one: where wakings come fast, on a busy machine, not each has its stack, or a
# sample at all; some kernels leave out those in interrupts.  Where records were lost, a thread
# may have the name that it began with.  A packet waits for an interrupt, or ksoftirqd, if one comes
# before its sender delivers it: seldom.
right() {
	lost=$(grep -c ' [1-9][0-9]* other records lost' "$1.said")
	python3 - "$1.json" known "$lost" <<-'END'
	import collections, json, sys
	rows = json.load(open(sys.argv[1]))["wakers"]
	bare = "<Unsampled>"
	want = {("lock", "take"): [("holder", "hold"), ("holder", bare)],
	        ("pipe", "eat"): [("feeder", "feed"), ("feeder", bare)],
	        ("network", "get"): [("feeder", "put"), ("feeder", bare)],
	        ("sleep", "rest"): [("timer", None), ("interrupt", None)],
	        ("pipe", "hear"): [("outside", None)]}
	got, wrong, late = collections.Counter(), [], 0
	for r in rows:
	    state, name = r["state"], r["name"].split()[0]
	    if (state, name, r["waker"]) == ("network", "get", "interrupt"):
	        late += r["count"]
	        continue
	    if (state, name) == ("child", "reap"):
	        right = r["waker"] == "child"
	    elif (state, name) == ("lock", "join"):  # woken after the record of the end
	        right = r["waker"] == "brief"
	    elif (state, name) in want:
	        right = (r["waker"], r["waker_function"]) in want[state, name]
	    else:
	        continue
	    wrong += [] if right else [r]
	    got[name] += r["count"] * right
	unknown = sum(r["count"] for r in rows if r["name"] == "<Waker not known>")
	print(dict(got), late, "late", unknown, "unknown, wrong:", wrong)
	wrong += ["late"] * (late > got["get"])
	with open(sys.argv[2], "a") as f:
	    print(*(f"{k} {n}" for k, n in got.items()), file=f, sep="\n")
	sys.exit(bool(wrong) and sys.argv[3] == "0" or not got)
	END
}

for scope in task cgroup cpu; do
	collect --scope $scope -O scope.er true >out 2>&1 || continue
	test_expect_success WAKERS "--scope $scope: each place has its waker, and no other" "
		recorded $scope --scope $scope && right $scope
	"
done

# A thread may find what it waits for at once, so not each of its calls is a wait.
test_expect_success WAKERS 'most have one' '
	awk "{ n[\$1] += \$2 } END { for (k in n) print k, n[k]
		exit !(n[\"take\"] >= 3 && n[\"eat\"] >= 6 && n[\"get\"] >= 2 && n[\"reap\"] >= 6 && n[\"join\"] >= 6 && n[\"hear\"]) }" known
'

test_expect_success WAKERS 'the whole machine: those outside are threads, too' '
	recorded all -a &&
	python3 -c "
import json, sys
rows = json.load(open(\"all.json\"))[\"wakers\"]
hear = [(r[\"waker_kind\"], r[\"waker\"]) for r in rows if r[\"name\"] == \"hear\" and r[\"state\"] == \"pipe\"]
take = {(r[\"waker\"], r[\"waker_kind\"]) for r in rows if r[\"state\"] == \"lock\" and r[\"name\"].split()[0] == \"take\"}
print(hear, take)
sys.exit(any(kind != \"thread\" for kind, _ in hear) or (\"holder\", \"thread\") not in take)"
'

test_expect_success WAKERS 'a running process' '
	woken 20000 </dev/null & pid=$!
	tries=0
	until grep -qx eater /proc/$pid/task/*/comm; do
		kill -0 $pid && [ $((tries += 1)) -lt 3000 ] || return 1
		sleep 0.01
	done
	collect -w wakers -P $pid -t 2 -O p.er >p.out 2>p.said; kill $pid; wait $pid
	er_print -wakers all p.er >got && test_grep "take .*holder " got && test_grep "eat .*feeder " got
'

test_expect_success WAKERS 'a recording that begins later' '
	collect -w wakers -y USR1 -O later.er woken 20000 </dev/null >later.out 2>later.said & pid=$!
	tries=0
	until grep -qsx eater /proc/$(ps -o pid= --ppid $pid | tr -d " ")/task/*/comm; do
		kill -0 $pid && [ $((tries += 1)) -lt 3000 ] || return 1
		sleep 0.01
	done
	kill -USR1 $pid && sleep 2; kill -TERM $pid; wait $pid
	er_print -wakers later.er >got && test_grep "take .*holder " got && test_grep "eat .*feeder " got
'

test_expect_success WAKERS 'a wait that goes on was ended by nobody' '
	sleep 60 & pid=$!
	collect -w wakers -P $pid -t 0.3 -O on-and-on.er 2>said; kill $pid; wait $pid
	test_no_grep "who ended" said && er_print -waits on-and-on.er >got && test_grep "sleep" got
'

# stopped_until TICKS: collect rests until its program has had so much CPU time, or has ended.
stopped_until() {
	kill -STOP "$(cat pid)"
	until [ "$(awk '{ print $14 + $15 }' "/proc/$(cat program)/stat" || echo 9999)" -ge "$1" ]; do
		[ "$(cut -d ' ' -f 3 "/proc/$(cat program)/stat")" != Z ] || break
		sleep 0.02
	done 2>/dev/null
	kill -CONT "$(cat pid)"
}

# Nobody reads the rings while two pairs take turns, of which one is the program, so records are lost,
# and who runs when the kernel says so may be anybody.
test_expect_success WAKERS 'strangers that run as records are lost are none of the program' '
	setsid waits pingpong 100000000 >/dev/null & stranger=$!
	for scope in task cgroup; do
		collect --scope $scope -O scope.er true >out 2>&1 || continue
		sh -c "echo \$\$ >pid && exec collect -w wakers --scope $scope -O strange.er sh -c \"echo \\\$\\\$ >program; exec waits pingpong 400000\"" \
			>out 2>said &
		until [ -s program ] || ! kill -0 $!; do sleep 0.02; done
		stopped_until 60 && sleep 0.2 && stopped_until 120
		wait $! && cat said && test_grep "records.* lost, " said && test_grep ", 2 threads," said &&
			test_no_grep "ran on" said || { kill -- -$stranger; return 1; }
		rm -r strange.er pid program
	done
	kill -- -$stranger
'

test_expect_success WAKERS 'a wake-up ends the wait: the rest is for a CPU' '
	samples --waits task.er >task.waits &&
	awk "\$1 == \"W\" && \$5 != \"wait\" { ends[\$2 \" \" \$4] = 1 }
		\$1 == \"W\" && \$5 == \"wait\" && (\$2 \" \" \$3) in ends { found++ }
		END { print found; exit !(found > 10) }" task.waits
'

test_expect_success WAKERS 'where numbers of threads are others, nobody is named' '
	unshare --pid --fork --mount-proc true 2>/dev/null || return 0
	unshare --pid --fork --mount-proc sh -c "echo | collect -w wakers -O in.er woken" >out 2>in.said &&
	test_grep "who ended waits is not known: .*numbers of its own" in.said &&
	test_expect_code 1 er_print -wakers in.er 2>err && test_grep "collect -w wakers" err &&
	er_print -waits in.er >got && test_grep "take" got
'

# 20,000 a second and CPU have a sample, and a burst of 25,000; how many there are, is chance.
test_expect_success WAKERS 'too many wakings: for how many waits there is no waker' '
	collect -w wakers -O fast.er waits pingpong 150000 >fast.out 2>fast.said &&
	er_print -json -wakers all fast.er >fast.json &&
	python3 -c "
import json, re, sys
rows = {r[\"name\"]: r[\"count\"] for r in json.load(open(\"fast.json\"))[\"wakers\"] if not r[\"state\"]}
unknown, all = rows.get(\"<Waker not known>\", 0), rows[\"<Total>\"]
said = re.search(r\"it is unknown who ended (\d+) of (\d+) waits: .*came too fast\", open(\"fast.said\").read())
print(unknown, all, said)
sys.exit(said.groups() != (str(unknown), str(all)) if said else unknown > 0.1 * all)"
'

test_expect_success WAKERS 'who lacks the right, learns how to get it' '
	unshare --user --map-root-user true 2>/dev/null || return 0
	test "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt -1 || return 0
	unshare --user --map-root-user collect -n -w wakers true >out 2>&1 &&
	test_grep "sysctl kernel.perf_event_paranoid=-1" out
'

test_expect_success WAKERS 'too few open files: how many there must be' '
	test "$(nproc --all)" -le 8 || return 0
	limit=14
	until (ulimit -n $limit && collect -w wakers -O few.er true) >few.out 2>few.said; do
		test_grep "ulimit -n" few.said && cat few.said >>few.all || return 1
		[ $((limit += 2)) -lt 200 ] || return 1
	done
	test_grep "raise it with: ulimit -n" few.all
'

set_nobody collect woken

test_expect_success NOBODY 'an ordinary user learns why there are none' '
	mkdir -m 777 nobody &&
	echo | as_nobody ./collect -w wakers -O nobody/n.er ./woken >out 2>n.said &&
	if test_grep "who ended waits is not known: " n.said; then
		test_expect_code 1 er_print -wakers nobody/n.er 2>err && test_grep "collect -w wakers" err
	else
		er_print -wakers nobody/n.er >got
	fi
'

test_expect_success WAKERS 'a recording says that it has wakers, though it may be of none' '
	python3 -c "import json; assert json.load(open(\"can.er/log.json\"))[\"wakers\"] == 1" &&
	er_print -wakers all can.er >got && test_grep "<Total>" got
'

test_expect_success 'a recording without -w wakers has none' '
	echo | collect -w on -O on.er woken >out 2>said && test_expect_code 1 er_print -wakers on.er 2>err &&
	test_grep "no wait has a known waker" err &&
	test_expect_code 2 collect -w waker true 2>err && test_grep "say on, wakers or off" err
'

test_done
