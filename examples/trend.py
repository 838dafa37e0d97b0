#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How functions changed from recording to recording, from a database of `er_print -export sqlite`.

    er_print -export sqlite runs.db night.*.er
    trend.py runs.db                    # the functions that changed most
    trend.py runs.db parse              # this one
    trend.py runs.db --svg trend.svg    # a picture

A value is the share of the function, with all that it calls, in percent of the run.
"""
import argparse
import html
import os
import sqlite3
import sys

WIDTH, HEIGHT, MARGIN, LINE = 640, 200, 40, 18
COLORS = ["#3b7dbf", "#b3261e", "#1a7f37", "#8a5a00", "#5b2fb8"]

RUNS = """SELECT x.id, x.started, coalesce((SELECT value FROM labels l
    WHERE l.experiment_id = x.id AND l.key = ?), x.started) AS label
FROM experiments x JOIN metrics m ON m.experiment_id = x.id AND m.name = ?
ORDER BY x.started_s, x.id"""
# A function that a run does not have was not seen there: its share is 0.
SHARES = """SELECT f.function_id, f.name, f.experiment_id, f.inclusive_percent
FROM function_metrics f WHERE f.metric = ? AND (? IS NULL OR f.name = ?)"""


def text(value):
    """Names may be any bytes: those that are no UTF-8 are BLOBs.  Terminals obey control characters."""
    value = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return "".join(c if c.isprintable() else "?" for c in value)


def read(db, metric, name, label):
    """The runs' labels in order of time, and [(function, [percent by run])], the largest changes first."""
    runs = db.execute(RUNS, (label, metric)).fetchall()
    place = {run[0]: i for i, run in enumerate(runs)}
    rows = {}
    for key, function, run, percent in db.execute(SHARES, (metric, name, name)):
        row = rows.setdefault(key, (text(function), [0.0] * len(runs)))
        row[1][place[run]] = percent or 0.0
    order = sorted(rows.values(), key=lambda r: (min(r[1]) - max(r[1]), r[0]))
    return [text(run[2]) for run in runs], order


def bars(labels, rows):
    wide = max(map(len, labels))
    for function, shares in rows:
        print(function)
        for label, share in zip(labels, shares):
            print(f"  {label:{wide}} {share:6.2f} % {'#' * round(share / 2)}")


def svg(labels, rows):
    most = max(max(shares) for _, shares in rows) or 1
    step = WIDTH / max(len(labels) - 1, 1)
    height = HEIGHT + 2 * MARGIN + LINE * len(rows)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 2 * MARGIN} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<text x="{MARGIN}" y="20">{most:.2f} %</text>',
           f'<path d="M{MARGIN} {MARGIN}V{MARGIN + HEIGHT}H{MARGIN + WIDTH}" fill="none" stroke="gray"/>']
    for at, label in ((0, labels[0]), (1, labels[-1])):
        anchor = "end" if at else "start"
        out.append(f'<text x="{MARGIN + at * WIDTH}" y="{MARGIN + HEIGHT + 16}" text-anchor="{anchor}">'
                   f'{html.escape(label)}</text>')
    for i, (function, shares) in enumerate(rows):
        color = COLORS[i % len(COLORS)]
        points = " ".join(f"{MARGIN + n * step:.1f},{MARGIN + HEIGHT * (1 - share / most):.1f}"
                          for n, share in enumerate(shares))
        out.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        out.append(f'<text x="{MARGIN}" y="{2 * MARGIN + HEIGHT + LINE * i}" fill="{color}">'
                   f'{html.escape(function)}: {shares[0]:.2f} % → {shares[-1]:.2f} %</text>')
    return "\n".join(out + ["</svg>\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("function", nargs="?", help="only functions of this name")
    parser.add_argument("--metric", default="totalcpu", help="as er_print names it (totalcpu)")
    parser.add_argument("--label", default="", help="name the runs by this label of collect's, not by their time")
    parser.add_argument("--top", type=int, default=5, help="how many functions (5)")
    parser.add_argument("--svg", metavar="FILE", help="draw them there")
    args = parser.parse_args()
    if args.top < 1:
        parser.error("--top is 1 or more")
    if not os.path.exists(args.database):  # sqlite3 would make it
        sys.exit(f"trend.py: {args.database}: there is no such file")
    try:
        labels, rows = read(sqlite3.connect(args.database), args.metric, args.function, args.label)
    except sqlite3.Error as error:
        sys.exit(f"trend.py: {args.database}: {error}")
    rows = rows[:args.top]
    if not rows:
        sys.exit(f"trend.py: {args.database} has no such function with the metric {args.metric}")
    if args.svg:
        with open(args.svg, "w", encoding="utf-8") as out:
            out.write(svg(labels, rows))
    else:
        bars(labels, rows)


main()
