# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The basics of er_print: the command line, scripts, layouts, and errors.
. "$RP_SRC/t/lib.sh"

# For bodies, which stand in single quotes.
# shellcheck disable=SC2034
q="'"

mkexp a.er <<'END'
event totalcpu ns 1000000000 0 1 Total CPU Time
rusage 8
end root 7
end no_rule 1
arg ./a.out
main;f;_ZN4Node6insertEPS_i 4
main;f;lib.so!g 2
main;f 1
<no_rule>;h 1
END

# refused STATUS REGEX ARGUMENT…: ends with the status and one sentence on stderr alone.
refused() {
	status=$1 regex=$2
	shift 2
	test_expect_code "$status" er_print "$@" >out 2>err </dev/null &&
	test 1 = "$(wc -l <err)" &&
	test_grep "$regex" err
}

test_expect_success 'functions, laid out as users know it' '
	er_print -functions a.er >got &&
	cat >want <<-END &&
	Functions sorted by metric: Exclusive Total CPU Time

	Excl. Total   Incl. Total    Name
	CPU           CPU
	 sec.      %   sec.      %
	8.000 100.00  8.000 100.00   <Total>
	4.000  50.00  4.000  50.00   Node::insert(Node*, int)
	2.000  25.00  2.000  25.00   g
	1.000  12.50  7.000  87.50   f
	1.000  12.50  1.000  12.50   h
	0.      0.    1.000  12.50   <Truncated> (no unwind information)
	0.      0.    7.000  87.50   main
	END
	test_cmp want got
'

test_expect_success 'csingle: callers, the function, callees' '
	er_print -csingle f a.er >got &&
	cat >want <<-END &&
	Callers and callees sorted by metric: Attributed Total CPU Time

	Attr. Total    Name
	CPU
	 sec.      %

	Callers
	7.000 100.00   main

	Stack Fragment
	1.000  14.29  *f

	Callees
	4.000  57.14   Node::insert(Node*, int)
	2.000  28.57   g
	END
	test_cmp want got
'

test_expect_success 'calltree' '
	er_print -metrics a.totalcpu -calltree a.er | sed 1,5d >got &&
	cat >want <<-END &&
	8.000   +-<Total>
	7.000     +-main
	7.000     |  +-f
	4.000     |     +-Node::insert(Node*, int)
	2.000     |     +-g
	1.000     +-<Truncated> (no unwind information)
	1.000        +-h
	END
	sed "s/^ *//" got >lined && sed "s/^ *//" want >want2 && test_cmp want2 lined
'

test_expect_success 'calltree 0 has nodes with samples of only other metrics' '
	printf "%s\n" "event totalcpu ns 1000000000 0 1 Total CPU Time" "main;f 2" \
		"event faults events 1 0 1 Faults" "main;g 3" "main;g;h 1" | mkexp two.er &&
	er_print -calltree 0 two.er >got &&
	test_grep " 3 *75.00 *| *+-g$\|+-g$" got && test_grep "+-h$" got &&
	test_no_grep "omitted" got &&
	er_print -calltree two.er >got && test_no_grep "+-h$" got &&
	test_grep "2 more nodes are omitted" got &&
	er_print -filters "LEAF IN FNAME(\"g\")" -limit 1 -calltree 0 two.er >got &&
	test_no_grep nan got
'

test_expect_success 'optional values are accepted on the command line, files are not' '
	er_print -ci -functions a.er >with && er_print -ci off -functions a.er >without &&
	er_print -functions a.er >want && test_cmp want without && test_grep "95 % int" with &&
	er_print -ci on -ci -functions a.er >got && test_cmp with got &&
	(mkdir sub && cd sub && cp -r ../a.er off && er_print -ci -functions off >got &&
		er_print -ci off -functions >../got) && test_grep "95 % int" got &&
	test_expect_code 1 er_print -ci offf -functions a.er 2>err && test_grep "offf: No such" err
'

test_expect_success 'stacks without a root are a share of the stacks, whatever the log says' '
	printf "%s\n" "end no_rule 7" "end root 3" | mkexp ends.er &&
	er_print -overview ends.er >got 2>&1 &&
	test_no_grep "inf %" got && test_grep "70.0 % of the stacks" got
'


test_expect_success 'commands share earlier settings, experiments may be anywhere' '
	er_print a.er -limit 1 -sort i.totalcpu -metrics i.totalcpu -functions >got &&
	test_grep "sorted by metric: Inclusive" got &&
	test_grep "7.000   f$" got &&
	test_no_grep main got
