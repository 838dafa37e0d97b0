# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Derived metrics: instructions per cycle and other quotients of two recorded ones.  Every
# number was computed by hand.
. "$RP_SRC/t/lib.sh"

# fast: 4000 cycles, 10000 instructions; slow: 6000 and 2000; main: 1000 and none;
# waits: none and 500.  A misprediction stands for 10, an instruction sample for 500.
stacks() {
	cat <<-END
	event cycles cycles 1000 2000000000 1 CPU Cycles
	event insts events 500 0 1 Instructions Executed
	event brmisp events 10 0 1 Branch Mispredictions
	event ref-cycles ref-cycles 2000 1000000000 1 Reference Cycles
	on cycles
	main;fast 4
	main;slow 6
	main 1
	on insts
	main;fast 20
	main;slow 4
	main;waits 1
	on brmisp
	main;fast 2
	on ref-cycles
	main;fast 1
	main;slow 5
	END
}

stacks | mkexp run.er

# functions SPEC N: the first N fields of functions in CSV.
functions() {
	er_print -metrics "$1" -printmode , -functions run.er | tr -d '\r' | cut -d, -f1-"$2"
}

test_expect_success 'a row has the quotient of its own sums, and none without a divisor' '
	functions e.IPC:i.IPC:e.CPI:name 4 >got &&
	cat >want <<-END &&
	exclusive_IPC,inclusive_IPC,exclusive_CPI,name
	1.1363636363636365,1.1363636363636365,0.88,<Total>
	2.5,2.5,0.4,fast
	0.3333333333333333,0.3333333333333333,3,slow
	0,1.1363636363636365,,main
	,,0,waits
	END
	test_cmp want got
'

test_expect_success 'per 1000 instructions, the clock rate, and its share of the reference' '
	functions e.branch-MPKI:e.GHz:e.clock-ratio:name 4 >got &&
	cat >want <<-END &&
	exclusive_branch-MPKI,exclusive_GHz,exclusive_clock-ratio,name
	1.6,0.9166666666666666,0.9166666666666666,<Total>
	2,2,2,fast
	0,0.6,0.6,slow
	0,,,waits
	,,,main
	END
	test_cmp want got
'

test_expect_success 'sorting by one, from high to low and back; rows without it are last' '
	er_print -metrics e.IPC:name -sort e.IPC -functions run.er >got &&
	cat >want <<-END &&
	Functions sorted by metric: Exclusive Instructions per Cycle

	Excl. IPC   Name

	    1.136   <Total>
	    2.500   fast
	    0.333   slow
	    0.000   main
	        -   waits
	END
	grep -v "^$" want >want.lines && grep -v "^$" got >got.lines &&
	test_cmp want.lines got.lines &&
	er_print -metrics e.IPC:name -sort -e.IPC -functions run.er | tail -n +4 |
		sed "s/.* //" >got &&
	printf "%s\n" "<Total>" main slow fast waits >want &&
	test_cmp want got
'

# 20 of 25 samples are 15.27 … 23.07, 4 of 11 are 1.41 … 7.30; their logarithms' distances are
# added as squares.  Of all instructions and cycles the counts are known.
test_expect_success 'with the interval of both parts' '
	er_print -ci -metrics e.IPC:name -functions run.er >got &&
	test_grep "^ *2.500 *1.293-7.180   fast$" got &&
	test_grep "^ *1.136 *1.136-1.136   <Total>$" got
'

test_expect_success 'in callers and callees, in the tree, by thread' '
	er_print -metrics ei.IPC -csingle main run.er >got &&
	test_grep "^    1.136   <Total>$" got &&
	test_grep "^    0.000  [*]main$" got &&
	test_grep "^    2.500   fast$" got &&
	er_print -metrics e.IPC -sort e.IPC -calltree 0 run.er >got &&
	test_grep "Attributed CPU Cycles" got &&
	test_grep "^    0.333  .*slow" got &&
	er_print -metrics e.IPC -threads run.er >got &&
	test_grep "^    1.136" got &&
	er_print -metrics e.IPC -objects run.er >got &&
	test_grep "^    1.136   <Total>" got
'

test_expect_success 'metric_list and the word derived' '
	er_print -metric_list run.er >got &&
	test_grep "^e.IPC  *Exclusive Instructions per Cycle" got &&
	er_print -metrics e.derived -metric_list run.er >got &&
	sed -n "/^e[.]/p; /Available/q" got | sed "s/ .*//" >list &&
	printf "%s\n" e.IPC e.CPI e.GHz e.clock-ratio e.branch-MPKI >want &&
	test_cmp want list
'

test_expect_success 'unrecorded parts are named' '
	test_expect_code 2 er_print -metrics e.LLC-MPKI run.er 2>err &&
	test_grep "LLC-MPKI is llc-misses over insts, and the recording has no llc-misses" err &&
	test_expect_code 2 er_print -metrics e.IPCC run.er 2>err &&
	test_grep "there is no metric .IPCC.; did you mean IPC" err
'

test_expect_success 'a run that lacks a part gives no quotient with one that has both' '
	stacks | sed "/^on insts/,/waits/d; /^event insts/d" | mkexp other.er &&
	test_expect_code 2 er_print -metrics e.IPC run.er other.er 2>err &&
	test_grep "not every experiment has both" err &&
	stacks | mkexp again.er &&
	er_print -metrics e.IPC:name -printmode , -functions run.er again.er | tr -d "\r" >got &&
	test_grep "^2.5,fast" got
'

