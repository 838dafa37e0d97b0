# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# processes: by name, by command line and one by one, on experiments with known rows, and on
# random ones whose rows Python adds up.
. "$RP_SRC/t/lib.sh"
need python3

mkexp a.er <<'EOF'
thread 10 10 make
args make -j all
main 1
thread 11 11 cc1
args cc1 a.c
main 4
thread 12 12 cc1
args cc1 b.c
main 2
thread 13 13 cc1
args cc1 a.c
main 1
thread 14 14 kthread
main 1
thread 15 15 nginx
args worker
main 3
thread 16 16 nginx
args worker
main 3
EOF
# csv ARGUMENT…: rows of processes without metrics.
csv() {
	er_print -metrics e.totalcpu -sort name -printmode , -processes "$@" a.er >out && tr -d '\r' <out |
		sed 1d | cut -d , -f 2- | sort >got
}

test_expect_success 'a row for each name' '
	csv && sort >want <<-END && test_cmp want got &&
	3,,cc1,,,
	1,14,kthread,,,1
	1,10,make,make -j all,3,1
	2,,nginx,worker,1,
	END
	er_print -processes a.er >text && test_grep "3 *cc1$" text &&
	test_grep "2 *nginx *worker$" text && test_grep "1 *10 *make *make -j all$" text
'

test_expect_success 'a row for each command line' '
	csv commands && sort >want <<-END && test_cmp want got
	2,,cc1,cc1 a.c,2,
	1,12,cc1,cc1 b.c,2,1
	1,14,kthread,,,1
	1,10,make,make -j all,3,1
	2,,nginx,worker,1,
	END
'

test_expect_success 'those of a name; or of a part of name or command line' '
	csv cc1 && sort >want <<-END && test_cmp want got &&
	11,,cc1,cc1 a.c,2,1
	12,,cc1,cc1 b.c,2,1
	13,,cc1,cc1 a.c,2,1
	END
	csv A.C && sort >want <<-END && test_cmp want got &&
	11,,cc1,cc1 a.c,2,1
	13,,cc1,cc1 a.c,2,1
	END
	csv thread && echo 14,,kthread,,,1 >want && test_cmp want got &&
	csv all && test 7 = "$(wc -l <got)"
'

test_expect_success 'a name that is not there' '
	test_expect_code 1 er_print -processes nginy a.er 2>err &&
	test_grep "no process is called .nginy., nor .* did you mean nginx?" err &&
	printf "processes cc1\nprocesses\n" | er_print a.er >got && test_grep "12  *cc1" got
'

test_expect_success 'a filter leaves out processes without samples' '
	er_print -filters "PID == 12" -processes a.er >got && test_grep " 1 *12 *cc1 *cc1 b.c" got
'

test_expect_success 'the overview names them, and objects of one name by their paths' '
	er_print -overview a.er >got && test_grep "^By: *cc1 (3 processes) 47 %, nginx (2 processes) 40 %, " got &&
	printf "main 1\n" | mkexp one.er && er_print -overview one.er >got && test_no_grep "^By:" got &&
	printf "%s\n" "/x/libf.so!f 1" "/y/libf.so!f 2" "libg.so!f 1" | mkexp two.er && er_print -overview two.er >got &&
	test_grep "^In: */y/libf.so 50 %, /x/libf.so 25 %, libg.so 25 %" got
'

test_expect_success 'unsampled counts have an object of their own' '
	printf "%s\n" "main 3" "<unsampled> 1" "<no_rule>;main 1" | mkexp un.er &&
	er_print -overview -objects -object_list un.er >got &&
	test_grep "^In: *a.out 80 %, <Unsampled> 20 %" got && test_grep "20.00 .* <Unsampled>$" got &&
	test_grep "shown *<Truncated>$" got && test_no_grep "artificial\|ringprof" got
'

test_expect_success 'compared, by name or command line' '
	cat >stacks <<-END && mkexp b.er <stacks &&
	thread 20 20 cc1
	args cc1 a.c
	main 5
	END
	er_print -json -compare on -processes -processes commands a.er b.er >got.json &&
	holds got.json "[r[\"name\"] for r in d[\"compare_processes\"] if r[\"name\"] == \"cc1\"] == [\"cc1\"]" &&
	holds got.json "next(r for r in d[\"compare_processes\"] if r[\"name\"] == \"cc1\")[\"base_count\"] == 3" &&
	holds got.json "next(r for r in d[\"compare_processes_2\"] if r[\"name\"] == \"cc1 a.c\")[\"base_count\"] == 2"
'

cat >rows.py <<'EOF'
import collections, csv, random, subprocess, sys
seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(10**9)
rng = random.Random(seed)
names = ["n" + "".join(rng.choice("abcxyz-_") for _ in range(rng.randint(1, 6))) for _ in range(8)]
words = ["x", "y", ".", "a=b", "$v", "'", "--long-option", "é"]
lines, processes = [], []
for pid in range(100, 100 + rng.randint(5, 80)):
    name, samples = rng.choice(names), rng.randint(0, 9)
    args = [rng.choice(words) for _ in range(rng.randint(0, 3))]
    lines.append(f"thread {pid} {pid} {name}")
    if args:
        lines.append("args " + " ".join(args))
    lines.append(f"main {samples}")
    if samples:
        processes.append((pid, name, tuple("" if a == "." else a for a in args), samples))
subprocess.run(["sh", "-c", "rm -rf r.er; mkexp r.er"],
               input="\n".join(lines) + "\n", text=True, check=True)

def quoted(args):
    import re
    def one(a):
        return a if a and re.fullmatch(r"[A-Za-z0-9_\-+=./,:@%^]+", a) else "'" + a.replace("'", "'\\''") + "'"
    return args[0] if len(args) == 1 else " ".join(map(one, args))

def rows(*words):
    out = subprocess.run(["er_print", "-json", "-processes", *words, "r.er"], check=True,
                         capture_output=True).stdout
    import json
    return json.loads(out)["processes"]

def fields(r, *keys):
    return tuple(r.get(k) for k in keys) + (r["exclusive"]["totalcpu"]["samples"],)

def grouped(key):
    groups = collections.defaultdict(list)
    for p in processes:
        groups[key(p)].append(p)
    want = []
    for ps in groups.values():
        own = {p[2] for p in ps}
        args = own.pop() if len(own) == 1 else ()
        want.append((len(ps), ps[0][0] if len(ps) == 1 else None, ps[0][1],
                     quoted(args) if args else None, len(args) or None, sum(p[3] for p in ps)))
    return sorted(map(repr, want))

keys = "processes", "process", "name", "command_line", "arguments"
assert grouped(lambda p: p[1]) == sorted(repr(fields(r, *keys)) for r in rows()), seed
assert grouped(lambda p: p[1:3]) == sorted(repr(fields(r, *keys)) for r in rows("commands")), seed
for name in {p[1] for p in processes} | {None}:
    want = sorted(repr((p[0], p[1], quoted(p[2]) if p[2] else None, p[3]))
                  for p in processes if name in (None, p[1]))
    got = rows(name or "all")
    assert want == sorted(repr(fields(r, "process", "name", "command_line")) for r in got), (seed, name)
EOF
test_expect_success 'random processes add up' '
	for i in 1 2 3 4 5 6 7 8; do python3 rows.py || return 1; done
'
test_done