'

test_expect_success 'the beginning of a command is enough' '
	er_print -fun a.er >got && er_print -functions a.er >want && test_cmp want got
'

test_expect_success 'two dashes are equal to one' '
	er_print --functions a.er >got && er_print -functions a.er >want && test_cmp want got
'

test_expect_success 'sort backwards and by name' '
	er_print -sort -name -metrics e.totalcpu -functions a.er |
		awk "NR > 5 { print \$2 }" >got &&
	printf "%s\n" "<Total>" main h g f "Node::insert(Node*," "<Truncated>" >want &&
	test_cmp want got
'

test_expect_success 'no size and no address if they are unknown' '
	er_print -metrics size:address:name -limit 1 -functions a.er >got && tail -1 got >line &&
	er_print -metrics name -limit 1 -functions a.er | tail -1 >name &&
	sed "s/^ *//" line >got && test_cmp name got &&
	er_print -printmode , -metrics size:address:name -sort address -functions a.er >got &&
	tail -1 got >line && test_grep "^,,<Truncated>" line
'

test_expect_success 'names: long, short, mangled, with their object' '
	er_print -name short -functions a.er | grep -q "  Node::insert$" &&
	er_print -name mangled -functions a.er | grep -q "  _ZN4Node6insertEPS_i$" &&
	er_print -name short:soname -functions a.er | grep -q "g \[lib.so\]$" &&
	er_print -name long:soname -name long:nosoname -functions a.er | grep -q "   g$"
'

test_expect_success 'functions are found by any of their names' '
	for name in "Node::insert(Node*, int)" Node::insert _ZN4Node6insertEPS_i; do
		er_print -fsingle "$name" a.er >out &&
		test_grep "^Name: *Node::insert(Node\*, int)$" out || return 1
	done &&
	printf "%s 1\n" "main;deep.isra.0" "main;deeper" "main;twice.part.0" "main;twice" | mkexp clones.er &&
	er_print -fsingle deep clones.er >out && test_grep "^Name: *deep.isra.0$" out &&
	er_print -fsingle twice clones.er >out && test_grep "^Name: *twice$" out &&
	printf "%s 1\n" "main;low.constprop.0" "main;_ZN1N3runEi.isra.0.cold" "main;_ZN1N4runsEi" \
		"main;_ZN1N4stepEv.cold" "main;_ZN1N4stepEv" | mkexp kinds.er &&
	er_print -fsingle low kinds.er >out && test_grep "^Name: *low.constprop.0$" out &&
	for name in N::run "N::run(int)" run _ZN1N3runEi; do
		er_print -fsingle "$name" kinds.er >out &&
		test_grep "^Name: *N::run(int) \[clone .isra.0\]" out || return 1
	done &&
	for name in N::step step "N::step()"; do
		er_print -fsingle "$name" kinds.er >out && test_grep "^Name: *N::step()$" out || return 1
	done &&
	er_print -fsingle _ZN1N4stepEv.cold kinds.er >out && test_grep "^Name: *N::step() .*cold" out
'

test_expect_success 'CSV is RFC 4180' '
	er_print -printmode , -metrics e.totalcpu -limit 1 -functions a.er >got &&
	printf "%s\r\n" exclusive_totalcpu_seconds,name,object,linkage_name,function_id "8,<Total>,,," \
		"4,\"Node::insert(Node*, int)\",a.out,_ZN4Node6insertEPS_i,1a096928544199a6" >want &&
	test_cmp want got
'

test_expect_success 'a script and standard input run the same commands' '
	printf "%s\n" "# a comment" "" "limit 2" "  functions  # all" "fsingle \"main\"" >commands &&
	er_print -script commands a.er >want &&
	er_print a.er <commands >got && test_cmp want got &&
	er_print - a.er <commands >got && test_cmp want got &&
	test_grep "^Name: *main" got
'

test_expect_success 'a script reports the place of an error, and goes on' '
	printf "%s\n" "limit 1" "functoins" "functions" >commands &&
	refused 2 "commands:2: there is no command .functoins.; did you mean functions" \
		-script commands a.er &&
	test_grep "^er_print: error:" err &&
	er_print -limit 1 -functions a.er >want && test_cmp want out
'

