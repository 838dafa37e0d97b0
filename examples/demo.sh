#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh BUILD: profiles the example program and shows the first answers one wants.
set -eu

build=$1
experiment=$build/demo.er
report=$build/demo.json
PATH=$(cd "$build" && pwd):$PATH

# Shows a command, then runs it.
try() {
	printf '\n$ %s\n' "$*"
	"$@"
}

try collect -O "$experiment" "$build/examples/demo"
try er_print -limit 12 -functions "$experiment"

# The first function, by the column called "name"; those of this program hold no comma.  <Total> and, where
# the CPU was taken from the program, <Unsampled> come before it.
hottest=$(er_print -printmode , -limit 2 -functions "$experiment" | awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "name") column = i; next }
	$column !~ /^</ && !name { name = $column }
	END { print name }')
try er_print -csingle "$hottest" "$experiment"

er_print -json -functions -callers-callees -calltree "$experiment" >"$report"
printf '\nThe same and more for programs, as JSON: %s\n' "$report"
