# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The JSON report, read and checked by other programs.
. "$RP_SRC/t/lib.sh"
need python3
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
	skip_all 'python3-jsonschema is not installed'

query() {
	python3 "$RP_SRC/t/query" "$@"
}

mkexp one.er <<'END'
event totalcpu ns 1000000 0 1 Total CPU Time
event cycles cycles 1000003 2000000000 1.5 CPU Cycles
rusage 0.012
lost 1
throttled 2
end root 10
end no_rule 2
note warning something is odd
arg ./a.out
arg two words
on totalcpu
main;f;g 5
main;f;f 2
thread 100 101 helper
cpu 1
<no_rule>;h 3
on cycles
main;f 4
[kernel]!sys_read 1
END

test_expect_success 'every view at once fits the schema' '
	er_print -json -functions -fsingle f -fsingle g -csingle f -callers-callees -calltree 0 \
		-objects -threads -processes -cpus -seconds -object_list -header -statistics -overview \
		-fsummary -cappend g -thread_list -process_list -cpu_list -sample_list -cmetric_list \
		-experiment_list -metric_list -help -describe one.er >all.json &&
	echo filters | er_print -json -filters 1 - one.er >filters.json && fits_schema filters.json &&
	fits_schema all.json
'

test_expect_success 'the schema can reject' '
	sed "s/\"samples\": 5/\"samples\": -5/" all.json >bad.json &&
	test_expect_code 1 fits_schema bad.json &&
	sed "s/\"functions\"/\"fonctions\"/" all.json >bad.json &&
	test_expect_code 1 fits_schema bad.json
'

test_expect_success 'a report without views, and one of several experiments, fit too' '
	er_print -json one.er </dev/null >none.json &&
	fits_schema none.json &&
	printf "main;f 1\n" | mkexp two.er &&
	er_print -json -functions -threads -header one.er two.er >two.json &&
	fits_schema two.json &&
	query two.json "len(d[\"experiments\"]) == 2"
'

test_expect_success 'a comparison fits' '
	er_print -json -compare ratio one.er two.er >compared.json && fits_schema compared.json
'

test_expect_success 'the experiment has the command and the actual events' '
	query all.json "d[\"schema\"] == \"ringprof-report/1\"" &&
	query all.json "e[\"command\"] == \"./a.out \" + chr(39) + \"two words\" + chr(39)" &&
	query all.json "e[\"argv\"] == [\"./a.out\", \"two words\"]" &&
	query all.json "e[\"samples\"] == 15 and e[\"lost\"] == 1 and e[\"throttled\"] == 2" &&
	query all.json "near(e[\"cpu_s\"], 0.010, 1e-9)" &&
	query all.json "e[\"rusage_cpu_s\"] == 0.012" &&
	query all.json "e[\"stack_ends\"][\"no_rule\"] == 2" &&
	query all.json "e[\"threads\"] == 2 and e[\"processes\"] == 1" &&
	query all.json "\"something is odd\" in e[\"warnings\"]" &&
	query all.json "[x[\"samples\"] for x in e[\"events\"]] == [10, 5]"
'

test_expect_success 'values are whole, with samples and interval' '
	query all.json "[round(v, 8) for v in row(\"g\")[\"exclusive\"][\"totalcpu\"].values()] ==
		[0.005, 50, 5, 0.00212009, 0.00787991]" &&
	query all.json "row(\"f\")[\"exclusive\"][\"cycles\"][\"value\"] == 4 * 1000003 * 1.5" &&
	query all.json "d[\"metrics\"][1][\"seconds_per_unit\"] == 0.5e-9" &&
	query all.json "d[\"metrics\"][0][\"unit\"] == \"seconds\""
'

test_expect_success 'exclusive sums to the total, in every metric' '
	query all.json "all(near(sum(r[\"exclusive\"][m[\"id\"]][\"value\"] for r in fn),
		m[\"total\"], 1e-12) for m in d[\"metrics\"])"
'

test_expect_success 'callers and callees sum to inclusive' '
	query all.json "all(near(sum(r[\"attributed\"][metric][\"value\"] for r in
		d[\"callers_callees_2\"] if r[\"parent\"] == c[\"id\"] and r[\"relation\"] == \"caller\"),
		incl(c[\"name\"]), 1e-9) for c in d[\"callers_callees_2\"] if c[\"relation\"] == \"self\")" &&
	query all.json "all(near(sum(r[\"attributed\"][metric][\"value\"] for r in
		d[\"callers_callees_2\"] if (r[\"parent\"] == c[\"id\"] and r[\"relation\"] == \"callee\") or r is c),
		incl(c[\"name\"]), 1e-9) for c in d[\"callers_callees_2\"] if c[\"relation\"] == \"self\")"
'

test_expect_success 'the call tree is a tree whose parents come first' '
	query all.json "all(r[\"parent\"] in [p[\"id\"] for p in d[\"calltree\"][:i]]
		for i, r in enumerate(d[\"calltree\"]) if i)" &&
	query all.json "d[\"calltree\"][0][\"parent\"] is None" &&
	query all.json "near(sum(r[\"exclusive\"][metric][\"value\"] for r in d[\"calltree\"]), total, 1e-9)"
'

test_expect_success 'a view'"'"'s omissions are noted' '
	er_print -json -limit 1 -calltree one.er >limited.json &&
	fits_schema limited.json &&
	query limited.json "d[\"notes\"][0][\"view\"] == \"calltree\""
'

test_expect_success 'names of any bytes make valid JSON' '
	printf "main;f\\303\\050\\001\"\\\\;g\\377 2\n" | mkexp bytes.er &&
	er_print -json -functions bytes.er >bytes.json &&
	fits_schema bytes.json &&
	query bytes.json "\"f\" + chr(0xfffd) + \"(\" + chr(1) + chr(34) + chr(92) in names"
'

test_expect_success 'an outfile has the whole document' '
	er_print -json -outfile out.json -functions -outfile - -objects one.er >rest.json &&
	fits_schema out.json && fits_schema rest.json &&
	query out.json "\"objects\" not in d and total > 0" &&
	query rest.json "\"functions\" not in d"
'

test_done
