# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The manual of er_print compared with the program's help.
. "$RP_SRC/t/lib.sh"

# plain: man source without its fonts and dashes.
plain() {
	sed 's/\\f[BIPR]//g; s/\\-/-/g; s/\\&//g'
}

# shellcheck disable=SC2034
page=$RP_SRC/man/er_print.1
er_print --help >help || test_bug 'no help'

test_expect_success 'the synopsis equals --help' '
	sed -n "/^.SH SYNOPSIS/,/^.fi/p" "$page" | sed "1,2d;\$d" | plain >got &&
	sed -n "s/^Usage: *//p; s/^       \(er_print .*\)/\1/p" help >want &&
	test_cmp want got
'

test_expect_success 'the manual has every command with its arguments, and no other' '
	sed -n "/^.SH COMMANDS/,/^.SH METRICS/s/^.B \"\(.*\)\"$/\1/p" "$page" | plain | sort >got &&
	sed -n "/^Most used/,/^Options:/s/^  -\([^ ]*\( \[*[A-Z]*\]*\)*\)  .*/\1/p" help |
		sed "s/ *$//" | sort >want &&
	test 20 -lt "$(wc -l <want)" &&
	test_cmp want got
'

test_expect_success 'the command help has the same' '
	er_print -printmode , -help | sed 1d | cut -d, -f1 | sort >got &&
	test_cmp want got
'

test_expect_success 'the options are there' '
	plain <"$page" >text &&
	for option in $(sed -n "s/^  \(-V, \)*\(--[a-z]*\) .*/\2/p" help) -V; do
		grep -q -e "^.BR* .*$option" text || { echo "$option"; return 1; }
	done
'

test_expect_success '--help fits into 80 columns' '
	! grep -E "^.{81}" help
'

test_done
