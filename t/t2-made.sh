#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Stacks through code that a program made while it ran, which no unwind table describes:
# they are whole, and have exactly the callers that the program says.
. "$RP_SRC/t/lib.sh"
need_sampling
need /usr/bin/python3
if made 1 python >/dev/null; then :; else
	skip_all 'such code is proven only on x86-64'
fi
# On a busy machine a reader that waits for a CPU is too late.
unable=
chrt -f 1 true 2>/dev/null || unable='collect cannot go ahead of other programs here'
test_set_prereq PROMPT "$unable"

# collect without the right to read what another program of root has.
if [ "$(id -u)" != 0 ] || ! setpriv --bounding-set -sys_ptrace true 2>/dev/null; then
	unable='only root can give up the right to read a process'
fi
test_set_prereq GIVE_UP "$unable"

# recorded NAME MS SHAPE…: NAME.er, and NAME.chains: the frames from main to work of each
# stack, and its weight in ms.
recorded() {
	name=$1
	shift
	collect -p hi -O "$name.er" made "$@" >"$name.out" 2>"$name.said" &&
		chains_of "$name"
}

chains_of() {
	name=$1
	er_print -export collapsed "$name.stacks" "$name.er" &&
		sed -n '/;work[; ]/ {
			s/<\[anon:[0-9]*\]>+0x[0-9a-f]*/made/g
			s/^.*libc_start_call_main;//
			s/^.*libc_start_main[^;]*;//
			s/;work[^ ]* /;work /
			s/;work;.* /;work /
			p
		}' "$name.stacks" | awk '{ n = $NF; sub(/ [0-9]*$/, ""); weight[$0] += n }
			END { for (chain in weight) print int(weight[chain] / 1e6) " " chain }' >"$name.chains"
}

# right NAME: each chain is the program's own, or its inner part behind <Truncated>.
right() {
	sed -n '1 { s/;\(python\|pushes\|branches\|moves\|frame\);/;made;/g; s//;made;/g; p; }' "$1.out" >"$1.truth"
	awk 'NR == FNR { truth = $0; next }
		{ sub(/^[0-9]* /, ""); chain = $0 }
		chain == truth { next }
		chain ~ /^<Truncated>/ {
			sub(/^<Truncated>[^;]*;/, "", chain)
			if (substr(truth, length(truth) - length(chain)) == ";" chain) next
		}
		{ print "wrong: " $0; wrong = 1 }
		END { exit wrong }' "$1.truth" "$1.chains"
}

# whole NAME: what the whole chains weigh, in ms.
whole() {
	awk '$2 ~ /^main;outer;step;made/ { sum += $1 } END { print int(sum) }' "$1.chains"
}

# Most are whole from the second round on, a few ms after the start: 95 % or more in
# measurements.  A tenth allows for a reader that is late nine times in ten.
for shape in python pushes branches moves frame; do
	test_expect_success "$shape: the callers are the program's" '
		recorded $shape 500 $shape $shape && right $shape
	'
	test_expect_success PROMPT "$shape: and there are whole stacks" '
		test "$(whole $shape)" -gt 50
	'
done

test_expect_success 'all together, and deeper' '
	recorded all 800 python pushes branches moves frame moves branches pushes python &&
	right all
'
test_expect_success PROMPT 'most are whole' 'test "$(whole all)" -gt 80'

test_expect_success GIVE_UP 'without the right to read the code, frame pointers show the callers' '
	made 1 frame frame >forbidden.out &&
	{ made 100000 frame frame >/dev/null & } &&
	pid=$! &&
	setpriv --bounding-set -sys_ptrace collect -p hi -t 1 -O forbidden.er -P $pid 2>forbidden.said
	code=$?
	kill $pid
	test $code = 0 && chains_of forbidden && right forbidden
'
test_expect_success GIVE_UP '… in whole stacks' 'test "$(whole forbidden)" -gt 0'

test_expect_success 'without copies of stacks nothing is read' '
	collect --stack off -O off.er made 50 >/dev/null 2>&1 &&
	er_print -functions off.er >off.txt && test_grep work off.txt
'

python=$(command -v python3.13 || command -v python3.12 || :)
test_set_prereq TRAMPOLINES "$([ -n "$python" ] && "$python" -X perf -c 'import sys
sys.exit(not sys.is_stack_trampoline_active())' 2>/dev/null || echo "there is no python 3.12 with -X perf")"
cat >calls.py <<'END2'
import time
def leaf():
    s = 0
    for i in range(2000):
        s += i * i
    return s
def middle():
    return leaf() + 1
def top():
    return middle() + 1
end = time.process_time() + 1
while time.process_time() < end:
    top()
END2
# Functions that Python's own start calls are not in main's chain.
test_expect_success TRAMPOLINES "python -X perf: its functions have their callers" '
	collect -O python.er "$python" -X perf calls.py 2>python.said &&
	er_print -export collapsed python.stacks python.er &&
	sed -n "/py::leaf/ { /^<Trunc/d; s/;[^p][^;]*//g; s/;p[^y][^;]*//g; s/;py[^:][^;]*//g; p; }" python.stacks >python.chains &&
	test_no_grep -v "py::<module>:[^;]*;py::top:[^;]*;py::middle:[^;]*;py::leaf" python.chains
'

test_done
