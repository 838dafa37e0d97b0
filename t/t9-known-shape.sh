# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings of programs that say themselves where they spent their time, by the kernel's
# clock of the thread: the profile has to say the same.
. "$RP_SRC/t/lib.sh"
need_sampling
need /usr/bin/python3

# recorded NAME PROG…: NAME.er, and NAME.json of its functions; output goes to NAME.out.
recorded() {
	name=$1
	shift
	collect -p hi -O "$name.er" "$@" >"$name.out" 2>"$name.said" &&
		er_print -json -inlines off -functions "$name.er" >"$name.json"
}

# spent WHAT NAME: the seconds that the program printed for WHAT.
spent() {
	awk -v what="$1" '$1 == what { print $2 / 1e9 }' "$2.out"
}

# In which function burn spends the time of a shape.
cat >shapes <<'END'
one one
two two
recurse descend
mutual odd
callback compare
END
# told_by_burn: each has what burn says.
told_by_burn() {
	while read -r what function; do
		holds burn.json "spent(incl('$function'), $(spent "$what" burn))" || return
	done <shapes
}

test_expect_success 'one program with all shapes' '
	undisturbed burn.json told_by_burn recorded burn \
		burn one=300 two=150 caller_a=150 caller_b=50 recurse=100 mutual=100 callback=100 kernel=100
'

test_set_prereq KERNEL "$(grep -o "no samples of the kernel" burn.said)"

# Inclusive, as the kernel works in interrupts and for the clock on top of every function:
# up to 12 % of the time in measurements on a busy machine.  0.1 s at 1 kHz are a hundred
# samples; that half of them lie in the kernel has a chance of 10^-18.
while read -r what function; do
	test_expect_success "$what: $function has what was spent" '
		holds burn.json "spent(incl(\"$function\"), $(spent $what burn))" &&
		holds burn.json "excl(\"$function\") > 0.5 * incl(\"$function\")"
	'
done <shapes

