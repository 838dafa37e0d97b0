# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Exclusive, inclusive and attributed metrics: folded stacks in, rows out.  Expected rows
# were computed by hand, from the definitions in the manual.
. "$RP_SRC/t/lib.sh"

# A sample is one second here, so that counts and seconds are the same number.
clock='event totalcpu ns 1000000000 0 1 Total CPU Time'

# make NAME: an experiment from stacks on standard input.
make() {
	rm -rf "$1.er" && { echo "$clock" && cat; } | mkexp "$1.er"
}

# functions EXPERIMENT…: "exclusive inclusive name", by name.
functions() {
	er_print -metrics e.totalcpu:i.totalcpu:name -printmode , -sort name -functions "$@" |
		tr -d '\r' | sed 1d | cut -d, -f1-3 | tr , ' ' >got
}

# related F EXPERIMENT: "attributed relation name" of F's callers and callees.
related() {
	er_print -metrics a.totalcpu -printmode , -csingle "$@" |
		tr -d '\r' | sed 1d | awk -F, '{ print $1, $4, $2 }' >got
}

test_expect_success 'exclusive is the leaf, inclusive is anywhere' '
	printf "%s\n" "main;f;g 3" "main;f 2" "main;g 1" | make plain &&
	functions plain.er &&
	printf "%s\n" "6 6 <Total>" "2 5 f" "4 4 g" "0 6 main" >want &&
	test_cmp want got
'

test_expect_success 'direct recursion counts once' '
	printf "%s\n" "main;f;f;f 3" "main;f;f;g 2" "main;f 1" | make direct &&
	functions direct.er &&
	printf "%s\n" "6 6 <Total>" "4 6 f" "2 2 g" "0 6 main" >want &&
	test_cmp want got
'

test_expect_success 'the innermost occurrence has the callers and callees' '
	related f direct.er &&
	printf "%s\n" "5 caller f" "1 caller main" "4 self f" "2 callee g" "0 callee f" >want &&
	test_cmp want got &&
	related main direct.er &&
	printf "%s\n" "6 caller <Total>" "0 self main" "6 callee f" >want &&
	test_cmp want got
'

test_expect_success 'mutual recursion' '
	printf "%s\n" "main;a;b;a;b 4" "main;a;b;a 2" "main;a;b 1" "main;b;c;b;a 1" | make mutual &&
	functions mutual.er &&
	printf "%s\n" "8 8 <Total>" "3 8 a" "5 8 b" "0 1 c" "0 8 main" >want &&
	test_cmp want got &&
	related a mutual.er &&
	printf "%s\n" "7 caller b" "1 caller main" "3 self a" "5 callee b" >want &&
	test_cmp want got &&
	related b mutual.er &&
	printf "%s\n" "7 caller a" "1 caller c" "0 caller main" "5 self b" "3 callee a" \
		"0 callee c" >want &&
	test_cmp want got
'

test_expect_success 'two places in a function are one function' '
	printf "%s\n" "main;f@1;g 1" "main;f@2;g@3 1" "main;f 1" | make places &&
	functions places.er &&
	printf "%s\n" "3 3 <Total>" "1 3 f" "2 2 g" "0 3 main" >want &&
	test_cmp want got
'

test_expect_success 'breaks: where cut stacks end, and why' '
	printf "%s\n" "main;f 5" "<no_rule>;one.so!f;main 2" "<no_rule>;one.so!g 1" \
		"<truncated>;two.so!f 2" | make breaks &&
	er_print -printmode , -breaks breaks.er | tr -d "\r" | sed 1d >got &&
	printf "%s\n" "3,30.00 %,no_rule,one.so" "2,20.00 %,truncated,two.so" >want &&
	test_cmp want got
'

test_expect_success '… for the samples that a filter admits' '
	printf "%s\n" "main;f 5" "<no_rule>;one.so!f;main 2" "<no_rule>;one.so!g 1" |
		make admitted &&
	er_print -printmode , -filters "LEAF SOME IN FNAME(\"^main$\")" -breaks admitted.er |
		tr -d "\r" | sed 1d >got &&
	echo "2,100.00 %,no_rule,one.so" >want &&
	test_cmp want got
