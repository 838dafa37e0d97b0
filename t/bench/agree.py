# SPDX-License-Identifier: Apache-2.0
"""agree.py STACKDUMP EXPERIMENT PERF-SCRIPT: compares an imported recording's stacks with
those that perf's own unwinder made of the same samples.  Prints: samples, those with equal
frames, those where perf's stack ends earlier and is equal up to there, those that differ."""
import subprocess
import sys


def ours(tool, experiment):
    out = subprocess.run([tool, experiment], capture_output=True, text=True, check=True)
    return [line.split() for line in out.stdout.splitlines()]


def theirs(path):
    stacks = []
    for line in open(path, errors="replace"):
        words = line.split()
        if not words:
            continue
        if words[-1].endswith(":") and not line.startswith("\t"):
            stacks.append([])
        elif stacks:
            stacks[-1].append("k" if words[0].startswith("ffffffff") else words[0])
    return stacks


def equal(a, b):
    """One byte apart: a call and what it returns to."""
    return a == b if "k" in (a, b) else abs(int(a, 16) - int(b, 16)) <= 1


same = shorter = different = 0
for our, their in zip(ours(sys.argv[1], sys.argv[2]), theirs(sys.argv[3])):
    if not all(equal(a, b) for a, b in zip(our, their)) or len(their) > len(our):
        different += 1
    elif len(our) == len(their):
        same += 1
    else:
        shorter += 1
print(same + shorter + different, same, shorter, different)
