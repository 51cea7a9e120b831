# SPDX-License-Identifier: Apache-2.0
"""results.py - what became of the cases, by family and class, and the table of it."""

import collections
import statistics

OK, MISSED, FALSE, BROKEN = "ok", "missed", "false accusation", "broken"


class Results:
    """Results by family and class, and lines about what went wrong."""

    def __init__(self):
        self.rows = collections.defaultdict(collections.Counter)
        self.times = collections.defaultdict(list)
        self.lines = []

    def add(self, family, group, result, milliseconds, line):
        self.rows[family, group][result] += 1
        self.times[family, group].append(milliseconds)
        if result != OK:
            self.lines.append((result, line))

    def count(self, *results):
        return sum(row[result] for row in self.rows.values() for result in results)

    def print_table(self):
        form = "%-14s %-12s %6s %10s %7s %7s %7s %9s %9s"
        print(form % ("family", "class", "cases", "diagnosed", "missed", "false", "broken",
                      "median ms", "worst ms"))
        for (family, group), row in sorted(self.rows.items()):
            times = self.times[family, group]
            print(form % (family, group, sum(row.values()), row[OK], row[MISSED], row[FALSE],
                          row[BROKEN], "%.1f" % statistics.median(times), "%.1f" % max(times)))
        groups = collections.defaultdict(collections.Counter)
        for (_, group), row in self.rows.items():
            groups[group].update(row)
        for group, row in sorted(groups.items()):
            total = sum(row.values())
            print("all %-12s %5d of %5d, %6.2f %%" % (group, row[OK], total, 100 * row[OK] / total))

    def print_lines(self, most):
        for result in (FALSE, BROKEN, MISSED):
            chosen = [line for which, line in self.lines if which == result]
            for line in chosen[:most]:
                print("%s: %s" % (result, line[:600]))
            if len(chosen) > most:
                print("... and %d more: %s" % (len(chosen) - most, result))
