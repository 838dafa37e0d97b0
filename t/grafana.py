#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grafana's dashboards of share/grafana, without Grafana.

    grafana.py run DASHBOARD ASK FOLDER    each panel's query, with the macros and variables as Grafana expands them, to
                                           FOLDER/TITLE.tsv; ASK QUERY answers it
    grafana.py check FOLDER HOSTS RUNS     what any fleet of t/fleet.py shows there
    grafana.py draw FOLDER FILE.svg        a picture of each panel's data
"""
import html
import json
import os
import re
import subprocess
import sys

FROM, TO = 1767225600, 1767225600 + 40 * 86400
CHOSEN = {"metric": "totalcpu", "flavor": "exclusive", "top": "20", "service": "solver", "base": "1.1", "other": "1.2", "region": "event sort",
          "__from": str(FROM * 1000), "__to": str(TO * 1000)}
FILTERS = {"postgres": "{} BETWEEN '2026-01-01T00:00:00Z' AND '2026-02-10T00:00:00Z'",
           "grafana-clickhouse-datasource": "{0} >= toDateTime(%d) AND {0} <= toDateTime(%d)" % (FROM, TO)}
COLUMNS = {"timeseries": 3, "flamegraph": 4}
KINDS = {"Hosts and recordings": "stat", "Where the time goes": "flamegraph", "CPUs that it keeps busy, by host": "timeseries",
         "Lost samples": "timeseries", "95th percentile of ${region}, in ms": "timeseries"}


def argument(text, at):
    """What is in the parentheses that begin at AT, and where they end."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if not depth:
            return text[at + 1:i], i + 1
    raise ValueError(text[at:])


def expand(text, kind):
    """Variables first, then macros, as Grafana does."""
    text = re.sub(r"\$\{(\w+)\}", lambda m: CHOSEN[m.group(1)], text)
    while (at := text.find("$__timeFilter(")) >= 0:
        column, end = argument(text, at + len("$__timeFilter"))
        text = text[:at] + FILTERS[kind].format(column) + text[end:]
    assert "$" not in text, text[text.index("$"):]
    return text


def panels(path):
    with open(path, encoding="utf-8") as file:
        found = [p for p in json.load(file)["panels"] if p["type"] != "row"]
    places = [p["gridPos"] for p in found]
    for i, a in enumerate(places):
        assert a["x"] + a["w"] <= 24, a
        for b in places[:i]:
            assert a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"] or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"], (a, b)
    return found


def run(path, ask, folder):
    os.makedirs(folder, exist_ok=True)
    for panel in panels(path):
        (target,) = panel["targets"]
        query = expand(target["rawSql"], target["datasource"]["type"])
        out = subprocess.run([ask, query], check=True, stdout=subprocess.PIPE).stdout.decode()
        with open(os.path.join(folder, panel["title"] + ".tsv"), "w", encoding="utf-8") as file:
            file.write(out)
        assert KINDS.get(panel["title"], "table") == panel["type"], panel["title"]
        print(panel["title"], len(out.splitlines()))


