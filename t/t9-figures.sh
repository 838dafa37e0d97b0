# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Figures to hold: what er_print may take for a million samples.  (Its time is for make
# bench to tell: a test that is timed fails where the machine has other work.)
. "$RP_SRC/t/lib.sh"
PATH=$RP_BUILD/t/bench:$PATH
[ -z "${RP_SANITIZE:-}" ] || skip_all 'this build has sanitizers, which take their own time'

# best FIGURE: the least of a column of three runs, which other programs disturb upwards only.
best() {
	sort -n -k "$1,$1" figures | awk -v c="$1" 'NR == 1 { print $c }'
}

test_expect_success 'a million samples' '
	gen_experiment million.er 1000000 &&
	for run in 1 2 3; do
		timed figures er_print -functions million.er >got || return 1
	done &&
	test_grep " 997\.000 100\.00 *<Total>" got
'

test_expect_success 'er_print -functions takes at most 64 MB' '
	cat figures && best 4 | awk "{ exit !(\$1 <= 64000) }"
'

test_expect_success 'a sample takes at most 16 bytes on disk' '
	test $(wc -c <million.er/data) -le 16000000
'

test_done
