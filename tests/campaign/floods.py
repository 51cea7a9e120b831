# SPDX-License-Identifier: Apache-2.0
"""floods.py - 1, 10 and 100 clients ask for what one endpoint gives, in every form, and read it or
do not. What other clients see meanwhile is a table, and so is the memory that posencd takes.

    ONLY='batch, gzip' tests/campaign/run.py floods    # one row, over TCP and TLS
    OVER=TCP tests/campaign/run.py floods              # every row, over TCP alone

The table is build/floods.md. Clients run on one core, posencd on another."""

import os
import tempfile

import numpy
from support.posencd import ROOT

import crowd
import flood_rows
import script
import unread
from flood_cell import GOALS, HEAD, SENTENCE, Cell, refused
from flood_ground import Ground

COUNTS = (1, 10, 100)
SECONDS = 1.0         # of a cell, in which the others ask
QUICK_SECONDS, QUICK_COUNT = 0.15, 8
LATE, LATE_COUNT = ("stream, chunked", "batch"), 20
UNREAD_COUNT = 50     # clients that hold an answer each while memory is measured


def measure(ground, row, count, kind):
    """A cell; the better one of two where the machine may have been the cause."""
    cell = ground.cell(row, count, (kind,), SECONDS)
    if cell.is_doubtful():
        ground.settle()
        cell = min(cell, ground.cell(row, count, (kind,), SECONDS), key=Cell.worst)
    return cell


def judge(page, row, transport, cells):
    """Two promises of a row: the goals, and that nobody who reads is cut."""
    missed = ["%s: %s" % (cell.name, cell.missed()) for cell in cells if cell.worst()]
    peaks = "%s; memory at most %d of %d MiB" % ("; ".join("%s p50 %.1f ms, p99 %.1f ms" % (
        name, max(cell.seen[name]["p50"] for cell in cells),
        max(cell.seen[name]["p99"] for cell in cells)) for name, _, _ in GOALS),
        max(cell.peak for cell in cells), cells[0].limit)
    page.timed("others beside %s, %s" % (row.name, transport), peaks,
               SENTENCE, not missed, missed)
    cut = ["%s: %s" % (cell.name, one) for cell in cells for one in cell.cut()]
    page.promise("... answers cut while their clients read", "; ".join(cut) or "none", "none",
                 not cut, cut)


def check_rows(page, rows):
    wrong = flood_rows.check(rows)
    page.promise("endpoints with a row", "%d rows" % len(rows), "every row of endpoints.def",
                 not wrong, wrong)


def chosen(rows):
    """The rows of ONLY=, or all."""
    only = os.environ.get("ONLY")
    found = [row for row in rows if not only or row.name == only]
    assert found, "ONLY must be one of: %s; got %s" % ("; ".join(row.name for row in rows), only)
    return found


def full_table(page, folder):
    path = os.path.join(ROOT, "build", "floods.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD)
        for transport in os.environ.get("OVER", "TCP TLS").split():
            ground = Ground(transport, folder, quick=False)
            try:
                check_rows(page, ground.rows)
                for row in chosen(ground.rows):
                    ground.learn(row)
                    cells = []
                    for count in COUNTS:
                        for kind in crowd.PACES:
                            cells.append(measure(ground, row, count, kind))
                            file.write(cells[-1].line() + "\n")
                            file.flush()
                            ground.settle()
                    judge(page, row, transport, cells)
                    ground.restart()
            finally:
                ground.stop()
    page.figure("the table", path)


def quick_table(page, folder):
    """What does not depend on speed: who is refused, what is cut, what is reserved."""
    ground = Ground("TCP", folder, quick=True)
    try:
        check_rows(page, ground.rows)
        for row in chosen(ground.rows):
            ground.learn(row)
            judge_refusals(page, ground.cell(row, QUICK_COUNT, tuple(crowd.PACES),
                                             QUICK_SECONDS))
            ground.settle()
    finally:
        ground.stop()


def judge_refusals(page, cell):
    wrong = ["%s: %s, %d without an answer" % (name, figures["statuses"], figures["unanswered"])
             for name, figures in cell.seen.items() if refused(figures)]
    wrong += ["%s: %s" % (kind, figures["statuses"]) for kind, figures in cell.floods.items()
              if set(figures["statuses"]) - {"200", "503"}]
    wrong += cell.cut()
    page.promise("others beside %s, %s" % (cell.row.name, cell.name), "; ".join(wrong) or "none",
                 "none refused, none cut", not wrong, wrong)


def unread_table(page, folder, quick):
    """Clients that do not read, and what posencd reserves for them. Nothing is evicted from its
    cache, so that what it adds is what they asked for. For the full campaign, which judges memory
    too, each row meets a new process."""
    ground = Ground("TCP", folder, quick, cache=1024)
    try:
        for row in chosen(ground.rows):
            ground.settle()
            if not quick:
                unread.look(page, ground, row, UNREAD_COUNT, True)
                ground.restart()
            elif row.kept:
                unread.look(page, ground, row, QUICK_COUNT, False)
    finally:
        ground.stop()


def late_readers(page, folder):
    """Clients that read nothing until some of them were cut."""
    ground = Ground("TCP", folder, quick=True, inflight=32)
    try:
        unread.look_late(page, ground, [row for row in ground.rows if row.name in LATE],
                         LATE_COUNT)
    finally:
        ground.stop()


def run(page, quick):
    with tempfile.TemporaryDirectory(prefix="posencd-campaign-") as folder:
        os.mkdir(os.path.join(folder, "tables"))
        with open(os.path.join(folder, "tables", "seed.safetensors"), "wb") as file:
            file.write(script.safetensors({"wpe": numpy.ones((512, 64), "<f4")}))
        if quick:
            quick_table(page, folder)
        else:
            full_table(page, folder)
        unread_table(page, folder, quick)
        late_readers(page, folder)
