# SPDX-License-Identifier: Apache-2.0
"""images.py - additive encodings of grids and videos: MAE, timm, DETR, LoFTR, tatp22, V-JEPA."""

import numpy as np
from mpmath import mp, mpf

from formulas import grids
from formulas.numbers import EXACT, linspace
from ladders import as_map
from measure import Case, loose, named


def size_of(draw):
    h, w = draw.randint(1, 4), draw.randint(1, 4)
    return h, w, "%dx%d" % (h, w)


def sincos2d_mae(draw):
    h, w, grid = size_of(draw)
    width, base, order = 4 * draw.randint(1, 3), draw.base(), draw.choice(["wh", "hw"])
    params = {"grid": grid, "dim": width, "base": base, "order": order,
              "prefix_tokens": draw.randint(0, 2)}
    if draw.chance():
        params.update(base_size=[draw.randint(1, 9), draw.randint(1, 9)],
                      interpolation_scale=draw.choice([1, 2, 1.875]))
    yield Case("rows", params, grids.mae(EXACT, params))


def sincos2d_timm(draw):
    _, _, grid = size_of(draw)
    params = {"dim": 4 * draw.randint(1, 3), "base": draw.base(), "grid": grid}
    for together in (False, True):
        for swapped in (False, True):
            asked = dict(params, interleave_sin_cos=together, reverse_coord=swapped)
            yield Case("rows", asked, grids.timm(EXACT, asked))
    yield Case("rows", dict(params, preset="simple-vit"), grids.simple_vit(EXACT, params))


def detr_sine(draw):
    h, w, grid = size_of(draw)
    width, base, normalize = draw.even(2, 8), draw.base(), draw.chance()
    params = {"num_pos_feats": width, "base": base, "normalize": normalize}
    if normalize:
        params.update(offset=draw.choice([0, -0.5]), eps=1e-6)
        if draw.chance():
            params["scale"] = draw.real(1, 9)
    if draw.chance():
        params["base_w"] = draw.base()
    if draw.chance():
        params["grid"] = grid
    else:
        params["padding_mask"] = [[int(x >= w - y % 2) if x else 0 for x in range(w)]
                                  for y in range(h)]
    rows = grids.detr(EXACT, params)
    yield Case("rows", params, rows)
    yield Case("map", params, as_map(rows, h, w))


def detr_sine3d(draw):
    """Frames, rows and columns; for a pixel its places along each."""
    h, w, grid = size_of(draw)
    frames, width, base = draw.randint(1, 3), draw.even(2, 6), draw.base()
    params = {"frames": frames, "num_pos_feats": width, "base": base, "normalize": draw.chance()}
    if params["normalize"]:
        params.update(offset=draw.choice([0, -0.5]), eps=1e-6)
    base_w = base
    if draw.chance():
        base_w = params["base_w"] = draw.base()
    t, y, x = np.indices((frames, h, w))
    free = np.ones_like(t)
    if draw.chance():
        params["grid"] = grid
    else:
        free = ((x == 0) | (x < w - (y + t) % 2)).astype(int)
        params["padding_mask"] = (1 - free).reshape(-1, w).tolist()
    deep, below, across = grids.detr_places(EXACT, free, params)
    flat = np.concatenate([grids.channels(EXACT, below, width, base),
                           grids.channels(EXACT, across, width, base_w)], -1)
    own, wide = (grids.channels(EXACT, deep, size, base) for size in (width, 2 * width))
    # The sums have the slack of the larger term where the two cancel.
    slack = np.maximum(abs(flat), abs(wide)) * mpf(2) ** -51
    for convention, values in (("mask2former", loose(flat + wide, slack)),
                               ("vistr", np.concatenate([own, flat], -1))):
        asked = dict(params, convention=convention)
        yield Case("table", asked, values.reshape(frames, h * w, -1))
        yield Case("map", asked, np.moveaxis(values, -1, 1))


def detr_query_sine(draw):
    width, base = draw.even(2, 6), draw.base()
    scale, params = 2 * mp.pi, {"num_pos_feats": width, "base": base}
    if draw.chance():
        params["scale"] = draw.real(1, 9)
        scale = mpf(params["scale"])
    for name, order in (("points", [1, 0]), ("boxes", [1, 0, 2, 3])):
        given = [[draw.real(0, 1) for _ in order] for _ in range(2)]
        rows = grids.channels(EXACT, EXACT.real(given)[:, order] * scale, width, base)
        yield Case("rows", dict(params, **{name: given}), rows.reshape(2, -1))


def loftr_sine(draw):
    h, w, grid = size_of(draw)
    width, bug = 4 * draw.randint(1, 4), draw.chance()
    params = {"grid": grid, "dim": width, "bug_compat": bug}
    k = EXACT.arange(width // 4)
    freq = EXACT.exp(-2 * k) if bug else mpf(10000) ** (-2 * k / (width // 2))
    angles = (grids.raster(h, w)[::-1].T + 1)[:, None] * freq[:, None]
    rows = np.stack([EXACT.sin(angles), EXACT.cos(angles)], -1).reshape(h * w, -1)
    yield Case("rows", params, rows)
    yield Case("map", params, as_map(rows, h, w))


def multidim_sine(draw):
    sizes = [draw.randint(1, 3) for _ in range(draw.randint(1, 3))]
    params = {"grid_sizes": sizes, "dim": draw.randint(1, 13), "base": draw.base()}
    yield Case("table", params, grids.multidim(EXACT, params))


def sincos3d(draw):
    h, w, grid = size_of(draw)
    frames, base = draw.randint(1, 3), draw.base()
    params, places = {"frames": frames, "grid": grid, "base": base}, grids.raster(frames, h, w)

    def table(name, width, sizes, **ladder):
        """Columns of time, row and column, cut to the width or padded with zeros."""
        parts = [grids.coded(EXACT, at, size, dict(params, **ladder))
                 for at, size in zip(places, sizes)]
        parts.append(EXACT.real(np.zeros((frames * h * w, max(width - sum(sizes), 0)))))
        return Case("table", dict(params, dim=width, convention=name),
                    np.concatenate(parts, -1)[:, :width].reshape(frames, h * w, width))
    width = 16 * draw.randint(1, 2)
    asked = dict(params, dim=width,
                 temporal_interpolation_scale=draw.choice([1, draw.real(1, 3)]),
                 spatial_interpolation_scale=draw.choice([1, draw.real(1, 3)]))
    yield Case("table", asked, grids.video(EXACT, asked))
    yield table("vjepa", width, [width // 2, width // 4, width // 4])
    yield table("vjepa-uniform", width, [2 * -(-width // 6)] * 3)
    width = draw.randint(6, 20)
    yield table("t2t", width, [2 * (width // 6)] * 3, ladder="geometric-closed")


def coordconv(draw):
    h, w, grid = size_of(draw)
    order, with_r = draw.choice(["xy", "yx"]), draw.chance()
    params = {"grid": grid, "axis_order": order, "with_r": with_r}
    y, x = np.meshgrid(*(linspace(EXACT, -1, 1, size) for size in (h, w)), indexing="ij")
    maps = [x, y] if order == "xy" else [y, x]
    if with_r:
        centre = params["r_center"] = draw.choice([0.5, 0, draw.single(-1, 1)])
        maps.append(EXACT.sqrt((x - mpf(centre)) ** 2 + (y - mpf(centre)) ** 2))
    yield Case("map", params, np.stack(maps))


ROWS = named(coordconv, detr_query_sine, detr_sine, detr_sine3d, loftr_sine, multidim_sine,
             sincos2d_mae, sincos2d_timm, sincos3d)
