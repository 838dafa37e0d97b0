#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Regions of a Python program, by ctypes:

    collect --regions on python3 regions.py
    er_print -regions test.1.er

Without collect the calls do nothing.  A call takes about a microsecond: it is for what takes milliseconds.
"""
import contextlib
import ctypes
import os


def load():
    path = os.environ.get("RINGPROF_LIBRARY")
    return ctypes.CDLL(path) if path else None


LIBRARY = load()


@contextlib.contextmanager
def region(name):
    """What the thread does in the block is in a region of that name."""
    text = name.encode()
    if LIBRARY:
        LIBRARY.collector_region_begin(text)
    try:
        yield
    finally:
        if LIBRARY:
            LIBRARY.collector_region_end(text)


def main():
    for number in range(20):
        with region("event"):
            with region("sort"):
                sorted(range(20000), key=lambda i: i * 7919 % 20011)
            with region("sum"):
                sum(i * number for i in range(20000))


if __name__ == "__main__":
    main()
