#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Counters for a user without privileges, on a kernel that grows stricter.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/pmu/session.sh"
pmu_machine t/progs/steps t/progs/forks <<'END'
chmod 777 .
perf stat -x, -o perf -e cycles:u,cycles:k,cycles steps 40000 500
# as_user LEVEL NAME COMMAND…: its status goes to NAME.status.
as_user() {
	echo "$1" >/proc/sys/kernel/perf_event_paranoid
	name=$2
	shift 2
	su nobody -c "$*" >$name.out 2>$name.err
	echo $? >$name.status
}
as_user 1 everything collect -h cycles,500009 -o everything.er steps 40000 500
as_user 2 default collect -o default.er steps 40000 500
as_user 2 two collect -h cycles,1000003,insts,1000003 -o two.er steps 40000 500
as_user 2 forks collect -h cycles,100003 -o forks.er forks 3 20
as_user 2 ring0 collect -h ring0 -o ring0.er steps 1 1
as_user 2 machine collect -a -o machine.er steps 1 1
as_user 3 nothing collect -o nothing.er steps 1 1
as_user 3 counter collect -h cycles -o counter.er steps 1 1
as_user 3 clock collect -p on -o clock.er steps 1 1
as_user 3 list collect -h
as_user 2 precise collect -h cycles:ppp,1000003 -o precise.er steps 40000 500
as_user 2 switches collect -h cs -o switches.er true
as_user 2 check2 collect --check
as_user 3 check3 collect --check
collect --check --json >check.json
collect -o root.er steps 40000 500 >root.out 2>root.err
echo $? >root.status
END

# ended NAME STATUS: what NAME came to; for bodies.
ended() {
	[ "$(cat "out/$1.status")" = "$2" ] && return
	echo "$1: status $(cat "out/$1.status"), not $2" && cat "out/$1.err" && return 1
}

# The kernel has 7 % of the 260 M cycles, some 36 samples: five or fewer are one in 10^10.
test_expect_success 'paranoid 1: user and kernel are sampled, of the task' '
	ended everything 0 && pmu_report everything &&
	grep "\"scope\": \"task\"" out/everything.er/log.json &&
	holds everything.json "incl(\"kernel\") > 0.01 * total" &&
	holds everything.json "event(\"cycles\")[\"got\"] == \"arm_n1::CPU_CYCLES\"" &&
	holds everything.json "near(event(\"cycles\")[\"count\"], $(perf_count cycles), 0.02)"
'

test_expect_success 'paranoid 2: by default the cycles of user code' '
	ended default 0 && pmu_report default &&
	grep "\"scope\": \"task\"" out/default.er/log.json &&
	holds default.json "event(\"cycles\")[\"got\"] == \"arm_n1::CPU_CYCLES:u\"" &&
	holds default.json "near(event(\"cycles\")[\"count\"], $(perf_count cycles:u), 0.01)" &&
	holds default.json "names[0] == \"hot\" and e[\"stack_ends\"][\"root\"] == event(\"cycles\")[\"samples\"]"
'

test_expect_success '… which says what is missing, and how to have it' '
	test_grep "no samples of the kernel: kernel.perf_event_paranoid is 2; .*sysctl kernel.perf_event_paranoid=1" out/default.err &&
	test_grep "s of user CPU by samples" out/default.err
'

# The kernel's account of user and kernel time has ticks of 4 ms: 0.24 s are 60.
test_expect_success '… and in seconds has the part of the time that was outside the kernel' '
	holds default.json "near(e[\"cpu_s\"], $(perf_count cycles:u) / 1e9, 0.06)"
'

test_expect_success 'paranoid 2: two counters, and what no sample stands for' '
	ended two 0 && pmu_report two &&
	for name in cycles insts; do
		holds two.json "near(event(\"$name\")[\"weight\"], $(perf_count cycles:u), 0.01)" || return 1
	done
'

test_expect_success 'paranoid 2: children are followed' '
	ended forks 0 && pmu_report forks &&
	holds forks.json "near(incl(\"child\"), 3 * incl(\"after_exec\"), 0.1) and e[\"processes\"] >= 4"
'

test_expect_success 'paranoid 2: the kernel alone is refused, with the remedy' '
	ended ring0 1 &&
	test_grep "error: ring0 cannot be counted: .*sysctl kernel.perf_event_paranoid=1" out/ring0.err &&
	test ! -e out/ring0.er
'

test_expect_success 'paranoid 2: so is the whole machine' '
	ended machine 1 && test_grep "error: .*paranoid" out/machine.err && test ! -e out/machine.er
'

for name in nothing counter clock; do
	test_expect_success "paranoid 3: nothing goes ($name), and that is said once" '
		ended $name 1 &&
		test_grep "error: .* kernel.perf_event_paranoid is 3, which forbids it; allow it with: sudo sysctl kernel.perf_event_paranoid=2" out/$name.err &&
		test "$(grep -c . out/$name.err)" -eq 1 && test ! -e out/$name.er
	'
done

test_expect_success 'paranoid 3: counters are listed all the same, and what they lack' '
	ended list 0 && test_grep "^cycles\\[" out/list.out &&
	cat out/list.err out/list.out >list && test_grep "cannot be used here: kernel.perf_event_paranoid is 3" list
'

# answered NAME ANSWER FILE: what that line of --check says.
answered() {
	test_grep "^  $1  *$2 " "out/$3.out"
}

test_expect_success 'paranoid 2: --check says what works and what does not' '
	ended check2 0 && cat out/check2.out &&
	test_grep "^programs can be recorded here, by hardware counters and the CPU clock, without the kernel" out/check2.out &&
	answered counters yes check2 && answered "kernel samples" no check2 &&
	answered cfi yes check2 && answered "whole machine" no check2 &&
	answered paranoid partly check2 && answered "own programs" yes check2
'

test_expect_success 'paranoid 3: nothing goes, and --check fails' '
	ended check3 1 && cat out/check3.out &&
	test_grep "^nothing can be recorded here" out/check3.out &&
	answered counters no check3 && answered clock no check3 &&
	test_grep "is 3: only root may record" out/check3.out &&
	test_grep "> sudo sysctl kernel.perf_event_paranoid=2$" out/check3.out
'

test_expect_success 'root: --check finds counters and the kernel, as data too' '
	python3 - <<-\END
		import json
		d = json.load(open("out/check.json"))
		a = {c["name"]: c["answer"] for c in d["checks"]}
		print(a)
		assert d["usable"] and all(a[n] == "yes" for n in
		    ("counters", "clock", "kernel samples", "whole machine", "cfi", "fp", "rings"))
		assert a["lbr"] == "no"
	END
'

test_expect_success 'more precision than there is: a counter all the same, and its skid is said' '
	ended precise 0 && cat out/precise.err && er_print -header out/precise.er >header && cat header &&
	test_grep "CPU Cycles.*arbitrary skid .asked for precise_ip 3, got 0" header &&
	test_grep "warning: cycles:ppp is available here only with arbitrary skid" out/precise.err &&
	test_grep "\"unit\": \"cycles\"" out/precise.er/log.json &&
	test_grep "\"precise_asked\": 3" out/precise.er/log.json
'

test_expect_success 'paranoid 2: what happens in the kernel alone is refused' '
	ended switches 1 && test_grep "cs cannot be counted: .*paranoid" out/switches.err
'

test_expect_success 'paranoid 3: root has everything' '
	ended root 0 && pmu_report root &&
	holds root.json "near(event(\"cycles\")[\"count\"], $(perf_count cycles), 0.02)"
'

test_done
