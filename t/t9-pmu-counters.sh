#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Counters that really overflow, as root on a machine with a PMU, against each other and
# against perf stat's.  The program's work is fixed: it counts the same in every run.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/pmu/session.sh"
pmu_machine t/progs/steps <<'END'
program='steps 40000 500'
perf stat -x, -o perf -e cycles:u,cycles:k,cycles $program
rings=cycles,1000003,ring0,1000003,ring123,1000003
collect -o default.er $program
for scope in cgroup task; do
	collect --no-jitter --scope $scope -h $rings -o $scope.er $program
done
collect --no-jitter --scope cpu --stack off -h cycles,100003,ring0,100003,ring123,100003 -o cpu.er \
	$program
for scope in cgroup cpu task; do
	collect --scope $scope -h cycles,20011 -o varied-$scope.er $program
done
collect --no-jitter -h cycles,100003,insts,200003 -o two.er $program
collect -h stalled-be,1000003,cycles,1000003,armv8_pmuv3/cpu_cycles/,1000003 -o stalled.er \
	$program
collect -o ten.er -h cycles,1000003,insts,1000003,CPU_CYCLES:u,1000003,CPU_CYCLES:k,1000003 \
	-h INST_RETIRED:u,1000003,INST_RETIRED:k,1000003,INST_RETIRED,999983 \
	-h CPU_CYCLES,999983,ring0,999983,ring123,999983 $program
collect -p on -h cycles,1000003 -o both.er $program
perf stat -x, -o pair -e '{cycles,instructions}' $program
for scope in cgroup cpu task; do
	collect --scope $scope -h '{cycles,insts},500009,CPU_CYCLES:u,1000003' -o group-$scope.er \
		$program 2>group-$scope.said
done
registers='{cycles,insts,CPU_CYCLES:u,CPU_CYCLES:k,INST_RETIRED:u,INST_RETIRED:k'
collect -h "$registers},1000003" -o six.er $program
collect -h "$registers,CPU_CYCLES,INST_RETIRED},1000003" -o eight.er $program 2>eight.said
echo $? >>eight.said
# No group can have counters: those of the CPUs are next.
umount /sys/fs/cgroup
collect -o nogroup.er $program
END

groups='cgroup cpu'
[ ! -e out/group-task.er ] || groups="$groups task"
for name in default cgroup cpu task $(printf 'varied-%s ' cgroup cpu task) two stalled ten both nogroup six $(printf 'group-%s ' $groups); do
	test_expect_success "$name: recorded, and read here" '
		pmu_report '$name' &&
		holds '$name'.json "e[\"complete\"] and e[\"lost\"] + e[\"lost_records\"] == 0 and e[\"throttled\"] == 0" &&
		holds '$name'.json "e[\"arch\"] == \"aarch64\" and not e[\"warnings\"]"
	'
done

test_expect_success 'by default the cycles of the core are sampled' '
	holds default.json "[v[\"metric\"] for v in e[\"events\"]] == [\"cycles\"]" &&
	holds default.json "event(\"cycles\")[\"got\"] == \"arm_n1::CPU_CYCLES\"" &&
	grep "\"scope\": \"cgroup\"" out/default.er/log.json
'

