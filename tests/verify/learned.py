# SPDX-License-Identifier: Apache-2.0
"""learned.py - cases of learned tables of positions: offsets, padding and range."""

import numpy as np

from buckets import worded
from case import Case, RIGHT, f32
from formulas.numbers import positions
from kinds import said

OFFSET = {"offset", "position-offset", "pos"}


def drawn(random, rows=24, dim=None):
    """A table of few digits, so that a claim can say it."""
    return np.asarray(f32(np.round(random.normal(rows, dim or random.choice([2, 4, 6])), 3)))


def places(p):
    """The rows that a claim reads. RoBERTa and fairseq: cumsum(mask) * mask + padding_idx. OPT:
    cumsum(mask) * mask - 1 + 2. BART: the place + 2."""
    convention = p.get("convention")
    if convention in ("fairseq", "opt"):
        keep = np.array(p["attention_mask"])
        return np.cumsum(keep) * keep + (2 - 1 if convention == "opt" else 1)
    return np.array(positions(p["pos"])) + p.get("offset", 2 if convention == "bart" else 0)


def read(table, p):
    """Rows of a claim: of positions beyond the table clamped, wrapped or zero."""
    at, count = places(p), len(table)
    rows = table[np.minimum(at, count - 1) if p.get("out_of_range") == "clamp" else at % count]
    rows = np.where((at < count)[:, None], rows, 0) if p.get("out_of_range") == "zero" else rows
    return rows[None] if "attention_mask" in p else rows


def served(random, claim, table, rows, name, found, repair=None):
    """The table in the claim, or in the body beside the rows."""
    if random.choice([False, True]):
        return Case("learned/" + name, {**claim, "table": worded(table)}, {"rows": f32(rows)},
                    found, repair)
    return Case("learned/" + name, claim, {"rows": f32(rows), "table": table}, found, repair)


def row(name, found=RIGHT, done=None, repair=None, rows=24, dim=None, **claimed):
    """A row of cases of a claim, whose table is read otherwise where `done` says so."""
    def make(random):
        table, claim = drawn(random, rows, dim), said(random, encoding="learned", **claimed)
        return served(random, claim, table, read(table, {**claim, **(done or {})}),
                      name.format(**claim), found, repair)
    return make


def masked(random):
    left, count = random.choice([1, 2, 3]), random.choice([6, 10])
    return {"encoding": "learned", "attention_mask": (np.arange(count) >= left).astype(int)}


def right_convention(random):
    """An attention mask and the rows of the table that each convention reads."""
    table, claim = drawn(random), masked(random)
    name = random.choice(["fairseq", "opt", "bart"])
    if name == "bart":
        claim = {"encoding": "learned", "pos": "0:%d" % len(claim["attention_mask"])}
    claim["convention"] = name
    return served(random, claim, table, read(table, claim), "right-" + name, RIGHT)


def offset(random):
    """Rows read two too early or late: BART's and OPT's offset, counted twice or forgotten."""
    table = drawn(random)
    done, meant = random.choice([(0, 2), (2, 0), (1, 0), (2, 1), (4, 2)])
    claim = {"encoding": "learned", "pos": "0:12", "offset": meant}
    return served(random, claim, table, read(table, {**claim, "offset": done}), "offset",
                  OFFSET | ({"convention"} if done == 2 else set()), {"offset": (done, meant)})


def padding_counted(random):
    """Positions that count the padding on the left: the tokens' rows stand too far on."""
    table, claim = drawn(random), masked(random)
    keep = claim["attention_mask"]
    rows = table[np.where(keep, np.arange(len(keep)) + 2, 1)][None]
    return served(random, {**claim, "convention": "fairseq"}, table, rows, "left-padding",
                  {"left-padding", "position-offset"})


def padding_ignored(random):
    """No mask at all: every token, of padding too, has the row of its place."""
    table, claim = drawn(random), masked(random)
    rows = table[np.arange(len(claim["attention_mask"])) + 2][None]
    return served(random, {**claim, "convention": random.choice(["fairseq", "opt"])}, table, rows,
                  "padding-ignored", {"left-padding", "attention_mask", "convention",
                                        "padding_idx"})


def range_other(random):
    table, done = drawn(random, rows=8), random.choice(["wrap", "zero"])
    claim = {"encoding": "learned", "pos": "0:12", "out_of_range": "clamp"}
    found = {"out_of_range"} | ({"unfilled-rows"} if done == "zero" else set())
    return served(random, claim, table, read(table, {**claim, "out_of_range": done}), "range",
                  found, {"out_of_range": (done, "clamp")})


def shuffled(random):
    table = drawn(random, dim=4)
    rows, found = random.choice([(table[:12][::-1], {"positions-reversed", "pos"}),
                                 (table[:12][random.order(12)], {"rows-shuffled", "pos"}),
                                 (table[:12][:, ::-1], {"columns-shuffled",
                                                        "frequencies-reversed"})])
    return served(random, {"encoding": "learned", "pos": "0:12"}, table, rows, "shuffled", found)


RIGHT_ROW = row("right", pos="0,5,3,9,1,12,2,7", offset=[(), (), 1, 2])
RIGHT_RANGE = row("right-{out_of_range}", rows=8, pos="0:12",
                  out_of_range=["clamp", "wrap", "zero"])
ROWS = [RIGHT_ROW, RIGHT_RANGE, right_convention, right_convention, RIGHT_RANGE, RIGHT_ROW, offset,
        row("offset-forgotten", OFFSET | {"convention"}, {"convention": "none"},
            {"convention": ("none", "bart")}, pos="0:12", convention="bart"),
        padding_counted, padding_ignored,
        row("amplitude", "amplitude", dim=4, pos="0:12", amplitude=["rsqrt_dim", "2"]),
        row("l2norm", "l2norm", repair={"l2norm": (0, 1)}, dim=4, pos="0:12", l2norm=1),
        range_other, shuffled]