'

test_expect_success 'losses: by second, most first, with the thread' '
	printf "%s\n" "thread 7 8 worker" "main 600" "loss 3" "loss 2" "thread 7 9 other" \
		"main 1" "loss 7" "main 500" "loss 1" | make losses &&
	er_print -printmode , -losses losses.er | tr -d "\r" | cut -d, -f1-5 | sed 1d >got &&
	printf "%s\n" 7,1,7,9,other 5,1,7,8,worker 1,2,7,9,other >want &&
	test_cmp want got &&
	er_print -json -losses losses.er >losses.json &&
	holds losses.json "sum(r[\"lost\"] for r in d[\"losses\"]) == 13" &&
	printf "%s\n" "lost 20" "main 1" "loss 3" | make untold &&
	er_print -losses untold.er | grep "^(17 more, at unknown times)" &&
	echo main 1 | make lossless && er_print -losses lossless.er | grep "^(no records were lost)"
'

test_expect_success 'one function in two objects is two' '
	printf "%s\n" "main;one.so!f 2" "main;two.so!f 3" | make objects &&
	functions objects.er &&
	printf "%s\n" "5 5 <Total>" "2 2 f (one.so)" "3 3 f (two.so)" "0 5 main" >want &&
	test_cmp want got &&
	test_expect_code 1 er_print -fsingle f objects.er 2>err &&
	test_grep "matches 2 functions" err &&
	er_print -fsingle f 2 objects.er >out &&
	test_grep "^Object: *one.so" out &&
	er_print -fsingle f 1 objects.er >out &&
	test_grep "^Object: *two.so" out
'

test_expect_success 'objects count once a sample' '
	printf "%s\n" "main;x.so!f;main2;x.so!g 2" "main;x.so!f 1" "main 4" | make twice &&
	er_print -metrics e.totalcpu:i.totalcpu -printmode , -objects twice.er |
		tr -d "\r" | sed 1d >got &&
	printf "%s\n" "7,7,<Total>" "4,7,a.out" "3,3,x.so" >want &&
	test_cmp want got
'

test_expect_success 'samples without a stack are not lost' '
	printf "%s\n" ". 2" "main 1" "<none> 1" | make empty &&
	functions empty.er &&
	printf "%s\n" "4 4 <Total>" "3 3 <Truncated> (no user stack)" "1 1 main" >want &&
	test_cmp want got
'

test_expect_success 'unsampled counts have a name of their own' '
	printf "%s\n" "<unsampled> 1" "main 1" | make unsampled &&
	functions unsampled.er &&
	printf "%s\n" "2 2 <Total>" "1 1 <Unsampled>" "1 1 main" >want &&
	test_cmp want got
'

