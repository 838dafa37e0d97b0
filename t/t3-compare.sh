# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Two runs, or groups of runs, beside one another.
. "$RP_SRC/t/lib.sh"

printf 'arg ./old/prog\nmain;prog!f 1000\nmain;prog!g 1000\nmain;h 20\nlib.so!gone 50\n' |
	sed 's/main;/prog!main;/' | mkexp a.er
# Other addresses, another folder and another name of the program.
printf 'arg ./new/prog2\nmain;z 1\nmain;prog2!g 1010\nmain;prog2!f 1300\nmain;lib.so!n 2\nmain;h 17\n' |
	sed 's/main;/prog2!main;/' | mkexp b.er

test_expect_success 'delta: functions by name, the largest change first' '
	er_print -compare delta a.er b.er >got &&
	cat >want <<-END &&
	Functions compared by metric: Exclusive Total CPU Time

	Base              Delta   Change  Name
	Excl. Total CPU
	    sec.      %
	   2.070 100.00  +0.260   more    <Total>
	   1.000  48.31  +0.300   more    f
	   0.050   2.42  -0.050   less    gone
	   1.000  48.31  +0.010   noise   g
	   0.020   0.97  -0.003   noise   h
	   0.      0.    +0.002   noise   n
	   0.      0.    +0.001   noise   z
	END
	test_cmp want got
'

# A function whose samples are as many has not changed, whatever else was counted; its thread and the
# total have.
printf '%s\n' 'main;f 100' '<unsampled> 13' | mkexp less.er
printf '%s\n' 'main;f 100' '<unsampled> 400' | mkexp more.er

test_expect_success 'counts without samples change no function, but what they are part of' '
	er_print -compare on -functions -threads less.er more.er >got &&
	test_grep "^   0.100  88.50     0.100  20.00   noise   f$" got && test_grep "more    <Total>$" got &&
	test_grep "^   0.113 100.00     0.500 100.00   more    a.out    a.out$" got
'

test_expect_success 'without differences, the largest comes first' '
	er_print -compare delta a.er a.er >got && sed -n "s/.*noise   //p" got >names &&
	printf "%s\n" "<Total>" f g gone h >want && test_cmp want names
'

test_expect_success 'on and ratio, and functions while it lasts' '
	er_print -compare on a.er b.er >got &&
	test_grep "^   1.000  48.31     1.300  55.79   more    f$" got &&
	er_print -compare ratio a.er b.er >got &&
	test_grep "^   1.000  48.31  1.300   more    f$" got &&
	printf "%s\n" "compare delta" "compare off" functions | er_print a.er b.er >got &&
	test_grep "Functions sorted by" got &&
	printf "%s\n" "compare delta" functions | er_print a.er b.er >got &&
	test 1 = "$(grep -c "Functions compared" got)"
'

test_expect_success 'inclusive, a limit, CSV' '
	er_print -sort i.totalcpu -limit 1 -printmode , -compare delta a.er b.er |
		tr -d "\r" | cut -d , -f 1,5,7,8 >got &&
	head -n 1 got | grep -q base_inclusive_totalcpu_seconds &&
	test 3 = "$(wc -l <got)"
'

# f has 1000 of 2070 samples, and 1300 of 2330: the two-sided binomial p of that is 6.440865e-4.
# It is the second of four tests; n and z have too few samples to be tests.
test_expect_success 'JSON has both sides with their intervals, and the test' '
	er_print -json -compare on a.er b.er >on.json &&
	holds on.json "[r[\"name\"] for r in d[\"compare\"] if r[\"change\"] == \"more\"] == [\"<Total>\", \"f\"]" &&
	holds on.json "near(d[\"compare\"][1][\"p\"], 6.440865e-4, 1e-6)" &&
	holds on.json "near(d[\"compare\"][1][\"q\"], 2 * 6.440865e-4, 1e-6)" &&
	holds on.json "d[\"compare\"][1][\"base\"][\"exclusive\"][\"totalcpu\"][\"low\"] < 0.956" &&
	holds on.json "d[\"compare\"][5][\"ratio\"] is None"
'

test_expect_success 'periods that differ: amounts are compared, not samples' '
	printf "event totalcpu ns 1000000 0 1 Total CPU Time\nmain;f 1000\n" | mkexp fine.er &&
	printf "event totalcpu ns 10000000 0 1 Total CPU Time\nmain;f 100\n" | mkexp coarse.er &&
	er_print -json -compare on fine.er coarse.er >p.json &&
	holds p.json "d[\"compare\"][1][\"change\"] == \"noise\" and abs(d[\"compare\"][1][\"delta\"]) < 1e-9" &&
	holds p.json "d[\"compare\"][1][\"p\"] > 0.9"
'

