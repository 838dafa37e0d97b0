#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fleet of hosts, and what share/sql says about it beside what er_print says.

    fleet.py make FIRST HOSTS RUNS STACKS  experiments hHH.rRR.er of hosts from FIRST on, half of each release
    fleet.py changed OUT JSON FLAVOR       rows of `changed`, and er_print's compare
    fleet.py hottest OUT JSON [METRIC]     rows of `hottest`, and er_print's functions
    fleet.py releases OUT RELEASE=JSON…    rows of `releases`, and functions of each
    fleet.py unlike OUT HOST=JSON…         rows of `unlike`, and functions of each host
    fleet.py regions SUMS TIMES JSON       rows of Grafana's tables of regions, and er_print's regions
    fleet.py region OUT NAME HOST=JSON…    values of a region by host, in any order, and regions of its recordings
"""
import json
import random
import subprocess
import sys

# Sums of doubles in another order differ by this much of them.
TINY = 1e-12


def make(first, hosts, runs, stacks):
    """1.2 has a slower f7, and no f9; the last host spends much in g5; some hosts are faster."""
    names = ([f"libsolve.so!f{i}" for i in range(40)] + [f"/usr/lib/libc.so.6!g{i}" for i in range(30)] +
             [f"[kernel]!k{i}" for i in range(10)])
    for host in range(int(first), int(hosts)):
        for run in range(int(runs)):
            rnd, drawn = random.Random(1000 * host + run), random.Random(5)
            release = "1.2" if run >= int(runs) // 2 else "1.1"
            speed = rnd.gauss(1, 0.08)
            lines = ["thread 100 100 solver", f"label release={release}", "label service=solver", f"host n{host:02}",
                     f"started 2026-01-{1 + run // 24:02}T{run % 24:02}:00:00Z"]
            spans = random.Random(f"{host} {run}")
            for i in range(30):  # a sample is 1 ms after the other
                begin, end = i * 140_000_000, i * 140_000_000 + spans.randint(10_000_000, 130_000_000)
                inner = f"region /event/{spans.choice(['sort', 'db|query'])} {begin + 7} {spans.randint(begin + 7, end)}"
                lines += [inner, f"region /event {begin} {end}"]
            lines += ["region /last 4200000000 60000000000 1", "apart /async 5 9000"]
            for i in range(int(stacks)):
                path = [drawn.choice(names) for _ in range(drawn.randint(1, 9))] + [names[i % len(names)]]
                weight = drawn.expovariate(1) ** 2 * 12
                leaf = path[-1].split("!")[1]
                if leaf == "f9" and release == "1.2":
                    continue
                weight *= 2.5 if leaf == "f7" and release == "1.2" else 1
                weight += 200 if leaf == "g5" and host == int(hosts) - 1 else 0
                count = int(max(0, rnd.gauss(weight * speed, (weight + 0.01) ** 0.5)))
                if count:
                    lines.append(";".join(["main"] + path) + f" {count}")
            subprocess.run(["mkexp", f"h{host:02}.r{run:02}.er"], input="\n".join(lines).encode() + b"\n", check=True)


def rows(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def functions(path, metric="totalcpu"):
    """{id: (exclusive value, inclusive value)}, with "" for <Total>."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)["functions"]
    return {r["function_id"]: [r[f][metric]["value"] for f in ("exclusive", "inclusive")] for r in report}


def near(ours, theirs, what, most=1e-9):
    assert abs(float(ours) - theirs) <= most + TINY * abs(theirs), (what, ours, theirs)


def changed(out, report, flavor):
    with open(report, encoding="utf-8") as file:
        theirs = {r["function_id"]: r for r in json.load(file)["compare"]}
    got = {r[8]: r for r in rows(out)}
    assert set(got) == set(theirs), set(got) ^ set(theirs)
    for key, (name, _, before, after, delta, p, q, change, _) in got.items():
        row = theirs[key]
        assert (name, change) == (row["name"].split(" (")[0], row["change"]), (name, change, row)
        near(before, row["base"][flavor]["totalcpu"]["value"], name)
        near(after, row["other"][flavor]["totalcpu"]["value"], name)
        near(delta, row["delta"], name)
        near(p, row["p"], name)
        near(q, row["q"], name)
    print(len(got), sum(r[7] != "noise" for r in got.values()))


