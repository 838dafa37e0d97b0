#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# arm64: stacks by call frame information, and reports that are the same wherever the
# experiment is read.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/pmu/session.sh"
pmu_machine t/progs/burn t/progs/lazy t/progs/threads t/progs/beyond <<'END'
shapes='one=60 caller_a=60 caller_b=20 recurse=40 mutual=40 callback=40 kernel=40'
collect -h cycles,100003 -o cfi.er burn $shapes >burn.out
collect -h cycles,100003 --stack fp -o fp.er burn $shapes
LD_BIND_NOT=1 collect -h cycles,100003 -o lazy.er lazy 400 >lazy.out
collect -h cycles,100003 -o threads.er threads 4 20
collect -h cycles,100003 -o beyond.er beyond big 300
collect -h cycles,100003 -o turns.er beyond big 300 20000
for name in cfi threads; do
	er_print -header -statistics -functions -callers-callees -calltree -threads -objects \
		$name.er >$name.there
	er_print -inlines off -json -functions -calltree $name.er >$name.json
done
END

# same_numbers FILE FILE: the same JSON; the bounds of intervals have the last digits that a
# machine's mathematical functions give.
same_numbers() {
	python3 -c '
import json, math, sys
def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (isinstance(a, float) and math.isclose(a, b, rel_tol=1e-12))
sys.exit(not same(*[json.load(open(f)) for f in sys.argv[1:]]))' "$@" || test_cmp "$@"
}

for name in cfi threads; do
	test_expect_success "$name: reports there and here are the same" '
		(cd out && er_print -header -statistics -functions -callers-callees -calltree -threads \
			-objects $name.er >$name.here && test_cmp $name.there $name.here &&
			er_print -inlines off -json -functions -calltree $name.er >$name.here && same_numbers $name.json $name.here)
	'
done

test_expect_success 'cfi: stacks reach the root' '
	pmu_report cfi &&
	holds cfi.json "e[\"stack_ends\"][\"root\"] >= 0.999 * sum(e[\"stack_ends\"].values())" &&
	holds cfi.json "incl(\"main\") > 0.97 * total and incl(\"_start\") >= incl(\"main\")"
'

# Some thousand samples in the linker, in its stubs, and between the two.
test_expect_success 'lazy: callers of what the dynamic linker binds' '
	pmu_report lazy &&
	holds lazy.json "e[\"stack_ends\"][\"root\"] >= 0.999 * sum(e[\"stack_ends\"].values())" &&
	holds lazy.json "incl(\"caller_a\") + incl(\"caller_b\") > 0.9 * total" &&
	er_print -export collapsed lazy.stacks out/lazy.er &&
	test "$(grep -c "main;caller_[ab];.*ld-linux" lazy.stacks)" -gt 10 &&
	! grep "caller_[ab]" lazy.stacks | grep -v "main;caller_[ab][; ]"
'

while read -r what function; do
	test_expect_success "$what: $function has what was spent" '
		pmu_spent=$(awk -v what=$what "\$1 == what { print \$2 }" out/burn.out) &&
		holds cfi.json "near(incl(\"$function\") / event(\"cycles\")[\"hz\"], $pmu_spent / 1e9, 0.05)"
	'
done <<'END'
one one
caller_a caller_a
caller_b caller_b
recurse descend
mutual odd
callback callback
kernel kernel
END

test_expect_success 'the hot function: two callers have it' '
	holds cfi.json "names[0] == \"shared\"" &&
	holds cfi.json "near(incl(\"shared\"), incl(\"caller_a\") + incl(\"caller_b\"), 0.01)" &&
	holds cfi.json "excl(\"caller_a\") < 0.01 * incl(\"caller_a\")"
'

test_expect_success 'fp: frame pointers lead there too, where code has them' '
	pmu_report fp && holds fp.json "near(incl(\"shared\"), incl(\"caller_a\") + incl(\"caller_b\"), 0.02)"
'

test_expect_success 'four threads' '
	pmu_report threads &&
	holds threads.json "e[\"threads\"] == 5 and near(incl(\"worker\") / event(\"cycles\")[\"hz\"], 0.08, 0.05)"
'

test_expect_success 'callers beyond the copy of the stack are there, and the right ones' '
	pmu_report beyond && pmu_report turns &&
	holds beyond.json "e[\"completed_stacks\"] > 0.5 * e[\"samples\"]" &&
	holds beyond.json "incl(\"caller_a\") > 0.5 * total" &&
	er_print -export collapsed turns.stacks out/turns.er &&
	test_grep "big;work_b" turns.stacks &&
	test_no_grep "caller_a.*work_b\|caller_b.*work_a" turns.stacks
'

test_done
