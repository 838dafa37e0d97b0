# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The same recording read by perf report and, imported, by er_print: functions have the same
# shares.
. "$RP_SRC/t/lib.sh"
need perf python3 readelf
need_sampling

printf '%s\n' '#include <map>' '#include <string>' 'std::map<std::string, int> all;' \
	'int f(int n) { while (n--) all[std::to_string(n)]++; return all.size(); }' >compiled.cc

# recorded_alike NAME COMMAND…: with and without call chains; perf may refuse the machine.
recorded_alike() {
	name=$1
	shift
	for chains in "" -g; do
		# shellcheck disable=SC2086
		perf_record -e cpu-clock -F 4999 -o "$name.data" $chains "$@" >said 2>&1 &&
			collect --import "$name.data" -O "$name.er" 2>>said &&
			"$RP_SRC/t/report-agrees" "$name.data" "$name.er" >>said 2>&1
		status=$?
		cat said
		[ $status -eq 0 ] || return $status
	done
}

if perf_record -e cpu-clock -o try.data true >said 2>&1 &&
	perf report -i try.data --stdio >/dev/null 2>&1; then
	test_set_prereq PERF
else
	test_set_prereq PERF "perf cannot record and report here: $(head -n 1 said)"
fi

test_expect_success PERF 'a program with symbols' '
	recorded_alike known steps 300 2000
'

set_tools CXX g++

test_expect_success PERF 'a script: several processes, and an interpreter' '
	echo "import json; print(len([json.dumps(i) for i in range(300000)]))" >script.py &&
	recorded_alike script sh -c "cat script.py >copy.py; python3 copy.py; rm copy.py"
'

[ -z "$test_lack_PERF" ] || test_set_prereq CXX "$test_lack_PERF"
test_expect_success CXX 'a compiler: many short processes, objects without names' '
	recorded_alike compiler g++ -O1 -c -o /dev/null compiled.cc
'

test_done
