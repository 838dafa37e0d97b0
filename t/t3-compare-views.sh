# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Unless compare is off, every view has both sides, or is refused by name.
. "$RP_SRC/t/lib.sh"

need python3

# Each view over drawn runs, computed a second time from the runs read alone.
test_expect_success 'the tables of all views are those of each run alone' '
	"$RP_SRC/t/compare-agrees" 7 8 || { cp -r . "$RP_BUILD/t/tmp/compare-drawn"; false; }
'

printf 'arg ./old/prog\nthread 10 10 prog\nprog!main;prog!f 900\nthread 10 11 w\nprog!main;prog!g 100\nthread 10 12 w\nprog!main;prog!g 100\n' |
	mkexp a.er
printf 'arg ./new/prog2\nthread 70 70 prog2\nprog2!main;prog2!f 900\nthread 70 75 w\nprog2!main;prog2!g 400\n' |
	mkexp b.er

test_expect_success 'one table if a view follows, functions if none does' '
	er_print -compare on -functions a.er b.er >got &&
	test 1 = "$(grep -c "compared by metric" got)" && test_grep "^Functions" got &&
	er_print -compare on a.er b.er >alone && test_cmp got alone &&
	er_print -compare on -limit 2 -calltree a.er b.er >got &&
	test 1 = "$(grep -c "compared by metric" got)" && test_grep "Call Tree" got &&
	printf "%s\n" "compare on" threads | er_print a.er b.er >got &&
	test 1 = "$(grep -c "compared by metric" got)" && test_grep "^Threads" got &&
	printf "%s\n" "compare on" "compare delta" objects | er_print a.er b.er >got &&
	sed -n "s/ compared by.*//p" got >titles && printf "%s\n" Functions Objects |
		test_cmp - titles
'

