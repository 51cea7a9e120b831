# SPDX-License-Identifier: Apache-2.0
"""contest.py - contestants run alternately, and each run gives figures. The table compares two
figures run by run, so that a busy machine slows both down alike."""

import contextlib
import os
import platform
import shutil
import statistics
import subprocess

SERVER_CORE = 0
LOAD_CORE = 1 if (os.cpu_count() or 1) > 1 else 0

median = statistics.median


class Result:
    """The figures of the contestants by run, how to print one, and the commands that made them."""

    def __init__(self, unit, scale=1, digits=1):
        self.unit, self.scale, self.digits = unit, scale, digits
        self.values, self.missing, self.commands = {}, {}, {}

    def show(self, value):
        return "%.*f %s" % (self.digits, value / self.scale, self.unit)


def take_turns(result, contestants, turns, warm=1):
    """contestants: name -> function that returns {figure's name: value}. The order is reversed
    every time, so that no contestant always runs after the same other one."""
    names = list(contestants)
    for turn in range(-warm, turns):
        for name in names if turn % 2 == 0 else reversed(names):
            for figure, value in contestants[name]().items():
                if turn >= 0:
                    result.values.setdefault(figure, []).append(value)
    return result


def say(result):
    """A line a figure, below the commands that made them."""
    for name, command in result.commands.items():
        print("   %-15s %s" % (name, command))
    for figure, values in result.values.items():
        print("   %-15s median %14s   from %14s to %14s   (%d turns)" % (
            figure, result.show(median(values)), result.show(min(values)),
            result.show(max(values)), len(values)))
    for figure, reason in result.missing.items():
        print("   %-15s is missing: %s" % (figure, reason))


@contextlib.contextmanager
def on_core(*cores):
    """Binds this process, and every process that it starts meanwhile, to the cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(cores) & before or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def machine():
    """One line that says on which machine the figures were made."""
    model = platform.processor() or "unknown CPU"
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True,
                            text=True).stdout.strip() if shutil.which("git") else ""
    return "machine: %s, %d cores; Linux %s; load %.1f; commit %s" % (
        model, os.cpu_count() or 0, platform.release().partition("-")[0], os.getloadavg()[0],
        commit or "unknown")
