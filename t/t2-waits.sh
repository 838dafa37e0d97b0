#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect -w on: what threads wait for, in programs that measure it themselves.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

# Ordinary users have no samples of switches.
collect -w on -O can.er true >out 2>can.said || :
unable=
grep -q 'short waits have no stack' can.said && unable='the kernel may not be sampled here'
test_set_prereq CAUSES "$unable"

# recorded NAME SHAPE [OPTION…]: NAME.er, NAME.out, and NAME.waits by samples --waits.
recorded() {
	name=$1 shape=$2
	shift 2
	collect -w on "$@" -O "$name.er" waits "$shape" "$PWD/file" >"$name.out" 2>"$name.said" &&
		samples --waits "$name.er" >"$name.waits"
}

# Each wait lies inside a life of its thread, and none begins before the one before it ends: what
# is left of a life is when the thread had a CPU.  In all that is what the kernel accounts to
# the program, which counts in another way (ticks on some kernels): within 30 ms and a tenth.
# What a hypervisor took counts only here; the last steps of a thread, some 40 us after its end, only
# there, and so does a switch between its two records: 1 us, or, where the kernel arms the thread's
# events by a timer of the hypervisor's, up to 26 us (8 us in the mean of 300,000).  NAME.taken is what
# was taken at most: the difference, and what arming moved from running to waiting.
exact() {
	python3 - "$1.waits" "$1.er/log.json" "${2:-0}" "$1.taken" <<-'END'
	import json, sys
	waits, lives = {}, {}
	for line in open(sys.argv[1]):
	    f = line.split()
	    if f[0] == "W":
	        waits.setdefault((f[1], f[5]), []).append((int(f[2]), int(f[3])))
	    else:
	        lives.setdefault((f[1], f[5]), []).append((int(f[2]), int(f[3])))
	bad = [t for t in waits if t not in lives]
	ran = 0
	for t, those in lives.items():
	    rest = sorted(waits.get(t, []))
	    bad += [t for a, b in zip(rest, rest[1:]) if b[0] < a[1]]
	    bad += [t for w in rest if not any(l[0] <= w[0] <= w[1] <= l[1] for l in those)]
	    ran += sum(l[1] - l[0] for l in those) - sum(w[1] - w[0] for w in rest)
	target = json.load(open(sys.argv[2]))["target"]
	cpu = target["rusage_user_ns"] + target["rusage_system_ns"]
	armed = 26e3 * sum(map(len, waits.values()))
	open(sys.argv[4], "w").write("taken %d\n" % max(ran - cpu + armed, 0))
	print(len(lives), "lives, ran", ran / 1e6, "accounted", cpu / 1e6, "bad:", bad)
	margin = 30e6 + 0.1 * cpu + 5e4 * len(lives)
	loose = sys.argv[3] == "loose"
	sys.exit(bool(bad) or not lives or not loose and not (
	         cpu - margin - armed <= ran <= cpu + margin + int(sys.argv[3]) * 1e7))
	END
}

# measured NAME: each state has the time that the program measured, within 2 %, 1 ms, and 50 us for
# each wait: the program's clock counts the switches themselves as running, and the record of the
# switch in follows when the kernel has armed the thread's events (8 to 26 us a wait were seen in a
# virtual machine).  A thread that woke up, was preempted on its way and then ran on has measured
# that too; and so it has what interrupts and the hypervisor took while it had the CPU, which its
# own clock does not count.
measured() {
	awk '$1 == "taken" { taken = $2; next }
		NF == 2 { want[$1] = $2; next }
		$1 == "W" { got[$5] += $4 - $3; waits[$5]++ }
		END { for (state in want) {
			off = got[state] - want[state]
			slack = 0.02 * want[state] + 1e6 + 5e4 * waits[state]
			print state, got[state], want[state], waits[state] + 0 " waits", taken " taken"
			if (off > slack || -off > slack + taken + (state == "wait" ? 0 : got["wait"])) wrong = 1
		} exit wrong }' "$1.out" "$1.taken" "$1.waits"
}

# in_place NAME: the stacks of a state's waits have the function in_STATE, for 95 % of their time.
in_place() {
	while read -r state ns; do
		[ "$state" != wait ] && [ "$ns" -gt 20000000 ] || continue
		er_print -metrics "i.$state:name" -functions "$1.er" >"$1.$state" || return 1
		awk -v "f=in_$state" '$NF == "<Total>" { all = $1 } $NF ~ "^" f { in_it += $1 }
			END { print f, in_it, all; exit !(all > 0 && in_it >= 0.95 * all) }' "$1.$state" || return 1
	done <"$1.out"
}

