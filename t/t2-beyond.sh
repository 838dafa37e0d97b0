# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Callers beyond the kernel's copy of the stack: if they are shown they are right, however
# fast two callers take turns.
. "$RP_SRC/t/lib.sh"
need_sampling
need /usr/bin/python3

unable=$("$RP_BUILD/t/unit/u-beyond" | sed -n 's/.*# SKIP //p' | sed -n 1p)
test_set_prereq WATCHED "$unable"
# On a busy machine a reader that waits for a CPU is too late.
chrt -f 1 true 2>/dev/null || unable=${unable:-collect cannot go ahead of other programs here}
test_set_prereq PROMPT "$unable"

# recorded NAME ARGUMENT…: NAME.er of `beyond`, NAME.json, and NAME.stacks.
recorded() {
	name=$1
	shift
	collect -p hi -O "$name.er" "$collecting" beyond "$@" >"$name.out" 2>"$name.said" &&
		er_print -json -inlines off -functions "$name.er" >"$name.json" &&
		er_print -export collapsed "$name.stacks" "$name.er"
}
collecting=--

# weight NAME PATTERN…: what the stacks that have all patterns weigh, in ms.
weight() {
	stacks=$1.stacks
	shift
	for pattern; do
		set -- "$@" "/$pattern/"
		shift
	done
	conditions=$(printf ' && %s' "$@")
	awk "1 $conditions { sum += \$NF } END { printf \"%d\", sum / 1e6 }" "$stacks"
}

# none_mixed NAME: no stack has both who called and what only the other one calls.
none_mixed() {
	mixed=$(grep -c -e "caller_a.*work_b" -e "caller_b.*work_a" "$1.stacks")
	[ "$mixed" -eq 0 ] || { echo "$mixed stacks are mixed up" && false; }
}

# Where others use the CPUs it takes longer until a caller is found: so little of the time proves it.
for kind in big deep; do
	test_expect_success PROMPT "$kind: one caller is found beyond the copy" '
		recorded $kind $kind 700 && none_mixed $kind &&
		holds $kind.json "e[\"completed_stacks\"] > 0.3 * e[\"samples\"]" &&
		holds $kind.json "e[\"stack_ends\"][\"root\"] >= e[\"completed_stacks\"]" &&
		holds $kind.json "incl(\"caller_a\") > 0.3 * total" &&
		holds $kind.json "incl(\"main\") > 0.3 * total"
	'
	test_expect_success PROMPT "$kind: two that take long turns are kept apart" '
		recorded $kind-slow $kind 1000 400000 && none_mixed $kind-slow &&
		test "$(weight $kind-slow "main;caller_a;" work_a)" -gt 100 &&
		test "$(weight $kind-slow "main;caller_b;" work_b)" -gt 50
	'
	for turn in 20000 1000 10; do
		test_expect_success "$kind: two that take turns of $turn µs are not mixed up" '
			recorded $kind-$turn $kind 500 $turn && none_mixed $kind-$turn
		'
	done
done

test_expect_success PROMPT 'header and statistics report it' '
	er_print -header big.er >header && test_grep "^Read beyond copies: *[0-9]" header &&
	er_print -statistics big.er >statistics &&
	test_grep "^Stacks read beyond their copies" statistics
'

test_expect_success '--no-splice leaves stacks as copied' '
	collecting=--no-splice && recorded plain big 300 &&
	holds plain.json "e[\"completed_stacks\"] == 0" &&
	holds plain.json "e[\"stack_ends\"][\"root\"] < 0.1 * e[\"samples\"]"
'

# Copies of what is counted for each task can be smaller: how large a ring may be depends on
# what else the user records just now.
collecting=--no-splice
recorded short-0 some 50
er_print -header short-0.er | grep -q "^Counted by: *each task" && unable='a task is counted'
test_set_prereq LARGE "${unable-}"

# On a busy machine one run of eight once had 40 of its 50 stacks cut, probably because collect had
# no CPU when its rings should have grown.  So the two worst do not count.
test_expect_success LARGE 'programs of 50 ms with stacks of 30 KiB: 99.5 % are whole' '
	for run in 1 2 3 4 5 6 7; do
		recorded short-$run some 50 || return 1
	done
	python3 -c "
import json, sys
ends = [json.load(open(f\"short-{run}.er/log.json\"))[\"stack_ends\"] for run in range(8)]
ends.sort(key=lambda e: e[\"root\"] / max(sum(e.values()), 1))
ends = ends[2:]
samples, whole = sum(sum(e.values()) for e in ends), sum(e[\"root\"] for e in ends)
print(samples, \"stacks,\", whole, \"to their root\")
sys.exit(samples < 100 or whole < 0.995 * samples)"
'

test_done
