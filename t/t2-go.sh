#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Go: stacks are whole through its runtime's stack switches, and contain only calls that
# the program makes.
. "$RP_SRC/t/lib.sh"
need_sampling
need go

cat >alloc.go <<'END'
package main

type node struct{ l, r *node }

func build(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func main() {
	for i := 0; i < 240; i++ {
		build(16)
	}
}
END
# The assembly of sha256 has other things in the frame pointer's register.
cat >sha.go <<'END'
package main

import "crypto/sha256"

func main() {
	text, sum := make([]byte, 4096), byte(0)
	for i := 0; i < 60000; i++ {
		hash := sha256.Sum256(text)
		part := make([]byte, 256+int(hash[1]))
		go func() { part[0]++ }()
		text[0], sum = hash[0], sum+hash[2]
	}
	println(sum)
}
END
# Two callers in turns of a few µs.  What the runtime does for them differs: an object of
# more than 32 KiB has pages of its own.
cat >turns.go <<'END'
package main

//go:noinline
func shared(size int) []byte { return make([]byte, size) }

//go:noinline
func large() int { return len(shared(40000)) + 1 }

//go:noinline
func small() int { return len(shared(512)) + 1 }

//go:noinline
func turns(done chan int) {
	sum := 0
	for i := 0; i < 60000; i++ {
		sum += large()
		for j := 0; j < 60; j++ {
			sum += small()
		}
	}
	done <- sum
}

func main() {
	done := make(chan int)
	go turns(done)
	go turns(done)
	println(<-done + <-done)
}
END
export GOCACHE="$PWD/cache" GO111MODULE=off GOFLAGS=
for name in alloc sha turns; do
	# Without DWARF, so that frames are functions, and none is inlined.
	go build -ldflags -w -o $name $name.go 2>go.log ||
		skip_all "go builds nothing here: $(tail -n 1 go.log)"
done

[ "$(uname -m)" = x86_64 ] || no_table="Go's table is read on x86-64"
test_set_prereq TABLE "${no_table-}"
set_tools READELF readelf
set_tools OBJDUMP objdump
for name in ${no_table:+READELF OBJDUMP}; do
	test_set_prereq "$name" "$no_table"
done

# Go's table, which survives stripping, says what the linker made call frame information of.
cat >same-rows.py <<'END'
import bisect, re, sys
at, cfa = [], []
for line in open(sys.argv[1]):
    start, value = line.split()
    at.append(int(start, 16))
    cfa.append(value)
same = 0
for line in open(sys.argv[2]):
    row = re.match('([0-9a-f]{16}) rsp[+]([0-9]+) +c-8', line)
    if not row or int(row[1], 16) < at[0]:
        continue
    ours = cfa[bisect.bisect(at, int(row[1], 16)) - 1]
    assert ours == row[2], f'{row[1]}: {ours}, and readelf has {row[2]}'
    same += 1
assert same > 3000, same
END
test_expect_success READELF 'the table of functions agrees with call frame information' '
	go build -o sha.full sha.go && go build -ldflags "-s -w" -o sha.stripped sha.go &&
	"$RP_BUILD"/t/unit/godump sha.stripped >table &&
	readelf -wF sha.full >rows 2>readelf.log && /usr/bin/python3 same-rows.py table rows
'

# Each function of nm that is Go's, and the stripped program's name of its first byte.  Go's
# table has neither the linker's mark of assembly nor what stands in brackets.
test_set_prereq NM "$(command -v nm >/dev/null || echo 'there is no nm')"
test_expect_success NM 'a stripped program has its names by that table' '
	go build -o named sha.go && go build -ldflags "-s -w" -o nameless sha.go &&
	nm -S named | awk "NF == 4 && \$3 ~ /^[Tt]$/ { print \$1, \$4 }" | sort |
		sed "s/[.]abi0\$//; s/\[.*\]/[...]/" >want &&
	cut -d" " -f1 want | "$RP_BUILD"/t/unit/symdump -a nameless | sed "s/\[.*\]/[...]/" >got &&
	paste -d" " want got | awk "
		\$4 == \"Go\" { named++; wrong += \$2 != \$6 }
		\$4 != \"Go\" { other++ }
		END { print named, other, wrong; exit wrong || named < 1000 || other > named / 100 }" &&
	collect -p hi -O nameless.er ./nameless 2>nameless.said &&
	er_print -limit 0 -functions nameless.er >functions &&
	test_grep "main.main\|crypto/sha256" functions && test_no_grep "<nameless>" functions &&
	er_print -symbols nameless.er >symbols && test_grep "Go table.*nameless" symbols
'

for name in alloc sha turns; do
	test_expect_success "$name is recorded" '
		collect -p 1 -O $name.er -- ./$name 2>$name.said &&
		er_print -export collapsed $name.stacks $name.er
	'
done

# Of 1,000 samples and more of each the rest are mostly in code that changes stacks, or in
# assembly; 98 to 99.7 % were whole, and 70 to 90 % without the kernel's chain.  Those by
# way of morestack are left out: the more a machine has to do the more often it preempts,
# and 1 to 7 % of the stacks are of that.
cat >whole.py <<'END'
import sys
whole = cut = 0
for line in open(sys.argv[1]):
    stack, value = line.rsplit(' ', 1)
    if stack.startswith('<Truncated>'):
        cut += int(value) * ('runtime.morestack' not in stack)
    elif not stack.startswith('<Unsampled>'):
        whole += int(value)
print(whole / (whole + cut))
sys.exit(whole < 0.95 * (whole + cut))
END
for name in alloc sha turns; do
	test_expect_success TABLE "the stacks of $name are whole" '
		/usr/bin/python3 whole.py $name.stacks
	'
done

# Each pair of functions is a call in the program's code: a direct one, one by a register or
# by memory, or one by way of a jump.
cat >calls.py <<'END'
import collections, re, sys
calls, jumps = collections.defaultdict(set), collections.defaultdict(set)
anywhere, name, seen = set(), None, 0
for line in open(sys.argv[1]):
    start = re.match('[0-9a-f]+ <(.*)>:', line)
    if start:
        name = start[1]
        calls[name]
    insn = re.search(r'\t(call|j[a-z]+) +(\*|[0-9a-f]+ <([^+>]*))', line)
    if insn and insn[2] == '*' and insn[1] == 'call':
        anywhere.add(name)
    elif insn and insn[3]:
        (calls if insn[1] == 'call' else jumps)[name].add(insn[3])

# On the runtime's own stack already, systemstack jumps to what it is given.
def is_call(above, below):
    direct = calls[above]
    return (above in anywhere or below in direct or 'runtime.systemstack.abi0' in direct or
            any(below in jumps[callee] for callee in direct))

# Begun by the runtime or the kernel, not by a call.
begun = {'runtime.goexit.abi0'}
injected = {'runtime.asyncPreempt.abi0', 'runtime.sigreturn.abi0', 'runtime.sigpanic'}
known = set(calls)
for line in open(sys.argv[2]):
    frames = line.rsplit(' ', 1)[0].split(';')
    for above, below in zip(frames, frames[1:]):
        if (above in begun or below in injected or above in injected or
                not {above, below} <= known):
            continue
        assert is_call(above, below), f'{above} does not call {below}: {line}'
        seen += 1
print(seen)
assert seen > 20, seen  # of distinct stacks, whose number is chance: 200 of sha once
END
for name in alloc sha turns; do
	test_expect_success OBJDUMP "every call in a stack of $name is in its code" '
		objdump -d --no-show-raw-insn $name >$name.code &&
		/usr/bin/python3 calls.py $name.code $name.stacks
	'
done

cat >callers.py <<'END'
import sys
of = {'runtime.(*mcache).allocLarge': 'main.large', 'runtime.(*mcache).refill': 'main.small'}
seen = dict.fromkeys(of, 0)
for line in open(sys.argv[1]):
    frames = line.rsplit(' ', 1)[0].split(';')
    if 'main.shared' not in frames:
        continue
    at = frames.index('main.shared')
    if frames[at:].count('runtime.mallocgc') != 1:
        continue # it helped the collector, which allocates too
    for inner, caller in of.items():
        if inner in frames[at:] and at > 0:
            assert frames[at - 1] == caller, line
            assert at == 1 or frames[at - 2] == 'main.turns', line
            seen[inner] += 'runtime.systemstack.abi0' in frames[at:]
print(seen)
assert min(seen.values()) > 4, seen
END
test_expect_success TABLE 'beyond a stack switch is the true caller' '
	/usr/bin/python3 callers.py turns.stacks
'

# Full rings, on a busy machine, are another matter: samples without copies take less room.
test_expect_success 'advice names only what was tried' '
	for name in alloc sha turns; do
		sed "/the rings were full/d" $name.said >$name.advice &&
			test_no_grep "stack fp" $name.advice || return 1
	done
'

test_done
