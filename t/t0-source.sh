# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Rules for every file of the source tree.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"

all_code() {
	rp_sources '*.[ch]' '*.cc' '*.css' '*.js' '*.sh' '*.am' '*.m4' '*.ac' '*.[1-8]' bootstrap run run-one
}

test_expect_success 'the list of sources is complete' '
	all_code >all &&
	test_grep "^lib/base/cursor.c$" all &&
	test_grep "^t/lib.sh$" all &&
	test_grep "^configure.ac$" all &&
	test_no_grep "^build" all
'

test_expect_success 'each names its licence' '
	(cd "$RP_SRC" && all_code |
		while read -r file; do
			head -n 2 "$file" | grep -q "SPDX-License-Identifier: Apache-2.0" || echo "$file"
		done) >got &&
	: >want && test_cmp want got
'

# Build places and package mirrors are private.
test_expect_success 'none names a path or a host of the machine it was written on' '
	(cd "$RP_SRC" && rp_sources "*" |
		xargs grep -nHE "(^|[^a-z.])/([w]ork|[r]oot|[h]ome)/|[a]rtifactory|[h]ttps?://[0-9l]") >got
	: >want && test_cmp want got
'

test_done
