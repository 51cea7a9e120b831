# SPDX-License-Identifier: Apache-2.0
"""verdicts.py - verdicts on cosines and sines of 4096 positions and 64 pairs that another program
made (verify.c), on one core, beside the time in which the library makes both tables once."""

import subprocess

import contest

TURNS = 9
PROGRAM = "build/bench/verify"


def tables():
    """pe_verify of 4096 x 64 cosines and sines, right and wrong: seconds"""
    result = contest.Result("ms", 1e-3, digits=2)
    command = ["taskset", "-c", str(contest.SERVER_CORE), PROGRAM]
    result.commands["verify"] = " ".join(command)

    def turn():
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return {name: float(seconds)
                for name, seconds in (line.split() for line in printed.splitlines())}
    return contest.take_turns(result, {"verify": turn}, TURNS)
