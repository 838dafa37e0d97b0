# SPDX-License-Identifier: Apache-2.0
"""agree.py SAMPLES EXPERIMENT PERF-SCRIPT: compares an imported recording's stacks with
those that perf's own unwinder made of the same samples.  Prints: samples, those with equal
frames, those where perf's stack ends earlier and is equal up to there; of the others those
where perf's reaches a root, but leaves out frames of ours; where it reaches one by other
frames; and where it reaches none."""
import re
import subprocess
import sys


def ours(tool, experiment):
    out = subprocess.run([tool, "--stacks", experiment], capture_output=True, text=True, check=True)
    return [line.split() for line in out.stdout.splitlines()]


ROOT = re.compile(r" (_start|_dl_start_user|clone3?|__clone3?|start_thread|ret_from_fork\w*|"
                  r"asm_\w+|entry_\w+)(\+\w+)? \(")


def theirs(path):
    """Each stack's frames, and whether the last is the start of a program or thread."""
    stacks, last = [], []
    for line in open(path, errors="replace"):
        words = line.split()
        if not words:
            continue
        if words[-1].endswith(":") and not line.startswith("\t"):
            stacks.append([])
            last.append("")
        elif stacks:
            last[-1] = line
            stacks[-1].append("k" if words[0].startswith("ffffffff") else words[0])
    return [(stack, bool(ROOT.search(line))) for stack, line in zip(stacks, last)]


def equal(a, b):
    """A call and its return address are one byte apart."""
    return a == b if "k" in (a, b) else abs(int(a, 16) - int(b, 16)) <= 1


def leaves_out(our, their):
    rest = iter(our)
    return all(any(equal(a, b) for a in rest) for b in their)


same = shorter = gaps = different = lost = 0
for our, (their, to_root) in zip(ours(sys.argv[1], sys.argv[2]), theirs(sys.argv[3])):
    if not all(equal(a, b) for a, b in zip(our, their)) or len(their) > len(our):
        if not to_root:
            lost += 1
        elif leaves_out(our, their):
            gaps += 1
        else:
            different += 1
    elif len(our) == len(their):
        same += 1
    else:
        shorter += 1
print(same + shorter + gaps + different + lost, same, shorter, gaps, different, lost)
