# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# For run.sh: the page of er_print -report, and how long a browser takes over it.

# page_make NAME WORD...: makes the page NAME of the experiment that the words make.
page_make() {
	page=$1 && shift && rm -rf "$tmp/page.er" "$tmp/page.cost" && "$@" >/dev/null 2>&1 &&
		"$timed" "$tmp/page.cost" er_print -report "$tmp/$page.html" "$tmp/page.er" &&
		awk -v page="$page" '{ printf "| %s | %.2f | %.0f |\n", page, $2 + $3, $4 / 1024 }' "$tmp/page.cost"
}

# page_functions EXPERIMENT: each of 101,000 functions has a stack of its own.
page_functions() {
	awk 'BEGIN { for (i = 0; i < 101000; i++) printf "main;a%d;b%d %d\n", i % 50, i, i < 10 ? 9 : 1 }' |
		"$RP_BUILD/t/helper/mkexp" "$1"
}

# page_threads EXPERIMENT: 2,000 threads, which begin one after another and run at the same time.
page_threads() {
	awk 'BEGIN { for (t = 0; t < 2000; t++) printf "thread 1 %d worker\nstep 1000000\nmain;work;f%d 20\n", t + 1, t % 100 }' |
		"$RP_BUILD/t/helper/mkexp" "$1"
}

page_table() {
	echo "| page | er_print CPU s | MiB |" && echo "|---|--:|--:|" &&
		page_make demo collect -p hi -O "$tmp/page.er" "$RP_BUILD/examples/demo" &&
		page_make million "$RP_BUILD/t/bench/gen_experiment" "$tmp/page.er" 1000000 &&
		page_make million-100000 "$RP_BUILD/t/bench/gen_experiment" "$tmp/page.er" 1000000 100000 &&
		page_make day "$RP_BUILD/t/bench/gen_experiment" "$tmp/page.er" 17000000 &&
		page_make functions page_functions "$tmp/page.er" &&
		page_make threads page_threads "$tmp/page.er" && echo &&
		python3 "$RP_SRC/t/bench/page_times.py" "$tmp/demo.html" "$tmp/million.html" "$tmp/million-100000.html" \
			"$tmp/day.html" "$tmp/functions.html" "$tmp/threads.html"
}
