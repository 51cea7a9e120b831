# SPDX-License-Identifier: Apache-2.0
"""texts.py - float32 as text: our writer against std::to_chars (g++) and snprintf %.9g, each
a program that reads the same numbers and writes them, comma separated, into memory."""

import os
import subprocess
import tempfile

import contest
from library import Table

TURNS = 11
PROGRAMS = {"posenc": ["build/bench/text", "shortest"], "%.9g": ["build/bench/text", "printf"],
            "to_chars": ["build/bench/text_cxx"]}


def measure():
    """float32 to its shortest text, a million values of a rope table: numbers/s, on one core"""
    result = contest.Result("M/s", 1e6)
    table = Table("rope", {"pos": "0:15625", "dim": "128", "out": "cos", "dtype": "f32"})
    table.fill()
    with tempfile.TemporaryDirectory() as scratch:
        numbers = os.path.join(scratch, "numbers")
        with open(numbers, "wb") as file:
            file.write(table.blocks[0].raw)
        turns = {}
        for name, command in PROGRAMS.items():
            if not os.path.exists(command[0]):
                result.missing[name] = "%s was not built (make deps-bench)" % command[0]
                continue
            turns[name] = lambda name=name, command=command: {name: float(subprocess.run(
                ["taskset", "-c", str(contest.SERVER_CORE), *command, numbers],
                check=True, capture_output=True, text=True).stdout)}
            print("   %-10s taskset -c %d %s NUMBERS" % (name, contest.SERVER_CORE,
                                                         " ".join(command)))
        return contest.take_turns(result, turns, TURNS)
