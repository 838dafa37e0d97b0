# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The target runs as if collect were not there: its input and output, environment, signals
# and exit status are its own.
. "$RP_SRC/t/lib.sh"
need_sampling

set_tools PYTHON /usr/bin/python3

# record NAME PROG…: the experiment NAME.er; collect's own messages go to NAME.said.
record() {
	name=$1
	shift
	collect -o "$name.er" "$@" 2>"$name.said"
}

test_expect_success 'standard input and output pass through untouched' '
	printf "one\ntwo\0three" >input &&
	record io cat <input >output &&
	cmp input output
'

test_expect_success 'so does standard error' '
	record err sh -c "echo to stderr >&2" &&
	test_grep "^to stderr$" err.said
'

test_expect_success 'a recording that goes on is called that' '
	collect -O going.er sleep 60 2>/dev/null & going=$! && until test -s going.er/log.json; do moment; done && er_print -header going.er >got 2>&1
	test_grep "the recording goes on" got && kill $going && { wait $going; :; } && er_print -header going.er >got && test_no_grep "goes on" got
'

test_expect_success 'collect adds one closing line, on stderr, that names the experiment' '
	record closing true >out &&
	test ! -s out &&
	test_grep "closing.er" closing.said
'

test_expect_success 'closed ones stay closed, and no message ends up in the experiment' '
	collect -o closed.er sh -c "test ! -e /proc/\$\$/fd/2" 2>&- &&
	er_print -header closed.er >header &&
	test_grep "Exit status: *0" header
'

test_expect_success 'a limit on the size of files is an error like a full disk' '
	{ (ulimit -f 0 && collect -o limit.er true 2>&1; echo "status $?") | cat >limit.said; } &&
	test_grep "status 1" limit.said &&
	test_grep "File too large" limit.said &&
	test ! -e limit.er
'

test_expect_success 'names in a message cannot control the terminal' '
	name=$(printf "a\033[31mb") &&
	(PATH=$RP_BUILD:/usr/bin:/bin && test_expect_code 127 collect "$name" 2>escape.said) &&
	test_grep "a?.31mb" escape.said
'

test_expect_success 'the environment is the same' '
	env | grep -v "^_=" | sort >want &&
	record environment env >got.raw && grep -v "^_=" got.raw | sort >got &&
	test_cmp want got
'

test_expect_success 'the arguments too, including those that look like options' '
	record arguments printf "%s\n" -h --help "a b" "" >got &&
	printf "%s\n" -h --help "a b" "" >want &&
	test_cmp want got
'

test_expect_success 'no additional file is open' '
	ls /proc/self/fd | grep -c . >want &&
	record files sh -c "ls /proc/self/fd" >list && grep -c . <list >got &&
	test_cmp want got
'

# files_allowed SOFT HARD COMMAND…: with none open but the standard ones, whatever the tests
# were started with.
files_allowed() {
	python3 -c '
import os, resource, sys
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1] if sys.argv[2] == "-" else int(sys.argv[2])
os.closerange(3, 4096)
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), hard))
os.execvp(sys.argv[3], sys.argv[3:])' "$@"
}

# Each event takes one on each CPU: with several there is a limit at which some open.
test_expect_success 'a low limit of open files: it is raised if allowed; else the remedy' '
	test 12 -eq "$(files_allowed 12 - collect -o few.er sh -c "ulimit -n")" &&
	for limit in 6 7 8 9 10 11 12; do
		test_expect_code 1 files_allowed $limit $limit collect -o fewer.er \
			-h cpu-clock,task-clock,page-faults,minor-faults true 2>said || break
		cat said && test_grep "open files.*ulimit -n [0-9]" said &&
		test ! -e fewer.er || return 1
		cat said >>all
	done && test_grep "the limit on open files is too low: .* CPUs .* ulimit -n" all &&
	test_grep "cannot start a process: Too many" all
'

for status in 0 1 42 255; do
	test_expect_success "exit status $status is collect's" '
		test_expect_code $status record exit$status sh -c "exit $status"
	'
done

printf '#!/no/such/interpreter\n' >script && chmod 755 script
test_expect_success 'a missing interpreter is reported as such' '
	test_expect_code 126 collect -o interpreter.er ./script 2>said &&
	test_grep "script cannot be executed: the interpreter that its first line" said &&
	test_expect_code 127 collect -o nameless.er "" 2>said && test_grep "name is empty" said
'

if [ -w /sys/fs/cgroup/cgroup.procs ]; then
	groups=/sys/fs/cgroup
else
	groups=/sys/fs/cgroup/unified
fi
test_set_prereq GROUPS "$([ -w $groups/cgroup.procs ] &&
	collect -o probe.er --scope cgroup true >said 2>&1 || echo 'no control group can be made')"

