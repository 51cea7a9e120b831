#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make.py OUT=DIR [DRAWS=0,1,2] [KIND=PREFIX] [SEED=N] - writes the users' corpus: a folder a case
with its files, `cmd` (the command that a user types) and `truth.json` (what he must hear).

Tables are made in NumPy by the steps of the code that made the mistake. Each case is drawn four
times; three draws are scored, and the fourth, a quarter of the corpus, is held out: only --held of
score.py makes and scores it."""

import importlib
import json
import os
import shutil
import sys
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(os.path.dirname(HERE))]

import case as cases  # noqa: E402
import draw as draws  # noqa: E402
import files  # noqa: E402

MODULES = ["right_rope", "right_other", "right_masks", "right_near", "rows", "columns", "vectors",
           "scaling", "precision", "classics", "heads", "masks", "axes", "ids", "containers_cases",
           "algebra", "near_wrong", "ports", "turns", "forms", "unshown", "doubtful",
           "unclaimed"]
SCORED, HELD = (0, 1, 2), 3
SEED = 20261130


def all_cases(prefix=""):
    """(name, kind, function) of the cases whose names begin so."""
    for name in MODULES:
        importlib.import_module(name)
    return [one for one in cases.CASES if one[0].startswith(prefix)]


def write(folder, name, kind, make, number, seed):
    draw = draws.Draw(seed, name, number)
    made = make(draw)
    os.makedirs(folder, exist_ok=True)
    for path, data in made.more.items():
        with open(os.path.join(folder, path), "wb") as file:
            file.write(data)
    arguments = []
    if made.tensors:
        suffix, data = files.written(draw, made.tensors, made.form)
        arguments = [draw.choice(["dump.", "tables.", "out.", "mine."]) + suffix]
        with open(os.path.join(folder, arguments[0]), "wb") as file:
            file.write(data)
    arguments += made.words
    with open(os.path.join(folder, "cmd"), "w", encoding="utf-8") as file:
        file.write("posencd verify %s\n" % " ".join(arguments))
    truth = {"name": "%s.%d" % (name, number), "kind": kind, "arguments": arguments,
             "want": made.want, "say": made.say, "numbers": made.numbers}
    with open(os.path.join(folder, "truth.json"), "w", encoding="utf-8") as file:
        json.dump(truth, file, indent=1, sort_keys=True)
    return truth


def make_all(out, numbers, prefix="", seed=SEED):
    """Writes the cases, and returns pairs of a folder and its truth. Without numbers each case has
    one draw: half of the cases the first, half the one with plain names."""
    shutil.rmtree(out, ignore_errors=True)
    made = []
    for name, kind, make in all_cases(prefix):
        for number in numbers or [zlib.crc32(name.encode()) % 2]:
            folder = os.path.join(out, "%s.%d" % (name.replace("/", "-"), number))
            made.append((folder, write(folder, name, kind, make, number, seed)))
    return made


def main():
    options = dict(word.split("=", 1) for word in sys.argv[1:])
    numbers = [int(word) for word in options.get("DRAWS", "0,1,2").split(",")]
    assert HELD not in numbers, "draw %d is held out: score.py --held" % HELD
    made = make_all(options.get("OUT", "build/verify/users"), numbers, options.get("KIND", ""),
                    int(options.get("SEED", SEED)))
    print("%d cases" % len(made))


if __name__ == "__main__":
    main()
