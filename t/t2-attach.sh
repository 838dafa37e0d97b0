# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Running processes: collect -P.  Its figures add up, and the processes do not notice.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

# held PID: waits until it has stopped itself; fails if it ends before.
held() {
	until grep -q "^State:.*stopped" "/proc/$1/status"; do
		kill -0 "$1" && moment || return
	done
}

# appeared FILE PID: waits until PID has written FILE; fails if it ends before.
appeared() {
	until [ -s "$1" ]; do
		kill -0 "$2" && moment || return
	done
}

# attached NAME.er [OPTION…] -- PROGRAM…: PROGRAM waits until it is recorded, and continues; its
# output is in NAME.er.out.
attached() {
	out=$1 options=
	shift
	while [ "$1" != -- ]; do options="$options $1" && shift; done
	shift
	sh -c 'kill -STOP $$; exec "$@"' sh "$@" >"$out.out" &
	pid=$!
	held $pid || return
	: >said # what the recording before said must not be taken for this one's word
	# shellcheck disable=SC2086 # options are words
	collect -O "$out" $options -P $pid >said 2>&1 &
	collector=$!
	until grep -q "recording the process\|error" said || ! kill -0 $collector; do moment; done
	kill -CONT $pid
}

# ticks PID: of 10 ms that it has used; fields 14 and 15 of proc(5), /proc/PID/stat.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

