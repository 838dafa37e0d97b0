# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Waits in the page of er_print -report: by another reader of its data, compared with er_print.
. "$RP_SRC/t/lib.sh"
need python3

# draw_waits SEED EXPERIMENT WAITS SECONDS: threads of 20 s that wait here and there; the first for nothing but work.
draw_waits() {
	awk -v seed="$1" -v waits="$3" -v seconds="$4" 'BEGIN {
		srand(seed)
		split("lock sleep disk poll wait pipe", states, " ")
		print "event totalcpu ns 1000000000 0 1 Total CPU Time"
		for (i = 1; i <= 6; i++)
			print "state", states[i]
		print "step 0"
		for (t = 0; t < 5; t++) {
			printf "thread %d %d t%d\nlife 0 20000000000\n", 100 + t % 2, 100 + t, t
			for (at = i = 0; i < waits; i++) {
				long = int((t ? rand() : 1) * seconds * 1e9 / waits)
				at = at + long
				printf "on %s\ntime %.0f\nweight %.0f\n", states[t ? 1 + int(rand() * 6) : 2], at, long
				print "main;" (t ? "f" int(rand() * 4) : "pool") ";[kernel]!schedule 1"
			}
			print "on totalcpu\ntime 20000000000\nweight 1000000000\nmain;f0 1"
		}
	}' | mkexp "$2"
}

test_expect_success 'waits of any span and threads are those of er_print, with idle threads and without' '
	for seed in 1 2 3; do
		draw_waits $seed waits.$seed.er 60 19 && "$RP_SRC/t/page-agrees" waits.$seed.er || return 1
	done && er_print -waits waits.1.er >all && test_grep "<Idle>" all &&
	"$RP_SRC/t/page-agrees" waits.1.er waits.2.er
'

# The same numbers in the wrong place must not pass.
test_expect_success 'the comparison sees mistakes' '
	for mistake in "s/ \* 100 >= lives/ * 60 >= lives/" "s/if first <= tick < end and/if first <= tick + 400 < end and/" \
		"s/exact.bit_length() - 8/exact.bit_length() - 3/"; do
		mkdir -p broken && cp "$RP_SRC/t/page-data" broken/ &&
		sed "$mistake" "$RP_SRC/t/page-agrees" >broken/page-agrees || return 1
		cmp -s broken/page-agrees "$RP_SRC/t/page-agrees" && echo "$mistake changes nothing" && return 1
		test_expect_code 1 python3 broken/page-agrees waits.1.er >/dev/null 2>&1 || { echo "$mistake" && return 1; }
	done
'

test_expect_success 'of many waits the page has sums, whose percentiles it does not know' '
	draw_waits 4 many.er 24000 1 && "$RP_SRC/t/page-agrees" many.er && er_print -report many.html many.er &&
	cp "$RP_SRC/t/page-data" page_data.py && python3 -c "
import page_data
entries = page_data.Page(\"many.html\").entries_of_waits()
assert len(entries) < 100000 < sum(entry[3] for entry in entries) == 5 * 24000, len(entries)
"
'

set_browser

test_expect_success BROWSER 'a browser shows the same, and what it does not know' '
	er_print -report some.html waits.1.er && "$RP_SRC/t/page-states" some.html waits.1.er waits &&
	"$RP_SRC/t/page-states" many.html many.er waits
'

test_done
