# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Regions that programs name.  Expected rows were computed by hand from this recording:
#
#	main     event 0-100 us, in it sort 10-50 us; event again 200-500 us
#	worker   sort 0-40 us
. "$RP_SRC/t/lib.sh"
set_jsonschema

query() {
	python3 "$RP_SRC/t/query" "$@"
}

{
	printf '%s\n' 'event totalcpu ns 1000000 0 1 Total CPU Time' 'step 0' 'thread 100 100 main' \
		'region /event/sort 10000 50000' 'region /event 0 100000' 'region /event 200000 500000' \
		'thread 100 101 worker' 'region /sort 0 40000'
	# time thread samples; begins belong to a region, ends do not
	while read -r ns tid count; do
		name=main && [ "$tid" = 101 ] && name=worker
		printf "%s\n" "thread 100 $tid $name" "time $ns" "main;f $count"
	done <<-END
	0 100 1
	0 101 5
	9999 100 2
	10000 100 3
	39999 101 6
	40000 101 7
	49999 100 4
	50000 100 8
	100000 100 9
	250000 100 10
	END
} >plain
mkexp r.er <plain

csv() { er_print -printmode , "$@"; }

test_expect_success 'a sample belongs to the innermost region open on its thread' '
	er_print -json -regions r.er >r.json &&
	query r.json "[(r[\"branch\"], r[\"exclusive\"][metric][\"samples\"], r[\"inclusive\"][metric][\"samples\"])
		for r in d[\"regions\"]] == [(\"<Total>\", 55, 55), (\"event\", 21, 28), (\"<Outside>\", 16, 16),
		(\"sort\", 11, 11), (\"event sort\", 7, 7)]"
'

test_expect_success 'durations are exact, and each branch has its own' '
	query r.json "[(r[\"branch\"], r[\"count\"], r[\"total_ns\"], r[\"mean_ns\"], r[\"shortest_ns\"], r[\"p50_ns\"],
		r[\"longest_ns\"], r[\"name\"], r[\"depth\"]) for r in d[\"regions\"] if r[\"count\"]] == [
		(\"event\", 2, 400000, 200000, 100000, 100000, 300000, \"event\", 1),
		(\"sort\", 1, 40000, 40000, 40000, 40000, 40000, \"sort\", 1),
		(\"event sort\", 1, 40000, 40000, 40000, 40000, 40000, \"sort\", 2)]" &&
	query r.json "all(r[\"exclusive\"][metric][k] is not None for r in d[\"regions\"] for k in (\"low\", \"high\"))"
'

test_expect_success 'text and CSV have the same rows, in the chosen order and number' '
	er_print -metrics e.totalcpu -regions r.er >got && test_grep "0.021 .* 2 .*event$" got &&
	er_print -sort e.totalcpu -limit 2 -regions r.er >got && [ "$(grep -c "event\|Outside\|sort$" got)" = 2 ] &&
	csv -metrics e.totalcpu -regions r.er >got && test_grep "^0.021,2,400000,200000,100000,.*,0,,event,event,1,0" got
'

test_expect_success 'a filter chooses samples, not instances' '
	er_print -json -filters "THRID==2" -regions r.er >f.json &&
	query f.json "{r[\"branch\"]: (r[\"exclusive\"].get(metric, {}).get(\"samples\", 0), r[\"count\"]) for r in d[\"regions\"]} ==
		{\"<Total>\": (18, None), \"<Outside>\": (7, None), \"sort\": (11, 1), \"event\": (0, 2), \"event sort\": (0, 1)}" &&
	er_print -filters "THRID==2" -regions r.er >got && test_grep "durations are all" got
'

test_expect_success 'several recordings add up by branch' '
	er_print -json -regions r.er r.er >two.json &&
	query two.json "[(r[\"branch\"], r[\"exclusive\"][metric][\"samples\"]) for r in d[\"regions\"]][1] == (\"event\", 42)"
'

test_expect_success 'what was not ended is counted, without a duration' '
	{
		cat plain && printf "%s\n" "region /open 300000 900000 1" "regionfault 2 1" "regionfault 0 3" \
			"regionfault 99 7"
	} | mkexp open.er && er_print -json -regions open.er >open.json &&
	query open.json "[(r[\"count\"], r[\"unended\"], r[\"total_ns\"]) for r in d[\"regions\"] if r[\"branch\"] == \"open\"] ==
		[(1, 1, None)]" &&
	er_print -regions open.er >got && test_grep "3 ends without a begin, 1 region not ended" got
'

# The same name in two domains, apart and nested; one is apart and nested in nothing.
test_expect_success 'domains, regions apart and marks' '
	{
		cat plain && printf "%s\n" "region /one|sort 600000 700000" "region /two|sort 800000 900000" \
			"apart /sort 0 1000000" "apart /one|sort 0 500000" "mark 650000 1 one|here 0" "mark 650001 2 level 2 -3" \
			"mark 5 3 key 4 text" "mark 7 9 later 0" "mark 8 2 unknown 77 5"
	} | mkexp domains.er && er_print -json -regions -marks domains.er >d.json &&
	query d.json "sorted((r[\"domain\"], r[\"branch\"], r[\"apart\"], r[\"total_ns\"], not any(r[\"exclusive\"].values()))
		for r in d[\"regions\"] if r[\"name\"] == \"sort\") == [
		(\"\", \"event sort\", 0, 40000, False), (\"\", \"sort\", 0, 40000, False), (\"\", \"sort\", 1, 1000000, True),
		(\"one\", \"sort\", 0, 100000, False), (\"one\", \"sort\", 1, 500000, True), (\"two\", \"sort\", 0, 100000, False)]" &&
	query d.json "[(m[\"time_ns\"], m[\"kind\"], m[\"domain\"], m[\"name\"], m[\"value\"], m[\"branch\"]) for m in d[\"marks\"]] == [
		(5, \"note\", \"\", \"key\", \"text\", \"event\"), (8, \"counter\", \"\", \"unknown\", None, \"event\"),
		(650000, \"marker\", \"one\", \"here\", None, \"sort\"), (650001, \"counter\", \"\", \"level\", \"-3\", \"sort\")]" &&
	query d.json "[bool(r[\"apart\"]) for r in d[\"regions\"]] == [False] * 7 + [True] * 2" &&
	test_expect_code 1 er_print -marks r.er 2>err && test_grep "said nothing" err
'

test_expect_success JSONSCHEMA 'the report fits its schema' '
	fits_schema d.json
'

test_expect_success 'a recording without regions says how to get them' '
	printf "main 1\n" | mkexp none.er && test_expect_code 1 er_print -regions none.er 2>err &&
	test_grep "collect --regions on" err
'

# Ends before begins, an inner one that outlives the outer: a reader must not fail.
test_expect_success 'crossed regions of a crafted recording are shown' '
	printf "%s\n" "step 0" "region /a 0 100" "thread 100 100 x" "region /a/b 50 150" "region /c 60 60" "time 120" "main 1" "time 70" \
		"main 1" "time 99" "main 1" | mkexp cross.er && er_print -regions cross.er >got && test_grep "a b$" got
'

# The y around the first x was lost; a later one is not around it.
test_expect_success 'a region is in no instance that began after it' '
	printf "%s\n" "step 0" "thread 5 5 x" "region /y/x 5 10" "region /y 20 30" "time 7" "main 1" "time 15" "main 2" "time 25" "main 4" |
		mkexp lost.er && er_print -json -regions -filters "REGION==\"y\" && INSTANCE==1" -functions lost.er >l.json &&
	query l.json "[(r[\"branch\"], r[\"exclusive\"][metric][\"samples\"]) for r in d[\"regions\"]] == [(\"<Total>\", 7),
		(\"y\", 4), (\"<Outside>\", 2), (\"y x\", 1)]" &&
	query l.json "d[\"functions\"][0][\"exclusive\"][metric][\"samples\"] == 4"
'

test_expect_success 'a branch of 256 names is read; a longer one is damage' '
	longest=$(printf "/a%.0s" $(seq 256)) && printf "%s\n" "region $longest 0 5" "main 1" | mkexp deep.er &&
	er_print -json -regions deep.er >deep.json && query deep.json "max(r[\"depth\"] or 0 for r in d[\"regions\"]) == 256" &&
	printf "%s\n" "region $longest/a 0 5" "main 1" | mkexp deeper.er && er_print -header deeper.er >got 2>&1 && test_grep "damaged" got
'

# Of main, and of other without a sample; times in the recording's order, an outer region before those in it.
test_expect_success 'firefox: regions are intervals, and what programs say instants, on their threads' '
	{
		cat plain && printf "%s\n" "thread 100 102 other" "region /one|sort/sort 600000 650000" "region /one|sort 600000 700000" \
			"region /event 900000 950000 1" "apart /two|sort 0 1000000" "mark 650000 1 one|here 0" "mark 650001 2 level 2 -3" \
			"mark 5 3 key 4 text" "mark 8 2 unknown 77 5" "event lock events 7" "thread 100 100 main" "time 99999" "main 1"
	} | mkexp fox.er && er_print -export firefox fox.json fox.er && cat >fox.py <<-\END &&
	import json
	d = json.load(open("fox.json"))
	strings, categories = d["shared"]["stringArray"], [c["name"] for c in d["meta"]["categories"]]
	assert categories == ["Other", "Regions", "one", "two"], categories
	schemas = {s["name"]: s for s in d["meta"]["markerSchema"]}
	assert all("marker-chart" in s["display"] for s in schemas.values())
	assert schemas["counter"]["graphs"] == [{"key": "value", "type": "line"}]
	got = {}
	for t in d["threads"]:
	    m, rows = t["markers"], []
	    assert all(len(c) == m["length"] for k, c in m.items() if k != "length")
	    for i in range(m["length"]):
	        data = dict(m["data"][i])
	        keys = {f["key"] for f in schemas[data["type"]]["fields"]}
	        assert set(data) - {"type"} <= keys, data
	        if "branch" in data:
	            data["branch"] = strings[data["branch"]]
	        rows.append((strings[m["name"][i]], m["startTime"][i], m["endTime"][i], m["phase"][i], categories[m["category"][i]], data))
	    assert t["name"] not in got, t["name"]
	    got[t["name"]] = rows
	def region(branch): return {"type": "region", "branch": branch}
	want = {
	    "main (totalcpu)": [("event", 0, 0.1, 1, "Regions", region("event")), ("sort", 0.01, 0.05, 1, "Regions", region("event sort")),
	             ("event", 0.2, 0.5, 1, "Regions", region("event"))],
	    "main (lock)": [],
	    "worker (totalcpu)": [("sort", 0, 0.04, 1, "Regions", region("sort"))],
	    "other": [("sort", 0, 1, 1, "two", region("sort")), ("key", 0.000005, None, 0, "Other", {"type": "note", "value": "text"}),
	              ("unknown", 0.000008, None, 0, "Other", {"type": "counter"}),
	              ("sort", 0.6, 0.7, 1, "one", region("sort")), ("sort", 0.6, 0.65, 1, "Regions", region("sort sort")),
	              ("here", 0.65, None, 0, "one", {"type": "marker"}),
	              ("level", 0.650001, None, 0, "Other", {"type": "counter", "value": -3}),
	              ("event", 0.9, None, 2, "Regions", region("event"))],
	}
	assert got == want, got
	END
	python3 fox.py && er_print -filters "THRID==1" -export firefox fox.json fox.er &&
	python3 -c "
import json
t = json.load(open(\"fox.json\"))[\"threads\"]
assert [(x[\"tid\"], x[\"markers\"][\"length\"]) for x in t] == [(\"100\", 3), (\"100.1\", 0)], t"
'

test_expect_success 'drawn nests have the sums of a second implementation' '
	for seed in $(seq 1 25); do
		python3 "$RP_SRC/t/regions-drawn" make "$seed" >drawn.txt || return 1
		grep -q "^region" drawn.txt || continue
		rm -rf d.er && mkexp d.er <drawn.txt && er_print -json -metrics ie.totalcpu:ie.lock -regions d.er >d.json &&
			python3 "$RP_SRC/t/regions-drawn" check "$seed" d.json &&
			er_print -json -metrics ie.totalcpu:ie.lock -regions name d.er >d.json &&
			python3 "$RP_SRC/t/regions-drawn" names "$seed" d.json ||
			{ echo "seed $seed"; return 1; }
	done
'

test_expect_success 'drawn stacks below regions are those of a second implementation' '
	for seed in $(seq 1 15); do
		python3 "$RP_SRC/t/regions-drawn" make "$seed" >drawn.txt || return 1
		grep -q "^region" drawn.txt || continue
		rm -rf d.er && mkexp d.er <drawn.txt && er_print -json -group region -metrics ie.totalcpu:ie.lock -functions d.er >d.json &&
			er_print -group region -export collapsed d.txt d.er &&
			python3 "$RP_SRC/t/regions-drawn" grouped "$seed" d.json d.txt || { echo "seed $seed"; return 1; }
	done
'

# The recording is gone as soon as it is open.
test_expect_success 'stacks go below regions, and back, without another reading' '
	python3 "$RP_SRC/t/regions-drawn" make 4 | mkexp once.er && grouped() { er_print -group region -functions -calltree once.er; } &&
	{ er_print -functions once.er && echo && grouped && echo && er_print -functions once.er && echo && grouped; } >want && test_grep "region " want &&
	{ printf "%s\n" "outfile opened" "outfile got" && until test -e opened; do sleep 0.01; done && rm -r once.er &&
		printf "%s\n" functions "group region" functions calltree "group off" functions "group region" functions calltree; } |
		er_print - once.er && test_cmp want got
'

# What reads the samples again has the sizes of the first time.
test_expect_success 'a stack that comes up when a file has changed ends in its region' '
	for time in 1100 900; do
		printf "%s\n" "step 0" "thread 5 5 x" "region /a 0 1000" "time 5" "main;f 1" "time $time" "main;g 1" | mkexp at$time.er || return 1
	done && test "$(wc -c <at900.er/data)" = "$(wc -c <at1100.er/data)" &&
	{ printf "%s\n" "group region" "metrics e.totalcpu:name" "outfile before" functions "outfile changed" && until test -e changed; do sleep 0.01; done &&
		cat at900.er/data >at1100.er/data && printf "%s\n" "filters THRID > 0" "outfile after" functions; } |
		er_print - at1100.er && test_grep "^ *0.001 *<Outside> *g$" before && test_grep "^ *0.002 *<Total>$" after && test_no_grep " g$" after
'

test_expect_success 'drawn trees, callers, filters, comparisons and exports below regions are those of a second implementation' '
	below() { python3 "$RP_SRC/t/regions-below" "$@"; } && grouped() { er_print -metrics ie.totalcpu:ie.lock -group region "$@"; } &&
	for seed in 3 4 5; do
		rm -rf b?.er && for n in 0 1 2; do below make $seed $n | mkexp b$n.er || return 1; done
		below script $seed >script && only=$(below expression $seed) &&
			grouped -json -script script b0.er b1.er b2.er >b.json && below views $seed b.json 0 1 2 &&
			grouped -json -script script b2.er >b.json && below views $seed b.json 2 &&
			grouped -json -recursion full -compare on -functions -calltree 0 b0.er b1.er >b.json &&
			below compared $seed b.json || { echo "seed $seed"; return 1; }
		for form in collapsed speedscope samples firefox; do
			rm -f out && { grouped -filters "$only" -export $form out b0.er b1.er 2>err || test_grep "matches nothing" err; } &&
				below stacks $seed $form out 0 1 || { echo "seed $seed"; return 1; }
		done
	done
'

test_expect_success 'drawn bands of a timeline are those of a second implementation' '
	for seed in $(seq 1 15); do
		python3 "$RP_SRC/t/regions-drawn" make "$seed" lives >drawn.txt || return 1
		grep -q "^region" drawn.txt || continue
		rm -rf d.er && mkexp d.er <drawn.txt && echo "timeline 40" >script && er_print -json -script script d.er >d.json &&
			python3 "$RP_SRC/t/regions-drawn" bands "$seed" d.json || { echo "seed $seed"; return 1; }
	done
'

test_expect_success 'stacks that were cut are told below regions, too' '
	printf "%s\n" "step 0" "thread 5 5 x" "region /a 0 100" "time 5" "<no_rule>;lib.so!f 3" "time 200" "<no_rule>;lib.so!f 2" | mkexp torn.er &&
	csv -breaks torn.er >want && csv -group region -breaks torn.er >got && test_cmp want got && test_grep lib.so got
'

test_expect_success 'a wait without a stack is below its region, a count without a sample below none' '
	printf "%s\n" "event totalcpu ns 1000000000" "step 0" "thread 5 5 x" "region /a 0 100" "time 5" "main;f 2" "<unsampled> 4" \
		"state wait" "weight 1000000000" "main;f 1" "<unsampled> 1" ". 1" | mkexp bare.er &&
	csv -group region -metrics i.totalcpu:i.wait -functions bare.er >got && cat got &&
	test_grep "^4,0,<Outside>,<Unsampled>" got && test_grep "^2,1,a,main" got && test_grep "^0,1,a,<Unsampled>" got
'

test_expect_success JSONSCHEMA 'timeline and functions with regions fit the schema' '
	er_print -json -timeline -group region -functions d.er >d.json && grep -q "\"region\"" d.json && fits_schema d.json
'

test_expect_success 'a timeline has a line of letters for regions, explained below it' '
	printf "%s\n" "state lock" "step 0" "thread 100 100 main" "life 0 100" "region /a/b 20 40" "region /a 0 60" "region /c 90 100" \
		"thread 100 101 other" "life 0 100" "on lock" "time 50" "weight 10" "main 1" | mkexp band.er &&
	echo "timeline 10" | er_print band.er >got && test_grep "^ *aabbaa   c|$" got && test_grep "below, the region: a a, b a b, c c)" got &&
	[ "$(grep -c "|$" got)" = 3 ]
'

test_expect_success 'drawn filters admit what a second implementation does' '
	for seed in $(seq 1 15); do
		python3 "$RP_SRC/t/regions-drawn" make "$seed" >drawn.txt && python3 "$RP_SRC/t/regions-drawn" filters "$seed" >script ||
			return 1
		grep -q "^region" drawn.txt || continue
		rm -rf d.er && mkexp d.er <drawn.txt && er_print -json -metrics ie.totalcpu:ie.lock -script script d.er >d.json &&
			python3 "$RP_SRC/t/regions-drawn" filtered "$seed" d.json ||
			{ echo "seed $seed"; return 1; }
	done
'

test_expect_success 'REGION, DOMAIN, INSTANCE, RANK: names, branches, numbers, shares' '
	csv -metrics e.totalcpu -filters "REGION==\"event\" && RANK>0.99" -functions r.er >got && test_grep "^0.01,<Total>" got &&
	csv -metrics e.totalcpu -filters "REGION(\"event .*\")" -functions r.er >got && test_grep "^0.007,<Total>" got &&
	csv -metrics e.totalcpu -filters "DOMAIN==\"one\"" -functions domains.er >got && test_grep "^0,<Total>" got &&
	for wrong in "RANK" "RANK>2" "RANK+1>0" "0.5" "RANK?1:0" "RANK>TSTAMP"; do
		er_print -filters "$wrong" -functions r.er >got 2>err && return 1
		test_grep "share" err || return 1
	done
'

test_expect_success 'of one region the functions, of all the names and the domains' '
	er_print -json -regions domain domains.er >d.json && query d.json "sorted((r[\"branch\"], r[\"apart\"], r[\"count\"])
		for r in d[\"regions\"] if r[\"name\"]) == [(\"<Of no domain>\", 0, 4), (\"<Of no domain>\", 1, 1),
		(\"one\", 0, 1), (\"one\", 1, 1), (\"two\", 0, 1)]" &&
	csv -metrics e.totalcpu -regions "event sort" r.er >got && test_grep "^0.007,<Total>" got && test_grep "^0.007,f," got &&
	csv -metrics e.totalcpu -filters THRID==2 -regions sort -functions r.er >got && test_grep "^0.0110*1*,<Total>" got &&
	test_grep "^0.0180*2*,<Total>" got && test_expect_code 1 er_print -regions evnt r.er 2>err && test_grep "did you mean event" err
'

# The bounds are those numbers of samples whose two tails have 2.5 % each, half of their own counted.
test_expect_success 'accuracy: shares by the clock and by samples, and where their difference must lie' '
	er_print -json -accuracy r.er >a.json && query a.json "[(r[\"branch\"], r[\"count\"], r[\"samples\"], r[\"timer\"], r[\"profiler\"])
		for r in d[\"accuracy\"]] == [(\"event\", 2, 28, 100, 100), (\"event sort\", 1, 7, 10, 25), (\"<The rest>\", 2, 21, 90, 75)]" &&
	python3 -c "
import json, math
row = json.load(open(\"a.json\"))[\"accuracy\"][1]
p = [math.comb(28, k) * 0.1 ** k * 0.9 ** (28 - k) for k in range(29)]
good = [k for k in range(29) if sum(p[:k]) + p[k] / 2 >= 0.025 and sum(p[k + 1:]) + p[k] / 2 >= 0.025]
want = [100 * k / 28 - 10 for k in (good[0], good[-1])]
assert all(abs(a - b) < 1e-9 for a, b in zip(want, (row[\"low\"], row[\"high\"]))), (want, row)
assert row[\"inside\"] == (want[0] <= 15 <= want[1]), row" &&
	er_print -accuracy sort r.er >got && test_grep "100.00 .* sort$" got &&
	test_expect_code 1 er_print -accuracy nothing r.er 2>err && test_grep "no region of the name nothing" err &&
	test_expect_code 2 er_print -accuracy event x r.er 2>err && test_grep "number of levels" err &&
	test_expect_code 1 er_print -accuracy none.er 2>err && test_grep "collect --regions on" err
'

# Recorded from 50 to 300 us: the first event half, its sort not, the second one half, too.
test_expect_success 'pauses are no part of instances' '
	{ cat plain && printf "%s\n" "span 50000 300000"; } | mkexp paused.er && er_print -json -regions paused.er >p.json &&
	query p.json "[(r[\"branch\"], r[\"count\"], r[\"total_ns\"]) for r in d[\"regions\"] if r[\"count\"]] == [(\"event\", 2, 150000)]"
'

# A point at 0, 1.5 s and 4 s; of the count half was seen in the second part.
test_expect_success 'sample points: what was used and counted between them' '
	printf "%s\n" "event cycles events 1000" "point 0 1 - 0 0 0 0 0 0 0 0 0" "point 1500000000 3 one 5 6 7 8 9 10 100 10 10" \
		"point 4000000000 2 - 105 106 17 9 8 11 300 30 20" "time 1000000000" "main 1" "time 1500000000" "main 2" \
		"time 9000000000" "main 4" | mkexp points.er &&
	er_print -json -samples points.er >points.json &&
	query points.json "[(r[\"sample\"], r[\"begin_ns\"], r[\"duration_ns\"], r[\"user_ns\"], r[\"system_ns\"], r[\"minor_faults\"],
		r[\"major_faults\"], r[\"voluntary\"], r[\"involuntary\"], r[\"cycles\"], r[\"until\"], r[\"kind\"]) for r in d[\"samples\"]] == [
		(1, 0, 1500000000, 5, 6, 7, 8, 9, 10, 100, \"one\", \"program\"),
		(2, 1500000000, 2500000000, 100, 100, 10, 1, None, 1, 400, \"the end\", \"end\")]" &&
	er_print -samples points.er >got && test_grep "2 *1.500  2.500 .* the end" got &&
	csv -metrics e.cycles -filters SAMPLE==2 -functions points.er >got && test_grep "^6000,<Total>" got &&
	er_print -sample_list points.er >got && test_grep "2 *1-2" got &&
	er_print -samples r.er >got && test_grep "Seconds" got
'

test_expect_success JSONSCHEMA 'so do sample points, and accuracy' '
	fits_schema points.json && fits_schema a.json
'

test_done
