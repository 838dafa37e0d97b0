# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Kernels without Landlock, without seccomp filters, and without both: the child that parses
# debug information answers as it does elsewhere, what can still be kept from it is, and
# collect --check says what is missing.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc
deny seccomp true 2>said || skip_all "no filter can be set here: $(cat said)"

# Landlock is denied first: behind the other filter there can be no more.
without() {
	what=$1
	shift
	case $what in
	neither) deny landlock deny seccomp "$@" ;;
	*) deny "$what" "$@" ;;
	esac
}

# lines_of EXPERIMENT COMMAND…: with its lines parsed again.
lines_of() {
	rm -f "$1/lines" && recording=$1 && shift &&
		"$@" er_print --no-rc -functions -lines "$recording" 2>err
}

test_expect_success 'a program with split debug information, and its archive' '
	cc -g -O1 -gsplit-dwarf -Wl,--build-id -o prog "$RP_SRC/t/progs/inlined.c" && ls ./*.dwo &&
	collect -A on -o kept.er ./prog && cp -r kept.er bare.er && rm -r bare.er/archive &&
	for name in kept bare; do
		lines_of $name.er env >$name.want && test_grep inlined_work $name.want || return 1
	done
'

for what in landlock seccomp neither; do
	test_expect_success "$what: the same lines" '
		for name in kept bare; do
			lines_of $name.er without $what >got && diff -u $name.want got || return 1
		done
	'

	test_expect_success "$what: an archive is made" '
		without $what collect -A on -O made.er ./prog 2>err && cat err &&
		(cd kept.er/archive && find . | sort) >want &&
		(cd made.er/archive && find . | sort) >got && diff -u want got
	'
done

# confinement: check's answer.
confinement() {
	without "$1" collect --check >text
	sed -n "s/^  confinement  *\([a-z]*\) .*/\1/p" text
}

test_expect_success 'without seccomp collect --check says so, with a remedy' '
	test "$(confinement seccomp)" = no && test "$(confinement neither)" = no && cat text &&
	test_grep "the kernel does not confine the process that parses debug" text &&
	test_grep "boot a kernel with seccomp filters" text
'

if [ "$(id -u)" -eq 0 ]; then
	test_set_prereq ROOT
else
	test_set_prereq ROOT 'an ordinary user may read his files anyway'
fi

# Where the kernel cannot tell folders apart, nobody opens what the object names.
for what in landlock neither; do
	test_expect_success ROOT "$what: the split units of a stranger's object are not read with root's rights" '
		cp -r kept.er theirs.er && rm -r theirs.er/archive/*/dwo && chmod 600 ./*.dwo &&
		lines_of theirs.er without $what >got && test_no_grep inlined_work got &&
		rm -r theirs.er
	'
done

test_done
