# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Tests of ordinary users' attempts, run again as nobody if root runs the tests.
. "$RP_SRC/t/lib.sh"
[ "$(id -u)" -eq 0 ] || skip_all 'the tests are run by an ordinary user anyway'
as_nobody true || skip_all 'there are no other users here'

for script in t7-strangers t7-recordings t7-output; do
	test_expect_success "$script, as nobody" '
		"$RP_SRC/t/as-nobody" $script >got 2>&1 || { grep -v "^ok" got && return 1; }
		grep "SKIP" got
		grep -q "^1\.\." got
	'
done

test_done
