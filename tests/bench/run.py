#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""run.py [--report | --words] [NAME...] - measures our claims (rows.py). Contestants run alternately, so
that a busy or slow machine slows them down alike. A row's ratio is taken for each run; the
median counts, the least and the greatest show the spread. --report writes build/bench.md and
.html with plots, and docs/when-asking-wins.md where its row was measured; --words writes that
document anew with its last figures."""

import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(os.path.dirname(os.path.dirname(HERE)))

import asking  # noqa: E402
import asking_page  # noqa: E402
import contest  # noqa: E402
import rows  # noqa: E402

FORMAT = "%-18s %-14s %-14s %14s %14s %11s %19s %16s %s"
HEADS = ("row", "ours", "theirs", "our figure", "their figure", "compared", "spread", "goal",
         "met")


def cells(row, result):
    """The cells of a row; the last is "yes", "NO", "" or the reason why there is no figure."""
    for figure in filter(None, (row.ours, row.theirs)):
        if figure not in result.values:
            reason = result.missing.get(figure) or " ".join(set(result.missing.values()))
            return (row.name, row.ours, row.theirs or "", "", "", "", "", row.goal.text,
                    "%s: %s" % (figure, reason))
    ours, theirs = result.values[row.ours], result.values.get(row.theirs)
    middle, least, most, met = row.goal.judge(ours, theirs)
    return (row.name, row.ours, row.theirs or "", result.show(contest.median(ours)),
            result.show(contest.median(theirs)) if theirs else "", row.goal.show % middle,
            "%.2f .. %.2f" % (least, most), row.goal.text,
            "" if met is None else "yes" if met else "NO")


def reasons(chosen, table):
    """[(row, what limits it)] of the rows that miss their goals."""
    return [("%s: %s" % (row.name, " / ".join(filter(None, (row.ours, row.theirs)))),
             row.limit or "not explained yet")
            for row, said in zip(chosen, table) if said[-1] == "NO"]


def measure(chosen):
    """{contest: its result}, printed as they come."""
    results = {}
    for row in rows.ROWS:
        if row.contest in results or chosen and row.name not in chosen:
            continue
        print("== %s: %s" % (row.name, row.contest.__doc__.strip().split("\n")[0]), flush=True)
        try:
            results[row.contest] = row.contest()
        except (AssertionError, OSError, subprocess.SubprocessError) as failure:
            results[row.contest] = contest.Result("")
            results[row.contest].missing[row.ours] = "failed: %s" % failure
        contest.say(results[row.contest])
    return results


def main():
    if "--words" in sys.argv:
        asking_page.rewrite()
        return 0
    report = "--report" in sys.argv
    chosen = [word for word in sys.argv[1:] if not word.startswith("-")]
    machine = contest.machine()
    print(machine)
    begin = time.monotonic()
    results = measure(chosen)
    minutes = (time.monotonic() - begin) / 60
    measured = [row for row in rows.ROWS if row.contest in results]
    table = [cells(row, results[row.contest]) for row in measured]
    missed = reasons(measured, table)
    print("\n" + machine + "\n" + FORMAT % HEADS)
    for row in table:
        print((FORMAT % row).rstrip())
    judged = [row for row in table if row[-2]]
    met = sum(row[-1] == "yes" for row in judged)
    print("%d goals met, %d missed or not measured; in %.1f minutes" % (
        met, len(judged) - met, minutes))
    for pair in missed:
        print("   missed: %s: %s" % pair)
    if report:
        import report as pages
        pages.write(machine, HEADS, table, missed, rows.ROWS, results)
        if asking.times in results:
            asking_page.write(results[asking.times])
    return 0


if __name__ == "__main__":
    sys.exit(main())
