# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Times of samples, and the uncertainty of numbers.
. "$RP_SRC/t/lib.sh"

# Half a second a sample would be too coarse: a thousand of one millisecond are a second.
printf 'main;f 2500\nmain;_Z1gi 1000\n' | mkexp a.er

test_expect_success 'seconds, in their order' '
	er_print -seconds a.er | sed 1,5d >got &&
	cat >want <<-END &&
	0.999 28.54       1
	1.000 28.57       2
	1.000 28.57       3
	0.501 14.31       4
	END
	test_cmp want got &&
	er_print -sort -e.totalcpu -limit 2 -samples a.er | sed 1,5d >got &&
	head -n 2 want | test_cmp - got
'

test_expect_success 'seconds obey a filter' '
	er_print -filters "LEAF IN FNAME(\"g\")" -seconds a.er | sed 1,5d | grep "^0" | tr -s " " >got &&
	printf "%s\n" "0.499 49.90 3" "0.501 50.10 4" >want && test_cmp want got
'

test_expect_success 'the interval in text and CSV' '
	er_print -ci -metrics e.%totalcpu -functions a.er >got &&
	test_grep "95 % int." got &&
	test_grep "^ *2.500 2.447-2.552  71.43   f$" got &&
	er_print -ci -metrics e+totalcpu -printmode , -functions a.er | tr -d "\r" >got &&
	test_grep "exclusive_totalcpu_low,exclusive_totalcpu_high," got &&
	printf "%s\n" ci "ci off" functions | er_print a.er >got &&
	test_no_grep "95 %" got &&
	echo "ci maybe" | test_expect_code 2 er_print a.er 2>err
'

test_expect_success 'a known total has no interval' '
	er_print -json -ci -metrics e.%totalcpu -functions a.er >known.json &&
	"$RP_SRC/t/query" known.json "near(row(\"<Total>\")[\"exclusive\"][metric][\"low\"], 3.5, 1e-9)" &&
	er_print -ci -metrics e.totalcpu -calltree 0 -objects a.er >got &&
	test 2 = "$(grep -c "^ *3.500 3.500-3.500.*Total>" got)"
'

# f: a share of 2500 in 3500, half of it admitted by the filter; of all that it admits the
# total is such a share too.
test_expect_success 'but the total of a filter is a share of the recorded one' '
	er_print -ci -metrics e.totalcpu -filters "LEAF IN FNAME(\"f\")" -functions a.er >got &&
	test_grep "^ *2.500 2.447-2.552   <Total>$" got &&
	test_grep "^ *2.500 2.447-2.552   f$" got
'

test_expect_success 'for samples selected from the whole machine the total is unknown' '
	printf "scope cpu\nmain;f 2500\nmain;_Z1gi 1000\n" | mkexp cpu.er &&
	er_print -ci -metrics e.totalcpu -functions cpu.er >got &&
	test_grep "^ *2.500 2.403-2.600   f$" got &&
	test_grep "^ *3.500 3.385-3.617   <Total>$" got
'

test_expect_success 'percentages alone have their interval in percent' '
	er_print -ci -metrics e%totalcpu -functions a.er >got &&
	test_grep "^ *69.91-72.91  71.43   f$" got &&
	er_print -ci -metrics e%totalcpu -printmode , -functions a.er | tr -d "\r" >got &&
	test_grep "^69.91[0-9]*,72.90[0-9]*,71.428" got
'

test_expect_success 'exact counts are no estimates' '
	printf "event context-switches events 1\nmain;f 325\nmain;g 7\n" >exact &&
	mkexp exact.er <exact && er_print -ci -metrics e+context-switches -functions exact.er >got &&
	test_grep "^ *325 *325-325   f$" got &&
	(cat exact && echo "lost 3") | mkexp lost.er &&
	er_print -ci -metrics e+context-switches -functions lost.er >got &&
	test_no_grep " 325-325   f" got &&
	(cat exact && echo "lost-records 3") | mkexp records.er &&
	er_print -ci -metrics e+context-switches -functions records.er >got &&
	test_no_grep " 325-325   f" got
'

test_expect_success 'viewmode' '
	er_print -viewmode machine -functions a.er >got && test_grep " _Z1gi$" got &&
	er_print -viewmode machine -viewmode user -functions a.er >got && test_grep " g(int)$" got &&
	test_expect_code 2 er_print -viewmode x a.er 2>err && test_grep "expert or machine" err
'

test_done
