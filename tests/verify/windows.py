# SPDX-License-Identifier: Apache-2.0
"""windows.py - cases of offsets between patches by number: Swin, BEiT, LeViT, and of residues."""

import numpy as np

from case import Case, RIGHT, f32

WINDOWS = [(2, 3), (3, 5), (4, 7), (7, 4), (2, 8)]


def worded(grid):
    return "%dx%d" % tuple(grid)


def offsets(grid):
    """Rows and columns of query - key, cells row by row."""
    y, x = np.divmod(np.arange(grid[0] * grid[1]), grid[1])
    return y[:, None] - y[None], x[:, None] - x[None]


def swin(grid, columns_first=False):
    """Liu et al. 2021. Columns first: the offset of columns is multiplied in place of the rows'."""
    (h, w), (dy, dx) = grid, offsets(grid)
    if columns_first:
        return (dx + w - 1) * (2 * h - 1) + dy + h - 1
    return (dy + h - 1) * (2 * w - 1) + dx + w - 1


def beit(grid):
    """Bao et al. 2022: token 0 is a class token, with three numbers of its own."""
    count, numbers = grid[0] * grid[1], (2 * grid[0] - 1) * (2 * grid[1] - 1)
    index = np.empty((count + 1, count + 1), np.int64)
    index[1:, 1:] = swin(grid)
    index[0, :], index[:, 0], index[0, 0] = numbers, numbers + 1, numbers + 2
    return index


def integers(random, values):
    return values.astype(random.choice([np.int64, np.int64, np.int32, np.int16]))


def claim_of(encoding, grid, **more):
    name = "resolution" if encoding == "levit-bias" else "window_size"
    return {"encoding": encoding, name: worded(grid), **more}


def index_case(name, random, encoding, grid, values, found, repair=None, **more):
    return Case("windows/" + name, claim_of(encoding, grid, **more),
                {"index": integers(random, values)}, found, repair)


def right_swin(random):
    grid = random.choice(WINDOWS + [(7, 7), (4, 4)])
    values = swin(grid)
    return index_case("right-swin", random, "swin", grid,
                      values.reshape(-1) if random.choice(range(3)) == 0 else values, RIGHT)


def right_beit(random):
    grid = random.choice(WINDOWS + [(7, 7)])
    if random.choice(range(4)) == 0:
        return index_case("right-beit", random, "beit-index", grid, swin(grid), RIGHT,
                          class_token=0)
    return index_case("right-beit", random, "beit-index", grid, beit(grid), RIGHT)


def swin_transposed(random):
    """MaxViT in TensorFlow has key - query."""
    grid = random.choice(WINDOWS + [(7, 7)])
    return index_case("swin-transposed", random, "swin", grid, swin(grid).T,
                      {"transposed", "sign", "positions-reversed"})


def swin_axes(random):
    """The offsets of columns before those of rows."""
    grid = random.choice(WINDOWS + [(4, 4)])
    return index_case("swin-axes", random, "swin", grid, swin(grid, columns_first=True),
                      {"axes-swapped", "order"})


def swin_window(random):
    """Width and height exchanged: as many patches, other numbers."""
    grid = random.choice([(4, 7), (7, 4), (2, 8), (3, 5)])
    return index_case("swin-window", random, "swin", grid[::-1], swin(grid),
                      {"window_size", "axes-swapped"},
                      {"window_size": (worded(grid), worded(grid[::-1]))})


def class_token(random):
    """A class token where the claim has none, or none where it has one."""
    grid, has = random.choice(WINDOWS), random.choice([0, 1])
    return index_case("beit-class-token", random, "beit-index", grid,
                      beit(grid) if has else swin(grid),
                      {"class_token"} | (set() if has else {"encoding"}),
                      {"class_token": (has, 1 - has)}, class_token=1 - has)


def swin_named_beit(random):
    grid = random.choice(WINDOWS)
    return index_case("encoding-beit", random, "swin", grid, beit(grid), "encoding")


def swin_named_levit(random):
    """Distances without a sign where signed offsets are claimed, and the reverse."""
    grid, turned = random.choice(WINDOWS), random.choice([False, True])
    encoding = "levit-bias" if turned else "swin"
    return index_case("encoding-levit", random, encoding, grid,
                      swin(grid) if turned else levit(grid), "encoding")


def biased(random, grid, index, numbers):
    heads = random.choice([1, 3])
    table = f32(np.round(random.normal(numbers, heads), 3))
    return np.moveaxis(table[index], -1, 0), table


