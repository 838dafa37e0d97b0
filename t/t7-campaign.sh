# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Altered experiments and object files in many rounds, each drawn from its number: nothing
# crashes, hangs, fails without a word, or commands the terminal.  `make campaign` makes more
# rounds than these.
. "$RP_SRC/t/lib.sh"
need cc objcopy python3 xz

mkdir altered archive whole

test_expect_success 'seeds' '
	sh "$RP_SRC/t/campaign/seeds.sh" experiments experiments &&
	sh "$RP_SRC/t/campaign/seeds.sh" objects objects && test_grep "static" objects/list
'

test_expect_success 'altered experiments: every command answers, or gives the reason' '
	"$RP_BUILD/t/campaign/hostile_experiments" 0 300 altered experiments/*.er
'

test_expect_success 'altered programs and debug files, with sizes and links that fit' '
	"$RP_BUILD/t/campaign/hostile_objects" 0 600 archive $(cat objects/list)
'

# The kernel starts most of them.  What they then do is their own matter, and they may do it
# for ever: the limit is for that.
recorded() {
	timeout -k 1 20 collect -A on -O recorded.er "whole/$1" word >out 2>err </dev/null
	case $? in
	126 | 127) test -s err ;;
	*) test_no_grep "Sanitizer\|runtime error" err ;;
	esac || { echo "collect of $1" && cat err && return 1; }
	[ ! -d recorded.er ] || printed "$1"
}

printed() {
	er_print -lines -symbols -disasm work -source work -header recorded.er >out 2>err
	status=$?
	if [ $status -gt 1 ] || grep -q "Sanitizer\|runtime error" err; then
		echo "er_print of $1: $status" && cat err && return 1
	fi
}

set_sampling

test_expect_success SAMPLING 'a dozen of them through the programs themselves' '
	"$RP_BUILD/t/campaign/hostile_objects" -w whole 0 12 archive "$PWD/objects/program" \
		"$PWD/objects/static" &&
	for i in $(seq 0 11); do
		recorded $i || return 1
	done
'

test_done
