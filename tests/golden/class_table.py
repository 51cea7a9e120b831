#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""class_table.py - the classes of proto/models/hf/classes as a table: name, source, what the row says,
and how many configurations of class_configs.tsv have the frequencies of the class's own code.

    tests/golden/class_table.py [--url URL]

A row says that a class rotates, has other encodings, is a tower, wraps another class, has no positions,
or is not read yet. The counts by source follow. The last line is "N passed, N failed": a configuration
fails that has other frequencies than its class's code."""

import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import class_configs

ROWS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "proto", "models", "hf", "classes")
ROW = re.compile(r'^HF_CLASS\("([^"]+)",\s*(\w+),\s*"([^"]+)",(.*?)\)\n(?=/\*|HF_CLASS|\Z)', re.M | re.S)
SOURCE = re.compile(r'^HF_SOURCE\((\w+),\s*"([^"]+)",\s*"([0-9a-f]+)"', re.M)
KINDS = ((".not_yet", "not yet"), ("HF_NOTHING", "no positions"), (".pairing", "rotates"),
         (".encodings", "encodings"), (".tower", "tower"), (".part", "part"))


def read(name):
    with open(os.path.join(ROWS, name), encoding="utf-8") as file:
        return file.read()


def rows():
    """(name, source, path, kind) of each row."""
    for name in sorted(os.listdir(ROWS)):
        for match in ROW.finditer(read(name)):
            kind = next(kind for field, kind in KINDS if field in match.group(4))
            yield match.group(1), match.group(2), match.group(3), kind


def run(url):
    from service import Service
    service = Service(url)
    sources = {name: (repository, commit) for name, repository, commit
               in SOURCE.findall(read("sources.def"))}
    outcomes = {}
    for row in class_configs.read_table():
        outcome, _ = class_configs.outcome_of(service, row)
        outcomes.setdefault(row["model_type"], []).append(outcome)
    counts = {}
    for name, source, path, kind in rows():
        found = outcomes.get(name, [])
        said = ", ".join("%d %s" % (found.count(word), word) for word in ("equal", "refused", "wrong")
                         if word in found)
        print("%-44s %-13s %-40s %s" % (name, kind, path, "run: " + said if said else "read"))
        counts.setdefault(sources[source][0], {}).setdefault(kind, []).append(bool(found))
    kinds = [kind for _, kind in KINDS]
    print("\n%-28s %5s " % ("source", "rows") + " ".join("%12s" % kind for kind in kinds + ["run"]))
    for repository, here in sorted(counts.items()):
        numbers = [len(here.get(kind, [])) for kind in kinds]
        ran = sum(sum(found) for found in here.values())
        print("%-28s %5d " % (repository, sum(numbers)) +
              " ".join("%12d" % number for number in numbers + [ran]))
    equal = sum(found.count("equal") for found in outcomes.values())
    wrong = sum(found.count("wrong") for found in outcomes.values())
    print("%d passed, %d failed" % (equal, wrong))
    return 1 if wrong or not equal else 0


def main():
    from service import arguments, served
    return served(arguments(__doc__), run)


if __name__ == "__main__":
    sys.exit(main())
