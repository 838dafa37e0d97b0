# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# printmode html: one page, read by another parser.
. "$RP_SRC/t/lib.sh"
need python3

mkexp a.er <<'END'
arg ./<b>a</b>&.out
main;_ZN4Node6insertERKSt3mapIiSsE 4
main;f;a.out!</td><script>alert('1')</script> 2
main;f;"onload='x' 1
END

# For bodies, which stand in single quotes.
# shellcheck disable=SC2034
q="'"

holds_page() {
	"$RP_SRC/t/html-holds" "$1" >rows
}

test_expect_success 'every view is part of one page that needs nothing else' '
	er_print -printmode html -overview -functions -fsingle f -fsummary -csingle f -cappend main \
		-callers-callees -calltree -objects -threads -processes -cpus -seconds -lines -pcs \
		-symbols -breaks -header -statistics -experiment_list -metric_list -thread_list \
		-describe -help a.er >page.html &&
	holds_page page.html &&
	test 1 = "$(grep -c "<!DOCTYPE html>" page.html)" &&
	test 1 = "$(grep -c "^</html>$" page.html)"
'

test_expect_success 'the same cells as in text' '
	er_print -printmode html -functions a.er >page.html && holds_page page.html &&
	cat >want <<-END &&
	Exclusive Total CPU Time|Inclusive Total CPU Time|Name
	sec.|%|sec.|%
	0.007|100.00|0.007|100.00|<Total>
	0.004|57.14|0.004|57.14|Node::insert(std::map<int, std::string> const&)
	0.002|28.57|0.002|28.57|</td><script>alert(${q}1${q})</script>
	0.001|14.29|0.001|14.29|"onload=${q}x${q}
	0.   |0.  |0.003|42.86|f
	0.   |0.  |0.007|100.00|main
	END
	test_cmp want rows
'

test_expect_success 'the call tree has exclusive metrics, too' '
	er_print -printmode html -calltree a.er >page.html && holds_page page.html &&
	test_grep "^Exclusive Total CPU Time|Attributed Total CPU Time|Name$" rows &&
	test_grep "^0.   |0.  |0.003|42.86|f$" rows
'

test_expect_success 'rows have the ids of their functions' '
	er_print -printmode html -functions -calltree -csingle main a.er >page.html &&
	holds_page page.html && er_print -json -functions a.er >a.json && python3 -c "
