#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make.py SEED=N COUNT=N OUT=DIR - writes a corpus for verify: tables and vectors as people's own
code makes them, right and wrong, with what a diagnosis must find.

All numbers come from the formulas of the papers and NumPy; nothing of posencd is imported. The
same seed gives the same corpus. OUT/cases.jsonl has one case a line: the file, the claim, and the
slugs of which one must be named (right: none may be)."""

import os
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import additive  # noqa: E402
import attention  # noqa: E402
import rotary  # noqa: E402

FAMILIES = [additive, attention, rotary]


class Draw:
    """Random choices of one case, by seed and number."""

    def __init__(self, seed, number):
        self.random = np.random.default_rng([seed, number])

    def choice(self, items):
        return items[int(self.random.integers(len(items)))]

    def normal(self, rows, columns):
        return self.random.standard_normal((rows, columns))


def main():
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    seed, count = int(options.get("SEED", 1)), int(options.get("COUNT", 300))
    folder = options.get("OUT", "corpus")
    rows = [row for family in FAMILIES for row in family.ROWS]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cases.jsonl"), "w", encoding="utf-8") as cases:
        for number in range(count):
            case = rows[number % len(rows)](Draw(seed, number))
            cases.write(case.write(folder, number) + "\n")
    print("%d cases in %s" % (count, folder))


if __name__ == "__main__":
    main()
