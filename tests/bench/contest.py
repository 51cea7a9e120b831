# SPDX-License-Identifier: Apache-2.0
"""contest.py - contestants take turns; each turn gives a rate (greater is better)."""

import os
import platform
import statistics
import subprocess

SERVER_CORE = 0
LOAD_CORE = 1 if (os.cpu_count() or 1) > 1 else 0

median = statistics.median


class Result:
    """Rates of the contestants, and how to show one."""

    def __init__(self, unit, scale):
        self.unit, self.scale = unit, scale
        self.values, self.missing = {}, {}

    def show(self, rate):
        return "%.1f %s" % (rate / self.scale, self.unit)


def take_turns(result, contestants, turns, warm=1):
    """contestants: name -> function that returns {figure's name: rate}. The order is turned
    round every time, so that none always comes after the same other."""
    names = list(contestants)
    for turn in range(-warm, turns):
        for name in names if turn % 2 == 0 else reversed(names):
            for figure, rate in contestants[name]().items():
                if turn >= 0:
                    result.values.setdefault(figure, []).append(rate)
    for figure, rates in result.values.items():
        print("   %-14s median %12s   from %12s to %12s   (%d turns)" % (
            figure, result.show(median(rates)), result.show(min(rates)),
            result.show(max(rates)), turns))
    return result


def machine():
    """One line that says where the figures come from."""
    model = platform.processor() or "unknown CPU"
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True,
                            text=True).stdout.strip()
    return "machine: %s, %d cores; Linux %s; commit %s" % (
        model, os.cpu_count() or 0, platform.release(), commit or "unknown")
