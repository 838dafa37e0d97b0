# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What threads waited for.  Expected rows were computed by hand from this recording:
#
#	main     0 to 10 s: sleeps 1-3, lock 4-9 (to join): 3 s with a CPU
#	worker   1 to  9 s: lock 2-2.5 and 3-4.5, poll 5-6 (no stack), wait 6-6.25: 4.75 s
#	helper   2 to  4 s of another process: disk 2-3.5: 0.5 s
. "$RP_SRC/t/lib.sh"

query() {
	python3 "$RP_SRC/t/query" "$@"
}

# Its shadow memory is larger than any limit.
sanitized() { [ -n "${RP_SANITIZE:-}" ]; }

# wait STATE END_NS NS STACK
wait_of() {
	printf '%s\n' "on $1" "time $2" "weight $3" "$4 1"
}

{
	cat <<-END
	event totalcpu ns 1000000000 0 1 Total CPU Time
	state wait
	state lock
	state sleep
	state disk
	state poll
	step 0
	thread 100 100 main
	life 0 10000000000
	END
	wait_of sleep 3000000000 2000000000 'main;nap;libc.so.6!nanosleep;[kernel]!do_nanosleep'
	wait_of lock 9000000000 5000000000 'main;join;libc.so.6!pthread_join;[kernel]!futex_wait'
	wait_of totalcpu 9500000000 1000000000 'main;compute'
	wait_of totalcpu 9600000000 1000000000 'main;compute'
	wait_of totalcpu 9700000000 1000000000 'main;nap'
	cat <<-END
	thread 100 101 worker
	life 1000000000 9000000000
	END
	wait_of lock 2500000000 500000000 'work;take;libc.so.6!mutex_lock;[kernel]!futex_wait'
	wait_of lock 4500000000 1500000000 'work;take;libc.so.6!mutex_lock;[kernel]!futex_wait'
	wait_of poll 6000000000 1000000000 '<unsampled>'
	wait_of wait 6250000000 250000000 'work;compute'
	wait_of totalcpu 7000000000 4750000000 'work;compute'
	cat <<-END
	thread 200 200 other
	life 2000000000 4000000000 2
	END
	wait_of disk 3500000000 1500000000 'main;load;libc.so.6!read;[kernel]!io_schedule'
	wait_of totalcpu 4000000000 500000000 'main;load'
} >waits.txt
mkexp w.er <waits.txt

csv() {
	er_print -printmode , "$@" | tr -d '\r'
}

