# SPDX-License-Identifier: Apache-2.0
"""grids.py - sinusoidal rows of two and three axes: MAE, timm, DETR, tatp22, diffusers' videos. A
grid has its cells row by row."""

import numpy as np

from formulas.sinusoids import CLOSED, arranged, frequencies


def sides(grid):
    """The numbers of rows and columns of a grid, which is a pair or its text."""
    return tuple(map(int, grid.split("x"))) if isinstance(grid, str) else tuple(grid)


def raster(*sizes):
    """The coordinates of a grid's cells, an array an axis, the last axis fastest."""
    return np.indices(sizes).reshape(len(sizes), -1)


def coded(xp, places, dim, p, layout="concat"):
    """Sines and cosines of a coordinate in `dim` columns, sines first."""
    ladder = {"dim": dim, "base": p.get("base", 10000), "ladder": p.get("ladder")}
    angles = xp.real(places)[:, None] * frequencies(xp, ladder)
    return arranged(xp.sin(angles), xp.cos(angles), layout)


def mae(xp, p):
    """He et al. 2021: the column's half comes first. Zeros stand for tokens before the grid."""
    h, w = sides(p["grid"])
    by = [xp.real(size) / (side * xp.real(p.get("interpolation_scale", 1)))
          for size, side in zip(p.get("base_size", (h, w)), (h, w))]
    halves = [coded(xp, places * ratio, p["dim"] // 2, p)
              for places, ratio in zip(raster(h, w), by)]
    rows = np.concatenate(halves[::-1] if p.get("order", "wh") == "wh" else halves, -1)
    return np.concatenate([xp.real(np.zeros((p.get("prefix_tokens", 0), p["dim"]))), rows])


def timm(xp, p):
    """build_sincos2d_pos_embed: [sin h, sin w, cos h, cos w], or those of h before those of w."""
    h, w = sides(p["grid"])
    places = raster(w, h) if p.get("reverse_coord") else raster(h, w)
    one, other = (coded(xp, at, p["dim"] // 2, p)
                  for at in (places if p.get("order", "hw") == "hw" else places[::-1]))
    if p.get("interleave_sin_cos"):
        return np.concatenate([one, other], -1)
    (a, b), (c, d) = np.split(one, 2, -1), np.split(other, 2, -1)
    return np.concatenate([a, c, b, d], -1)


def simple_vit(xp, p):
    """Columns before rows, each by the ladder that ends at 1/base."""
    return timm(xp, {**p, "interleave_sin_cos": 1, "order": "wh", "ladder": CLOSED})


def channels(xp, coordinate, feats, base):
    """DETR's: sin where even, cos where odd, of coordinate / base^(2 floor(f/2)/F)."""
    angles = coordinate[..., None] / xp.real(base) ** (2 * (xp.real(np.arange(feats) // 2)) / feats)
    even = np.broadcast_to(np.arange(feats) % 2 == 0, angles.shape)
    return np.where(even, xp.sin(angles), xp.cos(angles))


def detr_places(xp, free, p):
    """Each cell's place along each axis, counted where nothing is padded; of normalized ones the
    last is nearly `scale`."""
    for axis in range(free.ndim):
        place, total = xp.real(free.cumsum(axis)), xp.real(free.sum(axis, keepdims=True))
        if p.get("normalize", 1):
            scale = p.get("scale", "2pi")
            scale = {"pi": xp.pi, "2pi": 2 * xp.pi}.get(scale) or xp.real(scale)
            place = (place + xp.real(p.get("offset", 0))) / (total + xp.real(p.get("eps", 1e-6)))
            place = place * scale
        yield place


def detr(xp, p):
    """Carion et al. 2020, PositionEmbeddingSine: channels of rows, then of columns."""
    free = 1 - np.array(p["padding_mask"]) if "padding_mask" in p else \
        np.ones(sides(p["grid"]), int)
    base = p.get("base", 10000)
    parts = [channels(xp, place.reshape(-1), p["num_pos_feats"], own) for place, own in zip(
        detr_places(xp, free, p), (base, p.get("base_w", base)))]
    return np.concatenate(parts if p.get("order", "yx") == "yx" else parts[::-1], -1)


def multidim(xp, p):
    """tatp22's multidim-positional-encoding: interleaved rows of the axes, cut to dim."""
    sizes, dim = p["grid_sizes"], p["dim"]
    width = 2 * -(-dim // (2 * len(sizes)))
    parts = [coded(xp, at, width, p, "interleaved") for at in raster(*sizes)]
    return np.concatenate(parts, -1)[:, :dim].reshape(*sizes, dim)


def video(xp, p):
    """diffusers: a quarter of the width for the frame, then column and row."""
    frames, dim = p["frames"], p["dim"]
    rows = mae(xp, {"grid": p["grid"], "dim": 3 * dim // 4, "base": p.get("base", 10000),
                    "interpolation_scale": p.get("spatial_interpolation_scale", 1)})
    times = coded(xp, xp.arange(frames) / xp.real(p.get("temporal_interpolation_scale", 1)),
                  dim // 4, p)
    return np.concatenate([np.repeat(times[:, None], len(rows), 1),
                           np.repeat(rows[None], frames, 0)], -1)