# Of a CPU's counter the target has what was sampled.  Which of two that take turns on a CPU
# has the sample of a period that both took part in is chance: with each turn of the target the
# number of its samples may be one too high or too low, and on the average is neither.  It has
# at most 140 turns (that many times all of the machine changed tasks during a recording).  So
# that 72 samples of ring123's 2410, which are 0.03 of them, are too many or too few has, by
# Hoeffding's bound, the chance 2 exp(-2 * 72^2 / 140), less than 10^-31; and that 78 are in the
# sum of all three counters 2 exp(-2 * 78^2 / (3 * 140)), less than 10^-12.
#
# Now and then no sample comes of an overflow: that is unsampled.  It was one of ring0 in about
# half of 30 recordings, never two, and of other events one in all.  More than eight have the
# chance 10^-8 (Poisson's law, with the mean 0.5).
#
# perf stat takes no samples, which cost the kernel cycles: a group's have 0.5 % more than its, and a
# task's 0.2 %, by a tenth of that more or less in four recordings.
while read -r scope period off share_off; do
	test_expect_success "$scope: events are tied to what they should be" '
		grep "\"scope\": \"$scope\"" out/$scope.er/log.json
	'
	test_expect_success "$scope: as many samples as periods were counted, within 1" '
		for name in cycles ring0 ring123; do
			holds $scope.json "abs((event(\"$name\")[\"count\"] - event(\"$name\")[\"unsampled\"]) / $period -
				event(\"$name\")[\"samples\"]) <= 1" &&
				holds $scope.json "event(\"$name\")[\"unsampled\"] <= 9 * $period" || return 1
		done
	'
	test_expect_success "$scope: user code has what perf stat counts, within $off" '
		holds $scope.json "near(event(\"ring123\")[\"count\"], $(perf_count cycles:u), $off)"
	'
	test_expect_success "$scope: so is its share of all cycles, but for those of samples" '
		holds $scope.json "near(event(\"ring123\")[\"count\"] / event(\"cycles\")[\"count\"],
			$(perf_count cycles:u) / $(perf_count cycles), $share_off)"
	'
	test_expect_success "$scope: ring0 and ring123 together are cycles" '
		holds $scope.json "near(event(\"ring0\")[\"count\"] + event(\"ring123\")[\"count\"],
			event(\"cycles\")[\"count\"], $off)"
	'
	test_expect_success "$scope: cycles in seconds are the time that went by" '
		holds $scope.json "near(e[\"cpu_s\"], e[\"rusage_cpu_s\"], 0.01)" &&
		holds $scope.json "0.95e9 < event(\"cycles\")[\"hz\"] < 1.02e9" &&
		holds $scope.json "event(\"ring0\")[\"hz\"] == event(\"cycles\")[\"hz\"]"
	'
done <<'END'
cgroup 1000003 0.001 0.015
cpu 100003 0.03 0.15
task 1000003 0.001 0.015
END

# A change loses half an interval in the mean, and a hundred samples carry that; a sample in
# which the emulator missed an overflow is unsampled.
for scope in cgroup cpu task; do
	test_expect_success "$scope: intervals vary within 5 %, and their sum is what was counted" '
		er_print -export samples varied.csv out/varied-$scope.er &&
		python3 -c "
import csv
w = [int(r[\"weight\"]) for r in csv.DictReader(open(\"varied.csv\")) if r[\"function\"] != \"<Unsampled>\"]
print(len(w), min(w), max(w), sum(w) / len(w))
assert len(set(w)) > 5 and 0.95 * 20011 <= min(w) < 0.98 * 20011 < 1.02 * 20011 < max(w) <= 1.05 * 20011" &&
		holds varied-$scope.json "near(event(\"cycles\")[\"weight\"], event(\"cycles\")[\"count\"], 0.005)"
	'
done

# What ran before the program is known to a period of each event, hence 0.3 % between two; of a
# rest below a period it is not known whose it is.  Overflows without a sample are <Unsampled>.
test_expect_success 'two events, each with its own period' '
	holds two.json "near(event(\"cycles\")[\"count\"], $(perf_count cycles), 0.05)" &&
	holds two.json "near(event(\"cycles\")[\"samples\"], event(\"cycles\")[\"count\"] / 100003, 0.01)" &&
	holds two.json "abs(event(\"cycles\")[\"weight\"] - event(\"cycles\")[\"count\"]) <= 100003 * 1.01" &&
	holds two.json "abs(event(\"insts\")[\"weight\"] - event(\"insts\")[\"count\"]) <= 200003 * 1.01" &&
	holds two.json "near(event(\"insts\")[\"count\"], event(\"cycles\")[\"count\"], 0.003)" &&
	holds two.json "near(event(\"insts\")[\"samples\"], event(\"insts\")[\"count\"] / 200003, 0.01)"
'

# cool() has a quarter of the time of both.  Of N samples its share is binomial: the standard
# deviation is 0.0088 for the 2430 of cycles, and 0.0124 for the 1215 of insts.  The bounds are
# more than 5.6 of them, which chance exceeds in 2 of 10^8.
test_expect_success '… and both find the hot function' '
	holds two.json "names[0] == \"hot\"" &&
	for bound in cycles:0.05 insts:0.07; do
		spent="[row(f)[\"exclusive\"][\"${bound%:*}\"][\"value\"] for f in (\"cool\", \"hot\")]"
		holds two.json "abs($spent[0] / sum($spent) - 0.25) <= ${bound#*:}" || return 1
	done
'

test_expect_success 'cycles that are stalled are cycles of the core, by its rate' '
	holds stalled.json "event(\"stalled-be\")[\"samples\"] == 0" &&
	holds stalled.json "event(\"stalled-be\")[\"hz\"] == event(\"cycles\")[\"hz\"]"
'

test_expect_success 'cycles are cycles by the name that the kernel has for them, too' '
	holds stalled.json "event(\"armv8_pmuv3/cpu_cycles/\")[\"unit\"] == \"cycles\"" &&
	holds stalled.json "near(event(\"armv8_pmuv3/cpu_cycles/\")[\"count\"], event(\"cycles\")[\"count\"], 0.001)"
'

# Counters of a group are read at the same instants: insts over cycles is what the kernel
# counts, exactly, in the whole and in what each sample stands for.
ratio_of() {
	holds "group-$1.json" "near(row('$2')['exclusive']['insts']['value'],
		row('$2')['exclusive']['cycles']['value'], 0.001)" &&
	holds "group-$1.json" "near(row('$2')['ratios']['exclusive']['IPC']['value'], 1, 0.001)"
}
whole() {
	holds "group-$1.json" "abs(event('$2')['count'] - event('$2')['weight']) <= 500009 * 1.01"
}
for scope in $groups; do
	test_expect_success "group, $scope: insts over cycles is perf stat's" '
		awk -F, "\$3 == \"instructions\" { i = \$1 } \$3 == \"cycles\" { c = \$1 }
			END { print i / c }" out/pair >ipc &&
		holds group-$scope.json "near(event(\"insts\")[\"weight\"] / event(\"cycles\")[\"weight\"],
			$(cat ipc), 0.001)"
	'
	test_expect_success "group, $scope: in each function, too" '
		ratio_of $scope hot && ratio_of $scope cool
	'
	test_expect_success "group, $scope: what was counted is there, but for a period" '
		whole $scope cycles && whole $scope insts
	'
done

[ -e out/group-task.er ] || test_expect_success 'group, task: refused, with the reason' '
	test_grep "cannot follow the program.s children: before Linux 6.12" out/group-task.said
'

# Six are read one after the other, and what runs meanwhile is in the later ones.
test_expect_success 'six of a group are on their registers together, none is scaled' '
	holds six.json "all(v[\"scale\"] == 1 for v in e[\"events\"])" &&
	holds six.json "near(event(\"CPU_CYCLES.u\")[\"weight\"] + event(\"CPU_CYCLES.k\")[\"weight\"],
		event(\"cycles\")[\"weight\"], 0.005)"
'

test_expect_success 'eight never fit, and are refused before the program runs' '
	test_grep "can never be counted together: beside the 7 before it this CPU has no register" \
		out/eight.said &&
	test_grep "^1$" out/eight.said &&
	test ! -e out/eight.er
'

test_expect_success 'ten events on seven registers: all sampled, all marked as scaled' '
	er_print -header out/ten.er >header &&
	test "$(grep -c "multiplexed: counted .* scaled by 1\." header)" -eq 10 &&
	holds ten.json "all(1.2 < v[\"scale\"] < 1.8 and v[\"samples\"] for v in e[\"events\"])"
'

# A sample is 1.4 million cycles then, of 260.
test_expect_success '… to what they would have counted' '
	holds ten.json "near(event(\"cycles\")[\"count\"], $(perf_count cycles), 0.08)" &&
	holds ten.json "near(event(\"insts\")[\"count\"], $(perf_count cycles), 0.08)" &&
	holds ten.json "near(event(\"ring123\")[\"count\"], $(perf_count cycles:u), 0.08)"
'

test_expect_success 'a clock beside a counter takes no register from it' '
	holds both.json "event(\"cycles\")[\"scale\"] == 1 and event(\"totalcpu\")[\"scale\"] == 1" &&
	holds both.json "near(event(\"totalcpu\")[\"weight\"] / 1e9, e[\"rusage_cpu_s\"], 0.06)"
'

# About 87 samples, of a CPU's counter (see above): 43 more or less have a chance of 10^-11.
test_expect_success 'without a control group the CPUs take its place' '
	grep "\"scope\": \"cpu\"" out/nogroup.er/log.json &&
	holds nogroup.json "near(e[\"samples\"], $(perf_count cycles) / 2999999, 0.5)"
'

test_expect_success 'stacks reach the root' '
	for name in default cgroup nogroup task; do
		holds $name.json "e[\"stack_ends\"][\"root\"] == sum(e[\"stack_ends\"].values())" &&
		holds $name.json "row(\"main\")[\"inclusive\"][\"cycles\"][\"value\"] > 0.95 * total" || return 1
	done
'

test_done
