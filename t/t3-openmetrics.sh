# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# export openmetrics: valid by its rules, bounded, with er_print's values.
. "$RP_SRC/t/lib.sh"
need python3
PYTHONPATH=$RP_SRC/t PYTHONDONTWRITEBYTECODE=1 && export PYTHONPATH PYTHONDONTWRITEBYTECODE

mkexp a.er <<'END'
lost 7
lost-records 2
end truncated 3
end root 9
event totalcpu ns 1000003 0 1 Total CPU Time
event cycles cycles 1000 2e9 1.5 CPU Cycles
event Odd-Unit% some/thing 10
on totalcpu
main;parse;lib.so!read 3
main;parse;main;parse 1
main;a"b\c;lib.so!x,y 4
. 2
on cycles
main;parse 5
[kernel]!sys_read 2
on Odd-Unit%
main 4
END

test_expect_success 'values are those of the JSON report' '
	er_print -limit 100 -export openmetrics a.prom a.er && er_print -json -functions -objects a.er >a.json &&
	python3 - <<-\END
	import json, openmetrics
	got = openmetrics.read("a.prom")
	doc = json.load(open("a.json"))
	units = {"totalcpu": "seconds", "cycles": "cycles", "Odd-Unit%": "some_thing"}
	count = 0
	for kind in ("function", "object"):
	    for row in doc[kind + "s"]:
	        if "<Total>" in (row.get("name"), row["object"]):
	            continue
	        for flavor in ("exclusive", "inclusive"):
	            for metric, cell in row[flavor].items():
	                family = got[f"ringprof_{kind}_{flavor}_{units[metric]}"]
	                labels = {("object", row["object"]), ("metric", metric)}
	                if kind == "function":
	                    labels.add(("function", row["name"]))
	                value = family.pop(frozenset(labels), None)
	                assert value == (cell["value"] or None), (row, flavor, metric, value)
	                count += value is not None
	assert count > 20 and not any(v for k, v in got.items() if "function" in k or "object" in k), got
	total = {m: got[f"ringprof_total_{u}"][frozenset({("metric", m)})] for m, u in units.items()}
	assert total == {"totalcpu": doc["functions"][0]["exclusive"]["totalcpu"]["value"], "cycles": 10500, "Odd-Unit%": 40}, total
	one = frozenset({("recording", "a.er")})
	health = {k: v[one] for k, v in got.items() if one in v}
	assert health["ringprof_recording_lost_samples"] == 7 and health["ringprof_recording_lost_records"] == 2, health
	assert health["ringprof_recording_cut_stacks"] == 3 and health["ringprof_recording_complete"] == 1, health
	assert health["ringprof_recording_start_time_seconds"] == 1767323045, health
	assert health["ringprof_recording_samples"] == 21 and len(health) == 8, health
	END
'

test_expect_success 'promtool has nothing against it, if it is here' '
	! command -v promtool || promtool check metrics <a.prom
'

# In a folder that others can write, FILE.new.PID may be a link of theirs, to a file of ours.
test_expect_success 'what lies beside the file is not written to, and the page is made in the same way' '
	for export in "-export openmetrics" -report; do
		echo ours >victim &&
		sh -c "ln -s victim out.html.new.\$\$ && exec er_print $export out.html a.er" && echo ours | test_cmp - victim &&
		test -s out.html && test ! -h out.html && test ! -e out.html.new.* &&
		rm out.html && ln -s victim out.html && er_print $export out.html a.er && echo ours | test_cmp - victim && test ! -h out.html || return 1
	done
'

test_expect_success 'bounded: 20 functions and objects, or those of limit, in the order of sort' '
	{ echo "main;f0 9"; for i in $(seq 60); do echo "main;lib$i.so!f$i 1"; done; } | mkexp many.er &&
	er_print -export openmetrics many.prom many.er && er_print -limit 3 -sort name -export openmetrics three.prom many.er &&
	python3 -c "
