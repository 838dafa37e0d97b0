# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Numbers of a recording at the ends of their ranges: every view answers, and shows what is
# there.
. "$RP_SRC/t/lib.sh"
need python3

test_expect_success 'each column of an experiment: 0, 1, about 2^31, 2^32, 2^63 and 2^64' '
	"$RP_SRC/t/extremes"
'

# The import needs no events of its own.
test_expect_success 'each number of an imported record' '
	"$RP_SRC/t/extremes" import
'

test_done
