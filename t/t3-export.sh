# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What is exported, read by programs that are not ours, is the call tree.
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
er_print -json -calltree 0 a.er >tree.json || test_bug 'no tree'

# same_tree EXPRESSION: a dictionary of "root;…;leaf" to its inclusive weight, made from
# the export, is what the JSON call tree says of METRIC.
cat >same.py <<'END'
import collections, csv, json, sys
metric, unit = sys.argv[1], float(sys.argv[2])
paths, want = {}, {}
for row in json.load(open("tree.json"))["calltree"]:
    above = paths.get(row["parent"])
    paths[row["id"]] = path = () if above is None else above + (row["name"].replace(";", ":"),)
    value = round(row["attributed"][metric]["value"] / unit)
    if value and path:
        want[path] = value
got = collections.Counter()
for path, weight in eval(sys.stdin.read()):
    for end in range(1, len(path) + 1):
        got[path[:end]] += weight
if dict(got) != want:
    print("exported", dict(got), "tree", want)
    sys.exit(1)
END

test_expect_success 'collapsed stacks merge to the call tree' '
	er_print -export collapsed out a.er &&
	test_grep "^main;parse;main;parse 1000003$" out &&
	python3 same.py totalcpu 1e-9 <<-END &&
	[(tuple(l.rsplit(" ", 1)[0].split(";")), int(l.rsplit(" ", 1)[1])) for l in open("out")]
	END
	er_print -sort e.cycles -export collapsed out a.er &&
	printf "%s\n" "main;parse 7500" "sys_read 3000" >want && sort out | test_cmp want -
'

test_expect_success 'names that would part stacks or lines do not' '
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
	python3 same.py totalcpu 1e-9 <<-END
	[(tuple(d["shared"]["frames"][f]["name"] for f in s), w) for d in [json.load(open("out"))]
	 for s, w in zip(d["profiles"][0]["samples"], d["profiles"][0]["weights"])]
	END
'

test_expect_success 'CSV has every node with its parent' '
	er_print -export csv out a.er &&
	python3 -c "
import csv, json
rows = list(csv.DictReader(open(\"out\", newline=\"\")))
assert any(r[\"name\"] == \"sys_read\" and r[\"exclusive_cycles_count\"] == \"3000\" for r in rows)
rows = [r for r in rows if float(r[\"inclusive_totalcpu_seconds\"])]
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

test_expect_success 'a filter holds here too' '
	er_print -filters "LEAF IN FNAME(\"read\")" -export collapsed out a.er &&
	echo "main;parse;read 3000009" | test_cmp - out
'

test_expect_success 'samples: each is a row, and weighs what the tree does' '
	er_print -export samples out a.er && er_print -sort e.totalcpu -export collapsed folded a.er &&
	python3 - <<-\END
		import csv
		rows = list(csv.DictReader(open("out")))
		assert rows and all(r["process"] and r["function"] and r["metric"] for r in rows)
		assert {r["address"] for r in rows} == {""} == {r["data_source"] for r in rows}
		weights = {}
		for r in rows:
		    weights[r["metric"]] = weights.get(r["metric"], 0) + int(r["weight"])
		print(weights)
		assert weights["totalcpu"] == sum(int(line.rsplit(" ", 1)[1]) for line in open("folded"))
	END
'

test_expect_success 'samples: those that a filter admits' '
	er_print -filters "LEAF IN FNAME(\"read\")" -export samples out a.er &&
	cut -d , -f 9 out | sort -u >got && printf "function\nread\n" | test_cmp - got
'

test_expect_success 'what cannot be written is a failure' '
	test_expect_code 1 er_print -export collapsed missing/out a.er 2>err &&
	test_grep "missing/out: No such file" err &&
	for form in collapsed speedscope csv samples; do
		test_expect_code 1 er_print -export $form /dev/full a.er 2>err &&
		test_grep "No space left" err || return 1
	done &&
	test_expect_code 2 er_print -export svg out a.er 2>err && test_grep "not .svg." err
'

test_done