test_expect_success '… and are neither samples nor estimates; every view has them' '
	printf "%s\n" "<unsampled> 3" "main 2" | make unsampled &&
	er_print -json -functions -calltree -objects -threads -cpus -seconds -processes unsampled.er >got.json &&
	holds got.json "e[\"samples\"] == 2" &&
	holds got.json "[(m[\"samples\"], m[\"low\"], m[\"value\"], m[\"high\"])
		for f in d[\"functions\"] if f[\"name\"] == \"<Unsampled>\"
		for m in [f[\"inclusive\"][\"totalcpu\"]]] == [(0, 3, 3, 3)]" &&
	er_print -json -filters "FNAME(\"<Unsampled>\") IN STACK" -threads -cpus -processes -objects \
		-calltree -seconds unsampled.er >got.json &&
	holds got.json "all(d[v] for v in (\"threads\", \"cpus\", \"processes\", \"objects\", \"seconds\")) and
		d[\"calltree\"][-1][\"name\"] == \"<Unsampled>\""
'

# Samples of imported recordings weigh what was counted since the last one.
test_expect_success 'no bound is beyond the total, however samples weigh' '
	for seed in 1 2 3 4 5 6; do
		rm -rf weights.er again.er &&
		/usr/bin/python3 - $seed <<-"END" | mkexp weights.er &&
		import random, sys
		rnd = random.Random(int(sys.argv[1]))
		print("event misses events 1000 0 1 Misses")
		for i in range(12):
		    print(f"cpu {i % 3}\nthread 71 {71 + i % 5} t{i % 5}\nweight {rnd.randint(1, 10 ** rnd.randint(1, 9))}")
		    print(f"main;f{rnd.randint(1, 4)} 1" if i % 6 else "<unsampled> 1")
		END
		er_print -json -metrics ei.misses -functions -objects -threads -cpus -calltree -pcs weights.er >got.json &&
		cp -r weights.er again.er &&
		er_print -json -metrics ei.misses -compare delta -functions -threads weights.er again.er >both.json &&
		/usr/bin/python3 - <<-"END" || return 1
		import json
		count = 0
		def check(v):
		    if isinstance(v, dict):
		        if "low" in v:
		            global count
		            count += 1
		            assert 0 <= v["low"] <= v["value"] <= v["high"] <= total * (1 + 1e-9), (v, total)
		        v = list(v.values())
		    for each in v if isinstance(v, list) else []:
		        check(each)
		d = json.load(open("got.json"))
		total = d["metrics"][0]["total"]
		check(d)
		check(json.load(open("both.json")))
		assert count > 40, count
		END
	done
'

test_expect_success 'truncated stacks say why' '
	printf "%s\n" "<no_rule>;f 2" "<depth>;f;g 1" "main;f 1" | make truncated &&
	functions truncated.er &&
	printf "%s\n" "4 4 <Total>" "0 2 <Truncated> (no unwind information)" \
		"0 1 <Truncated> (too deep)" "3 4 f" "1 1 g" "0 1 main" >want &&
	test_cmp want got
'

test_expect_success 'code without a name is separated by place' '
	printf "%s\n" "main;x.so!+0x1230 1" "main;x.so!+0x1fff 1" "main;x.so!+0x2000 1" "?;f 1" |
		make nameless &&
	functions nameless.er &&
	printf "%s\n" "4 4 <Total>" "0 1 <Unknown>" "2 2 <x.so>+0x1000" "1 1 <x.so>+0x2000" \
		"1 1 f" "0 3 main" >want &&
	test_cmp want got
'

test_expect_success 'the parts of a counter, of two kinds of core, are one metric' '
	printf "event cycles cycles 1000 2e9 1 CPU Cycles\nmain;big 2\n" >stacks &&
	printf "event cycles cycles 1000 1e9 1 CPU Cycles\nmain;small 3\n" >>stacks &&
	mkexp parts.er <stacks && er_print -json -functions parts.er >parts.json &&
	holds parts.json "[m[\"id\"] for m in d[\"metrics\"]] == [\"cycles\"] and total == 5000" &&
	holds parts.json "excl(\"big\") == 2000 and excl(\"small\") == 3000 and incl(\"main\") == 5000"
'

test_expect_success 'each event has metrics of its own' '
	mkexp several.er <<-END &&
	event cycles cycles 1000 2000 1 CPU Cycles
	event insts events 100
	on cycles
	main;f 4
	on insts
	main;f 1
	main;g 5
	weight 50
	main 2
	END
	er_print -metrics e.+cycles:i.+cycles:e.%insts:name -sort i.insts -printmode , \
		-functions several.er | tr -d "\r" | cut -d, -f1-6 >got &&
	cat >want <<-END &&
	exclusive_cycles_seconds,exclusive_cycles_count,inclusive_cycles_seconds,inclusive_cycles_count,exclusive_insts_count,exclusive_insts_percent
	2,4000,2,4000,700,100
	0,0,2,4000,100,14.285714285714286
	0,0,0,0,500,71.42857142857143
	2,4000,2,4000,100,14.285714285714286
	END
	test_cmp want got
'

test_expect_success 'a view shows metrics in the flavors that it has' '
	printf "%s\n" "main;f 3" "main 1" | make flavors &&
	er_print -metrics a.totalcpu -functions -callers-callees flavors.er >got &&
	test_grep "^ *3.000        3.000   f$" got && test_grep "^ *3.000  \*f$" got &&
	er_print -metrics i.totalcpu -threads flavors.er >got &&
	test_grep "^Excl. Total  No.  Process" got &&
	er_print -metrics name -functions flavors.er >got && test_grep "^f$" got
'

test_expect_success 'words that name no metric are reported' '
	test_expect_code 2 er_print -metrics hwc flavors.er 2>err &&
	test_grep ".hwc. names no metric; the recording has totalcpu" err &&
	test_expect_code 2 er_print -sort - flavors.er 2>err &&
	test_grep "names no metric; the recording has totalcpu" err &&
	test_expect_code 2 er_print -metrics e% flavors.er 2>err &&
	test_grep "names no metric; the recording has totalcpu" err
'

# sorted COMMAND SORT: what the heading of COMMAND says after "sorted by metric: ".
sorted() {
	er_print -sort "$2" -"$1" flavors.er | sed -n "1s/.* sorted by metric: //p"
}

test_expect_success 'headings name the sort key and the direction' '
	for view in functions objects lines pcs; do
		test "$(sorted $view -i.totalcpu)" = "Inclusive Total CPU Time, reversed" &&
		test "$(sorted $view a.totalcpu)" = "Exclusive Total CPU Time" &&
		test "$(sorted $view -name)" = "Name, reversed" || return 1
	done &&
	test "$(sorted functions -size)" = "Size, reversed" &&
	for view in objects lines pcs threads cpus processes; do
		test "$(sorted $view -size)" = "Exclusive Total CPU Time" || return 1
	done &&
	test "$(sorted threads -i.totalcpu)" = "Exclusive Total CPU Time, reversed" &&
	test "$(sorted callers-callees -name)" = "Name, reversed" &&
	er_print -sort -i.totalcpu -metric_list flavors.er >got &&
	test_grep "^Current metrics, sorted by Inclusive Total CPU Time, reversed$" got
'

test_expect_success 'several experiments are one, threads and processes are not' '
	printf "%s\n" "thread 1 1 one" "main;f 1" "thread 1 2 two" "lib.so!g 1" | make left &&
	printf "%s\n" "thread 1 1 one" "other 1" "main;f 2" "cpu 3" "main;x 1" | make right &&
	functions left.er right.er &&
	printf "%s\n" "6 6 <Total>" "3 3 f" "1 1 g" "0 4 main" "1 1 other" "1 1 x" >want &&
	test_cmp want got &&
	er_print -metrics e.totalcpu -printmode , -threads left.er right.er |
		tr -d "\r" | sed 1d >got &&
	printf "%s\n" 4,1,1,1,one,2 1,1,1,1,one,1 1,2,1,2,two,1 >want &&
	test_cmp want got &&
	er_print -metrics e.totalcpu -printmode , -processes -cpus left.er right.er |
		tr -d "\r" >got &&
	printf "%s\n" \
		exclusive_totalcpu_seconds,processes,process,name,command_line,arguments,experiment \
		6,2,,one,,, "" exclusive_totalcpu_seconds,cpu 5,0 1,3 >want &&
	test_cmp want got &&
	er_print -metrics e.totalcpu -printmode , -processes all left.er right.er |
		tr -d "\r" | sed 1d >got &&
	printf "%s\n" 4,1,,one,,,2 2,1,,one,,,1 >want && test_cmp want got
'

test_expect_success 'a multiplexed counter is scaled' '
	printf "%s\n" "event cycles cycles 1000 0 2.5 CPU Cycles" "main 4" >stacks &&
	mkexp scaled.er <stacks &&
	er_print -json -functions scaled.er >scaled.json &&
	"$RP_SRC/t/query" scaled.json "total == 10000" &&
	"$RP_SRC/t/query" scaled.json "d[\"metrics\"][0][\"scale\"] == 2.5" &&
	"$RP_SRC/t/query" scaled.json \
		"near(row(\"main\")[\"exclusive\"][metric][\"low\"], 1.27095 * 2500, 0.01)"
'

test_expect_success '… and each of its numbers says so' '
	er_print -metrics e+%cycles -functions scaled.er >got &&
	test_grep "^ *~10000 100.00   main$" got &&
	test_grep "^(~: cycles was counted 40.0 % of the time and scaled)$" got &&
	er_print -header scaled.er >got &&
	test_grep "multiplexed: counted 40.0 % of the time, scaled by 2.500" got &&
	er_print -overview scaled.er >got &&
	test_grep "^CPU Cycles: *~10000 cycles" got &&
	er_print -printmode , -metrics e+%cycles:name -functions scaled.er | tr -d "\r" >got &&
	test_grep "^exclusive_cycles_count,exclusive_cycles_percent,exclusive_cycles_counted_percent,name," got &&
	test_grep "^10000,100,40,main," got &&
	"$RP_SRC/t/query" scaled.json "row(\"main\")[\"exclusive\"][metric][\"scaled\"] is True" &&
	printf "%s\n" "event cycles cycles 1000 0 1 CPU Cycles" "main 4" | mkexp whole.er &&
	er_print -json -functions whole.er >whole.json &&
	"$RP_SRC/t/query" whole.json "\"scaled\" not in row(\"main\")[\"exclusive\"][metric]" &&
	er_print -functions whole.er >got &&
	! grep "~" got
'

test_expect_success 'experiments that were scaled differently keep a scale each' '
	printf "%s\n" "event cycles cycles 1000 0 1.25 CPU Cycles" "main 4" "other 4" | mkexp less.er &&
	printf "%s\n" "~15000 75.00 main" "~5000 25.00 other" >want &&
	for order in "scaled.er less.er" "less.er scaled.er"; do
		er_print -metrics e+%cycles -functions $order >out 2>err && test ! -s err &&
			sed -n "s/^ *\(~[0-9]*\) *\([0-9.]*\) *\(main\|other\)$/\1 \2 \3/p" out >got && test_cmp want got &&
			test_grep "cycles was counted 60.0 % of the time" out || return 1
	done
'

test_expect_success '… and in a comparison each side says so for itself' '
	for order in "whole.er scaled.er other" "scaled.er whole.er base"; do
		set -- $order &&
		er_print -metrics e+%cycles -compare on -functions "$1" "$2" >got &&
		test_grep "^(~: cycles ($3) was counted 40.0 % of the time and scaled)$" got &&
		sed -n "s/ *$//; s/^ *\(~*[0-9]*\) *[0-9.]* *\(~*[0-9]*\) .* main$/\1 \2/p" got >sides &&
		if [ "$3" = base ]; then echo "~10000 4000"; else echo "4000 ~10000"; fi | test_cmp - sides &&
		er_print -metrics e+%cycles -compare delta -functions "$1" "$2" >got &&
		test_grep "^(~: cycles ($3) was counted 40.0 % of the time and scaled)$" got &&
		test_grep " ~[-+]6000 .* main$" got &&
		er_print -json -compare on -functions "$1" "$2" >got.json &&
		holds got.json "all((\"scaled\" in r[side][\"exclusive\"][\"cycles\"]) == (side == \"$3\")
			for r in d[\"compare\"] for side in (\"base\", \"other\"))" || return 1
	done &&
	rm -rf copy.er && cp -r scaled.er copy.er &&
	er_print -metrics e+%cycles -compare on -functions scaled.er copy.er >got &&
	test_grep "^(~: cycles was counted 40.0 % of the time and scaled)$" got
'

test_expect_success '… and on the page' '
	er_print -report scaled.html scaled.er && test_grep "~: cycles was counted 40.0 % of the time and scaled" scaled.html &&
	er_print -report whole.html whole.er && test_no_grep "counted 40.0 %" whole.html
'

test_expect_success 'a second computation agrees on drawn scales, of small weights too' '
	for seed in $(seq 1 6); do
		"$RP_SRC/t/scales-agree" "$seed" || { echo "seed $seed"; return 1; }
	done
'

test_expect_success 'the call tree keeps to its share, and notes omissions' '
	printf "%s\n" "main;f;g 90" "main;h 8" "main;i 2" | make tree &&
	er_print -metrics a.totalcpu -calltree 5 tree.er >got &&
	cat >want <<-END &&
	Functions Call Tree. Metric: Attributed Total CPU Time

	Attr. Total   Name
	CPU
	       sec.
	    100.000   +-<Total>
	    100.000     +-main
	     90.000        +-f
	     90.000        |  +-g
	      8.000        +-h
	(1 more node is omitted, whose own part is 2.00 % of the total: calltree 0 shows all)
	END
	test_cmp want got &&
	er_print -limit 2 -printmode , -calltree 0 tree.er | tr -d "\r" |
		awk -F, "{ print \$3, \$5, \$6, \$7 }" >got &&
	printf "%s\n" "name id parent depth" "<Total> 0  0" "main 1 0 1" "f 2 1 2" >want &&
	test_cmp want got
'

# A stack 4,096 deep, of 64 functions that call one another in turn.
test_expect_success 'a very deep stack' '
	awk "BEGIN { for (i = 0; i < 4096; i++) printf \"%sf%d\", i ? \";\" : \"\", i % 64; print \" 7\" }" |
		make deep &&
	functions deep.er &&
	test_grep "^7 7 f63$" got &&
	test_grep "^0 7 f0$" got &&
	er_print -calltree deep.er >out &&
	test 4097 = "$(grep -c +- out)" &&
	related f5 deep.er &&
	printf "%s\n" "7 caller f4" "0 self f5" "7 callee f6" >want &&
	test_cmp want got
'

# Leaves: f 3, main 2 and a coroutine in JIT code 1 in user code, the kernel 4 through f and
# 1 below nothing, 5 unsampled: neither.
mixed() {
	printf "%s\n" "main;f 3" "main 2" "main;[anon!jit 1" "main;f;[kernel.kallsyms]!do_read 4" \
		"thread 2 2 worker" "cpu 3" "[kernel.kallsyms]!idle 1" "<unsampled> 5"
}

# parts EXPERIMENT…: "totalcpu user system, exclusive and inclusive, name".
parts() {
	er_print -metrics ei.totalcpu:ei.user:ei.system:name -printmode , -sort name \
		-functions "$@" | tr -d '\r' | sed 1d | cut -d, -f1-7 | tr , ' '
}

test_expect_success 'user and system divide CPU time by where the leaf is' '
	mixed | make mixed &&
	parts mixed.er >got &&
	printf "%s\n" "16 16 6 6 5 5 <Total>" "5 5 0 0 0 0 <Unsampled>" "4 4 0 0 4 4 do_read" \
		"3 7 3 3 0 4 f" "1 1 0 0 1 1 idle" "1 1 1 1 0 0 jit" "2 10 2 6 0 4 main" >want &&
	test_cmp want got
'

test_expect_success '… in threads, CPUs, seconds, objects, callers and the call tree' '
	er_print -metrics e.user:e.system:name -printmode , -threads mixed.er | tr -d "\r" |
		sed 1d | cut -d, -f1,2,5 >got &&
	printf "%s\n" "6,4,100" "0,1,2" >want &&
	test_cmp want got &&
	er_print -metrics e.user:e.system -printmode , -cpus mixed.er | tr -d "\r" | sed 1d |
		cut -d, -f1-3 >got &&
	printf "%s\n" "6,4,0" "0,1,3" >want &&
	test_cmp want got &&
	er_print -metrics i.system:i.user -sort i.system -printmode , -objects mixed.er |
		tr -d "\r" | sed 1d | cut -d, -f1-3 >got &&
	printf "%s\n" "5,6,<Total>" "5,0,[kernel.kallsyms]" "4,6,a.out" "0,0,<Unsampled>" \
		"0,1,[anon" >want &&
	test_cmp want got &&
	er_print -metrics a.system:a.user -sort a.system -printmode , -csingle f mixed.er |
		tr -d "\r" | sed 1d | cut -d, -f1,2 >got &&
	printf "%s\n" "4,3" "0,3" "4,0" >want &&
	test_cmp want got &&
	er_print -metrics a.system:a.user -calltree mixed.er >tree &&
	test_grep "^ *4.000 *3.000 *| *+-f$" tree && test_grep "^ *4.000 *0. *| *+-do_read$" tree
'

test_expect_success '… under a filter, which may come first or last' '
	er_print -json -metrics e.user:e.system -filters "LWPID == 2" -functions mixed.er >late.json &&
	er_print -json -filters "LWPID == 2" -metrics e.user:e.system -functions mixed.er >early.json &&
	for order in late early
	do
		holds $order.json "[(m[\"id\"], m[\"total\"]) for m in d[\"metrics\"]] ==
			[(\"totalcpu\", 6), (\"user\", 0), (\"system\", 1)]" &&
		holds $order.json "d[\"functions\"][0][\"exclusive\"][\"system\"][\"value\"] == 1" &&
		holds $order.json "[r[\"name\"] for r in d[\"functions\"]] == [\"<Total>\", \"<Unsampled>\", \"idle\"]" || return 1
	done
'

test_expect_success '… of several experiments, one opened later; and compared' '
	mixed | make mixed && printf "%s\n" "main;f 1" "main;[kernel.kallsyms]!do_read 2" | make other &&
	er_print -metrics e.user:e.system -add_exp other.er -printmode , -limit 1 -functions mixed.er |
		tr -d "\r" | sed -n 2p | cut -d, -f1-3 >got &&
	echo "7,7,<Total>" >want && test_cmp want got &&
	er_print -metrics e.user:e.system -add_exp other.er -drop_exp 1 -printmode , -limit 1 \
		-functions mixed.er | tr -d "\r" | sed -n 2p | cut -d, -f1-3 >got &&
	echo "1,2,<Total>" >want && test_cmp want got &&
	er_print -json -compare on -sort e.system mixed.er other.er >c.json &&
	holds c.json "{r[\"name\"]: [r[s][\"exclusive\"][\"system\"][\"value\"] for s in (\"base\", \"other\")]
		for r in d[\"compare\"]} ==
		{\"<Total>\": [5, 2], \"do_read\": [4, 2], \"idle\": [1, 0]}"
'

test_expect_success '… and exported, with processes and in time, too' '
	mixed | make mixed &&
	er_print -sort e.system -export collapsed - mixed.er >got &&
	printf "%s\n" "a.out;main;f;do_read 4000000000" \
		"worker;idle 1000000000" >want &&
	sort got | test_cmp want - &&
	er_print -sort e.system -export callgrind - mixed.er >grind &&
	test_grep "^events: totalcpu user system" grind &&
	er_print -sort e.system -export speedscope - mixed.er >s.json &&
	python3 -c "
import json
sums = {}
for p in json.load(open(\"s.json\"))[\"profiles\"]:
    metric, what = p[\"name\"].split(\": \")
    if not what.startswith(\"all\"):
        sums[metric] = sums.get(metric, 0) + sum(p[\"weights\"])
assert sums == {\"Total CPU Time\": 11e9, \"User CPU Time\": 6e9, \"System CPU Time\": 5e9}, sums"
'

test_expect_success 'they are made only when named, and a recorded one is used instead' '
	er_print -json -functions mixed.er >plain.json &&
	holds plain.json "[m[\"id\"] for m in d[\"metrics\"]] == [\"totalcpu\"]" &&
	er_print -metrics default:e.user -metrics default -metric_list mixed.er |
		sed "/Available/q" >got && test_no_grep "user" got &&
	printf "%s\n" "event user ns 1000000000 0 1 User CPU Time" "main 2" | mkexp only.er &&
	er_print -metrics e.user -printmode , -limit 1 -functions only.er | tr -d "\r" |
		sed -n 2p | cut -d, -f1,2 >got && echo "2,<Total>" >want && test_cmp want got &&
	test_expect_code 2 er_print -metrics e.system -functions only.er 2>err &&
	test_grep "samples end in the kernel.s code; the recording has only user, of user mode" err &&
	printf "%s\n" "event insts events 1000 0 1 Instructions" "main 2" | mkexp none.er &&
	test_expect_code 2 er_print -metrics e.user -functions none.er 2>err &&
	test_grep "the recording has no CPU time" err
'

test_done
