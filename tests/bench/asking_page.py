# SPDX-License-Identifier: Apache-2.0
"""asking_page.py - docs/when-asking-wins.md from asking.md and a measurement (asking.py). The
figures are left in build/bench/asking.json."""

import datetime
import json
import os

import asking
import contest
from support import measured_page

FIGURES = "build/bench/asking.json"
ASKED = ("get", "unix", "new")  # ways of asking; the other ones are what they are compared with
OTHERS = [way for way in asking.WAYS if way not in ASKED]
TABLES = {
    "times": (["rows", *asking.WAYS.values()],
              [(size.text, "time." + size.name) for size in asking.SIZES], list(asking.WAYS)),
    "wins": (["beside", *(asking.WAYS[way] for way in ASKED)],
             [(asking.WAYS[way], "wins." + way) for way in OTHERS], list(ASKED)),
}
FIXED = {"dim": "%d" % asking.DIM, "turns": "%d" % asking.TURNS, "heads": "%d" % asking.HEADS,
         "length": "%d" % asking.LENGTH}
PAGE = measured_page.MeasuredPage("tests/bench/asking.md", "docs/when-asking-wins.md", TABLES, FIXED)


def unit_of(seconds):
    """Name and seconds of the largest unit of which there is one at least."""
    return next((unit for unit in (("s", 1), ("ms", 1e-3)) if seconds >= 0.9995 * unit[1]),
                ("µs", 1e-6))


def short(value):
    """Three digits that count."""
    return "%.*f" % (0 if value >= 99.95 else 1 if value >= 9.995 else 2, value)


def cell(values):
    """Median, unit, least and greatest."""
    middle = contest.median(values)
    unit, scale = unit_of(middle)
    return "%s %s (%s .. %s)" % (short(middle / scale), unit, short(min(values) / scale),
                                 short(max(values) / scale))


def is_less(ours, theirs):
    """Whether a way takes less time than another one in all turns but one at most."""
    return sum(mine < other for mine, other in zip(ours, theirs)) >= len(ours) - 1


def runs(sizes):
    """The sizes as ranges of those measured: "1 to 128, 4,096"."""
    found, last = [], None
    for at, size in enumerate(asking.SIZES):
        if size not in sizes:
            continue
        if found and last == at - 1 and size.rows:
            found[-1][1] = size.text
        else:
            found.append([size.text, size.text])
        last = at
    return ", ".join(first if first == end else "%s to %s" % (first, end)
                     for first, end in found) or "nowhere"


def figures_of(result):
    """{name: text} of everything that the page shows."""
    figures = {"machine": contest.machine().removeprefix("machine: "),
               "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")}
    for size in asking.SIZES:
        for way in asking.WAYS:
            values = result.values["%s %s" % (way, size.name)]
            figures["time.%s.%s" % (size.name, way)] = cell(values)
    for way in ("get", "unix"):
        figures["wire." + way] = cell(result.values["wire " + way])
    for other in OTHERS:
        for way in ASKED:
            figures["wins.%s.%s" % (other, way)] = runs([
                size for size in asking.SIZES if is_less(*(
                    result.values["%s %s" % (name, size.name)] for name in (way, other)))])
    return figures


def write(result):
    """Writes the page, unless a contestant is missing."""
    if result.missing:
        print("%s is not written: %s" % (PAGE.document, " ".join(set(result.missing.values()))))
        return
    figures = figures_of(result)
    os.makedirs(os.path.dirname(FIGURES), exist_ok=True)
    with open(FIGURES, "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1, ensure_ascii=False, sort_keys=True)
    PAGE.write(figures)
    print("written: " + PAGE.document)


def rewrite():
    """Writes the page anew with the figures of the last measurement."""
    PAGE.write(json.loads(measured_page.read(FIGURES)))
    print("written: " + PAGE.document)
