# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Software events, recorded on this machine; the words for rates; and both without
# privileges.
. "$RP_SRC/t/lib.sh"
need_sampling

test_set_prereq SCOPES "$(collect -o scope.er --scope cgroup true 2>&1 | grep -F 'cannot create a group')"

# count METRIC NAME.er: its weight in all.
count() {
	er_print -json "$2" >count.json &&
		python3 -c 'import json, sys
e = json.load(open("count.json"))["experiments"][0]["events"]
print(next(x["weight"] for x in e if x["metric"] == sys.argv[1]))' "$1"
}

collect --check --json >check.json
# says NAME ANSWER: of collect --check.
says() {
	python3 -c 'import json, sys
print(next(c["answer"] for c in json.load(open("check.json"))["checks"] if c["name"] == sys.argv[1]))' \
		"$1" >answer && grep -q "^$2$" answer
}
test_set_prereq KERNEL "$(says 'kernel samples' yes || echo 'the kernel cannot be sampled here')"
test_set_prereq TRACEPOINTS "$(says tracepoints yes || echo 'tracepoints cannot be read here')"

test_expect_success KERNEL 'cs: each wait of a program is one' '
	collect -o cs.er -h cs,1 sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.001; done" &&
	test "$(count cs cs.er)" -ge 10
'

test_expect_success 'page-faults and minor-faults are the same faults here' '
	collect -o pf.er -h page-faults,1,minor-faults,1,major-faults,1 sort /dev/null &&
	count page-faults pf.er >all && count minor-faults pf.er >minor &&
	count major-faults pf.er >major && test "$(cat all)" -gt 20 &&
	test "$(cat all)" -eq $(($(cat minor) + $(cat major)))
'

test_expect_success TRACEPOINTS 'a tracepoint: as many processes end as start' '
	collect -o tp.er -h sched:sched_process_exit sh -c "true; /bin/true; /bin/true; exit 0" &&
	test "$(count sched.sched_process_exit tp.er)" -eq 3
'

test_expect_success TRACEPOINTS 'its samples lie at its place' '
	er_print -header tp.er >header && test_grep "at the event itself" header
'

cpus=$(getconf _NPROCESSORS_CONF)

# interval_held METRIC INTERVAL PERIODS NAME.er: each sample weighs the interval; with what no
# sample stands for they are what the kernel counted, and that is no more than so many periods.
interval_held() {
	python3 - "$@" <<-'END'
		import json, sys
		metric, interval, periods, path = sys.argv[1:]
		events = json.load(open(path + "/log.json"))["events"]
		e = next(e for e in events if e["metric"] == metric)
		print(e)
		sampled = e["samples"] * int(interval)
		sys.exit(not (e["samples"] and sampled + e["unsampled"] == e["count"]
			      and e["unsampled"] <= int(periods) * (int(interval) - 1)))
	END
}

# Each CPU has a period of its own, and so has a task on each.
test_expect_success 'the interval of a software event applies: to a task' '
	collect -o each.er --scope task -h page-faults,101 faults 20000 &&
	interval_held page-faults 101 $cpus each.er &&
	er_print -json -functions each.er >each.json &&
	holds each.json "near(excl(\"touch\"), 20000, 101 * $cpus / 20000)"
'

# Which of two that have faults on a CPU by turns has the sample of a period is chance: with a
# turn in each period the 198 samples are binomial, and 79 off are more than five deviations.
test_expect_success SCOPES 'and to CPUs and control groups' '
	collect -o group.er --scope cgroup -h page-faults,101 faults 20000 &&
	interval_held page-faults 101 $cpus group.er &&
	collect -o cpu.er --scope cpu -h page-faults,101 faults 20000 &&
	er_print -json -functions cpu.er >cpu.json &&
	holds cpu.json "near(excl(\"touch\"), 20000, 0.4)" &&
	test $(($(count page-faults cpu.er) % 101)) -eq 0
'

test_expect_success 'beside events whose samples have periods' '
	collect -o both.er --scope task -h page-faults,101,minor-faults,997Hz,cpu-clock,on \
		faults 20000 &&
	interval_held page-faults 101 $cpus both.er && er_print -export samples both.csv both.er &&
	test_grep ",minor-faults,[1-9]" both.csv &&
	test_no_grep ",minor-faults,0," both.csv
'

test_expect_success TRACEPOINTS 'and to a tracepoint' '
	collect -o tp2.er --scope task -h sched:sched_process_fork,2 \
		sh -c "/bin/true; /bin/true; /bin/true; /bin/true; /bin/true; exit 0" &&
	test "$(count sched.sched_process_fork tp2.er)" -eq 5