test_expect_success 'a state is exact: without an interval, and each wait counts' '
	er_print -json -metrics e.lock -functions w.er >f.json &&
	query f.json "[(v[\"low\"], v[\"high\"], v[\"value\"], v[\"samples\"])
		for v in [row(\"take\")[\"inclusive\"][\"lock\"]]] == [(2, 2, 2, 2)]" &&
	query f.json "[(v[\"value\"], v[\"samples\"])
		for v in [row(\"<Unsampled>\")[\"exclusive\"][\"poll\"]]] == [(1, 1)]" &&
	query f.json "row(\"<Total>\")[\"inclusive\"][\"lock\"][\"value\"] == 7"
'

test_expect_success 'index objects and one second have them too' '
	printf "%s\n" "indxobj_define who THRID" "metrics e.owait:e.total" "indxobj who" "sample_detail 4" | er_print w.er >got &&
	test_grep "1.500 *2.000 *3$" got && test_grep "1.000 *8.000 *2$" got
'

test_expect_success 'owait and total are the sums of their parts in every row' '
	er_print -json -metrics i.total:i.owait -functions -threads -processes -seconds -cpus -calltree 0 w.er >sums.json &&
	query sums.json "all(near(r[k][\"total\"][\"value\"], sum(r[k][m][\"value\"] for m in
			(\"totalcpu\", \"wait\", \"lock\", \"sleep\", \"disk\", \"poll\")), 1e-9) and
		near(r[k][\"owait\"][\"value\"], r[k][\"disk\"][\"value\"] + r[k][\"poll\"][\"value\"], 1e-9)
		for t in (\"functions\", \"threads\", \"processes\", \"seconds\", \"cpus\", \"calltree\") for r in d[t]
		for k in (\"exclusive\", \"inclusive\") if k in r)" &&
	query sums.json "[r[\"exclusive\"][\"total\"][\"value\"] for r in d[\"threads\"]] == [10, 8, 2]" &&
	query sums.json "all(m[k] == m[\"id\"] for m in d[\"metrics\"] for k in (\"asked\", \"got\")
		if m[\"id\"] in (\"total\", \"owait\")) and len(d[\"metrics\"]) > 2" &&
	query sums.json "[row(\"<Total>\")[\"exclusive\"][m][\"value\"] for m in (\"total\", \"owait\")] == [20, 2.5]" &&
	query sums.json "[row(\"<Total>\")[\"exclusive\"][m][\"samples\"] for m in (\"total\", \"owait\")] == [5, 2]" &&
	query sums.json "[row(\"load\")[\"inclusive\"][\"owait\"][k] for k in (\"low\", \"high\")] == [1.5, 1.5]"
'

# Two samples of 1.65 s each on average, besides 7 s of waits; 10 samples have 1.65 s too.
test_expect_success 'the estimated part of a sum has an interval, the exact one none' '
	query sums.json "[(v[\"low\"], v[\"high\"]) for v in [row(\"join\")[\"inclusive\"][\"total\"]]] == [(5, 5)]" &&
	{
		printf "%s\n" "event totalcpu ns 1000000000 0 1 CPU" "main;f 60" "main;g 40" "state lock" "step 0" \
			"weight 7000000000" "main;f 1"
	} | mkexp mixed.er &&
	er_print -json -metrics e.total -functions mixed.er >mixed.json &&
	query mixed.json "all(near(row(f)[\"exclusive\"][\"total\"][k], row(f)[\"exclusive\"][\"totalcpu\"][k] +
		row(f)[\"exclusive\"][\"lock\"][k], 1e-9) for f in (\"f\", \"g\") for k in (\"low\", \"high\", \"value\"))" &&
	query mixed.json "row(\"f\")[\"exclusive\"][\"total\"][\"low\"] > 50"
'

test_expect_success 'cycles are part of a sum as time, and filters hold' '
	{
		printf "%s\n" "event cycles cycles 1000000000 2000000000 1 Cycles" "main;f 3" "state lock" "step 0" \
			"weight 7000000000" "main;f 1"
	} | mkexp cycles.er &&
	csv -metrics e.total:name -functions cycles.er | cut -d, -f1,2 >got &&
	printf "%s\n" exclusive_total_seconds,name "8.5,<Total>" 8.5,f 0,main >want && test_cmp want got &&
	csv -metrics e.total:name -filters "STATE==\"cpu\"" -functions cycles.er | cut -d, -f1,2 | sed -n 2p >got &&
	echo "1.5,<Total>" >want && test_cmp want got
'

test_expect_success 'a recording without states has no sums, and says so' '
	printf "main 1\n" | mkexp none.er &&
	test_expect_code 2 er_print -metrics e.total -functions none.er 2>err && test_grep "a sum of the states" err &&
	printf "%s\n" "state disk" "weight 2000000000" "main 1" "state lock" "main 2" "state timer" "main 3" | mkexp only.er &&
	er_print -metrics i.owait:name -functions only.er >got && test_grep "8.000 *<Total>" got &&
	test_expect_code 2 er_print -metrics e.total -functions only.er 2>err && test_grep "CPU time, which the recording lacks" err
'

test_expect_success 'single runs are no evidence that waits differ; several are' '
	for i in 1 2 3; do
		printf "%s\n" "state lock" "step 0" "weight 100000${i}000" "main;f 40" "weight 500000${i}000" "main;g 2" | mkexp a$i.er &&
		printf "%s\n" "state lock" "step 0" "weight 100000${i}000" "main;f 40" "weight 900000${i}000" "main;g 2" | mkexp b$i.er || return 1
	done &&
	csv -compare on a1.er b1.er >got && test_grep ",g," got && test_no_grep "more" got &&
	csv -compare on -metrics e.lock:name -functions a1.er,a2.er,a3.er b1.er,b2.er,b3.er >got &&
	test_grep ",more,g," got && test_grep ",noise,f," got
'

# The waits, 9 s or 99 s, are no part of what samples estimate.  With 100 samples of 10 ms
# the same CPU time has a tenth of the samples.
test_expect_success 'a sum is compared by its samples, and its waits by several runs' '
	sampled() {
		printf "%s\n" "event totalcpu ns ${1}000000 0 1 CPU" "main;f $((600 / $1))" "main;g $((400 / $1))" \
			"state lock" "step 0" "weight $2" "main;w 1"
	}
	for i in 1 2 3; do
		sampled 1 900${i}000000 | mkexp few$i.er && sampled 1 9900${i}000000 | mkexp many$i.er || return 1
	done &&
	sampled 10 99000000000 | mkexp coarse.er &&
	for other in many1 coarse; do
		csv -compare on -metrics e.total:name -functions few1.er $other.er >got && test_grep ",noise,f," got &&
		test_grep ",noise,w," got && test_no_grep "more\|less" got || return 1
	done &&
	for metric in total lock; do
		csv -compare on -metrics e.$metric:name -functions few1.er,few2.er,few3.er many1.er,many2.er,many3.er >got &&
		test_grep ",more,<Total>," got && test_grep ",more,w," got || return 1
	done &&
	csv -compare on -metrics e.total:name -functions few1.er,few2.er,few3.er many1.er,many2.er,many3.er >got &&
	test_grep ",noise,f," got && test_grep ",noise,g," got &&
	cp -r mixed.er mixed2.er && er_print -json -compare on -metrics e.total -functions mixed.er mixed2.er >both.json &&
	query both.json "[(round(v[\"low\"], 3), round(v[\"high\"], 3)) for r in d[\"compare\"] if r[\"name\"] == \"f\"
		for v in [r[\"base\"][\"exclusive\"][\"total\"]]] == [(57.157, 76.268)]" &&
	query mixed.json "[(round(v[\"low\"], 3), round(v[\"high\"], 3)) for v in [row(\"f\")[\"exclusive\"][\"total\"]]] == [(57.157, 76.268)]"
'

# What CPU time does is still seen in a sum, in rows without waits.
test_expect_success 'a change of the sampled part is one of the sum' '
	printf "%s\n" "event totalcpu ns 1000000 0 1 CPU" "main;f 900" "main;g 400" "state lock" "step 0" \
		"weight 99000000000" "main;w 1" | mkexp slower.er &&
	csv -compare on -metrics e.total:name -functions few1.er slower.er >got && test_grep ",more,f," got &&
	test_grep ",noise,g," got
'

test_expect_success 'the words of Studio name the same metrics' '
	er_print -metrics i.ulock:name -functions w.er >got &&
	er_print -metrics i.lock:name -functions w.er >want && test_cmp want got
'

# Of the network 0.1 % of the life.
{
	printf "%s\n" "state lock" "state network" "step 0" "life 0 10000000000"
	wait_of lock 9000000000 5000000000 main
	wait_of network 9600000000 10000000 main
} | mkexp hardly.er
test_expect_success 'the default metrics have a word' '
	er_print -functions hardly.er >want && er_print -metrics e.lock -metrics default -functions hardly.er >got && test_cmp want got &&
	test_no_grep "Network" want && test_grep "User Lock" want
'

test_expect_success 'filters know the state' '
	for f in "STATE==\"lock\"" "STATE(\"lock\")" "EVENT(\"lock\")" "STATE != \"cpu\" && WEIGHT > 499999999 && PID == 100 && STATE(\"lo.*\")"; do
		er_print -filters "$f" -metrics e.lock:name -functions w.er | grep Total >got || return 1
		echo "     7.000   <Total>" >want && test_cmp want got || return 1
	done &&
	er_print -filters "STATE==\"l.ck\"" -metrics e.lock:name -functions w.er | grep Total >got &&
	echo "     0.      <Total>" >want && test_cmp want got &&
	printf "%s\n" "filters STATE==\"cpu\"" filters | er_print w.er | grep Samples >got && test_grep "5 of 12" got &&
	printf "%s\n" "filters TNAME != \"worker\"" filters | er_print w.er | grep Samples >got && test_grep "7 of 12" got &&
	test_expect_code 2 er_print -filters "STATE==3" -functions w.er 2>err && test_grep "a .text. is missing" err
'

# A function of that name in a program is its own.
test_expect_success 'a thread of the kernel waits in what called its scheduler' '
	{
		printf "%s\n" "state disk" "step 0" "life 0 10000000000"
		wait_of disk 1000000000 1000000000 "[kernel]!kthread;[kernel]!worker;[kernel]!schedule_timeout;[kernel]!schedule"
		wait_of disk 3000000000 2000000000 "[kernel]!kthread;[kernel]!worker"
		wait_of disk 3500000000 500000000 "[kernel]!io_schedule"
		wait_of disk 7000000000 3000000000 "main;schedule;[kernel]!io_schedule"
	} | mkexp kernel.er &&
	csv -waits all kernel.er | sed 1d | cut -d, -f1,3,10 >got &&
	printf "%s\n" "6500000000,4,<Total>" "3000000000,2,worker" "3000000000,1,schedule (a.out)" \
		"500000000,1,io_schedule" >want && test_cmp want got
'

test_expect_success 'states divides each life without rest' '
	er_print -states w.er >got &&
	cat >want <<-END &&
	States of threads, in seconds

	Life    CPU  Wait CPU  User Lock  Sleep   Disk   Poll  Process  Thread   Name
	20.000  8.250     0.250      7.000  2.000  1.500  1.000                    <Total>
	10.000  3.000     0.000      5.000  2.000  0.000  0.000      100     100   main
	8.000  4.750     0.250      2.000  0.000  0.000  1.000      100     101   worker
	2.000  0.500     0.000      0.000  0.000  1.500  0.000      200     200   other
	END
	sed "s/^ *//" got >a && sed "s/^ *//" want >b && test_cmp b a
'

test_expect_success 'by process, in all, and in JSON to the nanosecond' '
	csv -states processes w.er | cut -d, -f1-4,18- >got &&
	cat >want <<-END &&
	life_ns,cpu_ns,wait_ns,lock_ns,process,name,experiment
	20000000000,8250000000,250000000,7000000000,,<Total>,
	18000000000,7750000000,250000000,7000000000,100,main,1
	2000000000,500000000,0,0,200,other,1
	END
	test_cmp want got &&
	er_print -json -states -states processes -states total w.er >s.json && fits_schema s.json &&
	query s.json "all(r[\"life_ns\"] == sum(v for k, v in r.items() if k.endswith(\"_ns\") and k != \"life_ns\")
		for k in (\"states\", \"process_states\", \"total_states\") for r in d[k])" &&
	query s.json "[r[\"cpu_ns\"] for r in d[\"total_states\"]] == [8250000000]" &&
	echo "states everything" >script &&
	test_expect_code 2 er_print -script script w.er 2>err && test_grep "threads, processes or total" err
'

test_expect_success 'a filter selects threads, whose lives are whole' '
	csv -filters "STATE==\"poll\"" -states w.er | cut -d, -f2,21 >got &&
	printf "%s\n" cpu_ns,name "4750000000,<Total>" 4750000000,worker >want && test_cmp want got &&
	er_print -thread_select 200 -states w.er >got && test_no_grep worker got &&
	test_grep "whole lives of the threads" got
'

test_expect_success 'every view of states says which filter it has, or was refused' '
	for view in states timeline; do
		er_print -filters "STATE==\"poll\"" -$view w.er >got &&
		test_grep "whole lives of the threads that have samples with STATE==.poll.)" got || return 1
	done &&
	er_print -filters "STATE==\"poll\"" -concurrency w.er >got &&
	test_grep "all threads, as the filter does not apply: STATE==.poll.)" got && test_grep "7.250" got &&
	for view in waits locks states timeline concurrency; do
		printf "%s\n" "filters FNAME(\"[\")" $view | er_print w.er >got 2>err
		test_grep "refused and not applied: filters FNAME" got || return 1
	done
'

# Of 100 s: one worker always waits, another works half of its life and idles for the rest,
# and their lock is held for 2, 4, 6 … 200 us.
{
	printf "%s\n" "state lock" "state poll" "state disk" "step 0" "thread 1 1 idler" "life 0 100000000000"
	wait_of poll 99000000000 95000000000 "start;loop;libc.so.6!epoll_wait"
	wait_of disk 100000000000 1000000000 "start;loop;libc.so.6!read"
	printf "%s\n" "thread 1 2 worker" "life 0 100000000000"
	for i in $(seq 1 100); do
		wait_of lock "${i}00000000" "$((2 * i))000" "start;update;libstdc++.so.6!lock;libc.so.6!mutex"
	done
	wait_of poll 99000000000 50000000000 "start;loop;libc.so.6!epoll_wait"
} | mkexp idle.er

test_expect_success 'waits by place, the idle ones set aside with their sum' '
	echo waits | er_print idle.er >got &&
	cat >want <<-END &&
	Waits by cause and place
	Total s  % of life  Waits    Mean ms     50 ms      95 ms      99 ms     Longest  State  Name     Object
	146.010      73.01    103   1417.574                                                     <Total>
	 95.000      47.50      1  95000.000                                                     <Idle>
	 50.000      25.00      1  50000.000 50000.000  50000.000  50000.000   50000.000  poll   loop     a.out
	  1.000       0.50      1   1000.000  1000.000   1000.000   1000.000    1000.000  disk   loop     a.out
	  0.010       0.01    100      0.101     0.100      0.190      0.198       0.200  lock   update   a.out
	(<Idle>: 1 thread waited in one place for at least 90 % of its life, in state poll below loop; '\''waits all'\'' shows it)
	END
	tr -s " " <got | sed "s/^ //" | grep . | sed 2d >a && tr -s " " <want | sed "s/^ //" | sed 2d >b && test_cmp b a &&
	echo "waits all" | er_print idle.er >got && test_no_grep Idle got &&
	test_grep "145.000 .* 2 *72500.000 *50000.000 *95000.000 *95000.000 *95000.000 *poll *loop" got &&
	echo locks | er_print idle.er >got && test_grep "0.010 .* 100 .* 1  *update" got && test_no_grep poll got &&
	er_print -filters "STATE==\"disk\"" -waits idle.er >got && test_no_grep update got && test_grep "filter: STATE" got
'

# Of two locks, one of unknown address, and the same address in another process, for 10 s each.
{
	printf "%s\n" "state lock" "state poll" "step 0" "thread 1 1 a" "life 0 10000000000" "address 4096"
	wait_of lock 1000000000 200000000 "main;f;libc.so.6!mutex"
	wait_of lock 2000000000 400000000 "main;f;libc.so.6!mutex"
	wait_of lock 3000000000 50000000 "main;g;libc.so.6!mutex"
	wait_of poll 3500000000 70000000 "main;g;libc.so.6!poll"
	echo "address 8192"
	wait_of lock 4000000000 300000000 "main;f;libc.so.6!mutex"
	printf "%s\n" "thread 1 2 b" "life 0 10000000000" "address 4096"
	wait_of lock 5000000000 100000000 "main;f;libc.so.6!mutex"
	echo "address 0"
	wait_of lock 6000000000 250000000 "main;f;libc.so.6!mutex"
	echo "address 8192"
	wait_of lock 9900000000 9000000000 "main;idle;libc.so.6!mutex"
	printf "%s\n" "thread 2 3 c" "life 0 10000000000" "address 4096"
	wait_of lock 7000000000 20000000 "main;f;libc.so.6!mutex"
} >locks.txt
mkexp locks.er <locks.txt

test_expect_success 'locks by address, process and place' '
	er_print -locks locks.er | tr -s " " | sed "s/^ //" | grep . | sed 1,2d >got &&
	cat >want <<-END &&
	10.320 34.40 8 1290.000 3 <Total>
	9.000 30.00 1 9000.000 1 <Idle>
	0.700 2.33 3 233.333 200.000 400.000 400.000 400.000 2 0x1000 1 f a.out
	0.300 1.00 1 300.000 300.000 300.000 300.000 300.000 1 0x2000 1 f a.out
	0.250 0.83 1 250.000 250.000 250.000 250.000 250.000 1 1 f a.out
	0.050 0.17 1 50.000 50.000 50.000 50.000 50.000 1 0x1000 1 g a.out
	0.020 0.07 1 20.000 20.000 20.000 20.000 20.000 1 0x1000 2 f a.out
	(<Idle>: 1 thread waited in one place for at least 90 % of its life, in state lock below idle; '\''locks all'\'' shows it; the lock'\''s address is known for 97.58 % of the time)
	END
	test_cmp want got &&
	csv -locks locks.er | cut -d, -f1,9-12,21,22 >got &&
	cat >want <<-END &&
	total_ns,threads,address,process,name,known_ns,experiment
	10320000000,3,,,<Total>,10070000000,
	9000000000,1,,,<Idle>,9000000000,
	700000000,2,4096,1,f,700000000,1
	300000000,1,8192,1,f,300000000,1
	250000000,1,,1,f,0,1
	50000000,1,4096,1,g,50000000,1
	20000000,1,4096,2,f,20000000,1
	END
	test_cmp want got &&
	printf "%s\n" json "locks all" "limit 2" locks >script && er_print -script script locks.er >l.json && fits_schema l.json &&
	query l.json "[(r[\"total_ns\"], r[\"address\"]) for r in d[\"locks\"]][:3] == [(10320000000, None), (9000000000, 8192), (700000000, 4096)]" &&
	query l.json "len(d[\"locks\"]) == 7 and len(d[\"locks_2\"]) == 4"
'

test_expect_success 'filters and threads choose among waits for locks' '
	csv -filters "VADDR==4096" -locks locks.er | cut -d, -f1,3,9,10,21 | sed -n 2p >got &&
	echo "770000000,5,3,,770000000" >want && test_cmp want got &&
	printf "%s\n" "printmode ," "thread_select 2" "locks all" | er_print locks.er | tr -d "\r" | cut -d, -f1,9,10,12 | grep "^[0-9]" >got &&
	printf "%s\n" "9350000000,1,,<Total>" "9000000000,1,8192,idle" "250000000,1,,f" "100000000,1,4096,f" >want && test_cmp want got &&
	er_print -filters "PID==2" -locks locks.er >got && test_no_grep Process got && test_grep "0x1000  *f" got && test_grep "filter: PID==2" got
'

test_expect_success 'a recording without addresses has locks by place alone' '
	grep -v ^address locks.txt >plain.txt && mkexp unknown.er <plain.txt &&
	er_print -locks unknown.er >got && test_grep "address is known for 0.00 % of the time" got && test_no_grep "0x\|Lock " got &&
	csv -locks unknown.er | cut -d, -f1,3,9,10 | sed -n 4p >got && echo "1250000000,5,2," >want && test_cmp want got &&
	er_print -filters "STATE==\"poll\"" -locks locks.er >got && test_grep "0.000 .*<Total>" got && test_no_grep "is known" got
'

# Each wait for a lock of its own: 131,072 have rows, the others one in each place.
test_expect_success 'any number of locks needs bounded memory' '
	python3 -c "
print(\"state lock\\nstep 0\\nlife 0 100000000000\\nweight 100\")
for i in range(140000):
    print(f\"address {64 + 64 * i}\\nmain;f{i % 2} 1\")" | mkexp many.er &&
	csv -locks many.er >got && [ "$(wc -l <got)" -eq $((131072 + 4)) ] &&
	sed -n 3,4p got | cut -d, -f1,3,9-12,21 >rows &&
	printf "%s\n" 446400,4464,1,,,f0,446400 446400,4464,1,,,f1,446400 >want && test_cmp want rows &&
	er_print -limit 1 -locks many.er >got && test_grep "only the first 131072 locks and places have rows of their own" got
'

# A block whose addresses are damaged is refused as a whole, as others are.
test_expect_success 'damaged addresses are noticed' '
	size=$(wc -c <locks.er/data) && at=$((size / 2)) &&
	for to in $((size - 1)) $at; do
		rm -rf bad.er && cp -r locks.er bad.er && head -c $to locks.er/data >bad.er/data &&
		er_print -locks bad.er >got 2>err || : && test_grep "truncated\|damaged\|ends" err || return 1
	done
'

# Parts for the first wait of each would be 80 MB.
# A thread waits for a CPU wherever it is preempted.
test_expect_success 'waits for a CPU are one row, and by place on demand' '
	{
		printf "%s\n" "state wait" "state disk" "step 0" "thread 1 1 a" "life 0 10000000000"
		wait_of wait 1000000000 100000000 "main;f"
		wait_of wait 2000000000 300000000 "main;g"
		wait_of wait 3000000000 500000000 "<unsampled>"
		wait_of disk 4000000000 800000000 "main;g"
	} | mkexp ready.er &&
	csv -waits ready.er | cut -d, -f1,3,8-11 >got &&
	cat >want <<-END &&
	total_ns,count,longest_ns,state,name,object
	1700000000,4,,,<Total>,
	900000000,3,500000000,wait,<For a CPU>,
	800000000,1,800000000,disk,g,a.out
	END
	test_cmp want got &&
	printf "%s\n" "printmode ," "waits all" | er_print ready.er | tr -d "\r" | grep ",wait," | cut -d, -f1,3,10 >got &&
	printf "%s\n" "500000000,1,<Unsampled>" "300000000,1,g" "100000000,1,f" >want && test_cmp want got &&
	er_print -overview ready.er >got && test_grep "9 % waiting for a CPU, 8 % waiting for a disk (below g)$" got &&
	er_print -filters "THRID==1" -waits ready.er >got && test_grep "wait *<For a CPU>" got
'

test_expect_success 'a place with few waits needs little memory' '
	python3 -c "
print(\"state poll\\nstep 0\\nlife 0 100000000\\nweight 100\")
for i in range(40000):
    print(f\"main;f{i} 1\")" | mkexp few.er &&
	(sanitized || ulimit -v 130000; er_print -waits few.er) >got && grep -c "poll.*f[0-9]" got >lines && echo 40000 | test_cmp - lines
'

test_expect_success 'if every thread idles, all are shown' '
	er_print -filters "STATE==\"poll\" && THRID==1" -waits idle.er >got && test_no_grep Idle got && test_grep "poll *loop" got
'

test_expect_success 'the place is the own code, else a file, else the leaf' '
	{
		printf "%s\n" "state sleep" "step 0" "life 0 1000000"
		wait_of sleep 10 10 "main;f;ld-linux-x86-64.so.2!a;[kernel]!b"
		wait_of sleep 30 11 "main;f;libcrypto.so.3!g;libc-2.31.so!a"
		wait_of sleep 50 12 "libc.so.6!start;libc.so.6!nap;[kernel]!b"
		wait_of sleep 70 13 "[kernel]!thread;[kernel]!b"
		wait_of sleep 90 14 "<no_rule>;libcache.so!h;libc.so.6!nap"
	} | mkexp places.er &&
	csv -waits places.er | sed 1,2d | cut -d, -f1,10 | sort >got &&
	printf "%s\n" 10,f 11,g 12,nap 13,b 14,h >want && test_cmp want got
'

test_expect_success 'a timeline in letters, and in blocks' '
	echo "timeline 20" | er_print w.er >got &&
	test_grep "100  *100  *main  *##ssss##LLLLLLLLLL##|$" got &&
	test_grep "100  *101  *worker    ##L#LLL#oo######  |$" got &&
	test_grep "200  *200  *other       ddd#            |$" got &&
	test_grep "(a character is 500 ms; most of it is # CPU, L User Lock, s Sleep, d Disk, o Poll)" got &&
	echo "timeline 5" | LC_ALL=C.UTF-8 er_print w.er >got && test_grep "main .*▄▄LL▄|" got &&
	printf "%s\n" "limit 1" "timeline 5" | er_print w.er >got && test_no_grep worker got &&
	echo "timeline 0" >script && test_expect_code 2 er_print -script script w.er 2>err && test_grep "1 to 1000" err
'

test_expect_success 'a timeline has no line for threads without a life' '
	{
		printf "%s\n" "event totalcpu ns 1000000 0 1 CPU" "state lock" "on totalcpu" "main 1" "life 0 10000000000"
		printf "%s\n" "thread 4294967295 4294967295 <ended>" "main 2"
	} | mkexp ended.er &&
	er_print -timeline ended.er >got && test_no_grep 4294967295 got && test_grep "^ *100 *100 " got &&
	printf "%s\n" "limit 1" timeline | er_print ended.er >one && grep "^ *100 *100 " got >want &&
	grep "^ *[0-9]* *[0-9]* .*|" one >line && test_cmp want line
'

test_expect_success 'each experiment of a timeline has its own scale' '
	printf "%s\n" "state poll" "life 0 3000000000" "main 1" | mkexp short.er &&
	echo "timeline 20" | er_print w.er short.er >got &&
	test_grep "(experiment 1: a character is 500 ms; experiment 2: a character is 150 ms; most of it is # CPU" got
'

# Of 20,000 threads all parts of all would be 200 MB; without a limit, those of some at once.
test_expect_success 'the memory of a timeline is bounded' '
	python3 -c "
print(\"state poll\\nstep 0\")
for i in range(20000):
    print(f\"thread 1 {i + 1} t\\nlife {i} {i + 1000}\\nweight 100\\ntime {i + 500}\\nmain 1\")" | mkexp crowd.er &&
	(sanitized || ulimit -v 150000; er_print -limit 10 -timeline crowd.er) >got && grep -c "|$" got >lines && echo 10 | test_cmp - lines &&
	(sanitized || ulimit -v 200000; er_print -timeline crowd.er) >all && grep -c "|$" all >got && echo 20000 | test_cmp - got &&
	printf "%s\n" json "timeline 1000" "states" >script && er_print -limit 1200 -script script crowd.er >t.json && python3 -c "
import collections, json
d = json.load(open(\"t.json\"))
life, poll = collections.Counter(), collections.Counter()
for r in d[\"timeline\"]:
    life[r[\"thread\"]] += r[\"life_ns\"]
    poll[r[\"thread\"]] += r[\"poll_ns\"]
assert len(life) == 1200 and set(life.values()) == {1000} and set(poll.values()) == {100}, (life, poll)"
'

test_expect_success 'how many ran at once' '
	er_print -concurrency w.er | tr -s " " | sed "s/^ //" | grep . >got &&
	cat >want <<-END &&
	Threads that had a CPU at once
	Threads Time s %
	0 2.250 22.50
	1 7.250 72.50
	2 0.500 5.00
	(0.82 threads on average, on 4 CPUs)
	END
	test_cmp want got
'

# Crafted: waits before the birth, and of a thread without a life.
test_expect_success 'waits outside lives do not count' '
	{
		printf "%s\n" "state lock" "state poll" "step 0" "thread 1 1 a" "life 1000000000 2000000000"
		wait_of lock 700000000 200000000 main
		wait_of lock 1500000000 1000000000 main
		printf "%s\n" "thread 1 2 b"
		wait_of poll 1500000000 300000000 other
	} | mkexp outside.er &&
	csv -concurrency outside.er | cut -d, -f1-3 >got &&
	printf "%s\n" threads,time_ns,percent "0,500000000,50" "1,500000000,50" >want && test_cmp want got &&
	er_print -waits -states outside.er >got && test_no_grep "poll\|Poll\|other" got && test_grep "1.200 " got &&
	er_print -overview outside.er >got && test_grep "^Threads. time: *of 1.200 s: 100 % waiting for a lock" got
'

# Crafted: 1-4, 2-6, within it, and the same thread under another name 5-7 are 6 s of life.
test_expect_success 'overlapping lives of a thread count once' '
	{
		printf "%s\n" "state lock" "step 0" "thread 1 1 a" "life 2000000000 6000000000 2" "life 1000000000 4000000000 1"
		printf "%s\n" "life 3000000000 5000000000" "thread 1 1 b" "life 5000000000 7000000000"
		wait_of lock 3500000000 1500000000 main
		printf "%s\n" "thread 1 2 c" "life 0 8000000000" "life 8000000000 10000000000"
	} | mkexp over.er &&
	csv -concurrency over.er | cut -d, -f1-3 >got &&
	printf "%s\n" threads,time_ns,percent "1,5500000000,55" "2,4500000000,45" >want && test_cmp want got &&
	csv -states total over.er >got && test_grep "^16000000000,14500000000," got &&
	csv -waits over.er >got && test_grep "^1500000000,9.375,1," got
'

test_expect_success 'overview says in a sentence what threads did' '
	er_print -overview w.er >got &&
	test_grep "^Threads. time: *of 20.000 s: 41 % computing, 35 % waiting for a lock (mostly below join), 10 % sleeping (below nap)$" got &&
	test_grep "8.250 s by samples" got &&
	er_print -overview idle.er >got && test_no_grep "by samples" got &&
	test_grep "^Threads. time: *of 105.000 s: 51 % computing, 48 % polling several files (below loop); not counted: 95.000 s in which 1 thread idled$" got &&
	printf "main 1\n" | mkexp other.er && er_print -overview other.er >got && test_no_grep "Threads. time" got
'

test_expect_success 'overview says that waits have no stack' '
	{
		printf "%s\n" "state otherwait" "step 0" "life 0 10000000000"
		wait_of otherwait 4000000000 3000000000 "<unsampled>"
		wait_of otherwait 6000000000 1000000000 main
	} | mkexp bare.er &&
	er_print -overview bare.er >got &&
	test_grep "^Threads. time: *of 10.000 s: 60 % computing, 40 % waiting for something unknown (mostly without a stack)$" got
'

test_expect_success 'overview counts waits, and leaves out states without time' '
	er_print -overview w.er >got && test_grep "^User Lock Time: *7.000 s, 3 waits" got &&
	test_grep "^Total CPU Time: .* samples" got && test_grep "^Poll Wait Time: *1.000 s, 1 wait$" got && test_no_grep "Time: *0.000 s" got &&
	printf "%s\n" "state lock" "state poll" "step 0" "life 5 5" "weight 0" "main 1" | mkexp empty.er &&
	er_print -overview empty.er >got && test_grep "^Threads. time: *of 0.000 s: nothing to divide$" got &&
	test_no_grep "^User Lock Time\|^Poll" got
'

test_expect_success 'a second computation agrees on random lives' '
	printf "%s\n" json states waits locks wakers "timeline 7" concurrency >script && first=$(date +%N | sed "s/^0*//") &&
	for seed in 1 2 3 $first $((first + 1)) $((first + 2)); do
		rm -rf d.er && python3 "$RP_SRC/t/states-drawn" make "$seed" | mkexp d.er &&
		er_print -script script d.er >d.json && fits_schema d.json &&
		python3 "$RP_SRC/t/states-drawn" check "$seed" d.json 7 || { echo "seed $seed" && return 1; }
	done
'

# Each makes one mistake; a few seeds show it.
test_expect_success 'it sees mistakes' '
	for mistake in "s/ >= k.3. . 90/ >= k[3] * 30/" "s/time + b - a/time + b - a + 1/" "s/(b - a) . doubt/0/" \
		"s/x, y, a, b) for t/x, y + 1, a, b) for t/" "s/length() - 8/length() - 3/" \
		"s/address or None, place/None, place/" "s/row.2. .= {tid}/row[2] |= {len(row[4])}/" \
		"s/k.2., .who/k[2], *who[::-1]/" "s/return max(.*/return f\"t{tid}\"/" \
		"s/most = max(/most = min(/"; do
		sed "$mistake" "$RP_SRC/t/states-drawn" >broken && ! cmp -s broken "$RP_SRC/t/states-drawn" &&
		for seed in 1 2 3 4 5 6 7 8; do
			rm -rf d.er && python3 "$RP_SRC/t/states-drawn" make "$seed" | mkexp d.er &&
			er_print -script script d.er >d.json &&
			{ python3 broken check "$seed" d.json 7 >/dev/null 2>&1 || continue 2; } || return 1
		done
		echo "$mistake" && return 1
	done
	true
'

test_expect_success 'header names the states, statistics has their waits' '
	er_print -header w.er >got && test_grep "^States of threads: *wait, lock, sleep, disk, poll$" got &&
	test 1 = "$(grep -c "^Event:" got)" &&
	er_print -statistics w.er >got && test_grep "^User Lock Time: *3 waits, 7000000000 ns$" got &&
	er_print -statistics only.er >got && test_grep "^Timer Wait Time: *3 waits" got && test_no_grep "^Wait CPU" got
'

test_expect_success 'a page has the same numbers' '
	"$RP_SRC/t/page-agrees" w.er && "$RP_SRC/t/page-agrees" d.er &&
	"$RP_SRC/t/page-agrees" w.er -- -metrics i.total:i.owait
'

test_expect_success 'without states, it says what records them' '
	printf "main 1\n" | mkexp plain.er &&
	test_expect_code 1 er_print -states plain.er 2>err && test_grep "collect -w on" err
'

test_done
