# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# .clang-format decides the layout; `make format` applies it.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"
need clang-format

# Every version lays out some corners in its own way: this is Debian 12's.
clang-format --version | grep -q 'version 14\.' || skip_all 'clang-format is not version 14'

rp_sources '*.[ch]' '*.cc' >files

# All in one run: it takes longer to start than to lay out a file.
test_expect_success 'clang-format reads all files' '
	mkdir laid-out && cp "$RP_SRC/.clang-format" laid-out/ && (cd "$RP_SRC" && tar -cf - -T "$test_dir/files") |
		tar -xf - -C laid-out && (cd laid-out && xargs clang-format -i) <files
'

while read -r file; do
	test_expect_success "$file" '
		diff -u "$RP_SRC/$file" "laid-out/$file"
	'
done <files
test_done
