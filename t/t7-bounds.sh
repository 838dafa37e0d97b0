# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What a target repeats as often as it likes costs collect no memory: each check is an
# attempt to make it grow.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3
[ -z "${RP_SANITIZE:-}" ] || skip_all 'this build has sanitizers, which take memory and time of their own'

# of_log EXPERIMENT EXPRESSION: an expression over its log, d.
of_log() {
	python3 -c 'import json, sys; d = json.load(open(sys.argv[1] + "/log.json"))
print(eval(sys.argv[2]))' "$1" "$2"
}

# lost_of EXPERIMENT: how many records of any kind.
lost_of() {
	of_log "$1" "sum(n for name, n in d[\"totals\"].items() if name.startswith(\"lost\"))"
}

# kept WHAT COUNT KB: COUNT of them cost KB of memory at most beyond what a tenth of them
# does.  Up to three times: the peak of a short run depends on how the rings were filled.
kept() {
	for attempt in 1 2 3; do
		rm -rf few.er many.er
		collect -o few.er flood "$1" $(($2 / 10)) >few.out 2>few.err &&
			collect -o many.er flood "$1" "$2" >many.out 2>many.err || return
		few=$(of_log few.er 'd["collector"]["max_rss_kb"]') &&
			many=$(of_log many.er 'd["collector"]["max_rss_kb"]') || return
		echo "$1: $few kB for a tenth of them, $many kB for $2"
		[ $((many - few)) -le "$3" ] && return
	done
	return 1
}

# Waits for COMMAND to hold, for ten minutes.
await() {
	for tick in $(seq 6000); do
		"$@" && return
		sleep 0.1
	done
	echo "in vain: $*"
	return 1
}

# Kept, the names alone are 25 bytes each.
test_expect_success 'names of a thread without samples are not kept' '
	kept names 400000 5000
'

# Threads never were: their slots are used again.
test_expect_success 'nor are ended threads' '
	kept threads 10000 5000
'

test_expect_success 'a sample has the name of its time, and the thread is one' '
	er_print -threads many.er >got && test_grep "flood" got &&
	test "$(of_log many.er "d[\"totals\"][\"processes\"]")" = 1
'

# Without a right to go ahead of others collect loses half of them; if hardly more than the
# bound, half of what all processes may have, are read, nothing is shown.
test_expect_success 'mappings at ever new addresses are counted beyond a bound' '
	collect -o maps.er flood maps 1200000 2>err && cat err &&
	lost=$(lost_of maps.er) && if [ "$lost" -lt 100000 ]; then
		test_grep "executable mappings were left out" err &&
		er_print -header maps.er >got && test_grep "were left out" got &&
		test "$(of_log maps.er "d[\"left_out\"][\"mappings\"]")" -gt 0
	fi
'

test_expect_success 'so are mapped files' '
	collect -o files.er flood files 270000 2>err && cat err &&
	lost=$(lost_of files.er) && if [ "$lost" -lt 130000 ]; then
		test_grep "mappings of files were left out, beyond the first 131072 files or 32 MiB of their paths:" err &&
		test "$(of_log files.er "d[\"left_out\"][\"modules\"]")" -gt 0 &&
		er_print -statistics files.er >got &&
		test_grep "^Left out: mappings of files" got &&
		er_print -json -statistics files.er >files.json &&
		holds files.json "e[\"left_out\"][\"modules\"] > 0"
	fi
'

# runs_at POLICY: whether collect does, whose number is $pid.
pid=
runs_at() { chrt -p "$pid" 2>/dev/null | grep -q "policy: $1"; }

if chrt -f 1 true 2>/dev/null; then
	test_set_prereq RT
else
	test_set_prereq RT 'this user may not run anything at real-time priority'
fi

