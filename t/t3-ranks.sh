# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# ranks: the spread of functions over ranks.  Expected rows were computed by hand.
. "$RP_SRC/t/lib.sh"
need python3
set_jsonschema

query() {
	python3 "$RP_SRC/t/query" "$@"
}

# rank NUMBER STACK…: an experiment of that rank.
rank() {
	number=$1 && shift && printf '%s\n' 'event totalcpu ns 1000000 0 1 Total CPU Time' "label rank=$number" "$@" |
		mkexp "r$number.er"
}
rank 0 'main;solve 10' 'main;wait 4'
rank 7 'main;solve 6' 'main;wait 8' 'main;solve;solve 2'
rank 12 'main;solve 20' 'io;wait 1'
# of another metric
printf '%s\n' 'event cycles cycles 1000 2e9 1 CPU Cycles' 'label rank=9' 'main 5' | mkexp c9.er

test_expect_success 'mean, min, max, imbalance and the slowest rank by function; the latest first' '
	er_print -json -metrics ei.+totalcpu -ranks r*.er >r.json &&
	query r.json "[(r[\"name\"], round(r[\"mean\"][\"exclusive\"][\"totalcpu\"][\"value\"] * 3000, 6),
		r[\"min\"][\"exclusive\"][\"totalcpu\"][\"samples\"], r[\"max\"][\"exclusive\"][\"totalcpu\"][\"samples\"],
		round(r[\"imbalance\"], 6), r[\"slowest\"], r[\"ranks\"]) for r in d[\"ranks\"]] == [
		(\"<Total>\", 51, 14, 21, 23.529412, \"12\", 3), (\"solve\", 38, 8, 20, 57.894737, \"12\", 3),
		(\"wait\", 13, 1, 8, 84.615385, \"7\", 3)]" &&
	query r.json "[(r[\"name\"], round(r[\"mean\"][\"inclusive\"][\"totalcpu\"][\"value\"] * 3000, 6),
		r[\"min\"][\"inclusive\"][\"totalcpu\"][\"samples\"], r[\"max\"][\"inclusive\"][\"totalcpu\"][\"samples\"],
		r[\"slowest\"]) for r in d[\"ranks_2\"]] == [(\"<Total>\", 51, 14, 21, \"12\"), (\"solve\", 38, 8, 20, \"12\"),
		(\"wait\", 13, 1, 8, \"7\"), (\"main\", 50, 14, 20, \"12\"), (\"io\", 1, 0, 1, \"12\")]"
'

test_expect_success JSONSCHEMA 'the rows are those of the schema' 'fits_schema r.json'

test_expect_success 'text and CSV have them, and a limit and filters apply' '
	er_print -metrics e.%totalcpu -limit 1 -ranks r*.er >got && cat >want <<-\END && test_cmp want got &&
	Functions of 3 ranks, the latest first, by metric: Exclusive Total CPU Time

	Mean             Min              Max              Imbalance %   Slowest  Name
	Excl. Total CPU  Excl. Total CPU  Excl. Total CPU
	    sec.      %             sec.             sec.
	   0.017 100.00            0.014            0.021         23.5   12       <Total>
	   0.013  74.51            0.008            0.020         57.9   12       solve
	END
	er_print -printmode , -metrics e.totalcpu -limit 1 -ranks r*.er >got && test_grep "^0.017,0.014,0.021,23.529.*,12,<Total>," got &&
	er_print -json -metrics e.totalcpu -filters "LEAF IN FNAME(\"wait\")" -ranks r*.er >f.json &&
	query f.json "[(r[\"name\"], r[\"slowest\"]) for r in d[\"ranks\"]] == [(\"<Total>\", \"7\"), (\"wait\", \"7\")]"
'

test_expect_success 'experiments of one rank add up; without labels each is a rank' '
	cp -R r0.er again.er && er_print -json -metrics e.totalcpu -ranks r0.er r7.er r12.er again.er >a.json &&
	query a.json "[(r[\"slowest\"], r[\"ranks\"], r[\"max\"][\"exclusive\"][\"totalcpu\"][\"samples\"]) for r in d[\"ranks\"]][0] ==
		(\"0\", 3, 28)" && printf "%s\n" "event totalcpu ns 1000000 0 1 Total CPU Time" "main 1" | mkexp none.er &&
	er_print -json -metrics e.totalcpu -ranks r0.er r7.er r12.er again.er none.er >n.json &&
	query n.json "[(r[\"slowest\"], r[\"ranks\"]) for r in d[\"ranks\"]][:2] == [(\"3\", 5), (\"3\", 5)]"
'

test_expect_success 'a metric that not all counted is of those that did' '
	er_print -json -metrics e+cycles:e.totalcpu -ranks r*.er c9.er >c.json &&
	query c.json "[(r[\"name\"], r[\"ranks\"], r[\"slowest\"]) for r in d[\"ranks\"]] == [(\"<Total>\", 1, \"9\"), (\"main\", 1, \"9\")]" &&
	query c.json "[(r[\"ranks\"], r[\"slowest\"]) for r in d[\"ranks_2\"]][0] == (3, \"12\")"
'

test_expect_success 'with compare, functions is named instead' '
	test_expect_code 1 er_print -compare on -ranks r0.er r7.er 2>err && test_grep functions err
'

test_done
