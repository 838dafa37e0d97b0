# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The manual of collect compared with the program's help.
. "$RP_SRC/t/lib.sh"

# plain: man source without its fonts and dashes.
plain() {
	sed 's/\\f[BIPR]//g; s/\\-/-/g; s/\\&//g'
}

# options: -x and --word, one a line, of lines such as "-x, --word ARG".
options() {
	sed 's/[",]/ /g' | awk '{ for (i = 1; i <= NF && $i ~ /^--?[a-zA-Z]/; i++) print $i }' | sort
}

# shellcheck disable=SC2034
page=$RP_SRC/man/collect.1
collect --help >help || test_bug 'no help'

test_expect_success 'the synopsis equals --help' '
	sed -n "/^.SH SYNOPSIS/,/^.fi/p" "$page" | sed "1,2d;\$d" | plain >got &&
	sed -n "s/^Usage: *//p; s/^       \(collect .*\)/\1/p" help >want &&
	test 7 -eq "$(wc -l <want)" &&
	test_cmp want got
'

test_expect_success 'the manual describes every option, and no other' '
	sed -n "/^.SH OPTIONS/,/^.SH OUTPUT/p" "$page" | sed -n "/^\.TP/{ n; s/^[^ ]* //p; }" |
		plain | options >got &&
	sed -n "s/^  -/-/p" help | options >want &&
	test 20 -lt "$(wc -l <want)" &&
	test_cmp want got
'

test_expect_success '--help fits into 80 columns' '
	! LC_ALL=C.UTF-8 grep -E "^.{81}" help
'

test_done
