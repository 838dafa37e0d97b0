# SPDX-License-Identifier: Apache-2.0
"""For `perf script -s`: a line for each sample, into the file $PERF_COUNT.

    event  period  name of the thread  module  pid/tid  cpu
"""
import os

ROWS = []


def process_event(event):
    s = event["sample"]
    cpu = s["cpu"] - 2**32 if s["cpu"] >= 2**31 else s["cpu"]
    ROWS.append((event["ev_name"], s["period"], event["comm"], event.get("dso", "[unknown]"),
                 "%d/%d" % (s["pid"], s["tid"]), cpu))


def trace_end():
    with open(os.environ["PERF_COUNT"], "w") as f:
        for row in ROWS:
            f.write("\t".join(map(str, row)) + "\n")