# agrees NAME SHAPE [OPTION…]: a recording that passes all three.  The code that textfault calls is bare,
# without tables that lead to its caller.  Interrupts and a hypervisor that
# take more than what is allowed for them: three attempts at most.  Other programs that take turns at
# full speed fill the rings of CPUs: what lost records is no attempt.
agrees() {
	try=0 lost=0
	while [ $try -lt 3 ] && [ $lost -lt 30 ]; do
		rm -rf "$1.er"
		before=$(stolen) && recorded "$@" && exact "$1" "$(($(stolen) - before))" && measured "$1" &&
			{ [ "$2" = textfault ] || in_place "$1"; } && return
		if grep -q " were lost" "$1.said"; then
			lost=$((lost + 1)) && sleep 1
		else
			try=$((try + 1)) && echo "attempt $try failed"
		fi
	done
	echo "$lost recordings lost records"
	return 1
}

# by_lock NAME PART: each mutex has as much of the waiting time, by its address, as the program measured
# for it: within what measured allows, and PART of it at least; and as many threads.
by_lock() {
	printf '%s\n' 'printmode ,' 'locks all' | er_print "$1.er" | tr -d '\r' >"$1.locks" &&
	python3 - "$1" "$2" <<-'END'
	import csv, sys
	name, part = sys.argv[1], float(sys.argv[2])
	rows = list(csv.DictReader(open(name + ".locks")))
	taken = int(open(name + ".taken").read().split()[1])
	ready = sum(int(f[3]) - int(f[2]) for f in map(str.split, open(name + ".waits")) if f[0] == "W" and f[4] == "wait")
	wrong = 0
	for f in map(str.split, open(name + ".out")):
	    if f[0] != "mutex":
	        continue
	    here = [r for r in rows if r["address"] == f[1]]
	    got = sum(int(r["total_ns"]) for r in here)
	    waits = sum(int(r["count"]) for r in here)
	    slack = 0.02 * int(f[2]) + 1e6 + 5e4 * waits
	    print(f, got, waits, "waits", [(r["name"], r["threads"]) for r in here])
	    wrong += len(here) != 1 or not here[0]["name"].startswith("in_lock") or here[0]["threads"] != f[3]
	    wrong += got - int(f[2]) > slack or int(f[2]) * part - got > slack + taken + ready
	sys.exit(bool(wrong) or len(rows) < 4)
	END
}

for shape in sleep lock pipe network poll child timer stopped wait datafault textfault disk threads; do
	test_expect_success CAUSES "$shape: states, stacks and sums" 'agrees '$shape' '$shape
done

test_expect_success CAUSES 'each scope has the same' '
	for scope in task cpu; do
		agrees lock.$scope lock --scope $scope || return 1
	done
'

test_expect_success CAUSES 'locks are told apart by their addresses' '
	for round in 1 2 3; do
		agrees locks locks && by_lock locks 1 && break
		[ $round -lt 3 ] || return 1
	done &&
	er_print -locks locks.er >got && test_grep "address is known for 100.00 % of the time" got &&
	test_grep "addressed.: [1-9]" locks.er/log.json
'

# one_lock NAME: all waits for locks are for the one that the program names, for 95 % of their time.
one_lock() {
	printf '%s\n' 'printmode ,' 'locks all' | er_print "$1.er" | tr -d '\r' >"$1.locks" &&
	python3 - "$1" <<-'END'
	import csv, sys
	rows = list(csv.DictReader(open(sys.argv[1] + ".locks")))
	mutex = [f[1] for f in map(str.split, open(sys.argv[1] + ".out")) if f[0] == "mutex"]
	all = sum(int(r["total_ns"]) for r in rows if r["process"])
	got = sum(int(r["total_ns"]) for r in rows if r["address"] in mutex)
	print(mutex, got, all, [r["address"] for r in rows])
	sys.exit(not (got > 5e7 and got >= 0.95 * all and len(mutex) == 1))
	END
}

test_expect_success CAUSES 'the event of switches serves its user, too' '
	agrees own lock -h context-switches,1 &&
	python3 - own.er/log.json <<-\END
	import json, sys
	e = json.load(open(sys.argv[1]))["events"][0]
	print(e["metric"], e["samples"], e["count"])
	sys.exit(e["metric"] != "context-switches" or not 0 < e["samples"] == e["count"])
	END
