#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which part of a program has which share of its time, from the JSON of `er_print -regions`.

    er_print -json -regions test.1.er >regions.json
    owners.py regions.json                      # by domain, or by the name before the first dot
    owners.py regions.json owners.txt           # by a list of yours
    owners.py regions.json --svg owners.svg     # a picture

owners.txt has lines `PATTERN OWNER`: a region belongs to the first whose pattern (as of file names: `Track*`)
fits its name.  What is in no region is <Outside>.  Intervals have the share in 95 of 100 recordings (Wilson's);
a metric of which each occurrence was recorded, as waits, and one without samples have none.
"""
import argparse
import collections
import fnmatch
import html
import json
import math
import sys

COLORS = ["#3b7dbf", "#b3261e", "#1a7f37", "#8a5a00", "#5b2fb8", "#007a87", "#9c2f6f", "#5d6b7a"]
RADIUS, LINE, CENTER = 120, 20, 140


def read_owners(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split(None, 1) for line in file if line.strip() and not line.startswith("#")]
    wrong = [line for line in lines if len(line) != 2]
    if wrong:
        sys.exit(f"owners.py: {path}: '{wrong[0][0].strip()}' has no owner: say PATTERN OWNER")
    return [(pattern, owner.strip()) for pattern, owner in lines]


def owner_of(row, owners):
    if row["name"] is None:
        return row["branch"]
    for pattern, owner in owners:
        if fnmatch.fnmatchcase(row["name"], pattern):
            return owner
    return row["domain"] or row["name"].split(".")[0]


def sums(rows, metric, owners):
    """By owner: value and samples, the largest first; and the same of all."""
    whole, out = (0, 0), collections.defaultdict(lambda: (0, 0))
    for row in rows:
        own = row["exclusive"].get(metric)
        if row["branch"] == "<Total>" and row["name"] is None:
            whole = (own["value"], own["samples"]) if own else whole
        elif own:
            value, samples = out[owner_of(row, owners)]
            out[owner_of(row, owners)] = (value + own["value"], samples + own["samples"])
    return whole, sorted(out.items(), key=lambda item: (-item[1][0], item[0]))


def interval(samples, of):
    """Of a share, in percent."""
    z, share = 1.96, samples / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return 100 * (middle - half), 100 * (middle + half)


def svg(whole, rows):
    height = max(2 * CENTER, LINE * (len(rows) + 2))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" font-family="sans-serif" font-size="13">']
    begin = 0.0
    for i, (owner, (value, _)) in enumerate(rows):
        share, color = value / whole[0], COLORS[i % len(COLORS)]
        ends = [2 * math.pi * turn for turn in (begin, begin + share)]
        (x0, y0), (x1, y1) = ((CENTER + RADIUS * math.sin(a), CENTER - RADIUS * math.cos(a)) for a in ends)
        shape = (f'<circle cx="{CENTER}" cy="{CENTER}" r="{RADIUS}"' if share > 0.9999 else
                 f'<path d="M{CENTER} {CENTER}L{x0:.2f} {y0:.2f}A{RADIUS} {RADIUS} 0 {int(share > 0.5)} 1 {x1:.2f} {y1:.2f}Z"')
        out.append(f'{shape} fill="{color}" stroke="white"/>')
        out.append(f'<rect x="300" y="{LINE * (i + 1)}" width="12" height="12" fill="{color}"/>'
                   f'<text x="320" y="{LINE * (i + 1) + 11}">{100 * share:.1f} % {html.escape(owner)}</text>')
        begin += share
    return "\n".join(out + ["</svg>\n"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report")
    parser.add_argument("owners", nargs="?")
    parser.add_argument("--metric", default="totalcpu", help="as er_print names it (totalcpu)")
    parser.add_argument("--svg", metavar="FILE", help="draw a pie there")
    args = parser.parse_args()
    try:
        with open(args.report, encoding="utf-8") as file:
            rows = json.load(file)["regions"]
        whole, owned = sums(rows, args.metric, read_owners(args.owners) if args.owners else [])
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"owners.py: {args.report} is no report of regions: {error}")
    if not whole[0]:
        sys.exit(f"owners.py: {args.report} has no samples of {args.metric}")
    if args.svg:
        with open(args.svg, "w", encoding="utf-8") as out:
            out.write(svg(whole, owned))
        return
    cells = [row["exclusive"].get(args.metric) for row in rows]
    sampled = whole[1] and any(cell and cell["low"] != cell["high"] for cell in cells)
    for owner, (value, samples) in owned:
        bounds = "{:6.2f} to {:6.2f} %".format(*interval(samples, whole[1])) if sampled else ""
        print(f"{value:12.3f} {100 * value / whole[0]:7.2f} %  {bounds}  {owner}")


main()
