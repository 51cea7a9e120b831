#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make.py SEED=N EACH=N OUT=DIR - writes a corpus for verify: tables and vectors as people's own
code makes them, right and wrong, with what a diagnosis must find.

All numbers come from the formulas of the papers and NumPy; nothing of posencd is imported. The
same seed and number give the same case. EACH is the number of cases of each kind; COUNT=N cuts the
corpus at so many cases. OUT/cases.jsonl has one case a line: the file, its headers and query, and
the slugs of which one must be named (right, unexplained, refused: none may be)."""

import importlib
import importlib.util
import os
import sys

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

# Modules with a list ROWS of functions, each of which makes a case of the draws it is given.
MODULES = ["rotary", "forms", "parameters", "precision", "vectors", "axes", "multimodal", "ids",
           "pairs", "additive", "timesteps", "grids", "learned", "alibi", "kernels", "buckets",
           "windows", "masks", "sparse_masks", "graphs", "parts", "strange", "hostile"]
# Those that follow all of these, one after the other, so that earlier cases keep their draws.
LATER = ["arithmetic", "newer"]


class Draw:
    """Random choices of one case, by seed and number."""

    def __init__(self, seed, number):
        self.random = np.random.default_rng([seed, number])

    def choice(self, items):
        return items[int(self.random.integers(len(items)))]

    def normal(self, *shape):
        return self.random.standard_normal(shape)

    def order(self, count):
        """0 to count - 1, shuffled so that at least one moved."""
        while True:
            order = self.random.permutation(count)
            if count < 2 or (order != np.arange(count)).any():
                return order


def rows():
    """The functions of all modules, dealt out in turn, so that a small corpus has every family."""
    return sum((dealt_out([module]) for module in LATER), dealt_out(MODULES))


def dealt_out(modules):
    lists = [list(importlib.import_module(name).ROWS) for name in modules
             if importlib.util.find_spec(name)]
    dealt = [(at / len(one), which, row) for which, one in enumerate(lists)
             for at, row in enumerate(one)]
    return [row for _, _, row in sorted(dealt, key=lambda item: item[:2])]


def main():
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    made = rows()
    seed, each = int(options.get("SEED", 1)), int(options.get("EACH", 1))
    count = int(options.get("COUNT", each * len(made)))
    folder = options.get("OUT", "corpus")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "cases.jsonl"), "w", encoding="utf-8") as cases:
        for number in range(count):
            random = Draw(seed, number)
            case = made[number % len(made)](random)
            cases.write(case.write(folder, number, random) + "\n")
    print("%d cases in %s" % (count, folder))


if __name__ == "__main__":
    main()