'

test_expect_success CAUSES 'a lock with a time limit keeps its address when its thread was stopped' '
	agrees restart restart && one_lock restart
'

test_expect_success CAUSES 'nothing is unknown where nothing is lost' '
	for shape in sleep lock pipe child; do
		grep -qE "\"lost(_other)?\": [1-9]" $shape.er/log.json || ! grep unknown $shape.waits || return 1
	done
'

# But for waits for a CPU: the first of a thread has none, however long.
test_expect_success CAUSES 'stacks have at least 95 % of the time' '
	awk "\$1 == \"W\" && \$5 != \"wait\" { all += \$4 - \$3; if (\$7) with += \$4 - \$3 }
		END { print with, all; exit with < 0.95 * all }" lock.waits
'

# few_stacks NAME: stacks cost at least 1.5 us each, and the CPU spends on them what the records of
# switches leave of 5 % of its time, 1 % at least (adapt/switch_stacks.h); 25 ms before they are thinned
# out and 25 ms before they rest, and as much again where collect itself waits for a CPU.  Only where
# others have that CPU most of the time is there room for all stacks.
few_stacks() {
	awk 'FNR == NR { if ($1 == "round") ns = 150000 * $2; next }
		$1 == "W" { all++; with += $7 != 0 }
		END { rest = 0.05 * ns - 500 * all
			may = ((rest > 0.01 * ns ? rest : 0.01 * ns) + 100e6) / 1500
			print all, with, "at most", may
			exit !(with > 0 && with <= may) }' "$1.out" "$1.waits"
}

test_expect_success CAUSES 'frequent switches: times stay exact, fewer have stacks' '
	cpu=$(taskset -cp $$ | sed "s/.*: *\([0-9]*\).*/\1/") &&
	for try in 1 2 3; do
		rm -rf fast.er && before=$(stolen) &&
		collect -w on -O fast.er taskset -c "$cpu" waits pingpong 150000 >fast.out 2>fast.said &&
		samples --waits fast.er >fast.waits && exact fast "$(($(stolen) - before))" &&
		few_stacks fast && break
		[ $try -lt 3 ] || return 1
	done &&
	{ awk "\$1 == \"W\" { all++; with += \$7 != 0 } END { exit with < 0.5 * all }" fast.waits ||
		test_grep "waits have no stack" fast.said; }
'

# 32 threads that sleep 300 ms at a time, whose stacks are left out as those of the others are.
beside() {
	awk '$1 == "W" { n++; all += $4 - $3; if ($5 == "otherwait" || $5 == "unknown") bare += $4 - $3 }
		$1 == "W" && $5 == "sleep" { slept += $4 - $3 }
		NF == 2 { want = $2 }
		END { print n, all, bare, slept, want
			exit !(bare < 0.05 * all && slept > 0.95 * want && want > 3e10) }' "$1.out" "$1.waits"
}

# Where nobody reads the rings for a while, records are lost: three attempts at most.
test_expect_success CAUSES 'long waits beside frequent switches have their cause' '
	for try in 1 2 3; do
		rm -rf beside.er &&
		collect -w on -O beside.er waits beside >beside.out 2>beside.said &&
		samples --waits beside.er >beside.waits && exact beside loose &&
		beside beside && in_place beside && return 0
	done
	return 1
'

# Nobody reads the rings while the program goes on: what cannot be known then is shown as unknown, and
# nothing overlaps.  Two seconds of the program's CPU time are 50,000 switches and more: more than
# rings hold with their stacks.
test_expect_success CAUSES 'lost records: the time concerned is unknown' '
	sh -c "echo \$\$ >pid && exec collect -w on -O lost.er sh -c \"echo \\\$\\\$ >burning; exec waits pingpong 400000\"" \
		>out 2>said &
	until ! kill -0 $! 2>/dev/null || [ -s burning ] && [ "$(awk "{ print \$14 + \$15 }" "/proc/$(cat burning)/stat")" -ge 20 ]; do
		sleep 0.02
	done
	kill -STOP "$(cat pid)"
	until [ "$(awk "{ print \$14 + \$15 }" "/proc/$(cat burning)/stat")" -ge 120 ]; do
		[ "$(cut -d " " -f 3 "/proc/$(cat burning)/stat")" != Z ] || break
		sleep 0.02
	done
	kill -CONT "$(cat pid)" && wait $! &&
	samples --waits lost.er >lost.waits && exact lost loose &&
	grep -E "\"lost(_other)?\": [1-9]" lost.er/log.json &&
	test_grep "it is unknown whether threads waited" said &&
	awk "\$5 == \"unknown\" { unknown += \$4 - \$3 } END { print unknown; exit !(unknown > 1e7) }" lost.waits
