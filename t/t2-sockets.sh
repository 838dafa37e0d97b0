# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A counter that counts for the whole machine and cannot sample: the time stamp, which the
# kernel has as a PMU of x86.
. "$RP_SRC/t/lib.sh"
need_sampling
[ -r /sys/bus/event_source/devices/msr/events/tsc ] || skip_all 'no PMU msr here'
collect --check --json >check.json
grep -A3 '"whole machine"' check.json | grep -q '"yes"' ||
	skip_all 'events cannot be tied to CPUs here'

test_expect_success 'it is read, and charged to no function of the program' '
	collect -o a.er -h msr/tsc/ sleep 1 2>said && cat said &&
	er_print -json -functions a.er >a.json &&
	holds a.json "[r[\"name\"] for r in d[\"functions\"] if r[\"exclusive\"][\"msr/tsc/\"][\"value\"] > 0] == [\"<Total>\", \"collector_not_program_related\"]"
'

# Ticks of a CPU in a second of what is recorded.
cat >ticks.py <<'END'
import json
import subprocess
import sys


def ticks(path):
    report = json.loads(subprocess.check_output(["er_print", "-json", "-functions", path]))
    log = json.load(open(path + "/log.json"))
    seconds = report["experiments"][0]["recorded_s"]
    count = next(e for e in log["events"] if e["metric"] == "msr/tsc/")["count"]
    print(path, seconds, count, flush=True)
    return count / seconds / log["machine"]["cpus"]


whole, *others = map(ticks, sys.argv[1:])
assert 3e8 < whole < 1e10, whole
assert all(whole / 3 < other < 3 * whole for other in others), others
END

test_expect_success 'on all online CPUs' '
	er_print -header a.er >header && cat header && python3 ticks.py a.er
'

# What would be wrong is five times as much, or nothing.  A third would be a CPU that collect
# waits 0.4 s for.
test_expect_success 'as long as the rest is recorded: with -t, and between signals' '
	collect -o first.er -t 0.2 -h msr/tsc/ sleep 1 &&
	collect -o middle.er -t 0.4-0.6 -h msr/tsc/ sleep 1 &&
	collect -o signals.er -y USR1 -h msr/tsc/ \
		sh -c "sleep 0.4; kill -USR1 \$PPID; sleep 0.2; kill -USR1 \$PPID; sleep 0.4" &&
	python3 ticks.py a.er first.er middle.er signals.er
'

test_expect_success 'the clock is added if nothing else was requested' '
	holds a.json "[m[\"id\"] for m in d[\"metrics\"]] == [\"totalcpu\", \"msr/tsc/\"]"
'

test_expect_success 'beside others too, with a note before' '
	collect -n -h msr/tsc/,page-faults,1 true >plan &&
	test_grep "^msr/tsc/: .* read for the whole machine" plan && ! grep cpu-clock plan &&
	collect -o b.er -h msr/tsc/,page-faults,1 sort /dev/null &&
	er_print -json -functions b.er >b.json &&
	holds b.json "{m[\"id\"] for m in d[\"metrics\"]} == {\"page-faults\", \"msr/tsc/\"}"
'

test_expect_success 'it cannot be in a group' '
	test_expect_code 2 collect -n -h "{cpu-clock,msr/tsc/}" true 2>said &&
	test_grep "msr/tsc/ counts for the whole machine and cannot be in a group" said
'

test_done
