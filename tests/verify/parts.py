# SPDX-License-Identifier: Apache-2.0
"""parts.py - cases of tables of which a part is another part's: signs that are lost, rows that are
repeated, tables that are cut, ids of pictures."""

import numpy as np

from case import Case, f32


def sinusoids(positions, dim):
    angle = np.asarray(positions)[:, None] * 1e4 ** (-np.arange(0, dim, 2) / dim)
    return f32(np.stack([np.sin(angle), np.cos(angle)], -1).reshape(len(positions), dim))


def sign_lost(random):
    """A table of distances from n - 1 down to 1 - n, of their absolute values."""
    n, dim = random.choice([6, 9, 14]), random.choice([16, 32, 64])
    claim = {"encoding": "transformer-xl", "len": n, "dim": dim, "distance_order": "conformer"}
    return Case("parts/sign-lost", claim,
                {"table": sinusoids(abs(np.arange(n - 1, -n, -1)), dim)}, "sign-lost", body="npz")


def rows_repeated(random):
    """The index of a table of distances stands still for a while."""
    n, dim = random.choice([6, 9, 14]), random.choice([16, 32])
    distance = np.arange(n - 1, -n, -1)
    first = random.choice([1, 2, 3])
    distance[first:first + 3] = distance[first]
    claim = {"encoding": "transformer-xl", "len": n, "dim": dim, "distance_order": "conformer"}
    return Case("parts/rows-repeated", claim, {"table": sinusoids(distance, dim)}, "other-rows",
                body="npz")


def table_cut(random):
    """The top left of a grid of learned rows, where it should be resized."""
    old, height, width = random.choice([(8, 5, 6), (10, 4, 7), (12, 6, 6)])
    table = f32(random.normal(old * old, 4))
    made = table.reshape(old, old, 4)[:height, :width].reshape(height * width, 4)
    claim = {"encoding": "resize-table-2d", "interpolation": random.choice(["linear", "bicubic"]),
             "new_grid": "%dx%d" % (height, width)}
    return Case("parts/table-cut", claim, {"table": table, "rows": made}, "table-cut", body="npz")


def picture_ids(random):
    """Ids of text, a picture of 2 x 2 merged patches, and text."""
    before, height, width, after = (random.choice(sizes) for sizes in
                                    ([3, 4, 6], [2, 3, 4], [3, 4], [4, 5]))
    rows, cols = (part.reshape(-1) for part in np.indices((height, width)))
    picture = np.stack([np.zeros_like(rows), rows, cols]) + before
    next_id = before + max(height, width)
    way = random.choice(["time", "step", "text"])
    if way == "time":
        picture[0] *= 2
    elif way == "step":
        picture[1:] = before + 2 * (picture[1:] - before)
    else:
        next_id = before + height * width
    ids = np.concatenate([np.tile(np.arange(before), (3, 1)), picture,
                          np.tile(np.arange(after) + next_id, (3, 1))], 1)
    claim = {"encoding": "ids-mrope", "preset": "qwen2-vl",
             "segments": "text:%d,image:1x%dx%d,text:%d" % (before, 2 * height, 2 * width, after)}
    found = {"ids-of-parts"} | ({"spatial_merge_size"} if way == "step" else set())
    return Case("parts/picture-" + way, claim, {"ids": ids}, found)


ROWS = [sign_lost, rows_repeated, table_cut, picture_ids]
