# SPDX-License-Identifier: Apache-2.0
"""read(PATH): {family: {labels as a frozenset of pairs: value}} of a file in OpenMetrics' text form.

Whatever breaks a rule of the form ends the program: https://prometheus.io/docs/specs/om/open_metrics_spec/.
"""
import re
import sys

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
KEY = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")
VALUE = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")


def wrong(line, why):
    sys.exit(f"{why}: {line!r}")


def labels_of(line, text):
    """{KEY="VALUE",…} up to its end: the pairs, and the rest of TEXT."""
    pairs, at = [], 1
    while text[at] != "}":
        if pairs:
            if text[at] != ",":
                wrong(line, "no comma between labels")
            at += 1
        key = KEY.match(text, at)
        if not key or text[key.end():key.end() + 2] != '="':
            wrong(line, "no label")
        at, value = key.end() + 2, ""
        while text[at] != '"':
            if text[at] == "\\":
                at += 1
                if text[at] not in '\\"n':
                    wrong(line, "an unknown escape")
            value += text[at]
            at += 1
        at += 1
        pairs.append((key.group(), value))
    if len({k for k, _ in pairs}) != len(pairs):
        wrong(line, "a label twice")
    return frozenset(pairs), text[at + 1:]


def take_comment(families, line, head):
    """A line of # TYPE, UNIT or HELP; HEAD: what the family has so far."""
    _, what, name, rest = line.split(" ", 3)
    if what == "TYPE":
        if name in families or rest != "gauge" or not NAME.fullmatch(name):
            wrong(line, "a family twice, or of another type")
        families[name] = {}
        head[:] = [name, "TYPE"]
        return
    if head[0] != name or what not in ("UNIT", "HELP") or what in head or families[name]:
        wrong(line, "not in the head of its family")
    if what == "UNIT" and not name.endswith("_" + rest):
        wrong(line, "the name does not end in the unit")
    head.append(what)


def read(path):
    text = open(path, encoding="utf-8", newline="").read()
    if not text.endswith("\n# EOF\n") or "\r" in text:
        wrong(text[-20:], "no end")
    families, head = {}, [None]
    for line in text[:-len("# EOF\n")].split("\n")[:-1]:
        if line.startswith("#"):
            take_comment(families, line, head)
            continue
        name = NAME.match(line).group()
        if name != head[0]:
            wrong(line, "not in its family")
        rest = line[len(name):]
        if rest[0] != "{":
            wrong(line, "no labels")
        labels, rest = labels_of(line, rest)
        if rest[0] != " " or not VALUE.fullmatch(rest[1:]):
            wrong(line, "no value")
        if labels in families[name]:
            wrong(line, "a series twice")
        families[name][labels] = float(rest[1:])
    return families
