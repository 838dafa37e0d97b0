# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Processes shorter than a period, if counters can only be tied to tasks: they are sampled
# at random points, in proportion to their work.
. "$RP_SRC/t/lib.sh"
need_sampling

if collect --scope task -h '{cpu-clock,page-faults},1000000' -O try.er true 2>try.said; then
	test_set_prereq READS
else
	test_set_prereq READS 'this kernel does not read inherited events (Linux 6.12)'
fi
set_nobody collect shorts && mkdir -p open && chmod 777 open

# record NAME COLLECT… -- SHORTS…: prints the messages.
record() {
	name=$1 && shift
	"$@" >"$name.out" 2>"$name.said" && cat "$name.said" "$name.out" &&
		er_print -json -functions "$name.er" >"$name.json"
}

# What a child does is 400,000 rounds, some 0.5 ms; three in four in first().  A draw is below
# that for 4 in 10 children or more (down to 0.3 ms: 2 in 10), so that of 800 at least 160 are
# sampled; of so many the share of first() strays by 0.034 (one standard deviation), by the
# weights' spread 0.04.  0.2 from the middle is five of these: 6e-7.
in_proportion='0.55 < incl("first") / (incl("first") + incl("second")) < 0.95'
# By the best speed of the same loop; how many are sampled strays by 8 %.
all_there='float(open("NAME.out").read().split()[1]) * 0.4 < incl("first") + incl("second")'

for how in fork exec; do
	test_expect_success READS "$how: short processes have their shares" "
		record $how collect --scope task -h cpu-clock,1000000 -O $how.er \
			shorts 800 300 100 $(test $how = exec && echo exec) &&
		holds $how.json '$in_proportion' &&
		holds $how.json '$(echo "$all_there" | sed "s/NAME/$how/")'
	"
done

test_expect_success READS 'none has less than the least period, nor weighs much more' '
	holds exec.json "e[\"events\"][0][\"samples\"] > 100"
'

test_expect_success NOBODY 'an ordinary user sees the unsampled share, and why' '
	as_nobody ./collect --scope task -o open/n.er ./shorts 300 300 100 >out 2>said && cat said &&
	why=$(sed -n "s/.*unsampled ([0-9]* %: \(of threads after their last sample[^)]*\)).*/\1/p" said) && test -n "$why" &&
	er_print -header open/n.er >got && test_grep "^Event: .* % of it without a sample ($why)" got &&
	er_print -overview open/n.er >got && test_grep "^Unsampled: .* % of .*CPU Time: $why$" got &&
	er_print -json -header open/n.er >got && test_grep "\"unsampled_why\": \"$why\"" got
'

# What is long has its time as before.
long_have_theirs() {
	holds long.json "0.54 <= incl('child') + taken and incl('child') <= 0.66 + taken"
}
test_expect_success READS 'long children beside short ones keep their time' '
	undisturbed long.json long_have_theirs record long collect --scope task -h cpu-clock,1000000 \
		-O long.er sh -c "shorts 100 10 10 & forks 2 300; wait"
'

# Stopped, it reads no ring: 10,000 samples a second overflow all of them.
test_expect_success READS 'after a loss, what has no samples may be what was lost' '
	record stopped collect --scope task -h cpu-clock,100000 -O stopped.er \
		sh -c "kill -STOP \$PPID; forks 1 500; kill -CONT \$PPID" &&
	test_grep "records, samples or others, were lost" stopped.said &&
	test_grep "sample, or when samples were lost), " stopped.said
'
test_done
