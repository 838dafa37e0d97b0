# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A disturbed collector: written data stays readable, losses are counted, exit status and
# message report it.  RP_KILLS is how often it is killed (200 take some minutes), RP_STOP
# for how many seconds of its program it is stopped.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3
kills=${RP_KILLS:-6} stop=${RP_STOP:-1}

# logged EXPERIMENT EXPRESSION: of its log, as d.
logged() {
	python3 -c "
import json, sys
d = json.load(open(sys.argv[1] + '/log.json'))
sys.exit(print('log:', d['totals'], d['notes']) if not ($2) else 0)" "$1"
}

# readable EXPERIMENT: er_print answers, or says in a sentence why not; it never crashes.
readable() {
	er_print -functions "$1" >shown 2>err
	case $? in
	0) test_grep "<Total>\|no samples\|Samples:" shown ;;
	1) test 1 = "$(grep -c . err)" && test_grep "^er_print: error: " err ;;
	*) cat err && return 1 ;;
	esac
}

# ---- SIGKILL ----

# A moment after the start, from the first instant on to when all is done; always the same.
moment() {
	awk -v n="$1" -v of="$kills" 'BEGIN { printf "%.3f", 0.9 * ((n * 0.618034) % 1) }'
}

killed_once() {
	rm -rf k.er pid
	setsid sh -c 'echo $$ >pid && exec collect -p hi -o k.er burn one=300 two=300' >out 2>said &
	sleep "$(moment "$1")"
	kill -KILL "$(cat pid)" 2>/dev/null
	wait $! 2>/dev/null
	kill -KILL "-$(cat pid)" 2>/dev/null
	[ ! -d k.er ] || readable k.er || { echo "killed after $(moment "$1") s" && return 1; }
}

killed_often() {
	for n in $(seq "$kills"); do
		killed_once "$n" || return 1
	done
}

test_expect_success "SIGKILL at $kills instants: the rest can be read" '
	killed_often
'

# late_is EXPRESSION: of what late.er has so far.
late_is() {
	er_print -json -functions late.er >late.json 2>late.err && holds late.json "$1" >late.out
}

# What a second has gathered is on the disk in the next.
test_expect_success 'SIGKILL after a while: the data until then is there' '
	setsid sh -c "echo \$\$ >pid && exec collect -p hi -o late.er burn one=600000" >out 2>said &
	until late_is "total > 0.3"; do moment; done &&
	kill -KILL "$(cat pid)" && { wait $! || :; } &&
	{ kill -KILL "-$(cat pid)" || :; } &&
	late_is "total > 0.3 and not e[\"complete\"]"
'

# ---- standing still, and rings that overflow ----

# used SECONDS: the program with the pid in the file burning has used so much; proc(5),
# /proc/PID/stat, in ticks of 10 ms.
used() {
	until [ -s burning ] &&
		[ "$(awk '{ print $14 + $15 }' "/proc/$(cat burning)/stat")" -ge $(($1 * 100)) ]; do
		moment
	done
}

