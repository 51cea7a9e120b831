# SPDX-License-Identifier: Apache-2.0
"""windows.py - offsets between the cells of a window by number, cells row by row."""

import numpy as np

from formulas.grids import raster, sides


def offsets(grid):
    """Rows and columns of query - key."""
    at = raster(*sides(grid))
    return at[:, :, None] - at[:, None]


def swin(grid):
    """Liu et al. 2021."""
    (h, w), (dy, dx) = sides(grid), offsets(grid)
    return (dy + h - 1) * (2 * w - 1) + dx + w - 1


def beit(grid):
    """Bao et al. 2022: token 0 is a class token, with three numbers of its own."""
    h, w = sides(grid)
    numbers = (2 * h - 1) * (2 * w - 1)
    index = np.pad(swin(grid), ((1, 0), (1, 0)), constant_values=numbers)
    index[1:, 0], index[0, 0] = numbers + 1, numbers + 2
    return index


def levit(grid, stride=1):
    """Graham et al. 2021; queries are every stride-th cell."""
    h, w = sides(grid)
    queries = stride * raster(-(-h // stride), -(-w // stride))
    dy, dx = queries[:, :, None] - raster(h, w)[:, None]
    return abs(dy) * w + abs(dx)


def coordinates(xp, window, trained=None, convention="swin"):
    """Liu et al. 2022, Swin V2: logarithms of the offsets, of the window's own size or of another;
    `cr` is timm's. An array (2h - 1, 2w - 1, 2)."""
    parts = []
    for size, last in zip(sides(window), sides(trained or window)):
        r = xp.arange(-(size - 1), size)
        if convention == "cr":
            parts.append(xp.sign(r) * xp.log1p(abs(r)))
        else:
            last = max(last - 1, 1)  # of one cell all offsets are 0
            parts.append(xp.sign(r) * xp.log2(1 + abs(8 * r / last)) / 3)
    return np.stack(np.meshgrid(*parts, indexing="ij"), -1)


def clipped_offsets(d, most):
    """Jumper et al. 2021: residues query - key, from 0 on."""
    return np.clip(d, -most, most) + most