def rows(folder, title):
    with open(os.path.join(folder, title + ".tsv"), encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def check(folder, hosts, runs):
    hosts, runs = int(hosts), int(runs)
    ((seen, recordings, _),) = rows(folder, "Hosts and recordings")
    assert (int(seen), int(recordings)) == (hosts, hosts * runs), (seen, recordings)
    health = rows(folder, "By host")
    assert [(r[0], int(r[1]), int(r[2]), int(r[3])) for r in health] == [(f"n{h:02}", runs, 0, 0) for h in range(hosts)], health
    for title in ("Lost samples", "CPUs that it keeps busy, by host", "95th percentile of ${region}, in ms"):
        got = rows(folder, title)
        assert len(got) == hosts * runs and {r[1] for r in got} == {f"n{h:02}" for h in range(hosts)}, got
        assert all(re.match(r"2026-01-01 \d\d:00:00", r[0]) for r in got), got
    # one thread, which runs all the time
    assert all(abs(float(r[2]) - 1) < 0.01 for r in rows(folder, "CPUs that it keeps busy, by host"))
    # all of the fleet is that service
    hot, its = rows(folder, "Hottest functions"), rows(folder, "Its hottest functions")
    assert len(its) == 20 and [(r[0], round(float(r[2]), 6)) for r in its] == [(r[0], round(float(r[2]), 6)) for r in hot], (hot, its)
    if os.path.exists(os.path.join(folder, "Where the time goes.tsv")):
        check_tree(rows(folder, "Where the time goes"))


def check_tree(tree):
    """The rows of a level follow their parent, whose value is its own and theirs."""
    for i, (level, value, own, _) in enumerate(tree):
        below = 0.0
        for row in tree[i + 1:]:
            if int(row[0]) <= int(level):
                break
            below += float(row[1]) if int(row[0]) == int(level) + 1 else 0
        assert abs(float(value) - float(own) - below) < 1e-6, tree[i]


# ---- pictures ----

WIDTH, ROW, BARS = 620, 18, 10


def bars(got, name, value):
    got = got[:BARS]
    most = max([abs(float(r[value])) for r in got] + [1e-9])
    for i, r in enumerate(got):
        wide = 300 * abs(float(r[value])) / most
        yield (f'<rect x="230" y="{ROW * i + 3}" width="{wide:.1f}" height="{ROW - 6}" fill="#3b7dbf"/>'
               f'<text x="222" y="{ROW * i + 13}" text-anchor="end">{html.escape(" ".join(r[n] for n in name)[:34])}</text>'
               f'<text x="{236 + wide:.1f}" y="{ROW * i + 13}">{float(r[value]):.4g}</text>')


def lines(got):
    series = {}
    for time, host, value in got:
        series.setdefault(host, []).append(float(value))
    most = max([v for s in series.values() for v in s] + [1e-9])
    colors = ["#3b7dbf", "#b3261e", "#1a7f37", "#8a5a00"]
    for i, values in enumerate(series.values()):
        points = " ".join(f"{20 + 560 * n / max(len(values) - 1, 1):.1f},{170 - 150 * v / most:.1f}" for n, v in enumerate(values))
        yield f'<polyline points="{points}" fill="none" stroke="{colors[i % 4]}" opacity="0.6"/>'
    yield f'<text x="20" y="14">{most:.4g}</text><path d="M20 20V170H580" fill="none" stroke="gray"/>'


def flame(tree):
    whole = sum(float(r[1]) for r in tree if r[0] == "0") or 1
    ends = {-1: 0.0}
    for level, value, _, label in tree:
        level, wide = int(level), 580 * float(value) / whole
        x = ends[level - 1] if level - 1 in ends else 0.0
        ends[level] = x
        if level:
            ends[level - 1] = x + wide
        if level < 10 and wide > 0.5:
            yield (f'<rect x="{20 + x:.1f}" y="{17 * level}" width="{wide:.1f}" height="16" fill="#d98c3f" stroke="white"/>' +
                   (f'<text x="{23 + x:.1f}" y="{17 * level + 12}">{html.escape(label[:int(wide / 7)])}</text>' if wide > 30 else ""))


DRAWN = {"Hottest functions": ((0,), 4), "Hosts unlike the others": ((0, 4), 2), "Its hottest functions": ((0,), 2),
         "What changed": ((0, 7), 4), "Shares by release": ((0, 2), 4), "By host": ((0,), 1),
         "Regions with the most ${metric}": ((0,), 2), "Durations of regions": ((0,), 4)}


def draw(folder, path):
    out, y = [], 10
    for name in sorted(os.listdir(folder)):
        title = name[:-len(".tsv")]
        got = rows(folder, title)
        kind = KINDS.get(title, "table")
        if kind == "stat":
            parts = [f'<text x="20" y="24" font-size="20">{" / ".join(got[0])}</text>']
        else:
            parts = list(lines(got) if kind == "timeseries" else flame(got) if kind == "flamegraph" else bars(got, *DRAWN[title]))
        high = {"stat": 36, "table": ROW * min(len(got), BARS), "timeseries": 180, "flamegraph": 172}[kind]
        out.append(f'<text x="10" y="{y + 12}" font-weight="bold">{html.escape(title)}</text><g transform="translate(0 {y + 20})">'
                   + "\n".join(parts) + "</g>")
        y += high + 36
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" font-family="sans-serif" font-size="11">'
                   f'<rect width="{WIDTH}" height="{y}" fill="white"/>' + "\n".join(out) + "</svg>\n")


globals()[sys.argv[1]](*sys.argv[2:])
