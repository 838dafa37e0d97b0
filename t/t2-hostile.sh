# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Programs whose stacks cannot be unwound, by mistake or on purpose: collect neither fails nor
# hangs, counts why, never calls such a stack whole, and ends with the program's status.
. "$RP_SRC/t/lib.sh"
need_sampling

test_set_prereq X86 "$([ "$(uname -m)" = x86_64 ] || echo 'written for x86-64')"

# recorded STATUS NAME PROG…: an experiment whose reasons sum up to its samples.
recorded() {
	status=$1 name=$2
	shift 2
	test_expect_code "$status" timeout 600 collect -p hi -O "$name.er" "$@" >out 2>said &&
		er_print -json -functions "$name.er" >"$name.json" &&
		er_print -breaks "$name.er" >"$name.breaks" &&
		holds "$name.json" "e['samples'] > 0" &&
		holds "$name.json" "sum(e['stack_ends'].values()) <= e['samples']" &&
		holds "$name.json" "sum(e['stack_ends'].values()) >= e['samples'] - 3"
}

# Above all zeros, since a return address of 0 slightly below a stack's end is taken for the one
# that its creator stored.
far=$(printf '%02048d' 0)

hostile_is() { recorded "$1" "$2" env FAR="$far" hostile "$2"; }

# Samples of a program's start, which takes long on a busy machine, have whole stacks.
mostly_broken() {
	holds "$1.json" "0 < 0.8 * sum(r['exclusive'][metric]['value'] for r in fn
		if r['name'] == 'spin' or '[anon' in r['name'])
		< 0.000997 * (e['samples'] - e['stack_ends']['root'])"
}

test_expect_success 'a stack of zeros does not count as whole' '
	hostile_is 7 zeros && mostly_broken zeros &&
	test_grep "bad_memory\|no_rule" zeros.breaks
'

test_expect_success 'a stack of random words and of addresses of code' '
	hostile_is 7 noise && mostly_broken noise
'

test_expect_success X86 'frame pointers that lead in a circle' '
	hostile_is 7 circle && mostly_broken circle
'

test_expect_success X86 'a program that has unmapped itself' '
	hostile_is 7 unmap
'

test_expect_success X86 'an odd stack pointer' '
	hostile_is 7 odd
'

test_expect_success 'a stack in a truncated file' '
	hostile_is 135 file
'

test_expect_success '4,096 calls deep' '
	hostile_is 7 deep
'

test_expect_success 'without end, until it is killed' '
	hostile_is 139 endless
'

set_tools OBJCOPY objcopy

# damage FROM TO: most of the small numbers in .eh_frame become others.
damage() {
	objcopy --dump-section .eh_frame=frames "$1" "$2" &&
		LC_ALL=C tr '\004-\100' '\005-\101' <frames >damaged &&
		! cmp -s frames damaged &&
		objcopy --update-section .eh_frame=damaged "$2"
}

test_expect_success OBJCOPY 'damaged call frame information' '
	damage "$RP_BUILD/t/progs/burn" ./burn &&
	recorded 0 damaged ./burn one=100
'

test_done
