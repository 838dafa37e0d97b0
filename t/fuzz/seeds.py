#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# seeds.py record|experiment|log DIR: first inputs for the fuzzer of that name.
# Layouts: <linux/perf_event.h>, and ringprof-experiment(5).
import json
import struct
import sys
from pathlib import Path


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(s):
    b = s.encode() + b"\0"
    return b + b"\0" * (-len(b) % 8)


def mmap2(start, path, ident):
    place = struct.pack("<IIQQQ", 2, 2, start, 0x3000, 0)
    return record(10, 2, place + bytes(24) + struct.pack("<II", 5, 2) + text(path) + ident)


def records():
    ident = struct.pack("<IIQIIQ", 2, 2, 2000, 0, 0, 0)
    task = struct.pack("<IIIIQ", 2, 1, 2, 1, 2000)
    head = [
        record(7, 0, task + ident),
        record(3, 1 << 13, struct.pack("<II", 2, 2) + text("prog") + ident),
        mmap2(0x400000, "/bin/true", ident),
        mmap2(0x7FFF0000, "[vdso]", ident),
    ]
    tail = [
        record(2, 0, struct.pack("<QQ", 0, 5) + ident),
        record(5, 0, struct.pack("<QQQ", 1, 2, 3) + ident),
        record(8, 0, struct.pack("<IIQQQQ", 2, 2, 1000, 5, 5, 0) + ident),
        record(4, 0, task + ident),
    ]
    kernel = struct.pack("<QQQ", 2, 2**64 - 128, 0xFFFFFFFF81000000)
    user = struct.pack("<5Q", 4, 2**64 - 512, 0x401000, 0x401100, 0x401200)
    regs = struct.pack("<18Q", 2, *[0x7FFE0000] * 17)
    stack = struct.pack("<34Q", 256, *range(0x401000, 0x401100, 8), 200)
    for mode, rest in ((0x80, kernel + regs + stack), (0x81, user), (0x83, b"")):
        base = struct.pack("<QQIIQIIQ", 0, 0x401000, 2, 2, 2500, 0, 0, 1000)
        sample = record(9, 2, base + rest)
        yield bytes([mode]) + b"".join(head + [sample, sample] + tail)


# The fuzzer adds magic and checksum.
def block(table, rows, *columns):
    raw = bytes([len(columns)]) + bytes(map(len, columns)) + b"".join(columns)
    return struct.pack("<4xHHIII4x", table, 0, rows, len(raw), len(raw)) + raw


def experiments():
    tables = [
        block(1, 2, b"\4main\3app"),
        block(2, 1, b"\4", b"\0", b"\2"),
        block(3, 2, b"\0\0", b"\x20\x20", b"\0\2"),
        block(4, 2, b"\0\2", b"\0\2"),
        block(5, 1, b"\4", b"\0", b"\2", b"\0"),
        block(6, 1, b"\0", b"\4", b"\0"),
        block(7, 3, b"\2\2\2", b"\0\0\0", b"\0\2\1", b"\0\0\0", b"\2\0\0", b"\2\2\1"),
        block(8, 1, b"\0", b"\0", b"\x20", b"\2", b"\1"),
        block(9, 1, b"\2", b"\2", b"\0", b"\2"),
        block(99, 0, b""),
    ]
    yield bytes(16) + b"".join(tables)
    yield bytes(16) + b"".join(tables + tables[6:7])
    # wakers of all kinds, one of a later version, and samples with them and with one too many
    none = bytes(7)
    wakers = [
        block(26, 5, b"\2\2\2\2\2", bytes(5), b"\4\3\0\0\0"),
        block(7, 7, b"\2" * 7, none, none, none, b"\2" + bytes(6), b"\2" + bytes(6), none, none, none,
              b"\0\1\2\3\4\5\6"),
    ]
    yield bytes(16) + b"".join(tables[:6] + wakers + tables[7:])


def logs():
    event = {"asked": "cycles", "got": "skl::UNHALTED_CORE_CYCLES", "reason": "",
             "metric": "cycles", "label": "CPU Cycles", "unit": "cycles", "period": 1000003,
             "hz": 3e9, "scale": 1.5, "samples": 2, "count": 2000006, "unsampled": 3}
    whole = {
        "schema": "ringprof-experiment/1", "state": "complete", "started_ns": 2**63,
        "duration_ns": 10, "comment": "a \u00e9 comment", "stack": "cfi",
        "collector": {"version": "1", "cpu_ns": 1, "max_rss_kb": 2},
        "target": {"cwd": "/", "pid": -1, "exit_status": 0, "signal": 9,
                   "command": ["true", "x y"]},
        "machine": {"hostname": "host", "cpus": 2, "page_size": 4096, "hz": 1e9},
        "totals": {"samples": 2, "lost": 1}, "events": [event, {}],
        "stack_ends": {"root": 2, "truncated": 1},
        "notes": [{"severity": "warning", "text": "no"}],
    }
    yield json.dumps(whole).encode()
    yield json.dumps({"schema": whole["schema"], "state": "running"}).encode()


makers = {"record": records, "experiment": experiments, "log": logs}
for number, seed in enumerate(makers[sys.argv[1]]()):
    Path(sys.argv[2], f"seed-{number}").write_bytes(seed)
