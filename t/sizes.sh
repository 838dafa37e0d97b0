#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Reports the longest files, headers and functions of a source tree:
#
#	t/sizes.sh [TREE]
#
# A report, not a limit: a limit makes people split code that belongs together.
set -eu
cd "${1:-.}"

sources() {
	git ls-files -- "$@" 2>/dev/null | grep . || find . -name "${1##*/}" | sed 's|^\./||'
}

longest() {
	printf '\n%s\n' "$1"
	sort -rn | head -n 15 | sed 's/^/  /'
}

sources '*.c' | xargs wc -l | awk '$2 != "total" { printf "%5d  %s\n", $1, $2 }' |
	longest 'Longest files, in lines'
sources '*.h' | xargs wc -l | awk '$2 != "total" { printf "%5d  %s\n", $1, $2 }' |
	longest 'Longest headers, in lines'
sources '*.c' | xargs awk '
	/^{/ { start = FNR }
	/^}/ && start { printf "%5d  %s:%d\n", FNR - start - 1, FILENAME, start }
	/^}/ { start = 0 }' | longest 'Longest functions, in lines'
