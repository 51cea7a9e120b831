# SPDX-License-Identifier: Apache-2.0
"""learned.py - cases of learned tables of positions: offsets, padding and range."""

import numpy as np

from case import Case, RIGHT, f32

def worded(table):
    return ";".join(",".join("%g" % value for value in row) for row in table)


def drawn(random, rows=24, dim=None):
    """A table of few digits, so that a claim can say it."""
    return np.asarray(f32(np.round(random.normal(rows, dim or random.choice([2, 4, 6])), 3)))


def served(random, claim, table, rows, name, found, repair=None):
    """The table in the claim, or in the body beside the rows."""
    if random.choice([False, True]):
        return Case("learned/" + name, {**claim, "table": worded(table)}, {"rows": f32(rows)},
                    found, repair)
    return Case("learned/" + name, claim, {"rows": f32(rows), "table": table}, found, repair)


def right(random):
    table, at = drawn(random), [0, 5, 3, 9, 1, 12, 2, 7]
    offset = random.choice([0, 0, 1, 2])
    claim = {"encoding": "learned", "pos": ",".join(map(str, at))}
    if offset:
        claim["offset"] = offset
    return served(random, claim, table, table[np.array(at) + offset], "right", RIGHT)


def masked(random):
    """An attention mask and the rows of the table that each convention reads."""
    left, count = random.choice([1, 2, 3]), random.choice([6, 10])
    keep = (np.arange(count) >= left).astype(int)
    return keep, {"encoding": "learned", "attention_mask": ",".join(map(str, keep))}


def places(convention, keep):
    """RoBERTa and fairseq: cumsum(mask) * mask + padding_idx. OPT: cumsum(mask) * mask - 1 + 2.
    BART: the place + 2."""
    if convention == "fairseq":
        return np.cumsum(keep) * keep + 1
    if convention == "opt":
        return np.cumsum(keep) * keep - 1 + 2
    return np.arange(len(keep)) + (2 if convention == "bart" else 0)


def right_convention(random):
    table, (keep, claim) = drawn(random), masked(random)
    name = random.choice(["fairseq", "opt", "bart"])
    rows = table[places(name, keep)]
    if name == "bart":
        claim = {"encoding": "learned", "pos": "0:%d" % len(keep)}
    else:
        rows = rows[None]
    return served(random, {**claim, "convention": name}, table, rows, "right-" + name, RIGHT)


def right_range(random):
    """Positions beyond the table: clamped, wrapped or zero."""
    table, at = drawn(random, rows=8), np.arange(12)
    name = random.choice(["clamp", "wrap", "zero"])
    rows = {"clamp": table[np.minimum(at, 7)], "wrap": table[at % 8],
            "zero": np.where((at < 8)[:, None], table[at % 8], 0)}[name]
    claim = {"encoding": "learned", "pos": "0:12", "out_of_range": name}
    return served(random, claim, table, rows, "right-" + name, RIGHT)


def offset(random):
    """Rows read two too early or late: BART's and OPT's offset, counted twice or forgotten."""
    table, count = drawn(random), 12
    done, meant = random.choice([(0, 2), (2, 0), (1, 0), (2, 1), (4, 2)])
    claim = {"encoding": "learned", "pos": "0:%d" % count, "offset": meant}
    return served(random, claim, table, table[np.arange(count) + done], "offset",
                  {"offset", "position-offset", "pos"} | ({"convention"} if done == 2 else set()),
                  {"offset": (done, meant)})


def offset_forgotten(random):
    table, count = drawn(random), 12
    claim = {"encoding": "learned", "pos": "0:%d" % count, "convention": "bart"}
    return served(random, claim, table, table[np.arange(count)], "offset-forgotten",
                  {"offset", "position-offset", "pos", "convention"},
                  {"convention": ("none", "bart")})


def padding_counted(random):
    """Positions that count the padding on the left: the tokens' rows stand too far on."""
    table, (keep, claim) = drawn(random), masked(random)
    rows = table[np.where(keep, np.arange(len(keep)) + 2, 1)][None]
    return served(random, {**claim, "convention": "fairseq"}, table, rows, "left-padding",
                  {"left-padding", "position-offset"})


def padding_ignored(random):
    """No mask at all: every token, of padding too, has the row of its place."""
    table, (keep, claim) = drawn(random), masked(random)
    rows = table[np.arange(len(keep)) + 2][None]
    return served(random, {**claim, "convention": random.choice(["fairseq", "opt"])}, table, rows,
                  "padding-ignored", {"left-padding", "attention_mask", "convention",
                                        "padding_idx"})


def amplitude(random):
    table = drawn(random, dim=4)
    claim = {"encoding": "learned", "pos": "0:12", "amplitude": random.choice(["rsqrt_dim", "2"])}
    return served(random, claim, table, table[:12], "amplitude", "amplitude")


def normalised(random):
    table = drawn(random, dim=4)
    claim = {"encoding": "learned", "pos": "0:12", "l2norm": 1}
    return served(random, claim, table, table[:12], "l2norm", "l2norm", {"l2norm": (0, 1)})


def range_other(random):
    table, at = drawn(random, rows=8), np.arange(12)
    claim = {"encoding": "learned", "pos": "0:12", "out_of_range": "clamp"}
    done, rows = random.choice([("wrap", table[at % 8]),
                                ("zero", np.where((at < 8)[:, None], table[at % 8], 0))])
    found = {"out_of_range"} | ({"unfilled-rows"} if done == "zero" else set())
    return served(random, claim, table, rows, "range", found, {"out_of_range": (done, "clamp")})


def shuffled(random):
    table = drawn(random, dim=4)
    rows, found = random.choice([(table[:12][::-1], {"positions-reversed", "pos"}),
                                 (table[:12][random.order(12)], {"rows-shuffled", "pos"}),
                                 (table[:12][:, ::-1], {"columns-shuffled",
                                                        "frequencies-reversed"})])
    return served(random, {"encoding": "learned", "pos": "0:12"}, table, rows, "shuffled", found)


ROWS = [right, right_range, right_convention, right_convention, right_range, right, offset,
        offset_forgotten, padding_counted, padding_ignored, amplitude, normalised, range_other,
        shuffled]
