# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect --import: the states of threads in recordings of perf's that have their switches.
. "$RP_SRC/t/lib.sh"
need python3

# written WORDS: the import of a file that t/mkperf writes so, and its waits.
written() {
	# shellcheck disable=SC2086
	rm -rf it.data it.er && "$RP_SRC/t/mkperf" it.data $1 &&
	collect --import it.data -o it.er 2>err &&
	samples --waits it.er | sort >got || { cat err; return 1; }
}

# Times in ns from the first record: what mkperf's two threads do, second CPU lost.
cat >lost <<'END'
L 10 0 29000000 1 10
L 20 4000000 32000000 2 20
W 10 19000000 25000000 otherwait 10 0
W 10 3000000 5000000 wait 10 0
W 10 8000000 14000000 unknown 10 0
W 20 15000000 17000000 otherwait 20 0
W 20 20000000 32000000 otherwait 20 0
W 20 4000000 6000000 wait 20 0
W 20 7000000 8000000 otherwait 20 0
W 20 8000000 15000000 unknown 20 0
END
sed '/unknown/d; s/^W 20 15000000/W 20 7000000/; /^W 20 7000000 8000000/d' lost >whole
echo 'W 10 8000000 14000000 otherwait 10 0' >>whole
sort -o whole whole

for words in '' pipe identifier wide noround; do
	for order in '' big; do
		test_expect_success "records of switches $words $order" '
			written "switches bare $words $order" && test_cmp whole got
		'
	done
done

test_expect_success 'what was lost is unknown' '
	written switches && test_cmp lost got && written "switches wide big" && test_cmp lost got &&
	test_grep "for 0.013 of 0.038 s it is not known whether threads waited: records were lost" err
'

# Anything before it may be what was lost: on which CPU is not known.
test_expect_success 'a loss without its CPU' '
	written "switches nocpu" && awk "\$1 == \"W\" && \$3 < 15000000 && \$5 != \"unknown\"" got >early &&
	test ! -s early && grep "W 10 19000000 25000000 otherwait" got
'

test_expect_success 'without the threads that one starts, they are known from their first record on' '
	written "switches bare lone" && grep "^L 20 6000000 32000000 3 20" got && ! grep "^W 20 4000000" got
'

# Each CPU may have lost the last ones: nothing is known behind its last record.
test_expect_success 'losses at the end, which no record reports' '
	written "switches bare hidden" &&
	grep "^W 20 20000000 .* unknown" got && ! grep "^W 20 20000000 .* otherwait" got
'

test_expect_success 'perf record --off-cpu: sums, which have no times' '
	written "switches bare offcpu" && test_cmp whole got &&
	samples it.er | grep "^0	5000000	late" && er_print -header it.er >header &&
	test_grep "offcpu-time is a sum for each stack" header && test_grep "Duration:  *0.032 s" header
'

test_expect_success 'events of some CPUs only, and no ids of threads in records' '
	written "switches wide bare cpus=4" && test_grep "not all CPUs were recorded" err && test ! -s got &&
	written "switches noid" && test_grep "switches have no times or threads" err && test ! -s got
'

cat >traced <<'END'
L 10 0 35000000 3 10
L 20 0 35000000 3 20
W 10 14000000 15000000 wait 10 1
W 10 19000000 24000000 otherwait 10 1
W 10 24000000 25000000 wait 10 1
W 10 3000000 6000000 wait 10 1
W 10 9000000 14000000 stopped 10 1
W 20 0 3000000 otherwait 20 0
W 20 15000000 35000000 otherwait 20 1
W 20 5000000 7000000 otherwait 20 1
W 20 7000000 9000000 wait 20 1
END
for words in '' pipe identifier noround; do
	for order in '' big; do
		test_expect_success "sched:sched_switch $words $order" '
			written "sched $words $order" && sed "/^W/s/ [1-9][0-9]*$/ 1/" got | sort >shown &&
			test_cmp traced shown && test_grep "imported from" err
		'
	done
done

# Thread, from, to; 1, the waker, 0: it has no stack.
cat >woken <<'END'
10 9000000 14000000 1 20 0
20 5000000 7000000 1 10 0
END
for words in '' ahead big pipe; do
	test_expect_success "sched:sched_waking: who ends waits $words" '
		written "sched flags $words" && samples --wakers it.er | grep -v " 4 0 0$" | sort >shown && test_cmp woken shown &&
		written "sched apart flags $words" && samples --wakers it.er >shown && test ! -s shown
	'
done

test_expect_success 'numbers of threads from another namespace are not used' '
	written "sched foreign" && test_grep "number threads in another way" err && ! grep "^W.* [^u][a-z]* [12]0 " got
'

# On an idle machine every switch is to the idle task: no record shows who got the CPU before.
test_expect_success 'switches of some threads only are not losses' '
	written "sched apart" && test_grep "record it of all CPUs (perf record -a)" err &&
	written sched && test_no_grep "record it of all CPUs" err
'

test_expect_success 'the header and states say what there is' '
	written sched && er_print -header it.er >header && test_grep "no cause: the kernel that was recorded is not" header &&
	test_grep "waits end when threads are woken up" header &&
	er_print -states it.er >states && test_grep "Stopped" states