test_expect_success 'compared: for each side from its own sums, not a mean of quotients' '
	stacks | sed "/^on insts/,/fast/s/fast 20/fast 10/" | mkexp less.er &&
	er_print -metrics e.IPC -compare delta run.er less.er >got &&
	test_grep "^ *2.500 *-1.250 *[a-z]* *fast$" got &&
	stacks | sed "/^main;slow 6/d" | mkexp none.er &&
	er_print -metrics e.IPC -compare delta run.er none.er >got &&
	test_grep "^ *0.333 *- *noise *slow$" got &&
	stacks | sed "s/fast 4/fast 400/; s/fast 20/fast 2000/" | mkexp long.er &&
	er_print -metrics e.IPC -printmode , -compare on run.er,long.er long.er | tr -d "\r" >got &&
	grep ",fast," got | cut -d, -f1,2 >pair &&
	echo 2.5,2.5 >want &&
	test_cmp want pair &&
	stacks | sed "s/fast 4/fast 400/; s/fast 20/fast 1000/" | mkexp half.er &&
	er_print -metrics e.IPC -compare ratio long.er half.er >got &&
	test_grep "^ *2.500 *0.500 *less *fast$" got &&
	er_print -metrics e.IPC -compare ratio long.er,long.er,long.er half.er,half.er,half.er >got &&
	test_grep "^ *2.500 *0.500 *less *fast$" got &&
	er_print -metrics e.IPC -compare ratio long.er,long.er long.er,long.er >got &&
	test_grep "^ *2.500 *1.000 *noise *fast$" got
'

test_expect_success 'a single run is assumed to vary like several' '
	for n in 700 1400; do
		stacks | sed "s/fast 4/fast 400/; s/fast 20/fast $n/" | mkexp n$n.er || return
	done &&
	stacks | sed "s/fast 4/fast 400/; s/fast 20/fast 2000/" | mkexp n2000.er &&
	er_print -metrics e.IPC -compare ratio n700.er n2000.er >got &&
	test_grep " more *fast$" got &&
	er_print -metrics e.IPC -compare ratio n700.er,n1400.er n2000.er >got &&
	test_grep " noise *fast$" got &&
	er_print -metrics e.IPC -compare ratio n2000.er n700.er,n1400.er >got &&
	test_grep " noise *fast$" got
'

test_expect_success 'JSON keeps ratios apart from summable values' '
	er_print -json -functions -compare on run.er less.er >both.json &&
	er_print -json -functions run.er >one.json &&
	"$RP_SRC/t/query" one.json "row(\"fast\")[\"ratios\"][\"exclusive\"][\"IPC\"][\"value\"] == 2.5" &&
	"$RP_SRC/t/query" one.json "row(\"waits\")[\"ratios\"][\"exclusive\"][\"IPC\"] is None" &&
	"$RP_SRC/t/query" one.json "\"IPC\" not in row(\"fast\")[\"exclusive\"]" &&
	"$RP_SRC/t/query" one.json "[r for r in d[\"ratios\"] if r[\"id\"] == \"GHz\"][0][\"denominator\"] == \"ref-cycles\""
'

test_expect_success 'the header shows the clock rate of this run' '
	stacks | sed "s/main;slow 6/main;slow 60/" | mkexp slower.er &&
	er_print -header run.er slower.er >got &&
	test_grep "^Event: *CPU Cycles .*, at 2.000 GHz" got &&
	test_grep "^Clock Rate: *0.917 GHz (.*), by cycles over ref-cycles$" got &&
	test_grep "^Core Clock over Reference Clock: *0.917 (" got &&
	test_grep "^Clock Rate: *5.417 GHz" got
'

test_expect_success 'perf'"'"'s names for the same, and levels of privilege' '
	mkexp perf.er <<-END &&
	event cpu-clock ns 1000000000 0 1 cpu-clock
	event cycles.u cycles 1000 0 1 cycles:u
	event instructions.uP events 500 0 1 instructions:uP
	event cycles cycles 1000 0 1 cycles
	event cache-misses events 10 0 1 cache-misses
	event cache-references events 100 0 1 cache-references
	on cpu-clock
	main 1
	on cycles.u
	main 2
	on instructions.uP
	main 12
	on cycles
	main 3
	on cache-misses
	main 1
	on cache-references
	main 4
	END
	er_print -metrics e.derived:name -printmode , -functions perf.er | tr -d "\r" >got &&
	cat >want <<-END &&
	exclusive_IPC.u,exclusive_CPI.u,exclusive_GHz,exclusive_LLC-miss-rate,name
	3,0.3333333333333333,3e-06,2.5,<Total>
	3,0.3333333333333333,3e-06,2.5,main
	END
	cut -d, -f1-5 got >shown &&
	test_cmp want shown
'

test_expect_success 'a multiplexed part is scaled' '
	stacks | sed "s/^event insts events 500 0 1/event insts events 500 0 2/" | mkexp scaled.er &&
	er_print -metrics e.IPC:name -printmode , -functions scaled.er | tr -d "\r" >got &&
	test_grep "^5,50,fast" got &&
	er_print -metrics e.IPC:name -functions scaled.er >got &&
	test_grep "^ *~5.000   fast$" got &&
	test_grep "^(~: IPC was counted 50.0 % of the time and scaled)$" got
'

test_expect_success 'records in HTML have them too' '
	er_print -printmode html -metrics e.cycles:e.IPC:name -fsingle fast -fsummary run.er >page.html &&
	"$RP_SRC/t/html-holds" page.html >rows && test_grep "IPC" rows && test_grep "2.50" rows
'

test_done
