# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"
need cppcheck

rp_sources '*.c' >files

# shiftTooManyBitsSigned: both compilers shift signed numbers arithmetically.
test_expect_success 'cppcheck finds nothing' '
	mkdir cache &&
	(cd "$RP_SRC" && cppcheck -q -j 2 --cppcheck-build-dir="$test_dir/cache" --std=c11 \
		--enable=warning,performance,portability --inline-suppr \
		--suppress=missingIncludeSystem \
		--suppress=shiftTooManyBitsSigned -D_GNU_SOURCE \
		-I include -I lib -I collector -I analyzer -I . -I t/helper \
		--error-exitcode=1 --file-list="$test_dir/files")
'

test_done