'

# ---- recordings by the perf of this machine ----

# Not with build-ids: perf crashes if programs that run were replaced.
command -v perf >/dev/null &&
	perf record -q -B -N --switch-events -e cpu-clock -o try.data true >/dev/null 2>&1
test_set_prereq PERF "$([ -s try.data ] || echo 'no perf that records switches here')"
perf record -q -B -N -a -e sched:sched_switch -o trace.data true >/dev/null 2>&1
test_set_prereq TRACE "$([ -s trace.data ] || echo 'no perf that records tracepoints of all CPUs here')"

# lossless NAME.data: perf itself lost none of its records.
lossless() { perf script --show-lost-events -i "$1" >"$1.all" 2>&1 && ! grep -q "PERF_RECORD_LOST" "$1.all"; }

# shown NAME FIELDS: what perf itself shows of NAME.data.
shown() { perf script --ns --show-switch-events --show-task-events -F "$2" -i "$1.data" >"$1.txt" 2>"$1.said"; }

# by_perf NAME PREREQ FIELDS SHAPE OPTION…: perf records the program waits; its import has each wait that
# perf script shows, and no other, and then $also succeeds.  Skipped if perf fails.
by_perf() {
	name=$1 prereq=$2 fields=$3 shape=$4
	shift 4
	title="perf record $*"
	if perf record -q -B -N -m 2048 -o "$name.data" "$@" waits "$shape" "$PWD/file" >"$name.out" 2>"$name.said" &&
		shown "$name" "$fields"; then
		test_expect_success "$prereq" "$title" 'agreed "$name" && eval "$also"'
	else
		test_skip "$title" "perf: $(tail -n 1 "$name.said")"
	fi
}

agreed() {
	collect --import "$1.data" --trust-paths -O "$1.er" 2>"$1.err" && samples --waits "$1.er" >"$1.waits" &&
		"$RP_SRC/t/waits-agree" "$1.txt" "$1.waits" "$1.er/log.json" ${2:+"$2"}
}

also='er_print -header own.er >header && test_grep "waits have no stacks" header'
by_perf own PERF pid,tid,time,event sleep --switch-events -e cpu-clock

# With stacks, waits have causes and places, unless the kernel hides its functions.
# shellcheck disable=SC2016
also='grep -q "no cause" stacks.er/log.json || {
	er_print -metrics i.lock:name -functions stacks.er >functions && head -n 12 functions &&
	awk "\$NF == \"<Total>\" { all = \$1 } \$NF ~ /^in_lock/ { in_it += \$1 }
		END { exit !(all > 0 && in_it >= 0.9 * all) }" functions; }'
by_perf stacks PERF pid,tid,time,event lock --switch-events -e context-switches -c 1 --call-graph dwarf,4096

# Pages of code and of data, by the kernel's own trace of faults.
# shellcheck disable=SC2016
also='grep -q "no cause" pages.er/log.json || ! lossless pages.data ||
	"$RP_SRC/t/faults-traced" pages.txt pages.waits pages.er/log.json'
by_perf pages TRACE pid,tid,time,event,trace pages --switch-events -d -e context-switches -e major-faults \
	-e exceptions:page_fault_user -c 1 -g

also=
by_perf all TRACE pid,tid,cpu,time,event pipe --switch-events -e cpu-clock -a
by_perf traced TRACE pid,tid,cpu,time,event,trace lock -e sched:sched_switch -a -g

also='test_grep "record it of all CPUs" alone.err'
by_perf alone TRACE pid,tid,cpu,time,event,trace lock -e sched:sched_switch -g

# Waits end at wake-ups; sums are those of perf sched timehist, which takes no notice of losses.
sums='perf sched timehist'
if perf sched record -B -N -m 2048 -o sched.data waits lock "$PWD/file" >out 2>said &&
	shown sched pid,tid,cpu,time,event,trace && perf sched timehist -i sched.data >sched.hist 2>said; then
	test_expect_success TRACE 'perf sched record' 'agreed sched && grep -q " wait " sched.waits'
	if grep -q "sched:sched_waking:" sched.txt; then
		test_expect_success TRACE "perf sched record: who ends waits" "
			samples --wakers sched.er >sched.wakers && agreed sched sched.wakers
		"
	fi
	"$RP_SRC/t/waits-timehist" sched.hist sched.waits sched.er/log.json >sums 2>&1
	agree=$?
	if ! lossless sched.data; then
		test_skip "$sums" 'perf lost records'
	elif [ $agree -eq 77 ]; then
		test_skip "$sums" "$(cat sums)"
	else
		test_expect_success TRACE "$sums" 'cat sums && test $agree -eq 0'
	fi
else
	test_skip 'perf sched record' "perf: $(tail -n 1 said)"
fi

# As perf trace record does, which asks for build-ids.
if perf record -q -B -N -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -o calls.data waits sleep >out 2>said; then
	test_expect_success TRACE 'system calls show no states' '
		collect --import calls.data -O calls.er 2>err && test_expect_code 1 er_print -states calls.er &&
		er_print -header calls.er >header && test_grep "system calls do not show when threads had a CPU" header
	'
else
	test_skip 'system calls show no states' "perf: $(tail -n 1 said)"
fi

test_done
