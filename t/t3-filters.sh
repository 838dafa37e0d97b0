# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# filters and selections: the samples that count, computed by hand.
. "$RP_SRC/t/lib.sh"

# A millisecond a sample: the samples of a line follow those of the line before.
mkexp a.er <<'END'
event totalcpu ns 1000000 0 1 Total CPU Time
event cycles cycles 1000 0 1 CPU Cycles
on totalcpu
thread 100 100 main
main;parse;read 3
main;lib.so!sort;lib.so!cmp 4
thread 100 101 worker
cpu 1
main;lib.so!sort 2
on cycles
main;_ZN4Node6insertEPS_i 5
thread 200 200 other
cpu 3
main;sort;parse 6
. 1
END

# admits N EXPRESSION: so many samples.
admits() {
	echo filters | er_print -filters "$2" - a.er >out &&
	sed -n "s/^Samples: *none/0/p; s/^Samples: *//p" out >count &&
	grep -q "^$1 of 21" count || { echo "$2: not $1" && cat out && return 1; }
}

test_expect_success 'numbers of the sample' '
	admits 3 "TSTAMP <= 3000000" &&
	admits 3 "TSTAMP <= 3ms" && admits 3 "TSTAMP <= 3.0ms" &&
	admits 2 "TSTAMP < 2.000001ms" && admits 1 "TSTAMP < 0.0019999999s" &&
	admits 21 "1.5us == 1500 && 0.5m == 30s && 1.0000000009s == 1s && 1ns == 1" &&
	admits 21 "9223372036.854775807s == 9223372036854775807 && 2.25m == 135.000s" &&
	admits 7 "THRID == 1" && admits 7 "THRID==2" && admits 7 "THRID==3" &&
	admits 7 "LWPID == 101" && admits 14 "PID == 100" &&
	admits 7 "CPUID == 3" && admits 12 "WEIGHT == 1000" &&
	admits 21 "SAMPLE == 1 && EXPID == 1 && EXPGRID == 1"
'

test_expect_success 'operators bind as in C' '
	admits 21 "1 + 2 * 3 == 7" &&
	admits 21 "(1 + 2) * 3 == 9" &&
	admits 21 "1 || 0 && 0" && admits 0 "(1 || 0) && 0" &&
	admits 21 "7 - 2 - 1 == 4" && admits 21 "-2 == 0 - 2" &&
	admits 21 "(6 & 3) == 2 && (6 | 1) == 7 && (6 ^ 3) == 5 && (~0) == -1" &&
	admits 21 "17 % 5 == 2 && 17 / 5 == 3 && 1 << 4 == 16 && 0x10 >> 2 == 4" &&
	admits 21 "!(1 > 2) && 1 >= 1 && 1 != 2 && 1 <= 2" &&
	admits 7 "CPUID == 3 ? 1 : 0" && admits 7 "0 ? 1 : CPUID == 3 ? 2 : 0" &&
	admits 21 "1 / 0 == 0 && 1 % 0 == 0" &&
	admits 21 "(-9223372036854775807 - 1) / -1 < 0"
'

test_expect_success 'functions in the stack' '
	admits 12 "FNAME(\"sort\") SOME IN STACK" &&
	admits 12 "STACK SOME IN FNAME(\"sort\")" &&
	admits 2 "LEAF IN FNAME(\"sort\")" &&
	admits 9 "FNAME(\"parse|cmp\") SOME IN STACK && !(LEAF IN FNAME(\"cmp\"))" &&
	admits 6 "OBJNAME(\"lib.so\") SOME IN STACK" &&
	admits 6 "LEAF IN OBJNAME(\"lib.*\")" &&
	admits 8 "STACK IN FNAME(\"main|parse|sort\") && DEPTH"
'

test_expect_success 'lists: of functions each may be another frame, in order or not' '
	admits 6 "(FNAME(\"sort\"), FNAME(\"parse\")) IN STACK" &&
	admits 6 "(FNAME(\"sort\"), FNAME(\"parse\")) ORDERED IN STACK" &&
	admits 0 "(FNAME(\"parse\"), FNAME(\"sort\")) ORDERED IN STACK" &&
	admits 7 "(FNAME(\"read\"), FNAME(\"cmp\")) SOME IN STACK" &&
	admits 14 "CPUID IN (0, 3)" && admits 7 "LWPID IN 101" &&
	admits 7 "(1, CPUID) SOME IN (3, 4)" &&
	admits 0 "LEAF IN FNAME(\"\")"
'

test_expect_success 'depth, and mixtures of stack and sample' '
	admits 13 "DEPTH == 3" && admits 1 "DEPTH == 0" &&
	admits 4 "DEPTH == 3 && LEAF IN FNAME(\"cmp\") && THRID == 1" &&
	admits 3 "DEPTH > CPUID && LEAF IN FNAME(\"read\")"
'

test_expect_success 'names in C++, of threads, processes and events' '
	admits 5 "LEAF IN FNAME(\"Node::insert\")" &&
	admits 5 "LEAF IN FNAME(\"Node::.*int.\")" &&
	admits 5 "LEAF IN FNAME(\"_ZN4Node.*\")" &&
	admits 7 "TNAME(\"work.*\")" && admits 7 "PNAME(\"other\")" &&
	admits 12 "EVENT(\"cycles\")" && admits 7 "EVENT(\"cycles\") && PID == 200"
