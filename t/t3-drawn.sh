# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Random recordings, written in the manual's format, and summed up a second time.
. "$RP_SRC/t/lib.sh"

need python3

test_expect_success 'all views have the sums of the drawn samples, with filters too' '
	"$RP_SRC/t/drawn-agrees" 1 12
'

# Each makes one mistake; a few rounds show it.
test_expect_success 'the second computation sees mistakes' '
	for mistake in "s/at = offset - is_return/at = offset/" "s/if s.event == m/if s.event/" \
		"s/stack, last = s.stack, {f: i for i, f in enumerate(s.stack)}/stack, last = s.stack, {f: s.stack.index(f) for f in s.stack}/" \
		"s/enumerate(born, 1)}/enumerate(born[::-1], 1)}/" "s/return path, name, start, file/return path, name, 0, file/"; do
		sed "$mistake" "$RP_SRC/t/drawn-agrees" >broken && ! cmp -s broken "$RP_SRC/t/drawn-agrees" &&
		test_expect_code 1 python3 broken 1 12 >/dev/null 2>err && test_grep "^seed" err || { echo "$mistake" && return 1; }
	done
'

test_done
