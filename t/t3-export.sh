# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Exports, read by other programs, equal the call tree.
. "$RP_SRC/t/lib.sh"
need python3

mkexp a.er <<'END'
event totalcpu ns 1000003 0 1 Total CPU Time
event cycles cycles 1000 0 1.5 CPU Cycles
on totalcpu
main;parse;lib.so!read 3
main;parse 2
main;parse;main;parse 1
main;a"b;lib.so!x,y 4
<no_rule>;h 1
. 2
on cycles
main;parse 5
[kernel]!sys_read 2
END
er_print -json -recursion full -calltree 0 a.er >tree.json || test_bug 'no tree'

# same.py METRIC UNIT TREE: a list of stacks, each with its weight, made from
# the export, is what the JSON call tree says of METRIC.
cat >same.py <<'END'
import collections, csv, json, sys
metric, unit = sys.argv[1], float(sys.argv[2])
paths, want = {}, {}
for row in json.load(open(sys.argv[3]))["calltree"]:
    above = paths.get(row["parent"])
    paths[row["id"]] = path = () if above is None else above + (row["name"].replace(";", ":"),)
    value = round(row["attributed"][metric]["value"] / unit)
    if value and path:
        want[path] = want.get(path, 0) + value  # _start of the program, and of ld.so
got = collections.Counter()
for path, weight in eval(sys.stdin.read()):
    for end in range(1, len(path) + 1):
        if weight:
            got[path[:end]] += weight
differ = [p for p in got.keys() | want.keys() if got.get(p, 0) != want.get(p, 0)]
for path in sorted(differ)[:10]:
    print("…" + ";".join(path[-4:]), "exported", got.get(path, 0), "tree", want.get(path, 0))
sys.exit(bool(differ))
END

test_expect_success 'collapsed stacks merge to the call tree' '
	er_print -export collapsed out a.er &&
	test_grep "^main;parse;main;parse 1000003$" out &&
	python3 same.py totalcpu 1e-9 tree.json <<-END &&
	[(tuple(l.rsplit(" ", 1)[0].split(";")), int(l.rsplit(" ", 1)[1])) for l in open("out")]
	END
	er_print -sort e.cycles -export collapsed out a.er &&
	printf "%s\n" "main;parse 7500" "sys_read 3000" >want && sort out | test_cmp want -
'

test_expect_success 'names cannot split stacks or lines' '
	printf "a b;c\\td 2\n" | mkexp odd.er &&
	er_print -export collapsed out odd.er && printf "%s\n" "a b;c?d 2000000" >want &&
	test_cmp want out
'

test_expect_success 'speedscope: a document by its schema' '
	er_print -export speedscope out a.er &&
	python3 -c "
