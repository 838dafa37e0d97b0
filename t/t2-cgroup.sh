# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Control groups as targets: collect --cgroup.  Names are resolved in u-group-find.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3
set_jsonschema

mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
group=rp-test-$$
dir=$mount/$group
[ -n "$mount" ] || skip_all 'no control groups of version 2'

# No process may be left in a group that is removed; each also ends by itself.
remove() {
	for below in "$dir"/*/cgroup.procs "$dir/cgroup.procs"; do
		[ ! -e "$below" ] || while read -r left; do kill -9 "$left"; done <"$below"
	done
	for below in "$dir"/*/ "$dir"; do
		[ ! -d "$below" ] || until rmdir "$below" 2>/dev/null || [ ! -d "$below" ]; do moment; done
	done
} 2>/dev/null

if mkdir "$dir" 2>/dev/null; then
	trap remove EXIT
	mkdir "$dir/inner" && test_set_prereq GROUP
else
	test_set_prereq GROUP 'no right to make control groups'
fi

# in_group FOLDER COMMAND…: runs it in that group, as $pid.
# shellcheck disable=SC2034 # bodies use it
in_group() {
	where=$dir/$1 && shift
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$where" "$@" &
	pid=$!
}

# grouped NAME.er [OPTION…]: as soon as it returns the group is recorded, by $collector.
grouped() {
	out=$1 && shift
	: >said
	collect -O "$out" --cgroup "$group" -p hi "$@" >said 2>&1 & collector=$!
	until grep -q "recording the\|error" said || ! kill -0 $collector; do moment; done
}

test_expect_success GROUP 'counters of groups' '
	collect -O may.er -t 0.001 --cgroup $group 2>said; cat said; test_no_grep "error" said
'
if grep -q 'recording the processes\|error' said 2>/dev/null || [ ! -e said ]; then
	test_set_prereq COUNTED "no counters can be tied to groups"
else
	test_set_prereq COUNTED
fi

# The clock of a sample includes interrupts, and what a hypervisor took.
test_expect_success COUNTED 'processes that join a group are recorded until it is removed, with names' '
	burn one=600000 >/dev/null & early=$!
	grouped come.er && in_group inner burn two=300 >two.out &&
	sh -c "echo $early >$dir/cgroup.procs" && wait $pid &&
	until [ "$(awk "/^usage_usec/ { print \$2 }" "$dir/cpu.stat")" -ge 700000 ]; do moment; done
	kill -9 $early && wait $early
	until grep -q "populated 0" "$dir/cgroup.events"; do moment; done
	used=$(awk "/^usage_usec/ { print \$2 }" "$dir/cpu.stat") && sleep 0.2
	remove; wait $collector; cat said && mkdir "$dir" "$dir/inner" &&
	er_print -json -functions come.er >come.json &&
	holds come.json "$used / 1e6 * 0.9 < total < $used / 1e6 * 1.1 + 0.05 + taken" &&
	holds come.json "incl(\"one\") > 0.3 and incl(\"two\") > 0.25" &&
	test_grep "s by its control group, 2 threads" said &&
	er_print -header come.er >header && cat header &&
	test_grep "^Target command: *(the control group /.*$group)" header &&
	test_grep "the control group, on every CPU" header
'

test_expect_success COUNTED 'nothing else is recorded' '
	burn three=600000 >/dev/null & other=$!
	in_group inner burn one=200 >/dev/null && grouped only.er && wait $pid
	kill -INT $collector; wait $collector; kill $other; cat said
	er_print -functions only.er >functions && cat functions && test_no_grep " three$" functions
'

