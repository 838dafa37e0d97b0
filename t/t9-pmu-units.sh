#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Unit tests whose subject is different on arm64: registers, stacks, counters, the kernel's
# records.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/pmu/session.sh"
units='cfi-libdw copies event-alias event-rate event-sysfs evlist evlist-rings ladder machine
	merge record record-sample space splice splice-truth target tasks unwind unwind-damaged
	unwind-doubt unwind-module unwind-regs unwind-self beyond'
# shellcheck disable=SC2046
pmu_machine $(printf 't/unit/u-%s ' $units) <<'END'
export RP_SRC=/in RP_BUILD=/in
for unit in /in/u-*; do
	name=${unit#/in/u-}
	$unit >$name.tap 2>$name.err
	echo $? >$name.status
done
END

for unit in $units; do
	test_expect_success "u-$unit" '
		test "$(cat out/$unit.status)" -eq 0 && grep -q "^ok 1 " out/$unit.tap &&
		test_no_grep "^not ok" out/$unit.tap
	'
done
test_done
