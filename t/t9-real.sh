# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings of programs that are not ours, built without frame pointers and mostly stripped.
# Those of ../shared/workloads, where they are at hand, and a compilation.
. "$RP_SRC/t/lib.sh"
need_sampling
need /usr/bin/python3

workloads=$RP_SRC/../shared/workloads

# prereq NAME PROGRAM FILE…: what a workload needs.
prereq() {
	name=$1 program=$2 lack=
	shift 2
	command -v "$program" >/dev/null || lack="$program is not installed"
	for file; do
		[ -e "$file" ] || lack="$file is not here"
	done
	test_set_prereq "$name" "$lack"
}

# recorded NAME PROG…
recorded() {
	name=$1
	shift
	collect -p hi -O "$name.er" "$@" >out 2>said && cat said &&
		er_print -json -functions "$name.er" >"$name.json"
}

# faithful FRACTION NAME PROG…: a recording whose total is what rusage says within FRACTION, and
# that lost nothing.
faithful() {
	whole="abs(total - e['rusage_cpu_s']) <= $1 * total + taken and
		e['lost'] + e['lost_records'] == 0"
	shift
	undisturbed "$1.json" "holds $1.json \"\$whole\"" recorded "$@"
}

# plausible NAME: what holds of every recording.  Exclusive sums to the total, nothing is lost,
# most stacks reach their root.
plausible() {
	holds "$1.json" "abs(sum(r['exclusive'][metric]['value'] for r in fn) - total) < 1e-6" &&
	holds "$1.json" "e['lost'] + e['lost_records'] == 0" &&
	holds "$1.json" "e['stack_ends']['root'] >
		0.9 * e['samples']"
}

prereq SQLITE sqlite3 "$workloads/sqlite.sh"
test_expect_success SQLITE 'sqlite3: times, whole stacks, and the hot functions first' '
	faithful 0.02 sqlite sh "$workloads/sqlite.sh" 2 &&
	plausible sqlite &&
	holds sqlite.json "\"sqlite3BtreeTableMoveto\" in names[:3]" &&
	holds sqlite.json "incl(\"sqlite3VdbeExec\") > 0.9 * sampled"
'

test_expect_success SQLITE '… in at most 16 bytes a sample' '
	holds sqlite.json "e[\"bytes\"] <= 16 * e[\"samples\"]"
'

prereq PYTHON /usr/bin/python3 "$workloads/python.sh"
test_expect_success PYTHON 'python3: the interpreter loop is hottest, all time is below it' '
	faithful 0.02 python sh "$workloads/python.sh" 2 &&
	plausible python &&
	holds python.json "names[0] == \"_PyEval_EvalFrameDefault\"" &&
	holds python.json "incl(names[0]) > 0.95 * sampled"
'

prereq XZ xz "$workloads/xz.sh" "$workloads/xz-data.py"
test_expect_success XZ 'xz -T2: two threads in a stripped library' '
	/usr/bin/python3 "$workloads/xz-data.py" xz-data.bin 5000000 &&
	faithful 0.02 xz sh "$workloads/xz.sh" 2 "$PWD" &&
	plausible xz &&
	holds xz.json "\"liblzma\" in fn[0][\"object\"]" &&
	holds xz.json "len([n for n in names if \"liblzma\" in n]) > 5"
'

prereq CXX g++ "$workloads/deep.cc"
test_expect_success CXX 'C++: virtual calls, templates, recursion 200 deep' '
	g++ -O2 -g -o deep "$workloads/deep.cc" &&
	faithful 0.02 deep ./deep 340 &&
	plausible deep &&
	holds deep.json "names[0].startswith(\"expr::Bin<expr::AddOp, 2>::eval(\")" &&
	holds deep.json "incl(\"main\") > 0.9 * sampled"
'

# A g++ of ccache's compiles nothing if it has the answer.
test_expect_success CXX 'a compilation: driver, compiler and assembler as processes' '
	export CCACHE_DISABLE=1 &&
	faithful 0.02 gcc g++ -O2 -c -o deep.o "$workloads/deep.cc" &&
	plausible gcc &&
	holds gcc.json "e[\"processes\"] >= 3"
'

# Each thread loses what it used since its last sample, half a millisecond of some thirty.
# Which of the two takes longer depends on how far the CPUs' caches are from each other.
prereq CONTENTION gcc "$workloads/contention.c"
test_expect_success CONTENTION '64 threads on four mutexes' '
	gcc -O2 -g -pthread -o contention "$workloads/contention.c" &&
	faithful 0.05 contention ./contention 50000 &&
	plausible contention &&
	holds contention.json "{\"priv\", \"crit\"} <= {n.split(\".\")[0] for n in names[:5]}" &&
	holds contention.json "e[\"threads\"] == 65"
'

command -v go >/dev/null && lack= || lack='go is not installed'
[ "$(uname -m)" = x86_64 ] || lack='written for x86-64'
test_set_prereq GO "$lack"

cat >alloc.go <<'END'
package main

import "runtime"

type node struct{ next *node }

//go:noinline
func grow(n int) *node {
	var first *node
	for i := 0; i < n; i++ {
		first = &node{first}
	}
	return first
}

func main() {
	for i := 0; i < 400; i++ {
		runtime.KeepAlive(grow(100000))
		runtime.GC()
	}
}
END

# The runtime allocates and collects on a stack of its own, in closures: each is called for the
# function that it is a part of, and not by what an earlier use of that stack left on it.  In four runs 35 to 52 stacks had
# such a call.
cat >strangers.py <<'END'
import re, sys
calls = re.findall(r"(?<=[;\n])([^;\n]*);runtime\.(?:systemstack|mcall)(?:\.abi0)?;([^; \n]*)", sys.stdin.read())
wrong = [(a, b) for a, b in calls if a[0] != "<" and re.sub(r"\.func[0-9.]+$", "", b) not in (a, b)]
print(len(calls), "calls", wrong)
sys.exit(not calls or bool(wrong))
END

test_expect_success GO 'Go: no caller is made up where the runtime changes stacks' '
	GOCACHE=$PWD/cache GO111MODULE=off go build -o alloc alloc.go &&
	recorded go ./alloc &&
	holds go.json "sum(map(e[\"stack_ends\"].get, (\"root\", \"other_stack\"))) >
		0.9 * e[\"samples\"]" &&
	er_print -export collapsed go.txt go.er && python3 strangers.py <go.txt
'

test_expect_success GO '… and frame pointers lead across' '
	collect --stack fp -p hi -O go-fp.er ./alloc 2>said &&
	er_print -json -functions go-fp.er >go-fp.json &&
	holds go-fp.json "e[\"stack_ends\"][\"root\"] > 0.8 * e[\"samples\"]" &&
	test_no_grep "runtime switches" said
'

test_done