def swin_bias(random):
    grid, (name, found, change) = random.choice(WINDOWS), random.choice([
        ("right-swin-bias", RIGHT, lambda index: index),
        ("swin-bias-transposed", {"transposed", "sign", "positions-reversed"},
         lambda index: index.T)])
    bias, table = biased(random, grid, change(swin(grid)), (2 * grid[0] - 1) * (2 * grid[1] - 1))
    return Case("windows/" + name, claim_of("swin", grid), {"bias": bias, "table": table}, found)


def swin_bias_heads_last(random):
    grid = random.choice([(2, 3), (3, 5)])
    bias, table = biased(random, grid, swin(grid), (2 * grid[0] - 1) * (2 * grid[1] - 1))
    if len(bias) == 1:
        return Case("windows/right-swin-bias", claim_of("swin", grid),
                    {"bias": bias, "table": table}, RIGHT)
    return Case("windows/swin-bias-heads-last", claim_of("swin", grid),
                {"bias": np.moveaxis(bias, 0, -1), "table": table}, "axes")


# ---- LeViT (Graham et al. 2021) ------------------------------------------------------------


def levit(grid):
    dy, dx = offsets(grid)
    return abs(dy) * grid[1] + abs(dx)


def right_levit(random):
    grid = random.choice(WINDOWS + [(7, 7)])
    return index_case("right-levit", random, "levit-bias", grid, levit(grid), RIGHT)


def levit_axes(random):
    grid = random.choice(WINDOWS)
    dy, dx = offsets(grid)
    return index_case("levit-axes", random, "levit-bias", grid, abs(dx) * grid[0] + abs(dy),
                      {"axes-swapped", "order"})


# ---- Swin V2 (Liu et al. 2022) -------------------------------------------------------------


def coordinates(window, trained=None, convention="swin"):
    parts = []
    for size, last in zip(window, trained or window):
        r = np.arange(-(size - 1.0), size)
        if convention == "cr":
            parts.append(np.sign(r) * np.log1p(abs(r)))
        else:
            parts.append(np.sign(r) * np.log2(1 + abs(8 * r / (last - 1))) / 3)
    return np.stack(np.meshgrid(*parts, indexing="ij"), -1)


def coords_case(name, window, values, found, repair=None, **more):
    return Case("windows/" + name, claim_of("swinv2", window, **more), {"coords": f32(values)},
                found, repair)


def right_coords(random):
    window = random.choice([(7, 7), (8, 4), (3, 5)])
    if random.choice([False, True]):
        trained = random.choice([(8, 8), (4, 6)])
        return coords_case("right-coords", window, coordinates(window, trained), RIGHT,
                           pretrained_window=worded(trained))
    return coords_case("right-coords", window, coordinates(window), RIGHT)


def coords_wrong(random):
    window = random.choice([(7, 7), (8, 4), (3, 5)])
    name, found, values, more = random.choice([
        ("convention", {"convention"}, coordinates(window, convention="cr"), {}),
        ("trained", {"pretrained_window"}, coordinates(window), {"pretrained_window": "12x12"}),
        ("trained", {"pretrained_window"}, coordinates(window, (12, 12)), {}),
        ("order", {"axes-swapped", "order", "columns-shuffled"},
         coordinates(window)[..., ::-1], {})])
    return coords_case("coords-" + name, window, values, found, **more)


# ---- residues (Jumper et al. 2021) ---------------------------------------------------------


def residues(random):
    count, most = random.choice([12, 40]), random.choice([4, 32])
    at = np.arange(count) + 3 * (np.arange(count) > count // 2)  # a gap in the chain
    claim = {"encoding": "alphafold-relpos", "residue_index": ",".join(map(str, at)),
             "r_max": most}
    return at[:, None] - at[None], most, claim


def right_residues(random):
    d, most, claim = residues(random)
    return Case("windows/right-residues", claim,
                {"index": integers(random, np.clip(d, -most, most) + most)}, RIGHT)


def residues_wrong(random):
    d, _, claim = residues(random)
    claim["r_max"] = most = 4
    name, found, values = random.choice([
        ("transposed", {"transposed", "sign"}, np.clip(-d, -most, most) + most),
        ("most", {"r_max"}, np.clip(d, -most - 2, most + 2) + most + 2)])
    return Case("windows/residues-" + name, claim, {"index": integers(random, values)}, found)


ROWS = [right_swin, right_swin, right_beit, right_coords, right_beit, right_beit, right_levit,
        right_coords, right_residues, right_swin, swin_transposed, swin_axes, swin_axes,
        swin_window, class_token, swin_named_beit, swin_named_levit, swin_bias,
        swin_bias_heads_last, levit_axes, coords_wrong, residues_wrong]