import json, re
page = open(\"page.html\").read()
ids = {r[\"function_id\"] for r in json.load(open(\"a.json\"))[\"functions\"]} - {\"\"}
rows = re.findall(r\"data-f=.([0-9a-f]*)\", page)
assert set(rows) == ids and len(ids) == 5 and len(rows) > 10, rows
named = re.findall(r\"<tr[^>]* data-f=.[0-9a-f]{16}[^>]*>.*<td class=.(?:f|tree)\", page)
assert len(named) == len(rows)"
'

# Names of 100 and more columns: two differ only in what was left out.
long=$(printf '%040d' 0 | tr 0 x)
test_expect_success 'long names are short, differ, and are whole in a tooltip and with name long' '
	{ echo "main;_Z3oneSt3mapI40${long}St6vectorIiSaIiEES2_E 3" &&
		echo "main;_Z3oneSt3mapI40${long}St6vectorIdSaIdEES2_E 2"; } | mkexp long.er &&
	er_print -json -functions long.er >long.json &&
	for view in functions calltree "csingle main"; do
		# shellcheck disable=SC2086 # a view and its argument
		er_print -printmode html -$view long.er >page.html && holds_page page.html && python3 -c "
import html, json, re
page = open(\"page.html\").read()
names = {r[\"name\"] for r in json.load(open(\"long.json\"))[\"functions\"] if len(r[\"name\"]) > 80}
cuts = [(html.unescape(a), html.unescape(b)) for a, b in
        re.findall(r\"<span class=.cut. title=.([^>]*).>([^<]*)</span>\", page)]
assert len(names) == 2 and {a for a, b in cuts} == names, (cuts, names)
assert len({b for a, b in cuts}) == 2 and all(\"\u2026\" in b and len(b) < len(a) for a, b in cuts), cuts" || return 1
	done &&
	er_print -printmode html -name long -functions long.er >page.html && holds_page page.html &&
	test_no_grep "class=.cut" page.html && test_grep "|one(std::map<$long, std::vector<int" rows
'

test_expect_success 'commands that failed are on the page' '
	test_expect_code 1 er_print -printmode html -functions -source nosuch -fsingle "<i>" a.er >page.html 2>err &&
	holds_page page.html && test_grep "<h2>Errors</h2>" page.html &&
	test_grep "^source|there is no function ${q}nosuch${q}" rows && test_grep "^fsingle|.*<i>" rows &&
	er_print -printmode html -functions a.er >page.html && test_no_grep "Errors" page.html
'

test_expect_success 'rows can be sorted despite a note below them' '
	printf "module prog=/nowhere/prog\nprog!f 3\n" | mkexp gone.er &&
	er_print -printmode html -symbols gone.er >page.html && holds_page page.html &&
	test_grep "<table class=\"sortable\">" page.html &&
	sed -n "/<tfoot>/,/<.tfoot>/p" page.html >foot && test_grep "restore the file" foot
'

test_expect_success 'a comparison has its colours, a csingle its headings' '
	printf "main;f 1000\nmain;g 500\nmain;h 8000\n" | mkexp b.er &&
	printf "main;f 2000\nmain;g 100\nmain;h 8000\n" | mkexp c.er &&
	er_print -printmode html -compare delta -functions -csingle f b.er c.er >page.html &&
	holds_page page.html && test_grep "<tr class=\"worse\" .*<td class=\"f\">f</td>" page.html &&
	test_grep "<tr class=\"better\" .*<td class=\"f\">g</td>" page.html &&
	test_grep "^Callers$" rows && test_grep "<tr class=\"worse marked\" .*<td class=\"f\">f</td>" page.html
'

test_expect_success 'each file is a page of its own, and ends when another form begins' '
	er_print -printmode html -outfile 1.html -functions -outfile 2.html -threads -cpus a.er &&
	holds_page 1.html && test_grep "|main$" rows &&
	holds_page 2.html && test_no_grep "|main$" rows &&
	er_print -outfile 3.html -printmode html -functions -printmode , -limit 1 -threads \
		-functions a.er &&
	sed "/^<.html>$/q" 3.html >page.html && holds_page page.html &&
	sed "1,/^<.html>$/d" 3.html | grep -q "^exclusive_totalcpu_seconds,"
'

test_expect_success 'appendfile continues a page, and leaves other files alone' '
	er_print -printmode html -outfile 4.html -functions a.er &&
	er_print -printmode html -appendfile 4.html -threads -cpus a.er &&
	holds_page 4.html && test 1 = "$(grep -c "<!DOCTYPE" 4.html)" &&
	er_print -printmode html -outfile want.html -functions -threads -cpus a.er &&
	test_cmp want.html 4.html &&
	er_print -printmode html -outfile 5.html -functions -printmode , -printmode html \
		-threads -cpus a.er && test_cmp want.html 5.html &&
	echo "of somebody else" >6.html &&
	er_print -printmode html -appendfile 6.html -functions -threads -cpus a.er &&
	sed 1d 6.html >page.html && test_cmp want.html page.html &&
	printf "</html>\n" >7.html && er_print -printmode html -appendfile 7.html -functions \
		-threads -cpus a.er && sed 1d 7.html >page.html && test_cmp want.html page.html &&
	test_expect_code 1 er_print -printmode html -appendfile /dev/full -functions a.er 2>err
'

test_expect_success 'a full disk is a failure' '
	test_expect_code 1 er_print -printmode html -functions a.er >/dev/full 2>err &&
	test_grep "standard output: No space left" err
'

test_done