'

# The same, but then all go on on another CPU: the full ring gets no record that says what it lost.
# Both threads take turns all the time, and the program says how long the longest turn was.  A wait in them
# ends in the same turn or in the next, unless it is unknown.
one=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
other=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
moves=$unable
[ "$one" != "$other" ] || moves='there is one CPU'
test_set_prereq MOVES "$moves"
test_expect_success MOVES 'lost records that a ring hides' '
	sh -c "echo \$\$ >pid && exec collect -w on -O hidden.er sh -c \"echo \\\$\\\$ >burning; exec taskset -c $one waits pingpong 400000\"" \
		>out 2>said &
	until ! kill -0 $! 2>/dev/null || [ -s burning ] && [ "$(awk "{ print \$14 + \$15 }" "/proc/$(cat burning)/stat")" -ge 20 ]; do
		sleep 0.02
	done
	kill -STOP "$(cat pid)"
	until [ "$(awk "{ print \$14 + \$15 }" "/proc/$(cat burning)/stat")" -ge 80 ]; do
		[ "$(cut -d " " -f 3 "/proc/$(cat burning)/stat")" != Z ] || break
		sleep 0.02
	done
	for task in $(cat burning) $(pgrep -P "$(cat burning)"); do
		taskset -p -c "$other" "$task" || break
	done
	kill -CONT "$(cat pid)" && wait $! &&
	samples --waits hidden.er >hidden.waits && exact hidden loose &&
	began=$(python3 -c "import json; print(json.load(open(\"hidden.er/log.json\"))[\"started_ns\"])") &&
	awk -v began="$began" "\$1 == \"turns\" { from = \$3 - began; until = \$5 - began; two = 2 * \$7 + 1e6; print from, until, two; next }
		\$5 == \"unknown\" { unknown += \$4 - \$3; next }
		\$1 == \"W\" && \$3 >= from && \$4 <= until && \$4 - \$3 > two { print; wrong++ }
		END { print unknown; exit !(unknown > 1e7 && until > from) || wrong }" out hidden.waits
'

# each_divided NAME THREADS MS: so many threads that slept MS each, in three processes.  er_print's times
# of each are those of the recording's own rows, and add up to its life.  Where no record was lost, all
# threads are there, none has unknown time, and each slept as long as it asked for: or had to wait for a CPU on
# its way to sleep, or, one in a thousand, lost it to the hypervisor there.
each_divided() {
	er_print -json -states "$1.er" >"$1.json" &&
	python3 - "$@" <<-'END'
	import collections, json, sys
	name, threads, ms = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
	doc = json.load(open(name + ".json"))
	rows, got = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
	for f in map(str.split, open(name + ".waits")):
	    if f[0] == "W":
	        rows[f[5], f[1]][f[4] + "_ns"] += int(f[3]) - int(f[2])
	    else:
	        rows[f[5], f[1]]["life_ns"] += int(f[3]) - int(f[2])
	wrong = []
	for row in doc["states"][1:]:
	    times = {k: v for k, v in row.items() if k.endswith("_ns")}
	    rest = times["life_ns"] - sum(v for k, v in times.items() if k != "life_ns")
	    if abs(rest) > 0.001 * times["life_ns"] or times["cpu_ns"] < 0:
	        wrong.append(("sum", row))
	    got[str(row["process"]), str(row["thread"])].update({k: v for k, v in times.items() if k != "cpu_ns" and v})
	wrong += [("rows", t, got[t], rows[t]) for t in set(got) | set(rows) if got[t] != +rows[t]]
	lost = doc["experiments"][0]["lost"] + doc["experiments"][0]["lost_other"]
	slept = [n["sleep_ns"] + n["otherwait_ns"] + n["wait_ns"] >= 0.9e6 * ms for t, n in got.items() if t[0] != t[1]]
	unknown = sum(n["unknown_ns"] for n in got.values())
	print(len(slept), "threads,", sum(slept), "slept,", lost, "lost,", unknown, "unknown, wrong:", wrong[:3])
	sys.exit(bool(wrong) or not lost and (len(slept) != threads or sum(slept) < 0.999 * threads or unknown > 0))
	END
}

