# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"
need shellcheck

rp_sources '*.sh' bootstrap run run-one >scripts

while read -r script; do
	test_expect_success "$script" '
		(cd "$RP_SRC" && shellcheck -s sh -S warning -x -P "$RP_SRC" "$script")
	'
done <scripts
test_done