import json
d = json.load(open(\"out\"))
assert d[\"\$schema\"] == \"https://www.speedscope.app/file-format-schema.json\"
frames = d[\"shared\"][\"frames\"]
assert all(set(f) == {\"name\", \"file\"} and isinstance(f[\"name\"], str) for f in frames)
assert [p[\"unit\"] for p in d[\"profiles\"]] == [\"nanoseconds\", \"none\"]
for p in d[\"profiles\"]:
    assert set(p) == {\"type\", \"name\", \"unit\", \"startValue\", \"endValue\", \"samples\", \"weights\"}
    assert p[\"type\"] == \"sampled\" and p[\"startValue\"] == 0
    assert len(p[\"samples\"]) == len(p[\"weights\"])
    assert sum(p[\"weights\"]) == p[\"endValue\"]
    assert all(0 <= f < len(frames) for s in p[\"samples\"] for f in s)
assert d[\"profiles\"][0][\"endValue\"] == 13 * 1000003
" &&
	python3 same.py totalcpu 1e-9 tree.json <<-END
	[(tuple(d["shared"]["frames"][f]["name"] for f in s), w) for d in [json.load(open("out"))]
	 for s, w in zip(d["profiles"][0]["samples"], d["profiles"][0]["weights"])]
	END
'

# Threads that take turns, two events, one of them scaled, and what no sample stands for.
python3 - <<'END' | mkexp turns.er
import random
rnd = random.Random(5)
print("event totalcpu ns 1000003 0 1 Total CPU Time")
print("event cycles cycles 1001 0 1.3 CPU Cycles")
for i in range(400):
    tid = rnd.choice([71, 71, 72, 73])
    print(f"thread 71 {tid} t{tid}")
    print("on", rnd.choice(["totalcpu", "totalcpu", "cycles"]))
    print(";".join(["main"] + rnd.choices("fgh", k=rnd.randint(0, 3))), rnd.randint(1, 3))
print("on totalcpu")
print("<unsampled> 7")
END

# Of each thread: the leaves in the order of time with their weights, as "export samples"
# has them, and no profile but these is in an order that it does not say it lacks.
test_expect_success 'speedscope: the samples of each thread in the order of time' '
	er_print -export speedscope out -export samples samples.csv -json -recursion full -calltree 0 turns.er >turns.json &&
	python3 - <<-\END &&
	import collections, csv, itertools, json
	d = json.load(open("out"))
	names = [f["name"] for f in d["shared"]["frames"]]
	labels = {"totalcpu": "Total CPU Time", "cycles": "CPU Cycles"}
	scale = {"totalcpu": 1, "cycles": 1.3}
	want = collections.defaultdict(list)
	rows = list(csv.DictReader(open("samples.csv", newline="")))
	for row in sorted(rows, key=lambda r: int(r["time_ns"])):
	    if row["function"] != "<Unsampled>":
	        name = labels[row["metric"]] + ": t" + row["tid"] + (
	            "" if row["tid"] == "71" else " of t71") + " (71/" + row["tid"] + ")"
	        want[name].append((row["function"], int(row["weight"]) * scale[row["metric"]]))
	def runs(pairs):
	    return [(k, sum(w for _, w in g)) for k, g in itertools.groupby(pairs, lambda p: p[0])]
	timed = {p["name"]: p for p in d["profiles"] if "not in the order" not in p["name"]}
	assert set(timed) == set(want) and len(want) == 6, (set(timed), set(want))
	for name, pairs in want.items():
	    p = timed[name]
	    got = runs([(names[s[-1]], w) for s, w in zip(p["samples"], p["weights"])])
	    assert [g[0] for g in got] == [r[0] for r in runs(pairs)], name
	    assert all(abs(g[1] - r[1]) < 1.001 for g, r in zip(got, runs(pairs))), name
	    assert abs(p["endValue"] - sum(w for _, w in pairs)) <= 0.5 and p["endValue"] == sum(p["weights"])
	whole = [p for p in d["profiles"] if p["name"] not in timed]
	assert [p["name"] for p in whole] == [l + ": all, not in the order of time" for l in labels.values()]
	assert all(p["weights"] == sorted(p["weights"], reverse=True) for p in whole)
	assert sum("<Unsampled>" in (names[s[-1]] for s in p["samples"]) for p in d["profiles"]) == 1
	order = [p["name"] for p in d["profiles"]]
	assert d["activeProfileIndex"] == 1 and order[0] == whole[0]["name"] and order[1] in timed
	weight = [p["endValue"] for p in d["profiles"]][1:4]
	assert weight == sorted(weight, reverse=True)
	END
	python3 same.py totalcpu 1e-9 turns.json <<-END
	[(tuple(d["shared"]["frames"][f]["name"] for f in s), w) for d in [json.load(open("out"))]
	 for p in d["profiles"][:1] for s, w in zip(p["samples"], p["weights"])]
	END
'

test_expect_success 'speedscope: a recording without times has no order' '
	printf "step 0\nmain;f 2\nmain;g 5\nmain;f 4\nmain 1\n" | mkexp timeless.er &&
	er_print -export speedscope out timeless.er &&
	python3 -c "
import json
d = json.load(open(\"out\"))
assert [p[\"name\"] for p in d[\"profiles\"]] == [\"Total CPU Time: all, not in the order of time\"]
assert d[\"profiles\"][0][\"weights\"] == [6000000, 5000000, 1000000]
"
'

test_expect_success 'CSV has every node with its parent' '
	er_print -export csv out a.er &&
	python3 -c "
import csv, json
rows = list(csv.DictReader(open(\"out\", newline=\"\")))
assert any(r[\"name\"] == \"sys_read\" and r[\"exclusive_cycles_count\"] == \"3000\" for r in rows)
tree = json.load(open(\"tree.json\"))[\"calltree\"]
assert len(rows) == len(tree)
assert rows[0][\"name\"] == \"<Total>\" and rows[0][\"parent\"] == \"\"
assert all(int(r[\"parent\"]) < int(r[\"id\"]) for r in rows[1:])
key = lambda name, value: (name, round(value, 9))
assert sorted(key(r[\"name\"], float(r[\"inclusive_totalcpu_seconds\"])) for r in rows) == \
    sorted(key(r[\"name\"], r[\"attributed\"][\"totalcpu\"][\"value\"]) for r in tree)
assert any(r[\"name\"] == \"x,y\" and r[\"object\"] == \"lib.so\" for r in rows)
"
'

# ---- pprof ----

# lacks PPROF: why go's reader cannot be asked; nothing where it can.
HOME=$PWD GOCACHE=$PWD/go GOFLAGS=-mod=mod && export GOCACHE GOFLAGS
er_print -export pprof a.pb.gz a.er 2>err || :
if [ ! -s a.pb.gz ]; then
	test_set_prereq PPROF 'er_print was built without protobuf-c'
	test_expect_success 'without protobuf-c pprof is refused, with the reason' '
		test_expect_code 2 er_print -export pprof out a.er 2>err &&
		test_grep "built without protobuf-c" err
	'
elif ! go tool pprof -raw a.pb.gz >raw 2>/dev/null; then
	test_set_prereq PPROF 'go tool pprof is not installed'
else
	test_set_prereq PPROF
fi

# raw.py FILE METRIC: the stacks that `go tool pprof -raw` reads there, as same.py wants them.
cat >raw.py <<'END'
import re, subprocess, sys
labels = []
def stacks(path, metric):
    text = subprocess.run(["go", "tool", "pprof", "-raw", path], check=True,
                          capture_output=True, text=True).stdout
    samples, rest = text.split("\nLocations\n")
    rest = rest.split("\nMappings\n")[0]
    samples = samples.split("Samples:\n")[1].splitlines()
    types = [t.split("/")[0] for t in samples[0].split()]
    places, number = {}, None
    for line in rest.splitlines():
        m = re.match(r"\s+(?:(\d+): 0x[0-9a-f]+ (?:M=\d+ )?)?(.*) \S*:\d+(?::\d+)? s=\d+", line)
        number = int(m.group(1)) if m.group(1) else number
        places.setdefault(number, []).append(m.group(2).strip())
    for line in samples[1:]:
        if ":[" in line:
            labels.append(dict(re.findall(r"(\w+):\[(\S*?)\]", line)))
            continue
        values, ids = line.split(": ")
        path = [name for i in ids.split() for name in places[int(i)]]
        yield tuple(n.replace(";", ":") for n in reversed(path)), int(values.split()[types.index(metric)])
END

test_expect_success PPROF 'pprof: what go tool pprof reads is the call tree' '
	echo "list(__import__(\"raw\").stacks(\"a.pb.gz\", \"totalcpu\"))" |
		PYTHONPATH=. python3 same.py totalcpu 1e-9 tree.json &&
	go tool pprof -top -sample_index=cycles a.pb.gz >top 2>/dev/null &&
	test_grep "7500 .*parse" top && test_grep "3000 .*sys_read" top
'

set_sampling
test_set_prereq PPROF_OF_RECORDING "${test_lack_PPROF:-${test_lack_SAMPLING:-}}"
test_expect_success PPROF_OF_RECORDING 'pprof: lines, of a recording' '
	collect -p hi -O demo.er burn recurse=50 one=50 >/dev/null &&
	er_print -export pprof demo.pb.gz demo.er && er_print -json -recursion full -calltree 0 demo.er >demo.json &&
	metric=$(sed -n "s/.*\"metric\": *\"\([a-z]*\)\".*/\1/p" demo.er/log.json) &&
	echo "list(__import__(\"raw\").stacks(\"demo.pb.gz\", \"$metric\"))" |
		PYTHONPATH=. python3 same.py "$metric" 1e-9 demo.json &&
	go tool pprof -raw demo.pb.gz >raw 2>/dev/null && test_grep " one .*burn.c:[1-9]" raw
'

test_expect_success 'several processes: the outermost frame of collapsed stacks is their name' '
	cat >stacks <<-END && mkexp tree.er <stacks && er_print -export collapsed out tree.er &&
	thread 10 10 cc1
	main;f 3
	thread 11 11 a;s
	main;f 2
	. 1
	thread 12 12 cc1
	main;f 4
	main 1
	END
	printf "%s\n" "cc1;main;f 7000000" "a:s;main;f 2000000" \
		"a:s;<Truncated> (no user stack) 1000000" "cc1;main 1000000" | sort >want &&
	sort out | test_cmp want - &&
	er_print -filters "PID == 12" -export collapsed out tree.er &&
	printf "%s\n" "cc1;main 1000000" "cc1;main;f 4000000" >want && sort out | test_cmp want -
'

test_expect_success PPROF 'pprof: the start, and labels that all recordings have as comments' '
	for one in l m; do
		printf "main 1\n" | mkexp $one.er && python3 - $one <<-\END || return 1
		import json, sys
		path = sys.argv[1] + ".er/log.json"
		log = json.load(open(path)) | {"labels": {"release": "1.2", "host": sys.argv[1]}}
		json.dump(log, open(path, "w"))
		END
	done &&
	er_print -export pprof l.pb.gz l.er && TZ=UTC go tool pprof -raw l.pb.gz >raw 2>/dev/null &&
	test_grep "^Time: 2026-01-02 03:04:05" raw && go tool pprof -comments l.pb.gz 2>/dev/null >comments &&
	test_grep "^release=1.2$" comments && test_grep "^host=l$" comments &&
	er_print -export pprof l.pb.gz l.er m.er && go tool pprof -comments l.pb.gz 2>/dev/null >comments &&
	test_grep "^release=1.2$" comments && test_no_grep "^host" comments
'

test_expect_success PPROF 'pprof: processes are labels' '
	er_print -export pprof tree.pb.gz tree.er && go tool pprof -tags tree.pb.gz >tags 2>/dev/null &&
	sed "s/^ *//" tags | grep -c "^[0-9.]*ms .*: [0-9a-z;]*$" >got && echo 5 >want && test_cmp want got &&
	test_grep "8.0ms (72.73%): cc1" tags && test_grep "3.0ms (27.27%): a;s" tags &&
	test_grep "5.0ms (45.45%): 12" tags
'

# ---- callgrind ----

# Inclusive, which callgrind_annotate makes of calls, with recursion too.
set_tools CALLGRIND callgrind_annotate

test_expect_success CALLGRIND 'callgrind: what callgrind_annotate reads are the functions' '
	er_print -export callgrind a.cg a.er && er_print -json -functions a.er >functions.json &&
	for kind in exclusive inclusive; do
		callgrind_annotate --threshold=100 --show=totalcpu --sort=totalcpu \
			--inclusive=$(test $kind = inclusive && echo yes || echo no) a.cg >got &&
		test_grep "13,000,039 .*PROGRAM TOTALS" got &&
		python3 - $kind <<-\END || return 1
		import json, re, sys
		got = {m[2]: int(m[1].replace(",", "")) for m in
		       re.finditer(r"^\s*([\d,]+) \([\d. ]+%\)  \S+?:(.*?)(?: \[\S*\])?$", open("got").read(), re.M)}
		want = {f["name"]: round(f[sys.argv[1]]["totalcpu"]["value"] * 1e9)
		        for f in json.load(open("functions.json"))["functions"]}
		want = {n: v for n, v in want.items() if v and n != "<Total>"}
		got = {n: v for n, v in got.items() if v}
		if got != want:
		    sys.exit(f"got {got}, want {want}")
		END
	done
'

# ---- firefox ----

# Walks through the tables of the processed format: each number is in range; prints the
# samples' functions at the end.  (The profiler itself upgrades version 60 to its own.)
cat >firefox.py <<'END'
import collections, json
def stacks(path, metric):
    d = json.load(open(path))
    assert d["meta"]["preprocessedProfileVersion"] == 60
    s, several = d["shared"], collections.Counter(t["tid"] for t in d["threads"])
    for name, table in s.items():
        if name != "stringArray":
            assert all(len(c) == table["length"] for k, c in table.items() if k != "length"), name
    assert max(several.values()) == 1
    names = {f: s["stringArray"][i] for f, i in enumerate(s["funcTable"]["name"])}
    assert all(s["stringArray"][s["resourceTable"]["name"][r]] for r in s["funcTable"]["resource"])
    paths = []
    for frame, prefix in zip(s["stackTable"]["frame"], s["stackTable"]["prefix"]):
        assert prefix is None or 0 <= prefix < len(paths)
        above = () if prefix is None else paths[prefix]
        paths.append(above + (names[s["frameTable"]["func"][frame]].replace(";", ":"),))
    for t in d["threads"]:
        x = t["samples"]
        assert all(len(x[c]) == x["length"] for c in ("stack", "time", "weight"))
        assert x["time"] == sorted(x["time"]) and x["weightType"] in ("tracing-ms", "samples")
        unit = 1e6 if x["weightType"] == "tracing-ms" else 1
        if not metric or t["name"].endswith(f" ({metric})"):
            for stack, weight in zip(x["stack"], x["weight"]):
                yield paths[stack], round(weight * unit)
END

test_expect_success 'firefox: every sample, which together are the call tree' '
	er_print -export firefox a.json a.er &&
	echo "list(__import__(\"firefox\").stacks(\"a.json\", \"totalcpu\"))" |
		PYTHONPATH=. python3 same.py totalcpu 1e-9 tree.json &&
	python3 -c "
import firefox
assert sum(w for _, w in firefox.stacks(\"a.json\", \"cycles\")) == 10500
"
'

# Exclusive and inclusive shares of functions: from the page's data, and from the stacks that each export has.
test_expect_success 'functions have the same shares in speedscope, firefox and the page' '
	cp "$RP_SRC/t/page-data" page_data.py && cat >shares.py <<-"END" &&
	import collections, json, sys
	import firefox, page_data
	def shares(stacks):
	    own, below, total = collections.Counter(), collections.Counter(), 0
	    for stack, weight in stacks:
	        total += weight
	        own[stack[-1] if stack else ""] += weight
	        below.update(dict.fromkeys(stack, weight))
	    return [{name: w / total for name, w in sums.items() if w and name} for sums in (own, below)]
	def of_speedscope(path):
	    d = json.load(open(path))
	    names = [f["name"] for f in d["shared"]["frames"]]
	    p = d["profiles"][0]
	    return shares(([names[f].replace(";", ":") for f in s], w) for s, w in zip(p["samples"], p["weights"]))
	def of_page(path, m):
	    page = page_data.Page(path)
	    own, below = page.by_function(page.exact_own(m))
	    total = page.meta["metrics"][m]["total"]["weight"]
	    def named(rows):
	        sums = collections.Counter()
	        for name, (_, weight) in zip(page.names, rows):
	            sums[name.replace(";", ":")] += weight
	        return {name: w / total for name, w in sums.items() if w}
	    return [named(own), named(below)]
	want = of_page(sys.argv[1], 0)
	assert len(want[1]) > 3
	for got in (of_speedscope(sys.argv[2]), shares(firefox.stacks(sys.argv[3], sys.argv[4]))):
	    for a, b in zip(got, want):
	        assert a.keys() == b.keys(), a.keys() ^ b.keys()
	        assert all(abs(a[n] - b[n]) < 1e-6 for n in a), [(n, a[n], b[n]) for n in a if abs(a[n] - b[n]) >= 1e-6]
	END
	for name in turns a; do
		er_print -report $name.html -export speedscope $name.speedscope -export firefox $name.json $name.er &&
		PYTHONPATH=. python3 shares.py $name.html $name.speedscope $name.json totalcpu || return 1
	done &&
	er_print -filters "LEAF IN FNAME(\"f\")" -export firefox less.json turns.er &&
	test_expect_code 1 env PYTHONPATH=. python3 shares.py turns.html turns.speedscope less.json totalcpu 2>err &&
	test_grep AssertionError err
'

test_expect_success 'a filter applies here too' '
	er_print -filters "LEAF IN FNAME(\"read\")" -export collapsed out a.er &&
	echo "main;parse;read 3000009" | test_cmp - out &&
	er_print -filters "LEAF IN FNAME(\"read\")" -export firefox f.json a.er &&
	python3 -c "
import firefox
assert list(firefox.stacks(\"f.json\", \"\")) == [((\"main\", \"parse\", \"read\"), 1000003)] * 3
"
'

test_expect_success 'samples: each is a row, with the weights of the tree' '
	er_print -export samples out a.er && er_print -sort e.totalcpu -export collapsed folded a.er &&
	python3 - <<-\END
		import csv
		rows = list(csv.DictReader(open("out")))
		assert rows and all(r["process"] and r["function"] and r["metric"] for r in rows)
		assert all(r["stack"].split(";")[-1] == r["function"].replace(";", ":") for r in rows)
		assert all(r["object"] for r in rows)
		assert {r["address"] for r in rows} == {""} == {r["data_source"] for r in rows}
		weights = {}
		for r in rows:
		    weights[r["metric"]] = weights.get(r["metric"], 0) + int(r["weight"])
		print(weights)
		folded = {}
		for r in rows:
		    if r["metric"] == "totalcpu":
		        folded[r["stack"]] = folded.get(r["stack"], 0) + int(r["weight"])
		pairs = [line.rstrip().rsplit(" ", 1) for line in open("folded")]
		assert folded == {stack: int(weight) for stack, weight in pairs}
		assert weights["totalcpu"] == sum(folded.values())
	END
'

test_expect_success 'samples: those that a filter admits' '
	er_print -filters "LEAF IN FNAME(\"read\")" -export samples out a.er &&
	cut -d , -f 9 out | sort -u >got && printf "function\nread\n" | test_cmp - got
'

# The object stands for its functions, once where it calls itself.
mkexp h.er <<'END'
main;libc.so!qsort;libc.so!merge;compare 3
main;libc.so!qsort;libc.so!merge 2
libc.so!start;libc.so!run;main;libc.so!start 4
END
hidden_tree() { er_print -object_hide libc.so -json -recursion full -calltree 0 h.er >hidden.json; }

test_expect_success 'firefox, samples: a hidden object' '
	hidden_tree && er_print -object_hide libc.so -export firefox h.json h.er &&
	echo "list(__import__(\"firefox\").stacks(\"h.json\", \"\"))" |
		PYTHONPATH=. python3 same.py totalcpu 1e-9 hidden.json &&
	er_print -object_hide libc.so -export samples out h.er && cut -d , -f 9 out | sort | uniq -c >got &&
	printf "%7d %s\n" 6 "<libc.so>" 3 compare 1 function | test_cmp - got &&
	cut -d , -f 10,11 out | sort | uniq -c >got && cat >want <<-END && test_cmp want got
	      3 a.out,main;<libc.so>;compare
	      4 libc.so,<libc.so>;main;<libc.so>
	      2 libc.so,main;<libc.so>
	      1 object,stack
	END
'

test_expect_success PPROF 'pprof: a hidden object' '
	hidden_tree && er_print -object_hide libc.so -export pprof h.pb.gz h.er &&
	echo "list(__import__(\"raw\").stacks(\"h.pb.gz\", \"totalcpu\"))" |
		PYTHONPATH=. python3 same.py totalcpu 1e-9 hidden.json
'

# Calls within libc.so belong to the function that entered it.
api_tree() { er_print -object_api libc.so -json -recursion full -calltree 0 h.er >api.json; }

test_expect_success 'firefox, samples, collapsed: an object by its API' '
	api_tree && er_print -object_api libc.so -export firefox h.json h.er &&
	echo "list(__import__(\"firefox\").stacks(\"h.json\", \"\"))" |
		PYTHONPATH=. python3 same.py totalcpu 1e-9 api.json &&
	er_print -object_api libc.so -export samples out h.er &&
	cut -d , -f 9,11 out | sort | uniq -c >got && cat >want <<-END && test_cmp want got &&
	      3 compare,main;qsort;compare
	      1 function,stack
	      2 qsort,main;qsort
	      4 start,start;main;start
	END
	er_print -object_api libc.so -export collapsed out h.er && sed "s/ [0-9]*$//" out | sort >got &&
	printf "%s\n" "main;qsort" "main;qsort;compare" "start;main;start" | test_cmp - got
'

test_expect_success PPROF 'pprof: an object by its API' '
	api_tree && er_print -object_api libc.so -export pprof h.pb.gz h.er &&
	echo "list(__import__(\"raw\").stacks(\"h.pb.gz\", \"totalcpu\"))" |
		PYTHONPATH=. python3 same.py totalcpu 1e-9 api.json
'

test_expect_success 'a failure to write is an error' '
	test_expect_code 1 er_print -export collapsed missing/out a.er 2>err &&
	test_grep "missing/out: No such file" err &&
	for form in callgrind collapsed csv firefox samples speedscope; do
		test_expect_code 1 er_print -export $form /dev/full a.er 2>err &&
		test_grep "No space left" err || return 1
	done &&
	test_expect_code 2 er_print -export svg out a.er 2>err && test_grep "not .svg." err
'

test_expect_success 'it offers exactly the forms that it writes' '
	er_print -json -help >help.json && test_expect_code 2 er_print -export none out a.er 2>err && python3 -c "
import json
offered = [r[\"values\"] for r in json.load(open(\"help.json\"))[\"help\"] if r[\"command\"].startswith(\"export \")][0]
said = open(\"err\").read().split(\"writes \")[1].split(\", not\")[0].replace(\" or \", \", \").split(\", \")
assert offered.split(\" \") == said and len(said) > 5, (offered, said)
"
'

test_done
