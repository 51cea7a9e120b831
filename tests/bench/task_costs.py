#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""task_costs.py POSENCD - compares the operations that tasks of the pool state with the CPU time that
they take, for every row of flood_rows.py, which has one for each endpoint and each form of a request.
The program is posencd with task_clock.c. Requests are sent one after the other, each a new one. A
factor of four is allowed to every task that takes JUDGED operations, or that states so many that it
is an expensive one: that a short task states more, as when its table was there, delays no other."""

import os
import sys
import tempfile

import numpy

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[1:1] = [TESTS, os.path.join(TESTS, "campaign")]
from support.posencd import Posencd  # noqa: E402
import crowd  # noqa: E402
import flood_rows  # noqa: E402
import script  # noqa: E402

WITHIN = 4
JUDGED = 2.5e6  # operations that a task takes
EXPENSIVE = 20e6  # operations that it states: THREAD_POOL_EXPENSIVE
MOST = 4  # requests of a row
APART = 1 << 16  # numbers of positions between two requests


def tasks_of(server):
    """[stated, counted] of the tasks that have run."""
    return [[max(float(word), 1.0) for word in line.split()[1:]]
            for line in list(server.lines) if line and line.startswith("task ")]


def distance(task):
    return max(task[0] / task[1], task[1] / task[0])


def judged_tasks(server, row, number):
    """The tasks of the row's requests that are judged; the first request has the given number."""
    before = len(tasks_of(server))
    for i in range(MOST):
        method, target, body, headers = row.requests[i % len(row.requests)]
        answer = server.ask(method, crowd.fill(target, (number + i) * APART), body, headers)
        assert answer.status == 200, "%s: %s: %s" % (row.name, target, answer.text()[:300])
    return [task for task in tasks_of(server)[before:] if task[0] >= EXPENSIVE or task[1] >= JUDGED]


def judge(server, rows):
    """Prints a line for each row with such tasks; returns how many rows are wrong."""
    failed = judged = 0
    for place, row in enumerate(rows):
        tasks = judged_tasks(server, row, place * MOST + 1)
        if not tasks:
            continue
        said, counted = farthest = max(tasks, key=distance)
        right = distance(farthest) <= WITHIN
        judged, failed = judged + 1, failed + (not right)
        print("%s %12.3f said %12.3f counted, 10^6 operations: %s" % (
            "  ok  " if right else "WRONG ", said / 1e6, counted / 1e6, row.name))
    assert judged, "no task was judged: is %s linked with task_clock.c?" % sys.argv[1]
    return failed


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "tables"))
        with open(os.path.join(folder, "tables", "seed.safetensors"), "wb") as file:
            file.write(script.safetensors({"wpe": numpy.ones((512, 64), "<f4")}))
        with Posencd("--access-log", "off", "--threads", "1", "--learned-tables-dir",
                     os.path.join(folder, "tables"), program=sys.argv[1]) as server:
            rows = flood_rows.rows(server)
            wrong = flood_rows.check(rows)
            failed = judge(server, rows)
    print("\n".join(wrong + ["tasks of %d rows, %d wrong" % (len(rows), failed)]))
    return 1 if wrong or failed else 0


if __name__ == "__main__":
    sys.exit(main())