test_expect_success 'a NUL byte in a script is reported with its place' '
	printf "limit 1\nlimit 2\0 3\nfunctions\n" >nul &&
	refused 2 "nul:2: there is a NUL byte in the line" -script nul a.er && test_cmp want out &&
	test_expect_code 2 er_print a.er <nul 2>err >out && test_cmp want out &&
	test_grep "standard input:2: there is a NUL byte" err
'

test_expect_success 'a script that runs itself ends' '
	echo "script loop" >loop &&
	refused 1 "scripts are nested" -script loop a.er && mkdir dir &&
	refused 1 "dir: Is a directory" -script dir a.er
'

test_expect_success 'quit ends a script' '
	printf "%s\n" quit functions | er_print a.er >out && ! test -s out
'

test_expect_success 'outfile and appendfile' '
	er_print -outfile out1 -threads -outfile out2 -cpus -appendfile out1 -cpus a.er >rest &&
	! test -s rest &&
	er_print -threads a.er >want && er_print -cpus a.er >cpus && test_cmp cpus out2 &&
	cat cpus >>want && test_cmp want out1
'

test_expect_success 'header begins with the problems' '
	er_print -header a.er >out &&
	test_grep "^Warning: .*12.5 % of the stacks do not reach their root" out &&
	test_grep "^Target command: *./a.out$" out &&
	test_grep "^Ended: *2026-01-02T03:04:05Z$" out &&
	test_grep "^Stacks end at: *root 87.50 %, no_rule 12.50 %$" out
'

test_expect_success 'collect'"'"'s warnings are in header and overview' '
	printf "%s\n" "note note by the way" "note warning samples were lost" "note error it broke" \
		"main 3" | mkexp noted.er &&
	er_print -header noted.er >out &&
	sed -n "2,4p" out >got &&
	cat >want <<-END &&
	Error:              it broke
	Warning:            samples were lost
	Note:               by the way
	END
	test_cmp want got &&
	er_print -overview noted.er >out &&
	test_grep "^Error: *it broke" out && test_grep "^Warning: *samples were lost" out
'

test_expect_success 'a killed collector: its data is shown, with a warning' '
	printf "%s\n" running "main;f 2" | mkexp killed.er &&
	er_print -functions killed.er >out 2>err &&
	test_grep "<Total>" out && test_grep "<a.out>+0x1000" out &&
	test_grep "did not end properly" err
'

test_expect_success 'overview: one sample is no plural' '
	printf "main;f 1\n" | mkexp single.er && er_print -overview single.er >got &&
	test_grep "^Total CPU Time: .*, 1 sample$" got
'

test_expect_success 'waits are not counted as samples: in overview, header and the greeting' '
	printf "%s\n" "main;f 3" "state wait" "main;f 4" "state lock" "main 5" | mkexp waited.er && er_print -overview waited.er >got &&
	test_grep "^Samples: *3 samples and 9 waits, 0 lost$" got && er_print -header waited.er >got &&
	test_grep "^Samples: *3 samples and 9 waits, 0 lost$" got && er_print -json -header waited.er >got &&
	test_grep "\"samples\": 3,$" got && test_grep "\"waits\": 9,$" got && er_print -experiment_list waited.er >got && test_grep "^ *1 *100 *3 *waited.er" got
'

test_expect_success 'statistics: waits have a line of their own, and it is known if some are missing' '
	size=$(wc -c <waited.er/data) && er_print -statistics waited.er | sed -n "/^Samples/,/^Bytes/s/: */: /p" >got &&
	printf "%s\n" "Samples: 3" "  per second: 250.0" "Waits: 9" "  per second: 750.0" \
		"Bytes of a sample or wait: $(echo "$size" | awk "{ printf \"%.1f\", \$1 / 12 }")" >want && test_cmp want got &&
	sed -i "s/\"samples\": 5,/\"samples\": 7,/" waited.er/log.json && er_print -header waited.er >got &&
	test_grep "2 of the 11 recorded waits are missing" got && test_no_grep "recorded samples are missing" got
'

test_expect_success 'header and overview say how much has no sample, and why' '
	printf "%s\n" "main 9" "<unsampled> 1" | mkexp un.er && sed -i "s/\"unsampled\": 0/\"unsampled\": 1000000/" un.er/log.json &&
	er_print -header -overview un.er >got && test_grep "^Event: .*, 10.0 % of it without a sample$" got && test_no_grep "^Unsampled" got &&
	sed -i "s/\"unsampled_why\": \"\"/\"unsampled_why\": \"in 7 switches\"/" un.er/log.json && er_print -header -overview un.er >got &&
	test_grep "^Event: .*, 10.0 % of it without a sample (in 7 switches)$" got && test_grep "^Unsampled: *10.0 % of Total CPU Time: in 7 switches$" got