test_expect_success GROUPS 'a program that leaves the control group: reported, with the remedy' '
	collect -o left.er --scope cgroup sh -c "echo \$\$ >$groups/cgroup.procs; exec burn one=300" \
		>out 2>said && cat said && test_grep "outside the run.s control group" said &&
	collect -o stayed.er --scope cgroup burn one=300 >out 2>said &&
	test_no_grep "outside the run.s control group" said
'

# A group's counters are off during switches, which cost microseconds each.
test_set_prereq NAPS "${test_lack_GROUPS:-$test_lack_PYTHON}"
test_expect_success NAPS 'frequent switches are not called that' '
	collect -o naps.er --scope cgroup /usr/bin/python3 -c "
import time
for _ in range(10000):
    time.sleep(1e-6)" 2>said && cat said && test_no_grep "outside the run.s control group" said
'

# sleepy SCOPE: much of a program that sleeps 5,000 times is spent in switches.  It prints how often it
# gave up its CPU by itself.
sleepy() {
	rm -rf sleepy.er
	collect -O sleepy.er --scope "$1" /usr/bin/python3 -c "
import resource, time
for _ in range(5000):
    time.sleep(1e-6)
print(resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw)" >out 2>said
}

# Its switches are at least its own count, and most of the unsampled time is in them.
in_switches() {
	sed -n "s/.* and \([0-9.]*\) s unsampled (.*: \([0-9.]*\) s in \([0-9]*\) context switches.*/\1 \2 \3/p" said |
		awk -v own="$(cat out)" "{ ok = \$2 <= \$1 && \$2 > \$1 / 2 && \$3 >= own && own >= 2500 } END { exit !ok }"
}

for scope in cgroup task; do
	# A hypervisor's part is in the clock only, and less unsampled time is left.
	test_expect_success "$(test $scope = task && echo PYTHON || echo NAPS)" "$scope: time in switches has no samples, and the last line says so" "
		for try in 1 2 3; do
			before=\$(stolen) && sleepy $scope && cat out said && in_switches && return
			[ \$(stolen) -gt \$before ] || return
		done
		return 1
	"
done

# Its parent ends at once, so no process that is waited for has waited for it.
daemon() {
	rm -f burnt && collect -O daemon.er --scope cgroup sh -c "
		({ burn one=300; : >burnt; } &); until [ -e burnt ]; do sleep 0.02; done" >out 2>said
}

test_expect_success GROUPS 'the time of processes that nobody waited for is in the group'"'"'s' '
	daemon && cat said && test_grep "s by its control group" said &&
	test_no_grep "kernel.s accounting" said && collect -o waited.er --scope cgroup burn one=300 >out 2>said &&
	cat said && test_grep "s by rusage" said
'

# burning HOW LEVEL: a program that has a child; see t/with-child.
burning() {
	collect -O child.er --scope task -h "cpu-clock$2" "$RP_SRC/t/with-child" "$1" burn one=500 \
		>out 2>said && cat said
}

test_expect_success PYTHON 'kernel times that lack processes are reported, for user time too' '
	for level in "" :u; do
		undisturbed ignores "disputed said" burning ignores $level &&
		burning waits $level && test_no_grep "kernel.s accounting" said || return 1
	done
'

for signal in TERM:143 KILL:137 USR1:138; do
	test_expect_success "a target that dies of SIG${signal%:*} gives ${signal#*:}" '
		test_expect_code ${signal#*:} record "signal${signal%:*}" \
			sh -c "kill -${signal%:*} \$\$"
	'
done

test_expect_success 'a stopped target continues' '
	record stop sh -c "(until grep -q \"^State:.*stopped\" /proc/\$\$/status; do
		sleep 0.02; done; kill -CONT \$\$) & kill -STOP \$\$; wait; exit 5"
	test $? -eq 5
'

test_expect_success 'a program is found through PATH' '
	mkdir -p bin && printf "#!/bin/sh\necho found\n" >bin/only-in-path &&
	chmod +x bin/only-in-path &&
	(PATH=$PWD/bin:$PATH && record path only-in-path) >got &&
	test_grep "^found$" got
'

alike=
command -v python3 >/dev/null || alike='python3 is not installed'
[ -z "${RP_SANITIZE:-}" ] || alike='sanitizers take signals and memory of their own'
test_set_prereq ALIKE "$alike"

# RP_RUNS is how often, from the number RP_FIRST on.
test_expect_success ALIKE "a program's situation is the same, ${RP_RUNS:-60} times" '
	"$RP_SRC/t/untouched" "${RP_FIRST:-0}" "${RP_RUNS:-60}"
'