told_by_deleted() { holds deleted.json "spent(incl('one'), $(spent one deleted))"; }
test_expect_success 'a program that is deleted while it runs keeps its names' '
	undisturbed deleted.json told_by_deleted recorded deleted \
		sh -c "cp $(command -v burn) gone && { ./gone one=200 & } &&
		while at=\$(readlink /proc/\$!/exe) && [ \"\${at##*/}\" != gone ]; do sleep 0.01; done; rm gone; wait"
'

test_expect_success KERNEL 'time in the kernel is in its functions, and inclusive in the caller' '
	holds burn.json "spent(incl(\"kernel\"), $(spent kernel burn))" &&
	holds burn.json "excl(\"kernel\") < 0.5 * incl(\"kernel\")"
'

test_expect_success 'two callers of one function' '
	holds burn.json "spent(incl(\"shared\"), $(spent caller_a burn) + $(spent caller_b burn))" &&
	holds burn.json "spent(incl(\"caller_a\"), $(spent caller_a burn))" &&
	holds burn.json "spent(incl(\"caller_b\"), $(spent caller_b burn))" &&
	holds burn.json "excl(\"caller_a\") < 0.01"
'

test_expect_success 'mutual recursion counts a sample once in each of the two' '
	holds burn.json "spent(incl(\"even\"), $(spent mutual burn))"
'

test_expect_success 'a callback below libc is inclusive in its caller: stacks go through libc' '
	holds burn.json "spent(incl(\"callback\"), $(spent callback burn))"
'

test_expect_success 'stacks reach main' '
	holds burn.json "incl(\"main\") > 0.97 * sampled"
'

test_expect_success 'the hottest function comes first' '
	holds burn.json "names[0] == \"one\""
'

test_expect_success 'exclusive sums to the total' '
	holds burn.json "abs(sum(r[\"exclusive\"][metric][\"value\"] for r in fn) - total) < 1e-6"
'

test_expect_success KERNEL 'the total is what rusage says, within 2 %' '
	holds burn.json "abs(total - e[\"rusage_cpu_s\"]) <= 0.02 * e[\"rusage_cpu_s\"] + taken"
'

# An interval is at most 5 % off the nominal one, its late start included.
test_expect_success 'samples times their period, and what has none, are the total' '
	holds burn.json "near(sampled, 0.000997 * e[\"samples\"], 0.05)" &&
	collect -p hi --no-jitter -o fixed.er burn one=200 >out 2>err &&
	er_print -json -functions fixed.er >fixed.json &&
	holds fixed.json "near(sampled, 0.000997 * e[\"samples\"], 1e-6)"
'

# The program repeats itself in exactly the interval that is asked for.  A binomial count is six
# standard deviations off once in 5 * 10^8 times, and those that drift through a period differ
# less than binomial ones; without the jitter all samples were in one of the two functions.
whole_lockstep() {
	[ -n "$test_lack_KERNEL" ] ||
		holds lockstep.json "abs(total - e['rusage_cpu_s']) <= 0.02 * e['rusage_cpu_s'] + taken"
}
test_set_prereq TASK
test_set_prereq CGROUP "$(collect -O scope.er --scope cgroup true 2>&1 | grep -F 'cannot create a group')"
for scope in TASK CGROUP; do
	option=$(echo $scope | tr "[:upper:]" "[:lower:]")
	test_expect_success $scope "a program in step with the samples: --scope $option" '
		undisturbed lockstep.json whole_lockstep recorded lockstep --scope $option \
			lockstep 1000 997 30 &&
		holds lockstep.json "abs(incl(\"first\") / (incl(\"first\") + incl(\"second\")) -
			$(spent first lockstep) / ($(spent first lockstep) + $(spent second lockstep))) <
			6 * (0.3 * 0.7 / e[\"samples\"]) ** 0.5"
	'
done

told_by_threads() {
	holds threads.json "spent(incl('worker'), 0.8) and spent(total, $(spent total threads))"
}
test_expect_success KERNEL 'four threads at once' '
	undisturbed threads.json told_by_threads recorded threads threads 4 200 &&
	holds threads.json "e[\"threads\"] == 5"
'

told_by_forks() {
	holds forks.json "spent(incl('child'), 0.45) and spent(incl('after_exec'), 0.15)"
}
test_expect_success 'forks are followed, and the program that a child becomes' '
	undisturbed forks.json told_by_forks recorded forks forks 3 150 &&
	holds forks.json "e[\"processes\"] >= 4"
'

# On its own stack a handler is seen with what it interrupted, and nothing above that is made up:
# other() has its own time alone, asker() that of the handler on the thread's stack.  A sample in
# the fault that maps a page of the stack has nothing copied: a few µs of the dynamic linker's, so
# that four in a run are less than one in a million.
told_by_altstack() {
	holds altstack.json "spent(incl('on_same'), $(spent same altstack))" &&
		holds altstack.json "spent(incl('on_own'), $(spent own altstack))" &&
		holds altstack.json "spent(incl('asker'), $(spent same altstack))" &&
		holds altstack.json "spent(incl('other'), $(spent other altstack))"
}
test_expect_success 'handlers, on the stack that they interrupt and on one of their own' '
	undisturbed altstack.json told_by_altstack recorded altstack --stack-size 32768 altstack 200 &&
	holds altstack.json "e[\"stack_ends\"][\"other_stack\"] > 100" &&
	holds altstack.json "e[\"stack_ends\"][\"truncated\"] < 4" &&
	holds altstack.json "sum(map(e[\"stack_ends\"].get, (\"root\", \"other_stack\"))) >=
		0.99 * e[\"samples\"]"
'

# The same without call frame information, and without frame pointers: by the code, on x86-64.
if test "$(uname -m)" = x86_64 && cc -std=gnu11 -O2 -fno-asynchronous-unwind-tables -fomit-frame-pointer \
	-o bare "$RP_SRC/t/progs/altstack.c" "$RP_SRC/t/progs/work.c"; then
	test_set_prereq BARE
else
	test_set_prereq BARE 'no compiler for x86-64'
fi
test_expect_success BARE 'handlers without call frame information' '
	undisturbed bare.json true recorded bare --stack-size 32768 ./bare 200 &&
	holds bare.json "e[\"stack_ends\"][\"other_stack\"] > 100" &&
	holds bare.json "sum(map(e[\"stack_ends\"].get, (\"root\", \"other_stack\"))) >=
		0.98 * e[\"samples\"]"
'

# A copy of a stack ends at a page that was never touched, until somebody has read it. The copies
# are larger than the hole however little memory a user may lock for rings.
for where in "" thread; do
	test_expect_success "a hole in the stack of ${where:-a program} is mended" '
		recorded hole --stack-size 65528 hole 1000 $where &&
		holds hole.json "incl(\"hollow\") > 0.5 * total" &&
		holds hole.json "e[\"stack_ends\"][\"root\"] > 0.5 * e[\"samples\"]"
	'
done

# The kernel has copied nothing of such a stack, as of one whose program ends just now.
test_expect_success 'a system call from a page that nobody wrote to has its callers' '
	recorded hole --stack-size 65528 hole 1000 edge &&
	holds hole.json "incl(\"edge\") > 0.75 * total"
'

test_expect_success '-F off records the program alone' '
	collect -p hi -F off -o alone.er sh -c "burn one=100; :" >out 2>err &&
	er_print -json -inlines off -functions alone.er >alone.json &&
	holds alone.json "excl(\"one\") == 0"
'

test_expect_success 'less than a sample: an empty profile is a profile' '
	recorded nothing true &&
	holds nothing.json "total < 0.1"
'

test_done