'

test_expect_success 'every view counts the admitted samples, and shares refer to these' '
	er_print -filters "THRID == 2 && EVENT(\"totalcpu\")" -functions -threads -cpus a.er >got &&
	test_grep "0.002 100.00 .* sort" got &&
	test 3 = "$(grep -c "^(filter: THRID == 2 && EVENT(\"totalcpu\"))" got)" &&
	test_grep " 100 *101 *worker" got &&
	test_no_grep parse got && test_no_grep "other" got
'

test_expect_success 'an expression and selections combine' '
	printf "%s\n" "filters EVENT(\"cycles\")" "thread_select 101" filters \
		"thread_select all" filters "filters off" filters |
		er_print a.er >out &&
	grep Samples out | sed "s/.*: *//" >got &&
	printf "%s\n" "5 of 21" "12 of 21" "21 of 21" >want && test_cmp want got
'

test_expect_success 'selections' '
	printf "%s\n" "cpu_select 0,3" filters "cpu_select all" "process_select 150-250" filters \
		"process_select all" "sample_select 1" filters |
		er_print a.er | grep Samples | sed "s/.*: *//" >got &&
	printf "%s\n" "14 of 21" "7 of 21" "21 of 21" >want && test_cmp want got &&
	test_expect_code 2 er_print -thread_select 1-x -functions a.er 2>err &&
	test_grep "1-x" err
'

test_expect_success 'a filter that matches nothing says so' '
	er_print -filters "PID == 1" a.er </dev/null >out &&
	test_grep "none of 21: the filter matches nothing" out
'

# refused REGEX EXPRESSION: one sentence, status 2.
refused() {
	test_expect_code 2 er_print -filters "$2" a.er 2>err </dev/null &&
	test 1 = "$(wc -l <err)" && test_grep "$1" err
}

test_expect_success 'errors are reported with their place' '
	refused "column 4, the end" "1 +" &&
	refused "did you mean THRID" "THRDI == 1" &&
	refused "STACK and LEAF are asked" "STACK == 1" &&
	refused "functions are asked" "FNAME(\"x\")" &&
	refused "column 3, .2." "1 2" &&
	refused "a ) is missing" "(1" &&
	refused "or one of ns, us, ms, s or m, is missing at column 10, .5h." "TSTAMP < 5h" &&
	refused "a share is compared with a share" "TSTAMP < 1.5" &&
	refused "column 10, .1.5x." "TSTAMP < 1.5x" && refused "column 11, .\..$" "TSTAMP < 1." &&
	refused "column 1, .200000000m." 200000000m && refused "column 4, .\\..$" "0x1.5s" &&
	refused "column 1, .9223372036.854775808s." 9223372036.854775808s &&
	refused "below 2^63.* column 1, .9223372036854775808." 9223372036854775808 &&
	refused "column 6, .é.$" "1 == é" &&
	refused "regex .*(. is not right" "LEAF IN FNAME(\"(\")" &&
	refused "IN needs" "STACK IN (1, 2)" &&
	refused "IN needs" "THRID IN FNAME(\"x\")" &&
	refused "ORDERED IN needs" "STACK ORDERED IN FNAME(\"y\")" &&
	refused "an IN is missing" "FNAME(\"x\") SOME STACK" &&
	refused "column 1" "99999999999999999999 == 1" &&
	refused "column 3, .@." "1 @ 2"
'

test_expect_success 'a bad expression leaves the filter unchanged' '
	printf "%s\n" "filters PID==200" "filters PID==" >commands &&
	test_expect_code 2 er_print -script commands a.er 2>err &&
	test_grep "commands:2: filters:" err
'

test_expect_success 'hostile expressions are bounded' '
	refused "too deep" "$(printf "%0100d" 0 | tr 0 "(")" &&
	refused "too deep" "$(printf "%0100d" 0 | tr 0 "!")1" &&
	refused "too much" "1$(printf "%02000d" 0 | sed "s/0/+1/g")" &&
	refused "longer than" "1$(printf "%020000d" 0)" &&
	refused "too long" "CPUID IN (1$(printf "%0100d" 0 | sed "s/0/,1/g"))" &&
	refused "repeats too much" "LEAF IN FNAME(\"((a{90}){90}){90}\")" &&
	refused "repeats too much" "LEAF IN FNAME(\"a+++++++++++++++++++++++++++++++\")" &&
	refused "repeats what may be empty" "LEAF IN FNAME(\"a$(printf "%040d" 0 | tr 0 "?")+\")" &&
	refused "repeats too much" "LEAF IN FNAME(\"a$(printf "{1,}%.0s" 1 2 3 4 5 6 7 8 9 10 11)\")" &&
	refused "refers back" "LEAF IN FNAME(\"(a)\\1\")"
'

test_expect_success 'describe names them all' '
	er_print -describe >out &&
	for name in STACK LEAF FNAME OBJNAME THRID LWPID PID CPUID TSTAMP EXPGRID; do
		test_grep "^$name " out || return 1
	done
'

test_done