def hottest(out, report, metric="totalcpu"):
    theirs, got = functions(report, metric), rows(out)
    best = sorted((k for k in theirs if k), key=lambda k: (-theirs[k][0], k))
    assert [r[8] for r in got] == best[:len(got)], (got[0], best[0])
    for row in got:
        for at in (0, 1):
            near(row[2 + at], theirs[row[8]][at], row)
            near(row[4 + at], 100 * theirs[row[8]][at] / theirs[""][0], row)
    print(len(got), got[0][6], got[0][7])


def releases(out, *reports):
    theirs = {name: functions(path) for name, path in (r.split("=", 1) for r in reports)}
    got = rows(out)
    for row in got:
        of = theirs[row[2]]
        for at in (0, 1):
            near(row[4 + at], 100 * of.get(row[6], (0, 0))[at] / of[""][0], row)
    print(len(got), *sorted({r[2] for r in got}))


def branches(path):
    """{(branch, domain): row}, <Outside> too."""
    with open(path, encoding="utf-8") as file:
        return {(r["branch"], r["domain"] or ""): r for r in json.load(file)["regions"] if r["branch"] != "<Total>"}


def is_percentile(ms, row):
    near(float(ms) * 1e6, row["p95_ns"], row, row["p95_ns"] / 128)


def regions(sums, times, report):
    theirs, got = branches(report), rows(sums)
    in_samples = {k: r for k, r in theirs.items() if (r["inclusive"]["totalcpu"] or {"value": 0})["value"]}
    assert {(r[0], r[1].replace("\\N", "")) for r in got} == set(in_samples), (got, in_samples)
    assert [float(r[2]) for r in got] == sorted((float(r[2]) for r in got), reverse=True), got
    for row in got:
        of = theirs[row[0], row[1].replace("\\N", "")]
        for at, flavor in enumerate(("exclusive", "inclusive")):
            near(row[2 + at], of[flavor]["totalcpu"]["value"], row)
    ended, got = {k: r for k, r in theirs.items() if r["total_ns"] is not None}, rows(times)
    assert {(r[0], r[1].replace("\\N", "")) for r in got} == set(ended) and len(got) >= 4, (got, ended)
    for row in got:
        of = theirs[row[0], row[1].replace("\\N", "")]
        assert int(row[2]) == of["count"] - of["unended"], (row, of)
        near(float(row[3]) * 1e6, of["mean_ns"], row, 1e-3)
        is_percentile(row[4], of)
        near(float(row[5]) * 1e6, of["longest_ns"], row, 1e-3)
    print(len(got))


def region(out, name, *reports):
    theirs = {}
    for host, path in (r.split("=", 1) for r in reports):
        theirs.setdefault(host, []).append(branches(path)[name, ""])
    got = {}
    for _, host, value in rows(out):
        got.setdefault(host, []).append(value)
    assert set(got) == set(theirs), (got, theirs)
    for host, values in got.items():
        values.sort(key=float)
        theirs[host].sort(key=lambda r: r["p95_ns"])
        assert len(values) == len(theirs[host]), host
        for value, row in zip(values, theirs[host]):
            is_percentile(value, row)
    print(sum(map(len, got.values())))


def unlike(out, *reports):
    hosts = {name: {k: v[0] for k, v in functions(path).items()} for name, path in (r.split("=", 1) for r in reports)}
    distance, most = {}, {}
    for host, own in hosts.items():
        rest = {k: sum(o.get(k, 0) for h, o in hosts.items() if h != host) for k in set().union(*hosts.values())}
        diff = {k: own.get(k, 0) / own[""] - rest[k] / rest[""] for k in rest if k}
        distance[host] = 50 * sum(map(abs, diff.values()))
        most[host] = max((abs(d), k) for k, d in diff.items() if own.get(k))[1]
    middle = sorted(distance.values())[(len(hosts) + 1) // 2 - 1]
    typical = sorted(abs(d - middle) for d in distance.values())[(len(hosts) + 1) // 2 - 1]
    got = rows(out)
    assert [r[0] for r in got] == sorted(hosts, key=lambda h: -distance[h]), got
    for row in got:
        near(row[2], distance[row[0]], row)
        near(row[3], (distance[row[0]] - middle) / (1.4826 * typical), row, 1e-6)
        assert row[8] == most[row[0]], row
    print(got[0][0], got[0][4])


globals()[sys.argv[1]](*sys.argv[2:])