'

test_expect_success TRACEPOINTS 'a pattern stands for all matching tracepoints' '
	collect -h "sched:sched_process_[ef]*" >list 2>said && test_grep "^sched:sched_process_fork,1" list &&
	test_grep "^sched:sched_process_exec,1" list && test_expect_code 2 collect -h "sched:x*" 2>said &&
	test_grep "no tracepoint matches sched:x" said &&
	collect -o tp3.er -h "sched:sched_process_[ef]*" sh -c "/bin/true; exit 0" &&
	test "$(count sched.sched_process_exec tp3.er)" -ge 1 &&
	test "$(count sched.sched_process_fork tp3.er)" -ge 1 &&
	test "$(count sched.sched_process_exit tp3.er)" -ge 1
'

# planned RATE: what -n says of page faults at that rate.
planned() {
	collect -n -h "page-faults,$1" true | sed -n "s/^page-faults: [^,]*, //p" | sed "s/, user.*//"
}

for row in '=101' 'on=101' 'hi=7' 'high=7' 'lo=1009' 'low=1009' '1=1' '4096=4096'; do
	test_expect_success "the rate \"${row%=*}\" is a sample every ${row#*=}" '
		planned "${row%=*}" >got && echo "a sample every ${row#*=}" | test_cmp - got
	'
done
for row in 'auto=997' '997Hz=997' '250 hz=250' '1000 Hz=1000'; do
	test_expect_success "the rate \"${row%=*}\" is ${row#*=} a second" '
		planned "${row%=*}" >got && echo "${row#*=} samples a second" | test_cmp - got
	'
done

# libpfm4 spells them so, and knows no periods.
for row in CONTEXT_SWITCHES=11 PAGE_FAULTS=101 CGROUP_SWITCHES=1; do
	test_expect_success "PERF_COUNT_SW_${row%=*} has an interval of its own too" '
		if collect -n -h "PERF_COUNT_SW_${row%=*}" true >plan 2>said; then
			test_grep "a sample every ${row#*=}\(,\|$\)" plan
		else
			test_grep "unknown counter\|cannot be counted" said
		fi
	'
done

# How soon it changes its mind is its own affair: one sample may be all.
test_expect_success 'if the kernel chooses the period, each sample keeps its own' '
	collect -o hz.er -h "page-faults,997Hz" \
		sh -c "for i in 1 2 3 4 5 6 7 8 9; do ls -R /usr/include >/dev/null; done" &&
	grep "\"period\": 0" hz.er/log.json && er_print -export samples hz.csv hz.er &&
	cut -d , -f 8 hz.csv | sed 1d | sort -n | uniq >periods && cat periods &&
	test -s periods && test_no_grep "^0$" periods
'

# Spellings of other tools: accepted, or refused because this machine lacks the event,
# never as unknown words.
for name in cycles:u cycles:pp cycles:P +cycles r01c2 instructions:u L1-dcache-load-misses \
	cpu-clock:u task-clock 'cycles~system=0~precise=1/0,on' \
	UNHALTED_CORE_CYCLES:u; do
	test_expect_success "$name is understood" '
		collect -n -h "$name" true >plan 2>said || test_grep "cannot be counted" said ||
		test_grep "unknown counter .UNHALTED_CORE_CYCLES" said
	'
done

set_nobody collect && mkdir -p open && chmod 777 open
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ] ||
	test_set_prereq NOBODY 'kernel.perf_event_paranoid is not 2'

test_expect_success NOBODY 'paranoid 2: faults of user code are counted' '
	as_nobody ./collect -o open/pf.er -h page-faults,1 sort /dev/null 2>said && cat said &&
	test_grep "no samples of the kernel" said && test "$(count page-faults open/pf.er)" -gt 20
'

for name in cs migrations cycles:k page-faults:k; do
	test_expect_success NOBODY "paranoid 2: $name is not, with the remedy" '
		test_expect_code 1 as_nobody ./collect -o open/no.er -h $name true 2>said && cat said &&
		test_grep "$name cannot be counted: .*sudo sysctl kernel.perf_event_paranoid=1" said &&
		test ! -e open/no.er
	'
done

test_expect_success NOBODY 'paranoid 2: nor are events of the whole machine' '
	if [ -r /sys/bus/event_source/devices/msr/type ]; then
		test_expect_code 1 as_nobody ./collect -o open/no.er -h msr/tsc/ true 2>said &&
		test_grep "msr/tsc/ cannot be counted: .*kernel.perf_event_paranoid" said
	fi
'

test_done
