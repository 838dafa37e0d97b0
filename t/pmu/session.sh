# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# For the t9-pmu scripts, after lib.sh: runs a shell script on the emulated arm64 machine,
# and fetches its files. $RP_ARM64 is a directory with a build for it; without one it is
# made. RP_PMU=off leaves all this out.

pmu_build=${RP_ARM64:-$RP_BUILD/t/arm64}

# pmu_machine PROGRAM… <SCRIPT: runs the script there as root, in what becomes ./out here,
# with the programs (paths in the build), collect and er_print in PATH: two checks.  Skips the
# script where the tools are missing.
pmu_machine() {
	[ "${RP_PMU:-}" != off ] || skip_all 'left out by RP_PMU=off'
	need qemu-system-aarch64 /usr/bin/python3
	sh "$RP_SRC/t/pmu/cross-build.sh" "$pmu_build" "$@" >build.log 2>&1
	pmu_status=$?
	[ $pmu_status -ne 125 ] || skip_all "$(tail -n 1 build.log)"
	test_result $pmu_status 'its programs are built for arm64' build.log
	[ $pmu_status -eq 0 ] || test_done
	mkdir in && cat >in/script || test_bug 'no folder for the machine'
	for pmu_program in collect er_print "$@"; do
		ln -s "$pmu_build/$pmu_program" in/
	done
	sh "$RP_SRC/t/pmu/machine.sh" in out sh /in/script >machine.log 2>&1
	pmu_status=$?
	test_result $pmu_status 'the machine runs' machine.log
	[ $pmu_status -eq 0 ] || test_done
}

# pmu_report NAME: the experiment out/NAME.er, read here, as NAME.json; for bodies.
pmu_report() {
	er_print -inlines off -json -functions "out/$1.er" >"$1.json"
}

# perf_count EVENT: what "perf stat -x, -o out/perf" counted of it.
perf_count() {
	awk -F, -v event="$1" '$3 == event { print $1 }' out/perf
}
