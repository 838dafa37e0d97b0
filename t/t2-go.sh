#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Go: where its runtime changes stacks, --stack fp is named only if that led further on
# stacks of this run.
. "$RP_SRC/t/lib.sh"
need_sampling
need go

# Frame pointers lead 97 to 99 % of these stacks to the root, call frame information 67 to
# 77 %; collect names what is 2 points better.  It runs for more than 1,000 samples, so that
# a machine several times as fast still has the 64 that are tried at least …
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
# … and of these 8 % and 90 %: the assembly of sha256 has other things in rbp.
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
export GOCACHE="$PWD/cache" GO111MODULE=off GOFLAGS=
for name in alloc sha; do
	go build -o $name $name.go 2>go.log || skip_all "go builds nothing here: $(tail -n 1 go.log)"
done

# Go's table, which survives stripping, says what the linker made call frame information of.
command -v readelf >/dev/null || no_readelf='there is no readelf'
test_set_prereq READELF "${no_readelf-}"
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
test_expect_success READELF 'the table of functions says what call frame information does' '
	go build -ldflags "-s -w" -o sha.stripped sha.go &&
	"$RP_BUILD"/t/unit/godump sha.stripped >table &&
	readelf -wF sha >rows 2>readelf.log && /usr/bin/python3 same-rows.py table rows
'

# root NAME: the share of NAME.er's stacks that got to the root.
root() {
	/usr/bin/python3 -c "
import json
ends = json.load(open('$1.er/log.json'))['stack_ends']
print(ends['root'] / sum(ends.values()))"
}

for name in alloc sha; do
	test_expect_success "$name is recorded both ways" '
		collect -p 1 -O $name.er -- ./$name 2>$name.said &&
		collect -p 1 --stack fp -O $name-fp.er -- ./$name 2>fp.said &&
		root $name >$name.root && root $name-fp >$name-fp.root
	'
done

# What a task counts is not tried.
er_print -header alloc.er | grep -q "^Counted by: *each task" && tasks='events of tasks stay as they are'
[ "$(uname -m)" = x86_64 ] || tasks='the changes of stacks are known on x86-64'
test_set_prereq TRIED "${tasks-}"

test_expect_success TRIED '--stack fp is named where it leads further' '
	test_grep "of [0-9]* tried, frame pointers led .*: --stack fp follows them" alloc.said &&
	awk "{ root[FILENAME] = \$1 } END {
		exit !(root[\"alloc-fp.root\"] > root[\"alloc.root\"]) }" alloc.root alloc-fp.root
'

test_expect_success TRIED 'and not where it does not' '
	test_no_grep "stack fp" sha.said &&
	awk "{ root[FILENAME] = \$1 } END {
		exit !(root[\"sha-fp.root\"] < root[\"sha.root\"]) }" sha.root sha-fp.root
'

test_done
