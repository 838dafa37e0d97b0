# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Groups of events, which are read together at each sample of the first: software events,
# on any machine.  t9-pmu-counters has counters of a CPU.
. "$RP_SRC/t/lib.sh"
need_sampling

# of_scope SCOPE: whether a group may be tied to that here; else the reason is in SCOPE.said.
of_scope() {
	collect --scope "$1" -h '{cpu-clock,page-faults},1000000' -O try.er true 2>"$1.said"
}

# recorded SCOPE: the three events of a program, and their report.
recorded() {
	collect --scope "$1" -h '{cpu-clock,page-faults,task-clock},1000000' -O "$1.er" \
		burn one=300 kernel=50 two=300 >out 2>said &&
		er_print -json -functions "$1.er" >"$1.json"
}

# same_time SCOPE TASK-CLOCK CPU-CLOCK: two times are one.  The kernel reads both with interrupts
# off: they differ by 0.05 % at most in 20 quiet runs.  A hypervisor that takes the CPU between
# the two readings adds what it took, which /proc/stat shows in steps of 10 ms.
# The first, which samples, has what the kernel charges for each switch as well: 7 to 11 us that no
# counter has (finish/why_unsampled.c); a busy machine has thousands of them.
same_time() {
	holds "$1.json" "abs($2 - $3) <= 0.02 * $3 + taken + 0.01 +
		15e-6 * (e[\"usage\"][\"voluntary_switches\"] + e[\"usage\"][\"involuntary_switches\"])"
}

# same_of SCOPE FUNCTION: that is so of the function, and of what it calls.
same_of() {
	same_time "$1" "row('$2')['inclusive']['task-clock']['value']" \
		"row('$2')['inclusive']['cpu-clock']['value']"
}

# agree SCOPE: its two clocks, in all and in each function.  Those of CPUs tick while these are
# idle, and the first of a group is not charged with that; the others stand still together, and
# what the last sample came before is in neither.
agree() {
	[ "$1" = cpu ] || { same_time "$1" "event('task-clock')['weight'] / 1e9" \
		"event('cpu-clock')['weight'] / 1e9" && same_of "$1" one && same_of "$1" two; }
}

for scope in cgroup cpu task; do
	if ! of_scope $scope; then
		case $scope in
		task) pattern='before Linux 6.12\|not allowed' ;;
		*) pattern='requires root' ;;
		esac
		test_expect_success "$scope: no groups here, with the reason" "
			test_grep '$pattern' $scope.said
		"
		continue
	fi
	test_expect_success "$scope: a group of three is recorded" '
		undisturbed $scope.json "agree $scope" recorded $scope &&
		holds $scope.json "[v[\"leader\"] for v in e[\"events\"]] ==
			[None, \"cpu-clock\", \"cpu-clock\"]" &&
		holds $scope.json "event(\"page-faults\")[\"period\"] is None" &&
		holds $scope.json "event(\"cpu-clock\")[\"samples\"] > 9"
	'
	[ $scope = cpu ] || test_expect_success "$scope: two clocks of it agree, in all and in each function" '
		agree $scope
	'
	test_expect_success "$scope: software events share no register" '
		holds $scope.json "all(v[\"scale\"] == 1 for v in e[\"events\"])"
	'
	test_expect_success "$scope: all members are sampled together" '
		holds $scope.json "abs(event(\"task-clock\")[\"samples\"] -
			event(\"cpu-clock\")[\"samples\"]) <= 4"
	'
done

# What no sample stands for is settled at the end, so that all is there, unless some were lost.
[ ! -e task.er ] || test_expect_success 'task: a member has its exact count' '
	holds task.json "e[\"lost\"] or e[\"lost_records\"] or e[\"throttled\"] or
		event(\"page-faults\")[\"weight\"] == event(\"page-faults\")[\"count\"]"
'

test_expect_success 'the header shows which events were read together' '
	set -- cgroup.er cpu.er task.er && for er; do [ ! -d "$er" ] || last=$er; done &&
	er_print -header "$last" >header &&
	test_grep "^Event: *Page Faults .*, read at the samples of cpu-clock" header
'

test_expect_success '-n says so too' '
	collect -n -h "{cpu-clock,page-faults},7000000" true >plan 2>said &&
	test_grep "^page-faults: .*, read at the samples of its group.s first" plan
'

test_done