test_expect_success 'threads: all with one name, and their number in a run' '
	er_print -compare on -threads a.er b.er >got &&
	cat >want <<-END &&
	Threads compared by metric: Exclusive Total CPU Time

	Base             Other             Change  Process  Thread
	Excl. Total CPU  Excl. Total CPU
	    sec.      %      sec.      %
	   1.100 100.00     1.300 100.00   more    <Total>
	   0.200  18.18     0.400  30.77   more    prog     w
	   0.900  81.82     0.900  69.23   noise   prog     prog
	END
	test_cmp want got &&
	er_print -json -compare on -threads a.er b.er >threads.json &&
	holds threads.json "[(r[\"name\"], r[\"base_count\"], r[\"other_count\"])
		for r in d[\"compare_threads\"]] == [(\"\", 3, 2), (\"w\", 2, 1), (\"prog\", 1, 1)]"
'

test_expect_success 'the call tree: corresponding nodes, selected by both together' '
	er_print -compare delta -calltree a.er b.er >got &&
	cat >want <<-END &&
	Functions Call Tree compared by metric: Attributed Total CPU Time

	Base              Delta   Change  Name
	Attr. Total CPU
	    sec.      %
	   1.100 100.00  +0.200   more    +-<Total>
	   1.100 100.00  +0.200   more      +-main
	   0.900  81.82  +0.000   noise        +-f
	   0.200  18.18  +0.200   more         +-g
	END
	test_cmp want got &&
	er_print -limit 2 -compare delta -calltree a.er b.er >got &&
	test_grep "1 smaller node is omitted" got && test_no_grep "+-g" got
'

test_expect_success 'callers and callees, and a function in another object on the other side' '
	er_print -compare ratio -csingle g a.er b.er >got &&
	test_grep "^ *0.200 *18.18  2.000   more    main$" got &&
	test_grep "^ *0.200 *18.18  2.000   more   \*g$" got &&
	er_print -compare ratio -csingle f a.er b.er >got &&
	test_grep "^ *0.900 *81.82  1.000   noise   main$" got
'

test_expect_success 'views that cannot be compared are refused, with those that can' '
	for view in pcs psummary fsummary lsummary overview breaks symbols; do
		test_expect_code 1 er_print -compare on "-$view" a.er b.er >out 2>err &&
		test_grep "$view cannot compare: it would show the sum of both sides; use" err &&
		er_print -compare on a.er b.er >want && test_cmp want out || return
	done &&
	test_expect_code 1 er_print -compare on -fsingle f a.er b.er 2>err &&
	test_grep "fsingle cannot compare" err &&
	for form in collapsed speedscope callgrind csv; do
		test_expect_code 1 er_print -compare on -export $form x a.er b.er 2>err &&
		test_grep "export $form cannot compare" err && ! test -e x || return
	done &&
	er_print -compare on -export samples x -compare off -pcs a.er b.er >out && test -s x
'

test_expect_success 'fail-above applies to every view' '
	test_expect_code 3 er_print --fail-above 10 -compare on -threads a.er b.er >out 2>err &&
	er_print --fail-above 30 -compare on -threads a.er b.er >out
'

test_expect_success 'CSV and HTML' '
	er_print -printmode , -compare on -objects a.er b.er | tr -d "\r" >got &&
	head -n 1 got >heading &&
	echo "base_exclusive_totalcpu_seconds,base_exclusive_totalcpu_percent,other_exclusive_totalcpu_seconds,other_exclusive_totalcpu_percent,delta,ratio,change,object,p,q" |
		test_cmp - heading &&
	er_print -printmode html -compare on -calltree a.er b.er >page.html &&
	test_grep "data-d=\"1\"[^>]*class=\"worse\"\|class=\"worse\"[^>]*data-d=\"1\"" page.html
'

# ---- lines and instructions: two builds, and one ----

if ! command -v gcc >/dev/null || ! command -v readelf >/dev/null; then
	test_skip 'lines, source and disasm' 'gcc and readelf are not installed'
	test_done
fi

source_of() { printf '%s\n' 'volatile int x;' \
	'__attribute__((noinline)) int work(void)' '{' '	x += 3;' "	x *= $1;" '	return x;' '}' \
	'int main(void)' '{' '	return work() + x;' '}'; }

mkdir old new same
source_of 5 >old/prog.c && source_of 70 >new/prog.c
for side in old new; do
	gcc -O1 -g -fno-inline -Wl,--build-id -o $side/prog $side/prog.c || test_bug 'gcc fails'
done
cp old/prog same/prog

# make_run NAME FOLDER SEED: every third byte of work and main is sampled.
make_run() {
	id=$(readelf -n "$2/prog" | sed -n 's/ *Build ID: //p')
	rm -rf "$1.er"
	{
		echo "arg $PWD/$2/prog"
		echo "event totalcpu ns 1000000 0 1 Total CPU Time"
		echo "module prog=$PWD/$2/prog"
		echo "module prog#$id"
		nm -S "$2/prog" | awk -v seed="$3" '$4 == "work" || $4 == "main" { print $1, $2, seed }' |
			python3 -c '
import random, sys
rows = [line.split() for line in sys.stdin]
rnd = random.Random(int(rows[0][2]))
for start, size, _ in rows:
    for at in range(int(start, 16), int(start, 16) + int(size, 16), 3):
        print(f"prog!+{at:x} {rnd.choice([1, 4, 60, 300])}")'
		echo running
	} | mkexp "$1.er"
}
make_run old old 1 && make_run new new 2 && make_run same same 3 || test_bug 'no recordings'

# lines_agree VIEW BASE OTHER: amounts of each line are those of the runs alone.
lines_agree() {
	er_print -json -compare on "-$1" work "$2.er" "$3.er" >both.json &&
	er_print -json "-$1" work "$2.er" >base.json && er_print -json "-$1" work "$3.er" >other.json &&
	python3 - "$1" <<-'END'
	import json, sys
	view = sys.argv[1]
	both, base, other = (json.load(open(f + ".json")) for f in ("both", "base", "other"))
	place = "line" if view == "source" else "address"
	rows = both["compare_" + view]
	seen = 0
	for row in rows:
	    for side, alone in (("base", base), ("other", other)):
	        want = [r["exclusive"]["totalcpu"] for r in alone[view] if r[place] == row[place]][0]
	        got = row[side]["exclusive"]["totalcpu"]
	        if want is None:
	            assert got is None or got["samples"] == 0, row
	        else:
	            assert (got["value"], got["samples"]) == (want["value"], want["samples"]), (row, want)
	            seen += 1
	    if row["delta"] is not None:
	        assert abs(row["delta"] - (row["other"]["exclusive"]["totalcpu"]["value"] -
	                                   row["base"]["exclusive"]["totalcpu"]["value"])) < 1e-9, row
	assert len(rows) == len(base[view]) and seen >= 4, seen
	END
}

test_expect_success 'source: each line of both sides, also of two builds in two directories' '
	lines_agree source old new &&
	holds both.json "any(\"prog differs between the runs\" in n[\"text\"] for n in d[\"notes\"])" &&
	lines_agree source old same &&
	holds both.json "not any(\"differs\" in n[\"text\"] for n in d[\"notes\"])" &&
	er_print -compare on -source work old.er new.er >got &&
	test_grep "^Source of .*old/prog.c$\|^Source of .*new/prog.c$" got
'

test_expect_success 'disasm: the instructions of one build; of two they do not correspond' '
	lines_agree disasm old same &&
	test_expect_code 1 er_print -compare on -disasm work old.er new.er 2>err &&
	test_grep "disasm cannot compare .work.: the runs had different builds of it" err
'

test_expect_success 'lines: by function, file and number' '
	er_print -json -compare on -lines old.er new.er >lines.json &&
	er_print -json -lines old.er >base.json &&
	holds lines.json "len(d[\"compare_lines\"]) == 1 + len({r[\"name\"] for r in d[\"compare_lines\"][1:]}) >= 5" &&
	holds lines.json "{r[\"name\"]: r[\"base\"][\"exclusive\"][\"totalcpu\"][\"samples\"] for r in d[\"compare_lines\"]}
		== {r[\"name\"]: r[\"exclusive\"][\"totalcpu\"][\"samples\"] for r in __import__(\"json\").load(open(\"base.json\"))[\"lines\"]}" &&
	holds lines.json "any(\"prog differs\" in n[\"text\"] for n in d[\"notes\"])"
'

if python3 -c 'import jsonschema' 2>/dev/null; then
	test_expect_success 'the reports fit the schema' '
		schema=$RP_SRC/share/ringprof-report-1.schema.json &&
		er_print -json -compare on -functions -objects -lines -threads -processes -cpus -seconds \
			-calltree -callers-callees -csingle work -cprepend main -source work -disasm work \
			old.er same.er >all.json &&
		"$RP_SRC/t/validate" "$schema" all.json &&
		holds all.json "all(\"compare\" + v in d for v in (\"\", \"_objects\", \"_lines\", \"_threads\",
			\"_processes\", \"_cpus\", \"_seconds\", \"_calltree\", \"_callers_callees\", \"_source\", \"_disasm\"))" &&
		er_print -json -compare on -threads -callers-callees a.er b.er >all.json &&
		"$RP_SRC/t/validate" "$schema" all.json
	'
else
	test_skip 'the reports fit the schema' 'python3-jsonschema is not installed'
fi

test_done
