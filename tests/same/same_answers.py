#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""same_answers.py BEFORE AFTER [SOURCE...] - sends the requests of all sources (sources.py) to two
programs and compares what they answer, byte by byte, and whether each connection stays open.

Differences that are allowed are rows of allowed.txt. Prints for each source how many answers were
compared and how many forms differ; the last line is "N passed, N failed"."""

import os
import sys
import time
import traceback
from collections import Counter

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
sys.path[:0] = [HERE, TESTS] + [os.path.join(TESTS, name) for name in
                                ("http", "campaign", "image", "readme")]

from compare import Table, statuses  # noqa: E402
from sources import SOURCES, rows  # noqa: E402
from witness import Seat  # noqa: E402

SHOWN = 40     # messages of a source
ATTEMPTS = 3


class Pair:
    """Both programs with the same flags. Flags that are a class make a folder of each program's own
    with what its object says."""

    def __init__(self, programs, flags):
        self.folders = [flags() for _ in programs] if isinstance(flags, type) else []
        own = [folder.flags for folder in self.folders] or [flags, flags]
        self.seats = [Seat(program, each) for program, each in zip(programs, own)]

    def hear(self, play):
        """What each said to this."""
        heard = []
        for seat in self.seats:
            play(seat)
            heard.append(seat.take())
        return heard

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for seat in self.seats:
            seat.stop()


class Comparison:
    """Of the forms of a source. A form that differs is asked again, of programs that are started for
    it: what depends on how busy the machine is (whether a connection ends under overload) agrees in
    some attempt, and is counted."""

    def __init__(self, source, programs, table):
        self.source, self.programs, self.table = source, programs, table
        self.answers, self.equal, self.again, self.faults = Counter(), 0, 0, []

    def run(self):
        for flags, forms in self.source():
            with Pair(self.programs, flags) as pair:
                for name, play in forms:
                    name = " ".join(("%s: %s" % (self.source.__name__, name)).split())
                    try:
                        self.form(name, flags, pair, play)
                    except Exception:  # such as an answer that no reader takes: the others still count
                        self.faults.append("%s: %s" % (name, traceback.format_exc()))

    def form(self, name, flags, pair, play):
        heard = pair.hear(play)
        self.answers.update(statuses(heard[1]))
        fault = self.table.fault(name, *heard)
        for _ in range(ATTEMPTS - 1 if fault else 0):
            with Pair(self.programs, flags) as other:
                again = self.table.fault(name, *other.hear(play))
            if not again:
                self.again += 1
                print("%s: agreed when it was asked again" % name)
                fault = None
                break
        self.equal += fault is None
        self.faults += [fault] if fault else []


def allowed():
    """The rows of allowed.txt; the reader of rows takes a file without any for a mistake."""
    with open(os.path.join(HERE, "allowed.txt"), encoding="utf-8") as file:
        empty = all(line.startswith("#") or not line.strip() for line in file)
    return [] if empty else rows("same", ".txt")


def main(programs, wanted):
    table = Table(allowed())
    passed, failed, answers = 0, len(table.faults), 0
    print("\n".join(table.faults), end="\n" if table.faults else "")
    for source in SOURCES:
        if wanted and source.__name__ not in wanted:
            continue
        start, comparison = time.monotonic(), Comparison(source, programs, table)
        comparison.run()
        equal, faults = comparison.equal, comparison.faults
        print("\n".join(faults[:SHOWN]), end="\n" if faults else "")
        classes = Counter(status[0] + "xx" for status in comparison.answers.elements())
        print("%-10s %6d answers (%s) to %5d forms, %d differ, %d asked again, %3.0f s" % (
            source.__name__, classes.total(), ", ".join("%s: %d" % one for one in sorted(
                classes.items())), equal + len(faults), len(faults), comparison.again,
            time.monotonic() - start), flush=True)
        passed, failed, answers = passed + equal, failed + len(faults), answers + classes.total()
    unused = table.unused(wanted)
    for fault in unused:
        print(fault)
    print("%d answers compared; forms of requests:" % answers)
    print("%d passed, %d failed" % (passed, failed + len(unused)))
    return 1 if failed or unused or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:3], sys.argv[3:]))