# used PID TICKS: it has used as many.
used() {
	[ $# -eq 2 ] || return
	until [ "$(ticks "$1")" -ge "$2" ]; do moment; done
}

# ended: what ran ends by itself, and the recording with it.
ended() {
	wait $pid && wait $collector && cat said
}

# logged NAME.er EXPRESSION: of its log, d, and its first event, e.
logged() {
	python3 -c "
import json, sys
d = json.load(open(sys.argv[1] + '/log.json'))
e = d['events'][0]
print(d['totals'], e)
sys.exit(not ($2))" "$1"
}

# whole NAME.er SECONDS: the sampled and unsampled time is the time that the process reports, but for
# SECONDS that it does not, or that the kernel spends on a thread before its events run and after they
# end (some 0.1 ms in a virtual machine); the clock includes the time that a hypervisor took.
whole() {
	used=$(sed -n 's/^total //p' "$1.out")
	er_print -json -functions "$1" >"$1.json" && cat "$1.json.taken" &&
		holds "$1.json" "$used / 1e9 * 0.98 - $2 <= total <= $used / 1e9 * 1.03 + taken + $2"
}

# burning HOW [OPTION…]: attached to a program that has a child; see t/with-child.  It lives until the
# recording ends: of one that the shell has waited for before, the kernel accounts nothing.
burning() {
	how=$1 && shift
	export STAYS=yes
	attached "$how.er" "$@" -- "$RP_SRC/t/with-child" "$how" burn one=500
	unset STAYS
	until grep -q "^ended" "$how.er.out"; do
		kill -0 $pid && moment || return
	done
	kill -INT $collector && wait $collector && cat said && kill $pid
}

test_expect_success 'kernel times that lack processes are reported' '
	undisturbed ignores "disputed said" burning ignores &&
	burning waits && test_no_grep "kernel.s accounting" said
'

test_expect_success '… also if only user time is sampled' '
	undisturbed ignores "disputed said" burning ignores -h cpu-clock:u &&
	burning waits -h cpu-clock:u && test_no_grep "kernel.s accounting" said
'

# A child's time is its parent's when that has waited for it, here while collect cannot look.
test_expect_success 'what a process got from its children after the last look is unknown' '
	attached unseen.er -p 20 -- "$RP_SRC/t/with-child" waits burn one=400 &&
	kill -STOP $collector && wait $pid && kill -CONT $collector && wait $collector && cat said &&
	test_no_grep "kernel.s accounting" said && test_grep "an unknown time by the kernel" said
'

short_threads() {
	attached threads.er -p 100 -- threads 200 3 && ended
}

test_expect_success 'threads shorter than a period: their time is shown too' '
	undisturbed threads.er.json "whole threads.er 0.03" short_threads
'

# What random first periods of short processes stand for strays: by 5 ms in all at 1 ms, as
# measured (one standard deviation), so that 0.1 s are 20 of these.
short_processes() {
	attached forks.er -p 1 -- forks 60 5 && ended
}

test_expect_success 'so is that of processes that it starts, each by its name' '
	undisturbed forks.er.json "whole forks.er 0.1" short_processes
'

# The count of a task's clock has the setting of its timer at each switch too, which is no time of the
# task: 4 us of 10 in a virtual machine, charged to the other process, which is not recorded.  What the
# kernel accounts for has ticks of 10 ms.
one_of_two() {
	waits pingpong 2000000 >turns.out &
	pair=$!
	until child=$(ps -o pid= --ppid $pair | tr -d ' ') && [ -n "$child" ]; do
		kill -0 $pair && moment || return
	done
	: >said
	collect -O turns.er -P "$child" 2>said &
	collector=$!
	until grep -q "recording the process\|error" said || ! kill -0 $collector; do moment; done
	used "$child" $(($(ticks "$child") + 30)) && kill -INT $collector && wait $collector &&
		kill $pair "$child" && { wait $pair; :; }
}

test_expect_success 'short runs: no more than the kernel accounts for is <Unsampled>' '
	one_of_two && cat said && python3 -c "
import re
line = re.search(r\"([0-9.]+) s of CPU by samples(?: and ([0-9.]+) s unsampled.*?)?, ([0-9.]+) s by the acc\", open(\"said\").read())
sampled, unsampled, accounted = (float(t or 0) for t in line.groups())
assert accounted > 0.1 and unsampled <= max(0, accounted - sampled) + 0.045, line.group()"
'

# However long the recording lasts on a busy machine, it has what the process used meanwhile,
# and what a hypervisor took from the clock: the kernel does not account for that, so it is not
# <Unsampled> either.  /proc lags by a tick of the CPU and rounds down; the 50 ticks before are
# not in it.
test_expect_success '-t: only that part of the time is <Unsampled>' '
	{ burn one=60000 >part.out & } && pid=$! && used $pid 50 &&
	before=$(ticks $pid) taken=$(stolen) && collect -o part.er --no-jitter -t 1 -p hi -P $pid &&
	after=$(ticks $pid) && taken=$(($(stolen) - taken)) &&
	test_grep "^TracerPid:.0" /proc/$pid/status && kill $pid &&
	logged part.er "e[\"samples\"] and -e[\"period\"] <
		e[\"count\"] - e[\"samples\"] * e[\"period\"] - e[\"unsampled\"] <
		e[\"period\"] + ($taken + 1) * 1e7" &&
	logged part.er "e[\"count\"] <= ($after - $before + $taken + 10) * 1e7"
'

# The accounting says how much that is, to the nanosecond; which level is counted is the user's.  The
# clock may have had more, while a hypervisor kept the CPU.
test_expect_success 'a program that ends before the time of -t does is recorded whole' '
	collect -o early.er --no-jitter --scope task -t 600 -p 100 burn one=150 &&
	python3 -c "
import json
d = json.load(open(\"early.er/log.json\"))
e, times = d[\"events\"][0], [d[\"target\"][\"rusage_%s_ns\" % w] for w in (\"user\", \"system\")]
print(e, times)
sampled = e[\"samples\"] * e[\"period\"]
exit(e[\"unsampled\"] not in (max(0, times[0] - sampled), max(0, sum(times) - sampled)))"
'

# The pages are touched after the attach; it lives when the recording ends.
test_expect_success 'page faults since the attach are counted' '
	attached faults.er -- python3 -c "
import mmap, signal
m = mmap.mmap(-1, 20000 * mmap.PAGESIZE)
m.madvise(mmap.MADV_NOHUGEPAGE)
for i in range(20000): m[i * mmap.PAGESIZE] = 1
print(\"touched\", flush=True)
signal.pause()" && appeared faults.er.out $pid &&
	kill -INT $collector && wait $collector && kill $pid &&
	er_print -json faults.er </dev/null >faults.json &&
	holds faults.json "e[\"usage\"][\"of\"] == \"processes\"" &&
	holds faults.json "20000 <= e[\"usage\"][\"minor_faults\"] < 28000" &&
	holds faults.json "\"voluntary_switches\" not in e[\"usage\"]" &&
	er_print -statistics faults.er >got && test_grep "^Minor page faults: *2[0-7]" got &&
	test_no_grep "context switches" got
'

# It writes 1 MiB, stops, writes 3, and 2 in a child that it waits for: what it has written since the stop
# by its own count.
cat >io.py <<'END'
import os, signal, sys
def written():
    return int(open("/proc/self/io").read().split("\nwrite_bytes: ")[1].split()[0])
def write(name, size):
    with open(name, "wb") as f:
        f.write(os.urandom(size)); f.flush(); os.fsync(f.fileno())
write("io.before", 1 << 20)
before = written()
os.kill(os.getpid(), signal.SIGSTOP)
write("io.after", 3 << 20)
if not os.fork():
    write("io.child", 2 << 20)
    os._exit(0)
os.wait()
print(before, written() - before, flush=True)
if "stay" in sys.argv:
    signal.pause()
END

# writes NAME.er [stay]: records it since the stop; its output is in NAME.er.out.
writes() {
	python3 io.py "$2" >"$1.out" & pid=$!
	held $pid || return
	: >said # as above
	collect -O "$1" -P $pid >said 2>&1 & collector=$!
	until grep -q "recording the process\|error" said || ! kill -0 $collector; do moment; done
	kill -CONT $pid
}

# blocks NAME.er: those that the program found, and a page of its output.  Without a file system on a block device there are none.
blocks() {
	er_print -json "$1" </dev/null >io.json && read -r before wrote <"$1.out" &&
	{ [ "$before" -eq 0 ] || [ "$wrote" -ge 5242880 ]; } &&
	holds io.json "0 <= e[\"usage\"][\"output_blocks\"] - $wrote // 512 <= 65536 // 512" &&
	er_print -statistics "$1" | grep "^Output blocks of 512 bytes:"
}

# The child's writing counts by its parent, which has waited for it.
test_expect_success 'blocks since the attach are counted, of a process that lives on' '
	writes io.er stay && appeared io.er.out $pid && kill -INT $collector &&
	wait $collector && kill $pid && blocks io.er
'

# Whether it was still there when collect noted its end depends on the shell.
test_expect_success '… and of one that ends, or they are left out' '
	writes end.er && wait $pid && wait $collector && er_print -json end.er </dev/null >io.json &&
	if holds io.json "\"output_blocks\" in e[\"usage\"]"; then blocks end.er; fi
'

test_expect_success 'Ctrl-C ends the recording, not the process' '
	attached stop.er -p hi -- burn one=2000 && used $pid 10 && kill -INT $collector &&
	wait $collector && kill -0 $pid && wait $pid && test_grep "^one " stop.er.out &&
	er_print -functions stop.er >shown && test_grep " one$" shown
'

# booked NAME.er STOLEN: what lives on when the recording ends has its time in the accounting: what the
# events counted, within a tenth and some ticks of 10 ms, and what a hypervisor took since STOLEN.
booked() {
	logged "$1" "abs(d[\"target\"][\"rusage_user_ns\"] + d[\"target\"][\"rusage_system_ns\"] -
		e[\"count\"]) < 0.1 * e[\"count\"] + 0.05e9 + $(($(stolen) - $2)) * 1e7"
}

test_expect_success 'a server that forks: surviving children are included' '
	rm -f burner && before=$(stolen) && attached server.er -p hi --no-jitter -- \
		sh -c "burn one=60000 & echo \$! >burner; wait" &&
	until [ -s burner ]; do moment; done && used "$(cat burner)" 20 &&
	kill -INT $collector && wait $collector && kill "$(cat burner)" && cat said &&
	test_grep "s by the accounting of its processes" said && booked server.er $before
'

test_expect_success 'so are those that outlive a program' '
	rm -f burner && before=$(stolen) && collect -O left.er --scope task --no-jitter -p hi \
		sh -c "burn one=60000 >burnt & echo \$! >burner
			until [ \$(cut -d \" \" -f 14 /proc/\$!/stat) -ge 20 ]; do sleep 0.02; done" 2>said &&
	kill "$(cat burner)" && cat said && booked left.er $before
'

# Files in /proc/PID/map_files are not for such a user.
set_nobody collect burn && mkdir -p open && chmod 777 open
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] ||
	test_set_prereq NOBODY 'kernel.perf_event_paranoid is above 2'
test_expect_success NOBODY 'a program that was deleted has names, for an ordinary user too' '
	cp burn gone && chmod 755 gone &&
	{ as_nobody sh -c "echo \$\$ >open/pid; exec ./gone one=60000" >out & } &&
	until readlink "/proc/$(cat open/pid)/exe" | grep -q "/gone\$"; do sleep 0.02; done &&
	rm gone && pid=$(cat open/pid) && : >said &&
	{ as_nobody sh -c "echo \$\$ >open/collector; exec ./collect -p hi -P $pid -o open/gone.er" \
		2>said & } && collecting=$! &&
	until grep -q "recording the process\|error" said; do moment; done &&
	used $pid $(($(ticks $pid) + 10)) && kill -INT "$(cat open/collector)" && wait $collecting
	status=$? && kill $pid && cat said && test $status -eq 0 &&
	er_print -functions open/gone.er >got && cat got && test_grep " one$" got
'

# served NAME.er WHOM [OPTION…]: a server (t/prefork) whose pid is $server is recorded as soon
# as its workers wait, until it ends; WHOM prints the operand of -P.
served() {
	out=$1 whom=$2
	shift 2
	rm -f ready go
	"./$name" ready go >"$out.out" & server=$!
	until [ -e ready ]; do moment; done
	: >said
	collect -O "$out" -p hi -P "$($whom)" "$@" >said 2>&1 & collector=$!
	until grep -q "recording the process\|error" said || ! kill -0 $collector; do moment; done
	: >go
	wait $server && wait $collector && cat said "$out.out" &&
		er_print -json -functions "$out" >"$out.json"
}
# No other check's on this machine; the kernel keeps 15 bytes of it.
name=s$$-a-server-of-ours
cp "$RP_SRC/t/prefork" "$name"

by_number() { echo "$server"; }
by_name() { echo "$name"; }
two_workers() { cut -d ' ' -f 2,3 ready | tr ' ' ,; }

# What the workers had used before they were recorded is some milliseconds each.  One that is
# missing would be a quarter; the clock of a sample includes interrupts, which are many on a busy
# virtual machine.
all_served() {
	used=$(sed -n 's/^total //p' "$1.out")
	holds "$1.json" "$used / 1e9 * 0.9 <= total <= $used / 1e9 * 1.2 + 0.05 + taken"
}

for scope in task cpu; do
	if collect --scope $scope -O see.er true 2>/dev/null; then
		test_set_prereq SCOPE
	else
		test_set_prereq SCOPE "no scope '$scope' here"
	fi
	for whom in by_number by_name; do
		test_expect_success SCOPE "$scope, $whom: workers that ran before, and their children" "
			undisturbed tree.er.json 'all_served tree.er' served tree.er $whom --scope $scope &&
			test_grep 'recording 4 processes and their new children: ' said &&
			er_print -processes all tree.er >processes && cat processes &&
			test \$(grep -c s$$-a processes) -ge 4
		"
	done
	test_expect_success SCOPE "$scope: with -F off only those that are named" "
		undisturbed alone.er.json \
			\"holds alone.er.json '0.55 < total < 0.75 + taken'\" \
			served alone.er two_workers -F off --scope $scope &&
		test_grep 'recording 2 processes: ' said
	"
done

test_expect_success '-n lists what would be recorded' '
	rm -f ready go
	"./$name" ready go >out & server=$!
	until [ -e ready ]; do moment; done
	collect -n -P $server >planned && : >go && wait $server && cat planned &&
	test_grep "would record 4 processes: $server $(printf %.15s "$name"), " planned
'

test_expect_success 'a name that no process has' '
	test_expect_code 2 collect -P a-server-of-$$ -O none.er 2>said && cat said &&
	test_grep "error: -P a-server-of-$$: no process has that name" said &&
	test ! -e none.er
'
test_done