# What a flood is, and what it does to the priority, is in t/unit/u-priority.c: to make one
# takes more CPUs than there may be, and time.
# From the program's first moment on, in which its rings fill before they have grown.
test_expect_success RT 'the rings are read at real-time priority, which no program inherits' '
	collect -o rt.er sh -c "read -r stat </proc/\$PPID/stat; echo \"\$stat\" >ahead; chrt -p \$\$ >policy; until [ -e over ]; do sleep 0.1; done" \
		2>err & pid=$!
	await runs_at SCHED_RR
	got=$?
	: >over
	wait $pid && cat err policy && test $got -eq 0 && test_grep "policy: SCHED_OTHER" policy &&
	test "$(sed "s/.*) //" ahead | cut -d " " -f 39)" -eq 2 &&
	test "$(of_log rt.er "d[\"collector\"].get(\"lowered_ns\", 0)")" = 0
'

test_expect_success RT 'for how long a flood took that is shown' '
	python3 -c "import json
d = json.load(open(\"rt.er/log.json\"))
d[\"collector\"][\"lowered_ns\"] = 1500000000
json.dump(d, open(\"rt.er/log.json\", \"w\"))" &&
	er_print -statistics rt.er >got && cat got &&
	test_grep "^Collector.s priority lowered.*1\.5" got &&
	er_print -json -statistics rt.er >rt.json && holds rt.json "e[\"collector\"][\"lowered_s\"] == 1.5"
'

test_expect_success 'the lineage of processes that ended long ago is kept' '
	collect -o line.er flood line 1500 >out &&
	er_print -header line.er >got && test_grep "^Samples" got &&
	test "$(of_log line.er "d[\"totals\"][\"processes\"]")" = 1501
'

set_tools OBJCOPY objcopy

test_expect_success OBJCOPY 'a function with a name of 300 kB has no name, and is counted' '
	python3 -c "print(\"one\", \"x\" * 300000)" >long &&
	objcopy --redefine-syms=long "$RP_BUILD/t/progs/burn" longer && nm longer | grep -q xxxx &&
	collect -o long.er ./longer one=300 2>err && cat err &&
	test_grep "1 functions have no name, since it is longer" err &&
	test "$(of_log long.er "d[\"left_out\"][\"labels\"]")" = 1 &&
	er_print -functions long.er >got && test_grep "<longer>+0x" got &&
	! grep -q xxxx got && test "$(wc -c <long.er/data)" -lt 200000
'

# The size of the recording, which grows once stacks are written.
grown() { [ "$(stat -c %s oom.er/data 2>/dev/null || echo 0)" -gt 20000 ]; }

set_tools PRLIMIT prlimit

test_expect_success PRLIMIT 'without memory collect keeps its data, and the status' '
	collect -p hi -o oom.er paths stop 2>err & pid=$!
	await grown && prlimit --pid $pid --as=1:1 && await grep -q "out of memory" err
	got=$?
	: >stop
	wait $pid; status=$?
	cat err && test $got -eq 0 && test $status -eq 7 &&
	er_print -header oom.er >header && test_grep "ran out of memory" header &&
	er_print -functions oom.er >got && test_grep "step_0" got
'

# A flood of what is kept, with room for less than that: 50 MB, and it has 10.
test_expect_success PRLIMIT 'so does it when a flood takes the memory' '
	cat >flooded.sh <<-END &&
	: >began
	while [ ! -e room ]; do sleep 0.1; done
	flood files 120000 >/dev/null
	exit 7
	END
	collect -o took.er sh flooded.sh 2>err & pid=$!
	await test -e began &&
	room=$(($(sed -n "s/^VmSize:[^0-9]*\([0-9]*\) kB/\1/p" "/proc/$pid/status") + 10000)) &&
	prlimit --pid $pid --as=$((room * 1024)):$((room * 1024))
	got=$?
	: >room
	wait $pid; status=$?
	cat err && test $got -eq 0 && test $status -eq 7 &&
	test_grep "out of memory" err && er_print -header took.er >header &&
	test_grep "ran out of memory" header && er_print -functions took.er >got &&
	test_grep "^.*<Total>" got
'

test_done