'

test_expect_success 'overview: the most important facts' '
	er_print -overview a.er >got &&
	cat >want <<-END &&
	Experiment:      a.er
	Command:         ./a.out
	Duration:        0.008 s on host
	CPU time:        8.000 s by samples, 8.000 s by the kernel; 1000.00 CPUs busy of 4
	Samples:         8, 0 lost
	Warning:         12.5 % of the stacks do not reach their root: see statistics
	Total CPU Time:  8.000 s, 8 samples
	In:              a.out 75 %, lib.so 25 %
	Mostly below:    main > f (88 %), then Node::insert 50 %, g 25 %, itself 12 %

	Excl. Total  Incl. Total   Name
	CPU          CPU
	 sec.     %   sec.     %
	4.000 50.00  4.000 50.00   Node::insert(Node*, int)
	2.000 25.00  2.000 25.00   g
	1.000 12.50  7.000 87.50   f
	1.000 12.50  1.000 12.50   h
	0.     0.    1.000 12.50   <Truncated> (no unwind information)
	0.     0.    7.000 87.50   main
	END
	test_cmp want got
'

test_expect_success 'statistics and overview have one number of busy CPUs' '
	printf "%s\n" "event totalcpu ns 1000000 0 1 Total CPU Time" "rusage 1" "main 3" | mkexp busy.er &&
	er_print -overview busy.er >got && test_grep "; 1[.]00 CPUs busy of 4" got &&
	er_print -statistics busy.er >got && test_grep "^CPUs busy, mean: *1[.]00 of 4" got
'

# The file offset and the build-id of a function in a program that is at hand.
program=$(command -v mkexp)
place=$(readelf -sW "$program" 2>/dev/null | awk '$8 == "main" && $4 == "FUNC" { print $2 }')
build=$(readelf -nW "$program" 2>/dev/null | sed -n 's/.*Build ID: //p')
same=$(readelf -lW "$program" 2>/dev/null | awk '$1 == "LOAD" && / E / && $2 == $3' | wc -l)
if [ -n "$place" ] && [ -n "$build" ] && [ "$same" -eq 1 ]; then
	test_set_prereq PLACE
else
	test_set_prereq PLACE 'the place of main in a file is not known here'
fi

test_expect_success PLACE '… and names come from the file, if it is the one that ran' '
	printf "%s\n" running "module prog=$program" "module prog#$build" "prog!+0x$place 2" |
		mkexp named.er &&
	er_print -functions named.er 2>err >out && test_grep "  main$" out &&
	printf "%s\n" running "module prog=$program" "module prog#00$build" "prog!+0x$place 2" |
		mkexp unnamed.er &&
	er_print -functions unnamed.er 2>err >out && test_grep "  <mkexp>+0x" out &&
	test_no_grep "  main$" out
'

test_expect_success 'a recording without samples' '
	echo "event cycles cycles 1000 0 1 CPU Cycles" | mkexp none.er &&
	er_print -functions -callers-callees -calltree -objects -threads -processes -cpus \
		-overview -statistics -header none.er >out 2>err &&
	! test -s err &&
	test_grep "^Warning: *there are no samples" out &&
	er_print -metrics e+cycles -printmode , -functions none.er | tr -d "\r" | sed 1d >got &&
	echo "0,<Total>,,," >want && test_cmp want got
'

test_expect_success 'a recording cut at any byte' '
	printf "%s\n" "main;f 5" flush "main;g 5" flush "main;h 5" | mkexp whole.er &&
	size=$(wc -c <whole.er/data) && cut=16 &&
	while [ $cut -lt "$size" ]; do
		rm -rf cut.er && mkdir cut.er && cp whole.er/log.json cut.er/ &&
		head -c $cut whole.er/data >cut.er/data &&
		er_print -metrics e.totalcpu -printmode , -objects cut.er >out 2>err || return 1
		cut=$((cut + 7))
	done &&
	test_grep "data ends early, at byte" err &&
	head -c 16 whole.er/data >cut.er/data &&
	er_print -functions cut.er >out 2>err &&
	test_grep "15 of the 15 recorded samples are missing" err &&
	er_print -functions whole.er >out 2>err && ! test -s err
