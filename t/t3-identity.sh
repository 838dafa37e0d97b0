# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Functions that share a name: static ones of several files, methods of unnamed
# namespaces, inlined ones.  The programs are generated and what they have is known; the
# recordings are computed from their symbol tables, so that every number is.
. "$RP_SRC/t/lib.sh"

CC=${CC:-gcc} CXX=${CXX:-g++}
need "$CC" "$CXX" nm python3

# A program of files that each have a static work(), an unnamed namespace's Job::run(), an
# inlined step() and a root of their own; and a static function of a header in each.
# build NAME LINES-BEFORE EXTRA-FILES OPTIONS…
build() {
	name=$1 before=$2 files=$3 && shift 3 && mkdir -p "$name.src" &&
		echo 'static __attribute__((noinline, noclone)) int shared(int n) { return n * sink; }' \
			>"$name.src/shared.h" || return 1
	for file in $files; do
		{
			yes '' | head -n "$before"
			cat <<-END
			static volatile int sink;
			#include "shared.h"
			static __attribute__((noinline, noclone)) int work(int n)
			{ for (int i = 0; i < n; i++) sink += i * ${#file}; return sink + shared(n); }
			static inline __attribute__((always_inline)) int step(int n)
			{ sink ^= n; sink += n * 3; return sink; }
			namespace { struct Job {
			__attribute__((noinline, noclone)) int run(int n) { sink += n; return work(n) + 1; } }; }
			extern "C" __attribute__((noinline, noclone)) int root_$file(int n)
			{ Job job; int all = job.run(n); all += step(n); return all + 1; }
			END
		} >"$name.src/$file.cc"
		printf 'extern "C" int root_%s(int);\n' "$file" >>"$name.src/main.cc"
	done
	printf 'int main() { return 0' >>"$name.src/main.cc" &&
		for file in $files; do printf ' + root_%s(1)' "$file"; done >>"$name.src/main.cc" &&
		echo '; }' >>"$name.src/main.cc" &&
		( cd "$name.src" && "$CXX" -O1 -fno-ipa-icf -gdwarf-4 -o "../$name" "$@" ./*.cc ) && rm "$name.src/main.cc"
}

# Independent of er_print: the symbol table by nm and readelf, inlined calls by addr2line.
# A function is its linkage name and its source file, "" where no other has that name.
cat >oracle.py <<'END'
import collections, json, os, random, re, subprocess, sys

def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout

class Program:
    def __init__(self, path):
        self.path, self.functions, here, files = path, [], "", collections.defaultdict(set)
        rows = []
        for line in run("readelf", "-sW", path).splitlines():
            f = line.split()
            if len(f) < 8 or not f[0][:-1].isdigit():
                continue
            if f[3] == "FILE":
                here = f[7]
            elif f[3] == "FUNC" and re.match(r"(_ZL|_ZN12_|root_|main$)", f[7]):
                rows.append((int(f[1], 16), int(f[2]), f[7], here if f[4] == "LOCAL" else ""))
        self.functions = sorted(set(rows))
        self.frames = {}

    def draw(self, generator, count):
        stacks = [[(f, f[0] + generator.randrange(f[1])) for f in
                   generator.sample(self.functions, generator.randint(1, 7))] for _ in range(count)]
        self.ask(sorted({at for stack in stacks for _, at in stack}))
        return [(stack, generator.randint(1, 9)) for stack in stacks]

    def ask(self, addresses):
        """The functions that were inlined at each address, outermost first."""
        text = run("addr2line", "-afie", self.path, text="".join("%x\n" % a for a in addresses))
        parts = re.split(r"^0x0*([0-9a-f]+)\n", text, flags=re.M)[1:]
        for address, lines in zip(parts[::2], parts[1::2]):
            lines = lines.split("\n")
            inlined = list(zip(lines[0::2], lines[1::2]))[:-1]
            # step() is all that is inlined; the names that addr2line has are wrong at times
            self.frames[int(address, 16)] = [("step", os.path.basename(path.split(":")[0]))
                                             for _, path in inlined]

    def keys(self, stack):
        out = []
        for f, at in stack:
            out.append((f[2], f[3]))
            out += self.frames[at]
        return out

def sums(program, stacks):
    exclusive, inclusive, edges = (collections.Counter() for _ in range(3))
    paths = collections.Counter()
    for stack, count in stacks:
        keys = program.keys(stack)
        exclusive[keys[-1]] += count
        for key in set(keys):
            inclusive[key] += count
        edges.update({pair: count for pair in zip(keys, keys[1:])})
        for i in range(len(keys)):
            paths[tuple(keys[:i + 1])] += count
    return exclusive, inclusive, edges, paths

def key_of(row):
    told = re.search(r" \(([^()]*)\)$", row["name"].replace("(int)", ""))
    return row["linkage_name"], told[1].split(":")[0] if told else ""

def same(what, want, got):
    want, got = +collections.Counter(want), +collections.Counter(got)
    for key in sorted(set(want) | set(got), key=str):
        if want[key] != got[key]:
            sys.exit(f"{what}: {key}: {want[key]} is right, not {got[key]}")

def of_speedscope(document, names):
    got = collections.Counter()
    frames = [names[f["name"]] if f["name"] in names else None for f in document["shared"]["frames"]]
    profile = document["profiles"][0]
    for stack, weight in zip(profile["samples"], profile["weights"]):
        got[tuple(frames[f] for f in stack)] += weight
    return got

def of_callgrind(text, names):
    got, here, called = collections.Counter(), None, False
    for line in text.splitlines():
        if line.startswith("fn="):
            here = names[line.split(") ", 1)[1]]
        elif line.startswith("calls="):
            called = True
        elif line[:1].isdigit():
            got[here] += 0 if called else int(line.split()[1])
            called = False
    return got

def check(program, stacks, report, out):
    with open(out + ".collapsed") as f, open(out + ".speedscope") as g, open(out + ".callgrind") as h:
        collapsed, speedscope, callgrind = f.read(), json.load(g), h.read()
    exclusive, inclusive, edges, paths = sums(program, stacks)
    metric = report["metrics"][0]["id"]
    rows = [r for r in report["functions"] if r["name"] != "<Total>"]
    keys = {r["function_id"]: key_of(r) for r in rows}
    assert len(keys) == len(rows) == len(set(keys.values())), "functions share an id or a name"
    same("exclusive", exclusive, {key_of(r): r["exclusive"][metric]["samples"] for r in rows})
    same("inclusive", inclusive, {key_of(r): r["inclusive"][metric]["samples"] for r in rows})
    calls, centres = report["callers_callees"], {}
    for r in calls:
        if r["relation"] == "self":
            centres[r["id"]] = keys[r["function_id"]]
    for relation in ("caller", "callee"):
        got = collections.Counter()
        for r in calls:
            if r["relation"] == relation and r["name"] != "<Total>":
                pair = keys[r["function_id"]], centres[r["parent"]]
                got[pair if relation == "caller" else pair[::-1]] += r["attributed"][metric]["samples"]
        same(relation, edges, got)
    nodes, got = {0: ()}, collections.Counter()
    for r in report["calltree"]:
        if r["name"] != "<Total>":
            nodes[r["id"]] = nodes[r["parent"]] + (keys[r["function_id"]],)
            got[nodes[r["id"]]] += r["attributed"][metric]["samples"]
    same("call tree", paths, got)
    names, got = {r["name"]: key_of(r) for r in rows}, collections.Counter()
    for line in collapsed.splitlines():
        stack, weight = line.rsplit(" ", 1)
        got[tuple(names[n] for n in stack.split(";"))] += int(weight)
    leaves = collections.Counter()
    for stack, count in stacks:
        leaves[tuple(program.keys(stack))] += 1000000 * count
    same("collapsed", leaves, got)
    same("speedscope", leaves, of_speedscope(speedscope, names))
    same("callgrind", {k: 1000000 * n for k, n in exclusive.items()}, of_callgrind(callgrind, names))

def main(action, path, seed, out):
    program = Program(path)
    stacks = program.draw(random.Random(int(seed)), 80)
    if action == "make":
        build = re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", path))[1]
        with open(out, "w") as f:
            print(f"arg {path}\nmodule a.out={path}\nmodule a.out#{build}", file=f)
            for stack, count in stacks:
                print(";".join("a.out!+0x%x" % at for _, at in stack), count, file=f)
            print("running", file=f)
    else:
        with open(out + ".json") as f:
            check(program, stacks, json.load(f), out)

main(*sys.argv[1:])
END

# record PROGRAM SEED: NAME.er.
record() {
	python3 oracle.py make "$PWD/$1" "$2" folded && rm -rf "$1.er" &&
		mkexp "$1.er" <folded
}

# -Wl,-z,separate-code: offsets are addresses in a PIE's text, as nm and mkexp have them.
test_expect_success 'the programs' '
	build one 0 "aa bbb cccc" -pie -fPIE -Wl,--build-id,-z,separate-code &&
	build two 3 "aa bbb cccc ddddd" -pie -fPIE -Wl,--build-id,-z,separate-code &&
	test "$(nm one | grep -c " t _ZL4worki$")" -eq 3
'

for program in one two; do
	for seed in 1 2 3 4; do
		test_expect_success "$program, draw $seed: equal names are separate in all views" "
			record $program $seed &&
			er_print -json -limit 0 -functions -callers-callees -calltree 0 $program.er >$program.json &&
			for form in collapsed speedscope callgrind; do
				er_print -export \$form $program.\$form $program.er || return 1
			done &&
			python3 oracle.py check \$PWD/$program $seed $program
		"
	done
done

test_expect_success 'a number, or the name as it is shown, chooses one' '
	test_expect_code 1 er_print -fsingle _ZL4worki one.er 2>err &&
	test_grep "matches 3 functions.* 2 .*work(int) (" err &&
	er_print -fsingle _ZL4worki 2 one.er >out && test_grep "work(int) (" out &&
	er_print -functions one.er | sed -n "s/.* \(work(int) (aa.cc.*\)/\1/p" >name &&
	er_print -fsingle "$(cat name)" one.er >out && test_grep "Name: *work(int) (aa.cc:3)" out &&
	er_print -disasm "$(cat name)" one.er >dis && test_grep "Instructions of work(int) (aa.cc:3)" dis
'

test_expect_success 'filters distinguish them' '
	er_print -json -functions one.er >all.json &&
	er_print -json -filters "FNAME(\"^work.int. .aa.cc:3.\") IN STACK" -functions one.er >got.json &&
	holds got.json "total == incl(\"work(int) (aa.cc:3)\") > 0 == incl(\"work(int) (x.cc:3)\")" &&
	samples() { python3 -c "import json; print(next(r for r in json.load(open(\"$1\"))[\"functions\"] if r[\"name\"] == \"work(int) (aa.cc:3)\")[\"inclusive\"][\"totalcpu\"][\"samples\"])"; } &&
	test "$(samples all.json)" = "$(samples got.json)"
'

# Each name and file has one row: of the base's as many samples as the oracle has.
cat >compared.py <<'END'
import json, re, sys
rows = [r for r in json.load(open(sys.argv[1]))["compare"] if r["name"] != "<Total>"]
names = [re.sub(r":\d+\)", ")", r["name"]) for r in rows]
assert len(names) == len(set(names)), sorted(names)
for name in ("work(int)", "(anonymous namespace)::Job::run(int)", "step"):
    for file in ("aa", "bbb", "cccc", "ddddd"):
        assert f"{name} ({file}.cc)" in names, (name, file, names)
        row = rows[names.index(f"{name} ({file}.cc)")]
        for side in ("base", "other"):
            samples = row[side]["inclusive"]["totalcpu"]["samples"]
            assert (samples > 0) == (side == "other" or file != "ddddd"), row
END

test_expect_success 'compare finds each in another build, where lines and numbers differ' '
	record one 9 && record two 9 &&
	er_print -json -limit 0 -sort i.totalcpu -compare on one.er two.er >compared.json &&
	python3 compared.py compared.json
'

# What a recording stores of symbols is enough, without any file.
test_expect_success 'stored symbols differ by file, number and place' '
	printf "%s 1\n" "main;f~a.c#1" "main;f~b.c#1;f~b.c#2" "main;once" | mkexp stored.er &&
	er_print -json -functions stored.er >stored.json &&
	holds stored.json "sorted(n.split(\"+\")[0] for n in names if n[0] == \"f\") == [\"f (a.c)\", \"f (a.out\", \"f (a.out\"]" &&
	holds stored.json "sorted(incl(n) for n in names if n[0] == \"f\") == [0.001] * 3" &&
	holds stored.json "incl(\"f (a.c)\") == 0.001 and incl(\"once\") == 0.001" &&
	holds stored.json "len({r[\"function_id\"] for r in fn}) == len(fn) == 5"
'

test_expect_success 'a bare name matches all functions of that name, even one that is alone in its object' '
	printf "%s\n" "main;f~a.c#1 3" "main;f~b.c#1 2" "main;libx.so!f 1" | mkexp mixed.er &&
	for command in fsingle csingle cprepend cappend source disasm; do
		test_expect_code 1 er_print -csingle main -$command f mixed.er >/dev/null 2>err &&
		test_grep "matches 3 functions; choose one by its number: 1 f (a.c) (a.out), 2 f (b.c) (a.out), 3 f (libx.so)" err ||
			return 1
	done &&
	for n in 1 2 3; do er_print -fsingle f $n mixed.er | sed -n "s/^Exclusive.*: //p"; done >got &&
	printf "%s sec. %s %%\n" 0.003 " 50.00" 0.002 " 33.33" 0.001 " 16.67" >want && test_cmp want got &&
	er_print -name long:soname -fsingle "f (b.c)" mixed.er >out && test_grep "f (b.c) .a.out." out
'

test_expect_success 'rows of equal weight are in the order of their displayed names' '
	printf "%s 1\n" main _Z1bi _ZN1a1xEv "lib.so!_Z1bi" "f~b.c#1" "f~a.c#1" | mkexp equal.er &&
	for style in long short mangled; do
		er_print -json -name $style -functions equal.er >equal.json &&
		holds equal.json "len(names) == 6 and names == sorted(names)" || return 1
	done
'

test_expect_success '… and are the same in another recording, whichever of them it has' '
	printf "%s 1\n" "x;y;z;f~b.c#2" "main" | mkexp other.er &&
	er_print -json -functions other.er >other.json &&
	er_print -json -functions stored.er other.er >both.json &&
	holds both.json "sorted(incl(n) for n in names if n[0] == \"f\") == [0.001, 0.001, 0.002]" &&
	python3 -c "
import json
ids = [{r[\"function_id\"] for r in json.load(open(f))[\"functions\"] if r[\"linkage_name\"] == \"f\"} for f in (\"stored.json\", \"other.json\", \"both.json\")]
assert len(ids[1]) == 1 and ids[1] < ids[0] == ids[2], ids"
'

test_expect_success 'a recording without numbers: places distinguish them' '
	printf "%s 1\n" "main;f~#0" "main;f~x#0" | mkexp old.er &&
	er_print -json -functions old.er >old.json &&
	holds old.json "sorted(incl(n) for n in names if n[0] == \"f\") == [0.001] * 2"
'

test_expect_success 'functions of several objects have the object behind their names, in all views' '
	printf "%s\n" "main;libfoo.so!init;work 3" "main;libbar.so!init 2" | mkexp objects.er &&
	for view in functions callers-callees calltree pcs lines "export collapsed -"; do
		er_print -$view objects.er >out && test_grep "init (libfoo.so)" out && test_grep "init (libbar.so)" out &&
			test_no_grep "work (\|main (" out || return 1
	done &&
	er_print -overview objects.er >out && test_grep "Mostly below: *main > init (libfoo.so) > work" out &&
	er_print -json -functions objects.er >objects.json &&
	holds objects.json "len({r[\"function_id\"] for r in fn}) == len(names) == 4" &&
	test_expect_code 1 er_print -fsingle init objects.er 2>err &&
	test_grep "number: 1 init (libbar.so), 2 init (libfoo.so)$" err &&
	er_print -fsingle "init (libbar.so)" objects.er >out && test_grep "Name: *init (libbar.so)" out &&
	er_print -name long:soname -functions objects.er >out && test_grep "init \[libbar.so\]" out &&
	er_print -filters "FNAME(\"init .libbar.so.\") IN STACK" -functions objects.er >out &&
	test_no_grep libfoo out && test_grep libbar out
'

test_expect_success 'function_id stays where a name does not, in JSON and CSV' '
	printf "%s\n" "main;libfoo.so!init;work 3" | mkexp alone.er &&
	for run in alone objects; do
		er_print -json -functions $run.er >$run.json && er_print -printmode , -functions $run.er >$run.csv || return 1
	done &&
	python3 -c "
import csv, json
def rows(run):
    in_json = json.load(open(run + \".json\"))[\"functions\"]
    in_csv = list(csv.DictReader(open(run + \".csv\", newline=\"\")))
    keys = (\"name\", \"object\", \"function_id\")
    assert [[r[k] for k in keys] for r in in_json] == [[r[k] for k in keys] for r in in_csv]
    return {(r[\"object\"], r[\"linkage_name\"]): (r[\"name\"], r[\"function_id\"]) for r in in_json}
alone, both = rows(\"alone\")[\"libfoo.so\", \"init\"], rows(\"objects\")[\"libfoo.so\", \"init\"]
assert alone[0] == \"init\" and both[0] == \"init (libfoo.so)\" and alone[1] == both[1], (alone, both)"
'

test_expect_success 'objects of one name are shown by their paths' '
	printf "%s\n" "module one=/a/libx.so" "module two=/b/libx.so" "main;one!init 3" "main;two!init 2" |
		mkexp paths.er &&
	er_print -functions paths.er >out && test_grep "init (/a/libx.so)" out && test_grep "init (/b/libx.so)" out
'

test_expect_success 'what a C++ compiler makes of one constructor or destructor has a word for it' '
	printf "%s 1\n" _ZN3FooC1Ev _ZN3FooC2Ev _ZN3FooD0Ev _ZN3FooD2Ev _ZN3BarC1Ev "libx.so!_ZN3BarC2Ev" \
		_ZN3QuxC1Ev _ZN3QuxC2Ev "libx.so!_ZN3QuxC1Ev" "libx.so!_ZN3QuxC2Ev" | mkexp clones.er &&
	er_print -json -functions clones.er >clones.json &&
	holds clones.json "sorted(names) == [
		\"Bar::Bar() (a.out)\", \"Bar::Bar() (libx.so)\", \"Foo::Foo() (base object)\",
		\"Foo::Foo() (complete object)\", \"Foo::~Foo() (base object)\", \"Foo::~Foo() (deleting)\",
		\"Qux::Qux() (base object, a.out)\", \"Qux::Qux() (base object, libx.so)\",
		\"Qux::Qux() (complete object, a.out)\", \"Qux::Qux() (complete object, libx.so)\"]" &&
	er_print -json -name mangled -functions clones.er >mangled.json &&
	holds mangled.json "\"_ZN3FooC1Ev\" in names and \"_ZN3QuxC1Ev (libx.so)\" in names"
'

test_expect_success 'two sides of a comparison share a name, and their objects are none' '
	printf "%s\n" "arg /a/prog" "module p=/a/prog" "p!main;libx.so!init;p!run 1" "p!main;libx.so!init 1" "p!main 1" | mkexp sides1.er &&
	printf "%s\n" "arg /b/prog2" "module p=/b/prog2" "p!main;p!init;p!run 1" "p!main;p!init 1" "p!main 1" | mkexp sides2.er &&
	er_print -json -compare on -functions sides1.er sides2.er >sides.json &&
	python3 -c "
import json
rows = json.load(open(\"sides.json\"))[\"compare\"]
assert sorted(r[\"name\"] for r in rows) == [\"<Total>\", \"init (libx.so)\", \"init (prog)\", \"main\", \"run\"], rows"
'

# shares FILTER [COMMAND…]: the totals of both sides that the filter leaves, in seconds.
shares() {
	filter=$1 && shift
	er_print -json -compare on "$@" -filters "$filter" -functions sides1.er sides2.er >shares.json &&
		python3 -c "
import json
row = json.load(open(\"shares.json\"))[\"compare\"][0]
print(*(round(1000 * row[s][\"exclusive\"][\"totalcpu\"][\"value\"]) for s in (\"base\", \"other\")))"
}

# Each run has 1 ms in run below init, 1 in init, 1 in main; init is in libx.so in the one, in the
# program in the other, whose name differs.
test_expect_success 'filters see the names that a comparison shows, and fit both sides' '
	test "0 2" = "$(shares "FNAME(\"init .prog.\") SOME IN STACK")" &&
	test "2 0" = "$(shares "FNAME(\"init .libx.so.\") SOME IN STACK")" &&
	test "2 2" = "$(shares "FNAME(\"init\") SOME IN STACK")" &&
	test "2 3" = "$(shares "OBJNAME(\"prog\") SOME IN LEAF")" &&
	test "2 3" = "$(shares "OBJNAME(\"prog2\") SOME IN LEAF")" &&
	test "1 1" = "$(shares "FNAME(\"run .prog.\") SOME IN STACK" -name mangled:soname)" &&
	test "0 2" = "$(shares "FNAME(\"init .prog.\") SOME IN STACK" -name mangled:soname)"
'

test_expect_success '… as long as it compares, and in the style of names that is shown' '
	printf "%s\n" "compare on" "filters OBJNAME(\"prog\") SOME IN LEAF" "compare off" "limit 1" functions \
		"compare on" "limit 1" functions >script &&
	er_print -script script sides1.er sides2.er >got &&
	test_grep "^ *0.002 100.00 .*<Total>" got && test_grep "^ *0.002 100.00 *0.003 100.00 .*<Total>" got &&
	er_print -json -name mangled -filters "FNAME(\"_ZN3QuxC1Ev .libx.so.\") SOME IN STACK" -functions \
		clones.er >got.json && holds got.json "names == [\"_ZN3QuxC1Ev (libx.so)\"]" &&
	er_print -json -filters "FNAME(\"_ZN3QuxC1Ev .libx.so.\") SOME IN STACK" -name mangled -functions \
		clones.er >got.json && holds got.json "names == [\"_ZN3QuxC1Ev (libx.so)\"]" &&
	er_print -json -filters "FNAME(\"work .a.out.\") SOME IN STACK" -name long:soname -functions \
		objects.er >got.json &&
	holds got.json "names == [\"work [a.out]\", \"init [libfoo.so]\", \"main [a.out]\"]" &&
	er_print -json -filters "FNAME(\"work .a.out.\") SOME IN STACK" -functions objects.er >got.json &&
	holds got.json "names == []"
'

# The collector's part, in C and without debug information.
set_sampling
test_expect_success SAMPLING 'a live recording keeps them, also without the program' '
	for file in aa bb; do
		printf "static volatile int x;\nstatic __attribute__((noinline)) void spin(void) { for (int i = 0; i < 100000000; i++) x += i; }\nvoid root_%s(void) { spin(); x++; }\n" $file >$file.c
	done &&
	echo "void root_aa(void); void root_bb(void); int main(void) { root_aa(); root_bb(); return 0; }" >main.c &&
	$CC -O1 -o live aa.c bb.c main.c && collect -o live.er ./live >out 2>&1 && rm live &&
	er_print -json -functions -callers-callees live.er >live.json &&
	holds live.json "excl(\"spin (aa.c)\") > 0.01 and excl(\"spin (bb.c)\") > 0.01" &&
	holds live.json "incl(\"root_aa\") >= excl(\"spin (aa.c)\") and row(\"spin\") is None"
'

test_done