test_expect_success CAUSES 'six thousand threads that come and go: the life of each is divided' '
	collect -w on -O many.er sh -c "for i in 1 2 3; do waits threads || exit; done" >many.out 2>many.said &&
	samples --waits many.er >many.waits && each_divided many 6000 3
'

# ---- without the kernel ----

set_nobody collect waits

test_expect_success NOBODY 'an ordinary user: times are exact' '
	mkdir -m 777 nobody && ln -s nobody/n.er n.er &&
	for try in 1 2 3; do
		rm -rf nobody/n.er && before=$(stolen) &&
		as_nobody ./collect -w on -O nobody/n.er ./waits lock >n.out 2>n.said &&
		samples --waits nobody/n.er >n.waits && exact n "$(($(stolen) - before))" &&
		awk "FNR == NR { want += \$2; next } \$1 == \"W\" { got += \$4 - \$3 }
			END { print got, want; exit !(want > 5e8 && got > 0.95 * want && got < 1.2 * want) }" n.out n.waits && break
		[ $try -lt 3 ] || return 1
	done
'

# looked_at NAME: of the waits of 2 ms and more, but for a CPU, 95 % of the time have a cause and a
# stack, and each state has 95 % of the time that the program measured.
looked_at() {
	awk '$1 == "W" && $5 != "wait" && $4 - $3 >= 2e6 { all += $4 - $3
			if ($5 != "otherwait" && $7) known += $4 - $3 }
		$1 == "W" { got[$5] += $4 - $3 }
		NF == 2 && $1 != "wait" && $2 > 1e8 { want[$1] = $2 }
		END { print known, all
			for (state in want) {
				print state, got[state], want[state]
				if (got[state] < 0.95 * want[state]) wrong = 1
			}
			exit wrong || all < 5e8 || known < 0.95 * all }' "$1.out" "$1.waits"
}

test_expect_success NOBODY 'an ordinary user: addresses of locks, read while threads wait' '
	ln -s nobody/locks.er nlocks.er &&
	for try in 1 2 3; do
		rm -rf nobody/locks.er && before=$(stolen) &&
		as_nobody ./collect -w on -O nobody/locks.er ./waits locks x 8 >nlocks.out 2>nlocks.said &&
		samples --waits nlocks.er >nlocks.waits && exact nlocks "$(($(stolen) - before))" &&
		by_lock nlocks 0.95 && return 0
	done
	return 1
'

test_expect_success NOBODY 'an ordinary user: … also of a thread that was stopped' '
	ln -s nobody/restart.er nrestart.er &&
	for try in 1 2 3; do
		rm -rf nobody/restart.er &&
		as_nobody ./collect -w on -O nobody/restart.er ./waits restart x 4 >nrestart.out 2>nrestart.said &&
		one_lock nrestart && return 0
	done
	return 1
'

# These programs have frame pointers, which /proc does not show: on x86-64 the code does.
whole() {
	er_print -metrics i.sleep:name -functions "$1.er" >"$1.whole" &&
	awk '$NF == "<Total>" { all = $1 } $NF == "main" { in_it = $1 }
		END { print in_it, all; exit !(all > 0 && in_it >= 0.95 * all) }' "$1.whole"
}

# A thread is read some ms after it went to sleep, or later if collect has to wait for a CPU itself:
# for 40 ms and more at least, in which that is hardly ever as long.  Three attempts at most.
test_expect_success NOBODY 'an ordinary user: causes and stacks of long waits, read while threads sleep' '
	for shape in sleep lock pipe poll child stopped; do
		for try in 1 2 3; do
			rm -rf nobody/$shape.er n$shape.* &&
			as_nobody ./collect -w on -O nobody/$shape.er ./waits $shape x 8 >n$shape.out 2>n$shape.said &&
			samples --waits nobody/$shape.er >n$shape.waits && ln -s nobody/$shape.er n$shape.er &&
			looked_at n$shape && { [ $shape = stopped ] || in_place n$shape; } && continue 2
		done
		return 1
	done &&
	{ [ "$(uname -m)" != x86_64 ] || whole nsleep; }
'

# ---- a part of a program's life ----

