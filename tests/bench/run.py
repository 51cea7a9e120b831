#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [NAME...] - what we claim, measured: each row is a ratio between contestants of one
run on one core, taken in turns, so that a busy or slow machine hits them alike. The figure is
ours over theirs, greater is better; of each contestant the median counts."""

import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import contest  # noqa: E402
import posting  # noqa: E402
import rotation  # noqa: E402
import serving  # noqa: E402
import tables  # noqa: E402
import texts  # noqa: E402

GETS = [("posencd", "nginx", 1.2), ("posencd", "floor", 0.85),
        ("posencd/cpu", "nginx/cpu", None), ("posencd/cpu", "nginx-open/cpu", None),
        ("posencd/cpu", "floor/cpu", None)]
ROTATIONS = [("posenc", "memcpy", 0.5), ("posenc", "torch", 5), ("in-place", "memcpy", None)]
# name, what measures it, [(ours, theirs, goal)]
ROWS = [
    ("table", tables.measure, [("posenc", "memset", 0.50), ("posenc", "numpy-f64", 15),
                               ("posenc", "torch-f32", 15), ("posenc", "numpy-f32", None),
                               ("posenc-new", "torch-f32", None)]),
    ("text", texts.measure, [("posenc", "to_chars", 2.0), ("posenc", "%.9g", None)]),
    ("rotate-f32", rotation.float32, ROTATIONS),
    ("rotate-bf16", rotation.bfloat16, ROTATIONS),
    ("post-f32", posting.float32, [("posencd", "echo", 0.7)]),
    ("post-bf16", posting.bfloat16, [("posencd", "echo", 0.7)]),
    ("get-1.5k", serving.small, GETS),
    ("get-64k", serving.large, GETS),
]


def main():
    chosen = sys.argv[1:]
    print(contest.machine())
    lines = ["%-11s %-11s %-14s %12s %12s %8s %7s" % (
        "row", "ours", "theirs", "ours", "theirs", "ratio", "goal")]
    missed = 0
    for name, measure, duels in ROWS:
        if chosen and name not in chosen:
            continue
        print("== %s: %s" % (name, measure.__doc__.strip().split("\n")[0]))
        result = measure()
        for ours, theirs, goal in duels:
            if theirs not in result.values:
                print("   %s is missing: %s" % (theirs, result.missing.get(theirs, "")))
                missed += goal is not None
                continue
            a, b = contest.median(result.values[ours]), contest.median(result.values[theirs])
            ratio = a / b
            missed += goal is not None and ratio < goal
            lines.append("%-11s %-11s %-14s %12s %12s %7.2fx %7s%s" % (
                name, ours, theirs, result.show(a), result.show(b), ratio,
                "" if goal is None else ">= %g" % goal,
                "" if goal is None or ratio >= goal else "  missed"))
    print("\n" + "\n".join(lines))
    print("%d goals missed" % missed if missed else "all goals met")
    return 0


if __name__ == "__main__":
    sys.exit(main())