# interrupt EXPERIMENT SIGNALS PROG…: collect in a process group of its own, which gets
# SIGINT as from a terminal, so often, and half a second apart; once it knows its program.
interrupt() {
	/usr/bin/python3 - "$@" <<-\END
	import os, re, signal, subprocess, sys, time
	name, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
	with open(name + ".said", "w") as said:
	    p = subprocess.Popen(["collect", "-o", name + ".er"] + command, stderr=said,
	        start_new_session=True, stdout=subprocess.DEVNULL,
	        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
	def started():
	    try:
	        return re.search("\"pid\": *[1-9]", open(name + ".er/log.json").read())
	    except FileNotFoundError:
	        return False
	while p.poll() is None and not started():
	    time.sleep(0.05)
	time.sleep(0.2)
	for _ in range(count):
	    if p.poll() is None:
	        os.killpg(p.pid, signal.SIGINT)
	    time.sleep(0.5)
	status = p.wait(300)
	print("status", status)
	END
}

test_expect_success PYTHON 'Ctrl-C ends the target, and the experiment is whole' '
	interrupt int 1 burn one=20000 >got &&
	test_grep "^status 130$" got &&
	test_grep "\"state\": *\"complete\"" int.er/log.json
'

test_expect_success PYTHON '… a second one too, of a target that ignores the first' '
	interrupt int2 2 sh -c "trap \"\" INT; sleep 2; exit 3" >got &&
	test_grep "^status" got &&
	test_grep "\"state\": *\"complete\"" int2.er/log.json
'

# sent SIGNAL OPTION…: collect gets it once its program waits, and gives its status.
sent() {
	signal=$1 && shift
	collect "$@" & pid=$!
	until [ -e ready ]; do moment; done
	kill "-$signal" $pid
	wait $pid
}

test_expect_success 'the program gets signals that a batch system sends to collect' '
	cat >waiting <<-\END &&
	trap "echo heard; exit 5" USR1
	>ready
	while :; do sleep 0.02; done
	END
	test_expect_code 5 sent USR1 -O said.er sh waiting >heard &&
	test_grep "^heard$" heard &&
	test_grep "\"state\": *\"complete\"" said.er/log.json
'

test_expect_success '… but a program that is not its child does not' '
	{ sleep 1000 & other=$!; } &&
	{ collect -P $other -O other.er 2>other.said & pid=$!; } &&
	until grep -q "recording the process" other.said; do moment; done &&
	kill -USR1 $pid && kill -INT $pid && wait $pid && kill $other &&
	test_grep "\"state\": *\"complete\"" other.er/log.json
'

lack=
collect -a -n >out 2>&1 || lack=$(head -n 1 out)
test_set_prereq ALL "$lack"

test_expect_success ALL 'a recording of the machine is called one' '
	collect -a -t 0.1 -O all.er &&
	er_print -header all.er >header && er_print -overview all.er >overview &&
	test_grep "^Target command:.*the whole machine" header &&
	! grep "^Process" header &&
	test_grep "^Command:.*the whole machine" overview
'

# 1,000 processes take some 40 ms to look up, in which 40 samples a CPU used to find the rings
# full: nine of ten were lost.  Afterwards collect reads before anybody else runs.  Only the copy
# of burn with that name is this test's own: the machine may run another.
test_expect_success ALL 'running processes are looked up before the first sample' '
	mkfifo crowded && { crowd processes 1000 <crowded >ready & crowd=$!; } && exec 8>crowded &&
	until grep -q ready ready || ! kill -0 $crowd; do moment; done &&
	cp "$(command -v burn)" one-of-$$ &&
	collect -a -p 1 -O crowd.er -- ./one-of-$$ one=300 >out 2>said && exec 8>&- && wait $crowd &&
	er_print -filters "PNAME(\"one-of-$$\")" -json -functions crowd.er >crowd.json &&
	holds crowd.json "e[\"lost\"] < e[\"samples\"] and incl(\"one\") > 0.1" &&
	test_no_grep " by rusage\| by the accounting" said
'

# Each page is a fault of its own, and each sleep gives the CPU up; a start needs some hundreds.
test_expect_success 'page faults and switches of the program are counted' '
	collect -o usage.er python3 -c "
import mmap, time
m = mmap.mmap(-1, 20000 * mmap.PAGESIZE)
m.madvise(mmap.MADV_NOHUGEPAGE)
for i in range(20000): m[i * mmap.PAGESIZE] = 1
for i in range(50): time.sleep(0.001)" 2>said && cat said &&
	er_print -json usage.er </dev/null >usage.json &&
	holds usage.json "e[\"usage\"][\"of\"] == \"waited\"" &&
	holds usage.json "20000 <= e[\"usage\"][\"minor_faults\"] < 28000" &&
	holds usage.json "50 <= e[\"usage\"][\"voluntary_switches\"] < 1000" &&
	er_print -statistics usage.er >got &&
	test_grep "^Minor page faults: *2[0-7][0-9]*$" got && test_grep "^Input blocks" got
'

test_done
