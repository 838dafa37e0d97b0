# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"
need shellcheck

rp_sources '*.sh' bootstrap run run-one >scripts

# SC2034, unused: it does not see into the bodies of tests.
while read -r script; do
	test_expect_success "$script" '
		(cd "$RP_SRC" && shellcheck -s sh -S warning -e SC2034 -x -P "$RP_SRC" "$script")
	'
done <scripts
test_done
