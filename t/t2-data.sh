# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Samples with the address of their data: page faults have it on every machine.
. "$RP_SRC/t/lib.sh"
need_sampling

test_expect_success 'each page fault has its address' '
	collect -o pf.er -h +page-faults,1 sort /dev/null 2>said && cat said &&
	er_print -export samples pf.csv pf.er && python3 - <<-\END
		import csv
		rows = [r for r in csv.DictReader(open("pf.csv")) if r["function"] != "<Unsampled>"]
		assert len(rows) > 20, rows
		assert all(r["metric"] == "page-faults" and int(r["address"], 16) for r in rows), rows
	END
'

test_expect_success 'the header counts them, and shows their skid' '
	er_print -header pf.er >header &&
	test_grep "at the event itself.*, [0-9]* samples with an address of data" header &&
	! grep "has an address of data" said
'

test_expect_success 'an event without addresses is reported' '
	collect -o clock.er -h +cpu-clock,100000 sort /dev/null 2>said && cat said &&
	er_print -export samples clock.csv clock.er &&
	{ ! sed 1d clock.csv | grep . ||
		test_grep "warning: no sample of +cpu-clock has an address of data" said; }
'

test_expect_success 'without a request: no addresses, no message' '
	collect -o plain.er -h page-faults,1 sort /dev/null 2>said &&
	{ ! grep "address of data" said; } &&
	er_print -export samples plain.csv plain.er && python3 - <<-\END
		import csv
		rows = list(csv.DictReader(open("plain.csv")))
		assert rows and not any(r["address"] for r in rows), rows
	END
'

test_done