test_expect_success CAUSES 'a running process: a wait that had begun is read too' '
	waits sleep 100000 1000 >out & pid=$!
	tries=0
	until grep -qx waits /proc/$pid/comm && grep -q nanosleep /proc/$pid/wchan; do
		kill -0 $pid && [ $((tries += 1)) -lt 3000 ] || { kill $pid; return 1; }
		sleep 0.01
	done
	collect -w on -P $pid -t 0.6 -O p.er >p.out 2>p.said; kill $pid && samples --waits p.er >p.waits &&
	awk "\$1 == \"L\" && \$5 == 3 { found++ } END { exit found != 1 }" p.waits &&
	awk "\$1 == \"W\" && \$5 == \"sleep\" && \$7 { slept += \$4 - \$3 }
		END { print slept; exit !(slept > 5.9e8 && slept < 7e8) }" p.waits
'

# Numbers of threads may be used again meanwhile, so their lives are compared by number and process.
test_expect_success CAUSES 'the whole machine: each life is divided, and the idle task has none' '
	collect -w on -a -O all.er waits sleep >all.out 2>all.said && samples --waits all.er >all.waits &&
	exact all loose &&
	! awk "\$2 == 0 { found = 1 } END { exit !found }" all.waits &&
	pid=$(sed -n "s/^ *\"pid\": \([0-9]*\),*/\1/p" all.er/log.json) &&
	awk -v "pid=$pid" "\$1 == \"W\" && \$5 == \"sleep\" && \$6 == pid { slept += \$4 - \$3 }
		END { print pid, slept; exit !(slept > 1.9e8) }" all.waits
'

# It sleeps nearly all the time, so no sample of a switch has its stack: one is recorded again if it did not.
switched() { sed -n 's/^voluntary_ctxt_switches:[^0-9]*//p' /proc/2/status; }
[ "$unable" ] || grep -q kthreadd+ /proc/2/stack 2>unread || unable='/proc/2/stack does not show the stack of kthreadd'
test_set_prereq KTHREADD "$unable"

test_expect_success KTHREADD 'and threads of the kernel have the stacks that /proc shows' '
	for try in 1 2 3 4 5 6; do
		before=$(switched) && collect -w on -a -O kernel.er waits sleep >out 2>said || return
		[ "$(switched)" -ne "$before" ] || break
	done
	er_print -printmode ";" -filters "PID==2" -metrics i.otherwait:name -functions kernel.er >kthreadd &&
	cut -d ";" -f 2 kthreadd | grep -v -e "^name" -e Total -e Unsampled | sort >found &&
	sed "s/\[<0>] //;s/+.*//" /proc/2/stack | sort >expected && diff -u expected found ||
		{ cat kthreadd && false; }
'

# Before that collect reads the names of the kernel, some 50 ms long.  On a busy machine the program may
# wait as long for its CPU: in one of ten recordings it was soon there.
test_expect_success 'time begins when the program may go' '
	for try in 1 2 3 4 5 6 7 8 9 10; do
		collect -w on -O go.er true >out 2>said && samples --waits go.er >go.waits || return
		awk "\$1 == \"L\" { life++; late = \$3 >= 2e7 } END { exit life != 1 || late }" go.waits && return
	done
	cat go.waits && false
'

started() { sed -n "s/.*\"started_ns\": *\([0-9]*\).*/\1/p" "$1"; }

test_expect_success 'until it ends, the log has the same time' '
	collect -w on -O log.er sh -c "until test -e log.er/log.json; do sleep 0.01; done; cp log.er/log.json begun" >out 2>said &&
	test "$(started begun)" -gt 0 && test "$(started begun)" = "$(started log.er/log.json)"
'

test_expect_success CAUSES 'a part: waits are cut at its ends' '
	collect -w on -t 0.5-0.7 -O t.er waits sleep 100 >out 2>said && samples --waits t.er >t.waits &&
	awk "\$3 < 5e8 || \$4 > 7e8 { print; wrong = 1 }
		\$1 == \"L\" && (\$5 == 3 || (\$3 > 5e8 && \$5 == 2)) { found++ }
		END { exit wrong || found != 1 }" t.waits || { cat said t.waits && false; }
'

test_expect_success 'without -w nothing of it is recorded' '
	collect -O off.er waits sleep >out 2>said && samples --waits off.er >off.waits &&
	[ ! -s off.waits ] && ! grep "\"state\": \"sleep\"" off.er/log.json
'

test_done