for run in 1 2 3; do
	printf "main;f %d\nmain;g %d\n" $((1000 + run * 10)) $((1000 + run * 200)) | mkexp a$run.er
	printf "main;f %d\nmain;g %d\n" $((1200 + run * 10)) $((1150 + run * 200)) | mkexp b$run.er
done

test_expect_success 'several runs a side: their means, and their spread decides' '
	er_print -json -compare on a1.er,a2.er,a3.er b1.er,b2.er,b3.er >runs.json &&
	holds runs.json "[(r[\"name\"], r[\"change\"], round(r[\"delta\"], 6)) for r in d[\"compare\"][1:]] ==
		[(\"f\", \"more\", 0.2), (\"g\", \"noise\", 0.15)]" &&
	er_print -json -compare on a1.er b1.er >one.json &&
	holds one.json "{r[\"change\"] for r in d[\"compare\"]} == {\"noise\"}"
'

# One run a side: twice of all is more than a machine's speed explains, a fifth is not.
test_expect_success 'a common difference of all functions may be the speed of the machine' '
	printf "main;f 2000\nmain;g 3000\n" | mkexp slow1.er &&
	printf "main;f 2400\nmain;g 3600\n" | mkexp slow2.er &&
	printf "main;f 4000\nmain;g 6000\n" | mkexp slow3.er &&
	er_print -compare delta slow1.er slow2.er >got && test_no_grep "more" got &&
	er_print -compare delta slow1.er slow3.er >got && test 3 = "$(grep -c "  more  " got)" &&
	for run in 4 5 6 7; do
		printf "main;f %d\nmain;g %d\n" $((1998 + run)) $((3000 - run)) | mkexp slow$run.er
	done &&
	er_print -compare delta slow4.er,slow5.er,slow6.er,slow7.er slow2.er >got &&
	test 3 = "$(grep -c "  more  " got)"
'

# The noise of a count is unknown with one run a side; the spread of several runs shows it.
# Each function has nearly all of one run, and little of the other.
test_expect_success 'single runs: functions that change places have changed' '
	printf "main;f 100\nmain;g 3000\n" | mkexp early.er &&
	printf "main;f 3000\nmain;g 100\n" | mkexp late.er &&
	er_print -json -compare delta -functions early.er late.er >places.json &&
	holds places.json "{r[\"name\"]: r[\"change\"] for r in d[\"compare\"]} == {\"<Total>\": \"noise\", \"f\": \"more\", \"g\": \"less\"}" &&
	test_expect_code 3 er_print -compare delta --fail-above 50 early.er late.er >out
'

test_expect_success 'exact counts are compared by the spread of runs' '
	for run in 1 2 3; do
		printf "event faults events 1\nmain;f 1000\nmain;g %d\n" $((500 + 40 * run)) |
			mkexp exact$run.er &&
		printf "event faults events 1\nmain;f 1100\nmain;g %d\n" $((520 + 40 * run)) |
			mkexp more$run.er || return 1
	done &&
	er_print -compare delta exact1.er more1.er >got && test_no_grep "more" got &&
	er_print -compare delta exact1.er,exact2.er,exact3.er more1.er,more2.er,more3.er >got &&
	test_grep "more    f" got && test_grep "noise   g" got
'

test_expect_success 'fail-above gives an exit status' '
	test_expect_code 3 er_print -fail-above 10 -compare delta a.er b.er >/dev/null 2>err &&
	test_grep "14.5 % more" err &&
	test_expect_code 3 er_print -compare delta --fail-above 10 a.er b.er >/dev/null 2>err &&
	er_print -fail-above 15 -compare delta a.er b.er >/dev/null &&
	er_print -fail-above 10 -compare delta b.er a.er >/dev/null
'

test_expect_success 'a filter counts here too' '
	er_print -filters "LEAF IN FNAME(\"g\")" -compare delta a.er b.er >got &&
	test_no_grep " f$" got && test_grep "1.000 100.00 .* g$" got
'

test_expect_success 'what cannot be compared is refused' '
	test_expect_code 1 er_print -compare delta a.er 2>err && test_grep "needs two" err &&
	test_expect_code 1 er_print -compare delta a.er b.er a1.er 2>err &&
	test_expect_code 2 er_print -compare sideways a.er b.er 2>err && test_grep sideways err &&
	test_expect_code 2 er_print -fail-above x -compare delta a.er b.er 2>err &&
	test_expect_code 1 er_print -compare delta a.er,missing.er b.er 2>err &&
	test_grep missing.er err &&
	printf "event cycles cycles 1000 2e9\nmain;f 9\n" | mkexp cycles.er &&
	test_expect_code 1 er_print -compare delta a.er cycles.er 2>err >out &&
	test_grep "cycles.er has no totalcpu; sort takes a metric of both sides" err &&
	test_cmp /dev/null out &&
	test_expect_code 1 er_print -sort e.cycles -compare delta a.er cycles.er 2>err &&
	test_grep "a.er has no cycles" err
'

test_done
