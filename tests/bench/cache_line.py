# SPDX-License-Identifier: Apache-2.0
"""cache_line.py - what threads lose where all of them write to one cache line (cache_line.c)."""

import subprocess

import contest

THREADS, TURNS = 16, 7


def threads():
    """16 threads that find entries of the cache: operations/s in all"""
    result = contest.Result("M/s", 1e6, digits=2)
    command = ["build/bench/cache_line", str(THREADS)]
    result.commands["16 threads"] = " ".join(command)

    def turn():
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return {name.replace("-", " "): float(rate)
                for name, rate in (line.split() for line in printed.splitlines())}
    return contest.take_turns(result, {"16 threads": turn}, TURNS)