# Recorded and lost samples add up to all samples, unless the kernel has lowered its limit of
# samples a second and throttles, which is counted apart.  The clock continues while a
# hypervisor takes the CPU.  A second has 10,000 samples, more than any ring has room for.
test_expect_success "SIGSTOP for $stop s under load: all losses are counted" '
	before=$(stolen) && sh -c "echo \$\$ >pid && exec collect -p 0.1 -o stop.er \
		sh -c \"echo \\\$\\\$ >burning; exec burn one=$((stop * 1000 + 2500))\"" >out 2>said &
	used 1 && kill -STOP "$(cat pid)" && used $((stop + 1)) && kill -CONT "$(cat pid)" && wait $! &&
	logged stop.er "d[\"totals\"][\"lost\"] + d[\"totals\"][\"lost_records\"] > 0" &&
	test_grep "lost" said &&
	logged stop.er "d[\"totals\"][\"throttled\"] or
		abs((d[\"totals\"][\"samples\"] + d[\"totals\"][\"lost\"] + d[\"totals\"][\"lost_records\"])
		* d[\"events\"][0][\"period\"] / 1e9 - $stop - 2.5) < 0.1 * ($stop + 2.5)
		+ $(($(stolen) - before)) / 100" &&
	readable stop.er && test_grep "<Total>" shown
'

# The program ends while nobody reads the rings of its CPUs.  A zombie shows that it did.
test_expect_success 'losses after the last record that fitted: their number is unknown' '
	sh -c "echo \$\$ >pid && exec collect --scope task -p hi -o last.er \
		sh -c \"echo \\\$\\\$ >burning; exec burn one=3500\"" >out 2>said &
	used 1 && kill -STOP "$(cat pid)" &&
	until [ "$(cut -d " " -f 3 "/proc/$(cat burning)/stat")" = Z ]; do moment; done &&
	kill -CONT "$(cat pid)" && wait $! &&
	test_grep "a ring was full after its last record" said
'

# ---- the target ----

test_expect_success 'a killed target: status and log show it' '
	test_expect_code 137 collect -p hi -o dead.er sh -c "burn one=50; kill -KILL \$\$" >out 2>said &&
	logged dead.er "d[\"target\"][\"signal\"] == 9 and d[\"state\"] == \"complete\"" &&
	readable dead.er && test_grep "<Total>" shown
'

# ---- the clock ----

# A namespace with clocks of its own: what the kernel stamps samples with is not what a
# process reads there.
if unshare --time --fork --monotonic 100000 true 2>/dev/null; then
	test_set_prereq CLOCKS
else
	test_set_prereq CLOCKS 'not allowed to have clocks of our own'
fi

# burning NAME COMMAND…: a recording by COMMAND, NAME.json; whole NAME: of all that it burnt.
burning() {
	name=$1 && shift
	"$@" collect -p hi -O "$name.er" burn one=200 >out && er_print -json -functions "$name.er" >"$name.json"
}
whole() { holds "$1.json" "0.16 <= total <= 0.24 + taken"; }

test_expect_success CLOCKS 'a clock that differs from the kernel'"'"'s: nothing is missing' '
	undisturbed clock.json "whole clock" burning clock unshare --time --fork --monotonic 100000 &&
	logged clock.er "d[\"duration_ns\"] < 60e9 and
		d[\"totals\"][\"lost\"] + d[\"totals\"][\"lost_records\"] == 0"
'

# A library that sets the clock back by a year in the middle of a run.
cat >stepped.c <<'END'
#include <time.h>
#include <dlfcn.h>
#include <stddef.h>
time_t time(time_t *out)
{
	static int calls;
	struct timespec t;
	time_t now;
	clock_gettime(CLOCK_REALTIME, &t);
	now = t.tv_sec - (calls++ ? 31536000 : 0);
	if (out)
		*out = now;
	return now;
}
END
if ${CC:-cc} -shared -fPIC -o stepped.so stepped.c 2>/dev/null && [ -z "${RP_SANITIZE:-}" ]; then
	test_set_prereq STEP
else
	test_set_prereq STEP 'no compiler for a library, or a build with sanitizers'
fi

test_expect_success STEP 'the wall clock goes back by a year: nothing changes' '
	undisturbed step.json "whole step" burning step env LD_PRELOAD="$PWD/stepped.so"
'

# ---- the disk ----

# Where it may grow to 8 blocks of 512 bytes.
test_expect_success 'files that may not grow: reported, and the rest can be read' '
	{ (ulimit -f 8 && collect -p 0.05 --stack off -o small.er burn one=800 2>&1; echo "status $?") | cat >said; } &&
	test_grep "File too large" said && test_grep "status [1-9]" said &&
	readable small.er
'

test_expect_success 'the message is a sentence of its own, whatever was said before' '
	sh -c "while :; do :; done" &
	busy=$!
	sleep 1000 &
	sleeper=$!
	(ulimit -f 8 && exec collect -p 0.05 --stack off -P $busy,$sleeper -t 100 -o both.er) >said 2>&1
	kill $busy $sleeper
	test_grep "recording 2 processes" said && test_grep "^collect: error: cannot write to both.er: File too large" said
'

if mkdir ro && mount -t tmpfs -o ro none ro 2>/dev/null; then
	test_set_prereq READ_ONLY
else
	test_set_prereq READ_ONLY 'not allowed to mount'
fi

test_expect_success READ_ONLY 'a read-only disk: reported, and nothing runs' '
	test_expect_code 1 collect -p hi -d ro sh -c "echo ran >ran" 2>said &&
	test_grep "Read-only file system" said && test ! -e ran
'
umount ro 2>/dev/null

mkdir full && mount -t tmpfs -o size=128k none full 2>/dev/null || test_set_prereq SMALL 'not allowed to mount'
[ -n "${test_have_SMALL:-}" ] || test_set_prereq SMALL

# recorded_ns EXPERIMENT
recorded_ns() {
	python3 -c "import json, sys; print(json.load(open(sys.argv[1] + '/log.json'))['recorded_ns'])" "$1"
}

# The log says why data is missing: there was room for that.
test_expect_success SMALL 'a disk that fills up: the log says so, unlike that of a killed run' '
	test_expect_code 1 collect -p 0.02 --stack off -o full/full.er burn one=3000 >out 2>said &&
	cat said && test_grep "No space left" said && logged full/full.er "d[\"state\"] == \"complete\"" &&
	logged full/full.er "any(\"No space left\" in n[\"text\"] for n in d[\"notes\"])" &&
	logged full/full.er "d[\"totals\"][\"samples\"] > 0" && readable full/full.er &&
	logged full/full.er "0 < d[\"recorded_ns\"] < d[\"duration_ns\"]" && test_grep "recorded for [0-9.]* s of [0-9.]* s" said &&
	er_print -header full/full.er >header 2>&1 && test_grep "No space left" header &&
	test_grep "Duration: .*; recorded for [0-9.]* s of it; not all data could be written" header &&
	er_print -json -header full/full.er >full.json && "$RP_SRC/t/query" full.json "abs(d[\"experiments\"][0][\"recorded_s\"] * 1e9 - $(recorded_ns full/full.er)) < 2" &&
	test_no_grep killed header && test_no_grep "samples account for" said
'
umount full 2>/dev/null

test_expect_success SMALL 'the space reserved for the log leaves room for the data' '
	for size in 64 68 72 128; do
		mount -t tmpfs -o size=${size}k none full &&
		collect -p hi --stack off -o full/small.er burn one=20 2>said || { cat said; return 1; }
		umount full
	done
'
umount full 2>/dev/null

test_done