'

test_expect_success 'a recording of full length with a wrong byte' '
	cp -R whole.er wrong.er && printf "\252" | dd of=wrong.er/data bs=1 seek=20 conv=notrunc 2>dd &&
	er_print -functions wrong.er >out 2>err && test_grep "the data is damaged at byte 16 of" err &&
	test_no_grep "ends early" err
'

test_expect_success 'files that are not experiments' '
	refused 1 "^er_print: error: nosuch.er: No such file" -functions nosuch.er &&
	refused 1 "commands is not an experiment" -functions commands &&
	refused 1 "\. is not an experiment" -functions . &&
	mkdir -p other.er && echo "{}" >other.er/log.json &&
	refused 1 "other.er" -functions other.er &&
	echo "{ \"schema\": \"ringprof-experiment/2\" }" >other.er/log.json &&
	refused 1 "other.er was written by a later version" -functions other.er &&
	cp a.er/log.json other.er/ && echo junk >other.er/data &&
	refused 1 "other.er/data is not" -functions other.er
'

test_expect_success 'a data file of a later version' '
	mkdir later.er && cp a.er/log.json later.er/ &&
	{ printf "RINGPROF\002\000\000\000\000\000\000\000"; } >later.er/data &&
	refused 1 "format version 2" -functions later.er
'

test_expect_success 'invalid commands' '
	refused 2 "no experiment is named" &&
	refused 2 "functions needs an experiment" -functions &&
	refused 2 "no command .functoins.; did you mean functions" -functoins a.er &&
	refused 2 "may be any of cprepend, cpu_list, cpu_select, cpus; write more of it" -cp a.er &&
	refused 2 "limit takes a number" -limit many -functions a.er &&
	refused 2 "limit needs N" -limit &&
	refused 2 "metric .cycles.; the recording has totalcpu" -metrics e.cycles a.er &&
	refused 2 "did you mean totalcpu" -sort e.totalcp a.er &&
	refused 2 "printmode takes" -printmode xml a.er &&
	refused 2 "name takes" -name wrong a.er &&
	refused 2 "least share" -calltree 101 a.er
'

test_expect_success '… are reported with missing or surplus words' '
	for line in "limit" "pathmap old" "functions of mine" "fsingle f(int, int)" "fsingle f(int, int, int)"; do
		echo "$line" >s && test_expect_code 2 er_print -script s a.er 2>&1 || return 1
	done >got &&
	sed -i "s/er_print: error: s:1: //" got &&
	cat >want <<-END &&
	limit needs N
	pathmap needs OLD NEW
	functions takes no argument, not ${q}of mine${q}
	choose one of the functions ${q}f(int,${q} by a number from 1, not ${q}int)${q}; quote a name with blanks
	fsingle takes F [N], not ${q}f(int, int, int)${q}; quote a name with blanks
	END
	test_cmp want got
'

test_expect_success 'missing functions' '
	refused 1 "no function .mian. in the recording; did you mean main" -fsingle mian a.er &&
	refused 1 "no function .zzzzzzzz." -csingle zzzzzzzz a.er &&
	refused 1 "matches 1 function alone" -csingle f 2 a.er &&
	refused 1 "<Total> stands for everything, and is not a function" -fsingle "<Total>" a.er &&
	refused 1 "is in <Truncated>, which is not a readable file" -disasm "<Truncated> (no unwind information)" a.er &&
	printf "main;[kernel.kallsyms]!vfs_read 2\n" | mkexp kernel.er &&
	refused 1 "install the kernel.s debug package, or name the directory that has boot.vmlinux-RELEASE" -disasm vfs_read kernel.er &&
	refused 1 "nowhere/out: No such file" -outfile nowhere/out -functions a.er
'

test_expect_success 'a full disk is a failure' '
	for mode in text , json; do
		test_expect_code 1 er_print -printmode $mode -functions a.er >/dev/full 2>err &&
		test_grep "standard output: No space left" err || return 1
	done &&
	test_expect_code 1 er_print --help >/dev/full 2>err &&
	test_grep "standard output: No space left" err
'

test_expect_success '--help, --version and -V' '
	er_print --help >out && test_grep "^Usage: er_print" out &&
	er_print --version >out && test_grep "^er_print (ringprof) [0-9]" out &&
	er_print -V >out2 && test_cmp out out2
'

test_done
