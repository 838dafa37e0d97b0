# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# .clang-format decides the layout; `make format` applies it.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"
need clang-format

# Every version lays out some corners in its own way: this is Debian 12's.
clang-format --version | grep -q 'version 14\.' || skip_all 'clang-format is not version 14'

rp_sources '*.[ch]' '*.cc' >files

while read -r file; do
	test_expect_success "$file" '
		clang-format "$RP_SRC/$file" | diff -u "$RP_SRC/$file" -
	'
done <files
test_done
