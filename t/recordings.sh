# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Source it after lib.sh: made recordings with what tables and databases have to keep.

test_line_count() { test "$(wc -l <"$2")" -eq "$1" || { cat "$2" && false; }; }

# Recursion, two events, one of them scaled, unknown roots, empty stacks, counts without samples.
mkexp a.er <<'END'
event totalcpu ns 1000003 0 1 Total CPU Time
event cycles cycles 1000 2e9 1.5 CPU Cycles
on totalcpu
main;parse;lib.so!read 3
main;parse 2
main;parse;main;parse 1
main;f;g;f;g;h;f 5
main;a"b;lib.so!x,y 4
lib.so!read;lib.so!read;lib.so!read 2
<no_rule>;h 1
?;+0x40 1
. 2
<unsampled> 7
on cycles
main;parse 5
[kernel]!sys_read 2
END

# Threads that take turns and change their names, seconds, losses, CPUs, waits, build-ids.
python3 - <<'END' | mkexp turns.er
import random
rnd = random.Random(7)
print("module lib.so#0123456789abcdef\narg ./prog\narg two words\nlost 12")
print("event totalcpu ns 9999991 0 1 Total CPU Time")
print("event instructions events 1000001 0 1.3 Instructions")
print("state sleep\nstate lock")
for i in range(600):
    tid = rnd.choice([71, 71, 72, 73])
    print(f"cpu {rnd.randint(0, 3)}\nthread {71 + i // 300} {tid} t{tid}")
    event = rnd.choice(["totalcpu", "totalcpu", "instructions", "sleep", "lock"])
    print("on", event)
    if event in ("sleep", "lock"):
        print("weight", rnd.randint(1, 10**9))
    print(f"step {rnd.randint(1, 20000000)}")
    depth = rnd.randint(0, 12)
    print(";".join(["main"] + [rnd.choice(["f", "g@1", "g@2", "lib.so!h", "lib.so!+0x900", "k~a.c#1", "k~b.c#2"])
                              for _ in range(depth)]), rnd.randint(1, 3))
    if i % 100 == 50:
        print(f"loss {i}")
END

# One function in several builds and objects, and code without names.
printf 'module a.out#aa\nmain;f;+0x5000 2\nmain;libq.so!f 1\n' | mkexp b1.er
printf 'module a.out#bb\nmain;g;f;+0x5000 2\nmain;libq.so!f;f 4\n' | mkexp b2.er

# Regions: drawn nests; and of one name in domains, apart, without an end, of odd names.
python3 "$RP_SRC/t/regions-drawn" make 5 | mkexp nests.er
printf '%s\n' 'step 0' 'thread 5 5 x' 'region /one|sort 0 50' "region /two|it's\"<b> 60 70" 'region /two|sort/in 80 90' \
	'region /two|sort 75 99 1' 'apart /sort 0 1000' 'time 5' 'main 2' 'time 66' 'main;f 3' 'time 85' 'main;f 4' \
	'mark 65 1 two|here 0' 'mark 66 2 level 2 -3' 'mark 66 3 key 4 text' 'time 200' 'main 1' "$(printf 'region /\377x 150 250')" | mkexp said.er
