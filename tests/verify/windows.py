# SPDX-License-Identifier: Apache-2.0
"""windows.py - cases of offsets between patches by number: Swin, BEiT, LeViT, and of residues."""

import numpy as np

from case import Case, RIGHT, f32
from formulas import windows
from formulas.numbers import DOUBLE
from formulas.windows import beit, clipped_offsets, levit, offsets, swin
from kinds import Kind, integers, said, single

WINDOWS = ["2x3", "3x5", "4x7", "7x4", "2x8"]
TURNED = {"transposed", "sign"}


def columns_first(grid):
    """The number of an offset whose columns are multiplied in place of its rows."""
    (h, w), (dy, dx) = windows.sides(grid), offsets(grid)
    return (dx + w - 1) * (2 * h - 1) + dy + h - 1


def levit_columns_first(grid):
    dy, dx = offsets(grid)
    return abs(dx) * windows.sides(grid)[0] + abs(dy)


FORMULAS = {"swin": swin, "beit-index": beit, "levit-bias": levit,
            "swin-columns-first": columns_first, "levit-bias-columns-first": levit_columns_first}


def index(p):
    """The index of a claim; a mistake's by another formula, or with queries as columns."""
    grid = p["resolution" if p["encoding"] == "levit-bias" else "window_size"]
    if p.get("class_token") == 0:
        return swin(grid)
    values = FORMULAS[p["encoding"] + p.get("order", "")](grid)
    return values.T if p.get("turned") else values


INDEX = Kind("windows", "index", index, integers)


def of(encoding, grids=WINDOWS):
    return {"encoding": encoding, "resolution" if encoding == "levit-bias" else "window_size": grids}


def flattened(random, values):
    return integers(random, values.reshape(-1) if random.choice(range(3)) == 0 else values)


def right_beit(random):
    claim = said(random, **of("beit-index", WINDOWS + ["7x7"]))
    if random.choice(range(4)) == 0:
        claim["class_token"] = 0
    return INDEX.case(random, "right-beit", claim, index(claim), RIGHT)


def exchanged_sides(grid):
    return "x".join(reversed(grid.split("x")))


def class_token(random):
    """A class token where the claim has none, or none where it has one."""
    grid, has = random.choice(WINDOWS), random.choice([0, 1])
    claim = {"encoding": "beit-index", "window_size": grid, "class_token": 1 - has}
    return INDEX.case(random, "beit-class-token", claim, index({**claim, "class_token": has}),
                      {"class_token"} | (set() if has else {"encoding"}),
                      {"class_token": (has, 1 - has)})


def swin_named_levit(random):
    """Distances without a sign where signed offsets are claimed, and the reverse."""
    grid, turned = random.choice(WINDOWS), random.choice([False, True])
    claim = of("levit-bias" if turned else "swin", grid)
    return INDEX.case(random, "encoding-levit", claim, swin(grid) if turned else levit(grid),
                      "encoding")


def biased(random, grid, numbers):
    """A bias of one or three heads, and the table that it is from."""
    heads = random.choice([1, 3])
    h, w = windows.sides(grid)
    table = f32(np.round(random.normal((2 * h - 1) * (2 * w - 1), heads), 3))
    return np.moveaxis(table[numbers], -1, 0), table


def swin_bias(random):
    grid, (name, found, turned) = random.choice(WINDOWS), random.choice([
        ("right-swin-bias", RIGHT, False),
        ("swin-bias-transposed", TURNED | {"positions-reversed"}, True)])
    bias, table = biased(random, grid, swin(grid).T if turned else swin(grid))
    return Case("windows/" + name, of("swin", grid), {"bias": bias, "table": table}, found)


def swin_bias_heads_last(random):
    grid = random.choice(["2x3", "3x5"])
    bias, table = biased(random, grid, swin(grid))
    name, found = ("right-swin-bias", RIGHT) if len(bias) == 1 else ("swin-bias-heads-last", "axes")
    bias = bias if len(bias) == 1 else np.moveaxis(bias, 0, -1)
    return Case("windows/" + name, of("swin", grid), {"bias": bias, "table": table}, found)


# ---- Swin V2 (Liu et al. 2022) -------------------------------------------------------------


def coords(p):
    values = windows.coordinates(DOUBLE, p["window_size"], p.get("pretrained_window"),
                                 p.get("convention", "swin"))
    return values[..., ::-1] if p.get("order") else values


COORDS = Kind("windows", "coords", coords, single)
COORDS_CLAIM = of("swinv2", ["7x7", "8x4", "3x5"])


def right_coords(random):
    claim = said(random, **COORDS_CLAIM)
    if random.choice([False, True]):
        claim["pretrained_window"] = random.choice(["8x8", "4x6"])
    return COORDS.case(random, "right-coords", claim, coords(claim), RIGHT)


# ---- residues (Jumper et al. 2021) ---------------------------------------------------------


def residues(p):
    at = np.array(p["residue_index"])
    return clipped_offsets(p.get("sign", 1) * (at[:, None] - at[None]), p["r_max"])


def chain(random, p):
    """Residues with a gap in their chain."""
    count, most = random.choice([12, 40]), random.choice([4, 32])
    at = np.arange(count) + 3 * (np.arange(count) > count // 2)
    return {"encoding": "alphafold-relpos", "residue_index": at, "r_max": most, **p}


RESIDUES = Kind("windows", "index", residues, integers, chain)
RIGHT_SWIN = INDEX.right("swin", flattened, **of("swin", WINDOWS + ["7x7", "4x4"]))
# The offsets of columns before those of rows.
SWIN_AXES = INDEX.wrong("swin-axes", ("", {"axes-swapped", "order"}, {
    "order": "-columns-first"}), **of("swin", WINDOWS + ["4x4"]))
ROWS = [RIGHT_SWIN, RIGHT_SWIN, right_beit, right_coords, right_beit, right_beit,
        INDEX.right("levit", **of("levit-bias", WINDOWS + ["7x7"])), right_coords,
        RESIDUES.right("residues"), RIGHT_SWIN,
        # MaxViT in TensorFlow has key - query.
        INDEX.wrong("swin-transposed", ("", TURNED | {"positions-reversed"}, {"turned": 1}),
                    **of("swin", WINDOWS + ["7x7"])),
        SWIN_AXES, SWIN_AXES,
        # Width and height exchanged: as many patches, other numbers.
        INDEX.wrong("swin-window", ("", {"window_size", "axes-swapped"}, {
            "window_size": lambda p: exchanged_sides(p["window_size"])}), repair=["window_size"],
                    **of("swin", ["7x4", "4x7", "8x2", "5x3"])),
        class_token,
        INDEX.wrong("encoding-beit", ("", "encoding", {"encoding": "beit-index"}), **of("swin")),
        swin_named_levit, swin_bias, swin_bias_heads_last,
        INDEX.wrong("levit-axes", ("", {"axes-swapped", "order"}, {
            "order": "-columns-first"}), **of("levit-bias")),
        COORDS.wrong("coords-", ("convention", "convention", {"convention": "cr"}),
                     ("trained", "pretrained_window", {"pretrained_window": ()},
                      {"pretrained_window": "12x12"}),
                     ("trained", "pretrained_window", {"pretrained_window": "12x12"}),
                     ("order", {"axes-swapped", "order", "columns-shuffled"}, {"order": 1}),
                     **COORDS_CLAIM),
        RESIDUES.wrong("residues-", ("transposed", TURNED, {"sign": -1}),
                       ("most", "r_max", {"r_max": 6}), r_max=4)]