# In each recorded group as much as in its own accounting.  A process that is moved counts in both.
# The kernel may start and stop its account some ticks beside the recording.
test_expect_success COUNTED 'cgroups: what the groups themselves account' '
	mkdir -p "$dir/other" && used() { awk "/^usage_usec/ { print \$2 / 1e6 }" "$dir/$1/cpu.stat"; } &&
	before=$(used inner) other=$(used other) &&
	collect -O all.er -a -p hi sh -c "
		sh -c \"echo \\\$\\\$ >$dir/inner/cgroup.procs; exec burn one=300\"
		sh -c \"echo \\\$\\\$ >$dir/other/cgroup.procs; exec burn two=600\"" 2>said; cat said
	inner=$(awk "BEGIN { print $(used inner) - $before }") other=$(awk "BEGIN { print $(used other) - $other }")
	er_print -json -cgroups all.er >all.json && er_print -cgroups all.er &&
	sum="lambda end: sum(r[\"exclusive\"][\"totalcpu\"][\"value\"] for r in d[\"cgroups\"] if r[\"name\"].endswith(end))" &&
	holds all.json "0.9 * $inner - 0.02 < ($sum)(\"$group/inner\") < 1.1 * $inner + 0.05 + taken" &&
	holds all.json "0.9 * $other - 0.02 < ($sum)(\"$group/other\") < 1.1 * $other + 0.05 + taken" &&
	er_print -filters "CGROUP(\"/$group/other\")" -functions all.er >functions && cat functions &&
	test_grep " two\( (.*\)*\$" functions && test_no_grep " one\( (.*\)*\$" functions &&
	er_print -export samples all.csv all.er && grep -q "/$group/inner" all.csv &&
	er_print -compare on -cgroups only.er all.er >compared && cat compared && test_grep "/$group/inner$" compared
'

test_expect_success JSONSCHEMA 'the report fits its schema' '
	[ ! -e all.json ] || fits_schema all.json
'

test_expect_success GROUP '--scope task: its processes, as with -P' '
	in_group inner burn one=60000 >/dev/null &&
	until grep -q "^$pid$" "$dir/inner/cgroup.procs" && grep -qx burn "/proc/$pid/comm"; do moment; done &&
	grouped task.er --scope task -t 0.2
	wait $collector; status=$?; kill $pid; wait $pid; cat said && test $status -eq 0 &&
	test_grep "warning: recording the processes of /.*$group, as -P does" said &&
	test_grep "recording 1 process and its new children: $pid burn" said
'

test_expect_success GROUP '… and a group without processes is refused' '
	test_expect_code 1 collect -O none.er --scope task --cgroup $group/inner 2>said; cat said &&
	test_grep "no process is in the control group" said && test ! -e none.er
'

test_expect_success GROUP 'no name controls the terminal' '
	escape=$(printf "\033") && mkdir "$dir/${escape}red" &&
	collect -n --cgroup "${escape}red" >planned 2>said && rmdir "$dir/${escape}red" &&
	cat -v planned said && test_grep "would record the control group /.*/?red$" planned &&
	test_no_grep "$escape" planned && test_no_grep "$escape" said
'

# The first group of a namespace is one as others.
machine="/ $mount"
[ ! -e "$mount/cgroup.events" ] || machine=
test_expect_success GROUP 'paths that lead up, and the whole machine, are refused' '
	for where in "/$group/.." "$group/../$group" "$dir/.." $machine; do
		test_expect_code 2 collect -n --cgroup "$where" 2>said; cat said
		test_grep "error: --cgroup .*\(say -a\|no \.\.\)" said || return
	done
'

test_expect_success 'options that do not go with --cgroup are refused' '
	for options in "--cgroup x -P 1" "--cgroup x -a" "--cgroup x --cgroup y" "--cgroup x -F off" \
		"--cgroup x --scope cpu" "--cgroup x true"; do
		# shellcheck disable=SC2086 # words
		test_expect_code 2 collect -n $options 2>said; cat said
		test_grep "error: --cgroup" said || return
	done &&
	test_expect_code 2 collect -n --cgroup no-such-group-here 2>said; cat said
	test_grep "error: --cgroup no-such-group-here: no control group has that name" said
'
test_done