import openmetrics
many, three = openmetrics.read(\"many.prom\"), openmetrics.read(\"three.prom\")
assert len(many[\"ringprof_function_exclusive_seconds\"]) == len(many[\"ringprof_object_exclusive_seconds\"]) == 20
names = [dict(k)[\"function\"] for k in three[\"ringprof_function_exclusive_seconds\"]]
assert sorted(names) == [\"f0\", \"f1\", \"f10\"], names"
'

test_expect_success 'without room, what was there stays' '
	for export in "-export openmetrics" -report; do
		echo old >out.html && test_expect_code 1 sh -c "trap \"\" XFSZ; ulimit -f 1; exec er_print $export out.html many.er" 2>err &&
		test_grep "error: out.html: File too large" err && echo old | test_cmp - out.html && ! ls out.html.new.* 2>/dev/null || return 1
	done
'

# Functions whose names are one when they are cut or made harmless, and labels too.
python3 - <<'END' | mkexp odd.er
import sys
every = bytes(b for b in range(1, 256) if b not in b"\n;@!#")
out = sys.stdout.buffer
out.write(b"main;a.out!x" + every + b"@0 3\n")
for end in (b"1", b"2", b"3"):
    out.write(b"main;a.out!" + "ü".encode() * 250 + end + b" 1\n")
for bad in (b"\x01", b"\x02", b"\\", b'"', b"\\n", b"} 1", b"\xff"):
    out.write(b"main;a.out!" + bad + b" 1\n")
END
python3 - <<'END'
import json
log = json.load(open("odd.er/log.json"))
log["labels"] = {"a.b": "1\n", "a-b": "2", "release": 'x"\\y'}
log["comment"] = "c" * 5000
json.dump(log, open("odd.er/log.json", "w"))
END
test_expect_success 'names of any bytes: valid, and no two series are one' '
	er_print -limit 100 -export openmetrics odd.prom odd.er odd.er && python3 - <<-\END
	import openmetrics
	got = openmetrics.read("odd.prom")
	series = got["ringprof_function_exclusive_seconds"]
	assert len(series) == 11, series
	assert max(len(v) for k in series for _, v in k) == 201
	assert round(sum(series.values()), 9) == 0.026
	info = [dict(k) for k in got["ringprof_recording_info"]]
	assert len(info) == 2 and all(i["label_a_b"] == "1?" and i["label_release"] == "x\"\\y" for i in info), info
	assert len(info[0]["comment"]) == 201
	END
'

test_expect_success 'each metric has its own first functions and objects' '
	{
		printf "%s\n" "event totalcpu ns 1000000 0 1 CPU" "event misses misses 100 0 1 Misses" "on totalcpu"
		for i in $(seq 30); do echo "main;l$i.so!busy$i 9"; done
		printf "%s\n" "on misses" "main;last.so!misser 5" "main;l30.so!busy30 2" "main;l29.so!busy29 1"
	} | mkexp two.er &&
	er_print -limit 2 -export openmetrics two.prom two.er && python3 -c "
import openmetrics
two = openmetrics.read(\"two.prom\")
for kind, want in (\"function\", [\"busy30\", \"misser\"]), (\"object\", [\"l30.so\", \"last.so\"]):
    names = [dict(k)[kind].split(\"/\")[-1] for k in two[f\"ringprof_{kind}_exclusive_misses\"]]
    assert sorted(names) == want, names"
'

# 10,000 names that are one when they are cut: the work may not grow with their square.
test_expect_success 'many series whose names are one' '
	python3 -c "for i in range(10000): print(\"main;\" + \"x\" * 250 + str(i), 1)" | mkexp same.er &&
	(ulimit -t 20 && er_print -limit 20000 -export openmetrics same.prom same.er) && python3 -c "
import openmetrics
series = openmetrics.read(\"same.prom\")[\"ringprof_function_exclusive_seconds\"]
assert sorted(int(dict(k).get(\"duplicate\", 1)) for k in series) == list(range(1, 10001))"
'

test_expect_success 'the file appears when it is whole; one that cannot be written leaves the old one' '
	cp a.prom old.prom && test_expect_code 1 sh -c "trap \"\" XFSZ; ulimit -f 1; exec er_print -limit 100 -export openmetrics old.prom many.er" 2>err &&
	cmp a.prom old.prom && test_grep "old.prom: File too large" err && ! ls old.prom.* &&
	er_print -export openmetrics old.prom many.er && cmp old.prom many.prom && ! ls old.prom.* &&
	er_print -export openmetrics /dev/null many.er && test -c /dev/null &&
	er_print -export openmetrics - many.er | cmp - many.prom
'

test_done
