# SPDX-License-Identifier: Apache-2.0
"""images.py - additive encodings of grids and videos: MAE, timm, DETR, LoFTR, tatp22, V-JEPA."""

from mpmath import mp, mpf

from formulas import grids
from formulas.numbers import EXACT
from ladders import as_map, closed, concat, ladder, linspace, power, raster, times
from measure import Case, Loose, named


def size_of(draw):
    h, w = draw.randint(1, 4), draw.randint(1, 4)
    return h, w, "%dx%d" % (h, w)


def enc(position, width, base):
    """[sines | cosines] of the open ladder, width columns."""
    return concat(times(position, ladder(base, width)))


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


def waves(coordinate, width, base):
    """DETR's channels: sin where even, cos where odd, of coordinate / base^(2 floor(f/2)/F)."""
    return [(mp.cos if f % 2 else mp.sin)(coordinate / power(base, mpf(2 * (f // 2)) / width))
            for f in range(width)]


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


def share(flags, at, params, normalize):
    """The number of unmasked entries up to `at`, divided by their total where normalized."""
    place = mpf(sum(flags[:at + 1]))
    if not normalize:
        return place
    return (place + mpf(params["offset"])) / (sum(flags) + mpf(1e-6)) * 2 * mp.pi


def summed(a, b):
    """The slack of the larger term where the two cancel."""
    return Loose(a + b, max(abs(a), abs(b)) * mpf(2) ** -51)


def detr_sine3d(draw):
    """Frames, rows and columns; for a pixel its places along each."""
    h, w, grid = size_of(draw)
    frames, width, base = draw.randint(1, 3), draw.even(2, 6), draw.base()
    normalize = draw.chance()
    params = {"frames": frames, "num_pos_feats": width, "base": base, "normalize": normalize}
    if normalize:
        params.update(offset=draw.choice([0, -0.5]), eps=1e-6)
    base_w = base
    if draw.chance():
        base_w = params["base_w"] = draw.base()
    free = [[[1] * w for _ in range(h)] for _ in range(frames)]
    if draw.chance():
        params["grid"] = grid
    else:
        free = [[[int(x == 0 or x < w - (y + t) % 2) for x in range(w)] for y in range(h)]
                for t in range(frames)]
        params["padding_mask"] = [[1 - v for v in line] for frame in free for line in frame]
    for convention in ("mask2former", "vistr"):
        rows = []
        for t, y, x in raster(frames, h, w):
            z = share([free[s][y][x] for s in range(frames)], t, params, normalize)
            below = waves(share([free[t][s][x] for s in range(h)], y, params, normalize), width,
                          base)
            across = waves(share(free[t][y], x, params, normalize), width, base_w)
            rows.append(waves(z, width, base) + below + across if convention == "vistr" else [
                summed(a, b) for a, b in zip(below + across, waves(z, 2 * width, base))])
        videos = [rows[t * h * w:(t + 1) * h * w] for t in range(frames)]
        yield Case("table", dict(params, convention=convention), videos)
        yield Case("map", dict(params, convention=convention), [as_map(v, h, w) for v in videos])


def detr_query_sine(draw):
    width, base = draw.even(2, 6), draw.base()
    scale, params = 2 * mp.pi, {"num_pos_feats": width, "base": base}
    if draw.chance():
        params["scale"] = draw.real(1, 9)
        scale = mpf(params["scale"])
    points = [[draw.real(0, 1), draw.real(0, 1)] for _ in range(2)]
    yield Case("rows", dict(params, points=points), [
        waves(mpf(y) * scale, width, base) + waves(mpf(x) * scale, width, base)
        for x, y in points])
    boxes = [[draw.real(0, 1) for _ in range(4)] for _ in range(2)]
    yield Case("rows", dict(params, boxes=boxes), [
        [v for c in (y, x, w, h) for v in waves(mpf(c) * scale, width, base)]
        for x, y, w, h in boxes])


def loftr_sine(draw):
    h, w, grid = size_of(draw)
    width, bug = 4 * draw.randint(1, 4), draw.chance()
    params = {"grid": grid, "dim": width, "bug_compat": bug}
    freq = [mp.exp(-2 * k) if bug else power(10000, -mpf(2 * k) / (width // 2))
            for k in range(width // 4)]
    rows = []
    for y, x in raster(h, w):
        rows.append([wave((place + 1) * f) for f in freq for place in (x, y)
                     for wave in (mp.sin, mp.cos)])
    yield Case("rows", params, rows)
    yield Case("map", params, as_map(rows, h, w))


def multidim_sine(draw):
    sizes = [draw.randint(1, 3) for _ in range(draw.randint(1, 3))]
    params = {"grid_sizes": sizes, "dim": draw.randint(1, 13), "base": draw.base()}
    yield Case("table", params, grids.multidim(EXACT, params))


def sincos3d(draw):
    h, w, grid = size_of(draw)
    frames, base = draw.randint(1, 3), draw.base()
    params = {"frames": frames, "grid": grid, "base": base}

    def table(width, row):
        return dict(params, dim=width), [[row(t, y, x) for y, x in raster(h, w)]
                                         for t in range(frames)]
    width = 16 * draw.randint(1, 2)
    time, space = draw.choice([1, draw.real(1, 3)]), draw.choice([1, draw.real(1, 3)])
    asked = dict(params, dim=width, temporal_interpolation_scale=time,
                 spatial_interpolation_scale=space)
    yield Case("table", asked, grids.video(EXACT, asked))
    asked, rows = table(width, lambda t, y, x: (
        enc(t, width // 2, base) + enc(y, width // 4, base) + enc(x, width // 4, base)))
    yield Case("table", dict(asked, convention="vjepa"), rows)
    each = 2 * -(-width // 6)
    asked, rows = table(width, lambda t, y, x: (
        enc(t, each, base) + enc(y, each, base) + enc(x, each, base))[:width])
    yield Case("table", dict(asked, convention="vjepa-uniform"), rows)
    width = draw.randint(6, 20)
    scales = closed(base, width // 6)
    asked, rows = table(width, lambda t, y, x: (
        [v for p in (t, y, x) for v in concat(times(p, scales))] +
        [mpf(0)] * (width - 6 * (width // 6))))
    yield Case("table", dict(asked, convention="t2t"), rows)


def coordconv(draw):
    h, w, grid = size_of(draw)
    xs, ys = linspace(-1, 1, w), linspace(-1, 1, h)
    order, with_r = draw.choice(["xy", "yx"]), draw.chance()
    params = {"grid": grid, "axis_order": order, "with_r": with_r}
    maps = [[xs for _ in range(h)], [[y] * w for y in ys]]
    maps = maps if order == "xy" else maps[::-1]
    if with_r:
        centre = draw.choice([0.5, 0, draw.single(-1, 1)])
        params["r_center"] = centre
        maps.append([[mp.sqrt((x - mpf(centre)) ** 2 + (y - mpf(centre)) ** 2) for x in xs]
                     for y in ys])
    yield Case("map", params, maps)


ROWS = named(coordconv, detr_query_sine, detr_sine, detr_sine3d, loftr_sine, multidim_sine,
             sincos2d_mae, sincos2d_timm, sincos3d)
