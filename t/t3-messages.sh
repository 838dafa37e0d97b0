# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Messages are true, and their advice helps.
. "$RP_SRC/t/lib.sh"
need python3
set_nobody er_print

mkexp a.er <<'END' || test_bug 'no experiment'
event totalcpu ns 1000000 0 1 Total CPU Time
main;f;g 90
main;f;h 1
main;f;i 5
main;f;j 4
END

# refused REGEX ARGUMENT…
refused() {
	regex=$1 && shift
	test_expect_code 1 er_print "$@" >out 2>err && test_grep "$regex" err
}

test_expect_success 'calltree names the limit that left nodes out' '
	er_print -limit 3 -calltree 0 a.er >out && test_grep "of the total: limit 0 shows all" out &&
	er_print -limit 3 -calltree a.er >out && test_grep "of the total: limit 0 and calltree 0 show all" out &&
	er_print -calltree 2 a.er >out && test_grep "of the total: calltree 0 shows all" out &&
	er_print -calltree 0 -limit 0 -calltree 0 a.er >out && test_no_grep omitted out
'

test_expect_success 'a function that the filter leaves out is not called missing' '
	refused "no function .h. in the samples that are selected; .filters. shows which" \
		-filters "LEAF IN FNAME(\"g\")" -csingle h a.er &&
	refused "no function .zzzz. in the recording; .functions. lists them all" -csingle zzzz a.er
'

test_expect_success 'a forgotten dash or argument is guessed' '
	refused "^er_print: error: functions: No such file or directory; as a command it has a dash: -functions$" \
		functions a.er &&
	refused "nothing: No such file or directory$" nothing a.er &&
	test_expect_code 2 er_print -csingle a.er 2>err &&
	test_grep "csingle needs an experiment, and took .a.er. for its F$" err &&
	test_expect_code 2 er_print -csingle f 2>err && test_grep "needs an experiment: name one" err
'

test_expect_success 'that there is nothing to compare is said once' '
	test_expect_code 1 er_print -compare on -functions a.er >out 2>err &&
	test 1 = "$(grep -c "needs two experiments" err)" &&
	test_expect_code 1 er_print -compare on a.er >out 2>err &&
	test 1 = "$(grep -c "needs two experiments" err)"
'

test_expect_success 'the lack of samples is reported once' '
	printf "%s\n" "event totalcpu ns 1 0 1 Total CPU Time" "note warning it has no samples" | mkexp none.er &&
	er_print -header none.er >out && test "$(grep -c "no samples" out)" -eq 1 &&
	echo "event totalcpu ns 1 0 1 Total CPU Time" | mkexp none2.er &&
	er_print -header none2.er >out && test "$(grep -c "no samples" out)" -eq 1
'

test_expect_success NOBODY 'a file that may not be read is not called something else' '
	echo x >secret && chmod 000 secret &&
	test_expect_code 1 as_nobody ./er_print -functions secret 2>err &&
	test_grep "secret: Permission denied" err && test_no_grep "not an experiment" err
'

# fields SEPARATOR: those of functions, read back by another program.
fields() {
	er_print -printmode "$1" -metrics e.%totalcpu:i.%totalcpu:name:address -functions a.er >csv &&
		python3 -c "
import csv, sys
print(*csv.reader(open(\"csv\", newline=\"\"), delimiter=sys.argv[1]), sep=\"\n\")" "$1"
}

test_expect_success 'a separator that occurs in numbers is quoted' '
	fields , >want && for separator in . - + ";"; do
		fields "$separator" >got && test_cmp want got || return 1
	done
'

test_expect_success 'a filter may begin with a minus, and a command behind filters is one' '
	er_print -filters "-LWPID < 0" -functions a.er >out && test_grep "(filter: -LWPID < 0)" out &&
	er_print -filters -functions a.er >out && test_grep "^Filter: *none" out && test_grep "<Total>" out &&
	echo "filters -1 - -1" | er_print a.er >out && test_grep "matches nothing" out
'

test_expect_success 'export to - is standard output' '
	er_print -export collapsed want a.er && er_print -export collapsed - a.er >out && test_cmp want out &&
	test ! -e ./- && test_expect_code 1 er_print -export csv - a.er >/dev/full 2>err &&
	test_grep "standard output: No space left" err
'

test_expect_success 'perf'"'"'s first format is named' '
	printf "PERFFILE%0104d" 0 >old.data &&
	test_expect_code 1 collect -o old.er --import old.data 2>err && test_grep "perf.s first format" err
'

test_expect_success 'damaged compression has a reason' '
	"$RP_SRC/t/mkperf" z.data zstd && python3 - <<-END &&
	import subprocess, sys
	whole = open("z.data", "rb").read()
	said = set()
	for at in range(len(whole)):
	    data = bytearray(whole)
	    data[at] ^= 0xff
	    if at % 16:
	        continue
	    open("bad.data", "wb").write(data)
	    run = subprocess.run(["collect", "-O", "bad.er", "--import", "bad.data"], capture_output=True)
	    said.add(run.stderr.decode(errors="replace").strip()[-12:])
	print(said)
	assert "imported:" not in "".join(said), said
	assert any("decompressed" in s or "byte" in s for s in said), said
	END
	:
'

test_done
