# SPDX-License-Identifier: Apache-2.0
"""grids.py - cases of sinusoidal rows of two and three axes: MAE, timm, DETR, their relatives."""

import numpy as np

from case import Case, RIGHT, f32, narrowed


def coded(places, width, base=1e4, closed=False):
    """Sines before cosines of a coordinate, in `width` columns."""
    half = width // 2
    w = base ** -(np.arange(half) / (half - closed))
    angles = np.asarray(places, np.float64)[:, None] * w
    return np.concatenate([np.sin(angles), np.cos(angles)], -1)


def places(grid):
    """Rows and columns of the cells, row by row."""
    h, w = grid
    return np.repeat(np.arange(h), w), np.tile(np.arange(w), h)


def drawn(random):
    return random.choice([(3, 5), (4, 7), (6, 6), (14, 14), (2, 9)]), random.choice([16, 64, 128])


def worded(grid):
    return "%dx%d" % tuple(grid)


def noisy(random, values):
    return narrowed(values, random.choice(["f32"] * 4 + ["f64", "f16", "bf16"]))


# ---- MAE (He et al. 2021): the column's half comes first -----------------------------------


def mae(grid, dim, order="wh", base=1e4, by=1.0):
    h, w = places(grid)
    halves = [coded(w * by, dim // 2, base), coded(h * by, dim // 2, base)]
    return np.concatenate(halves if order == "wh" else halves[::-1], -1)


def right_mae(random):
    grid, dim = drawn(random)
    order, extra = random.choice(["wh", "hw"]), random.choice([0, 0, 1])
    claim = {"encoding": "sincos2d-mae", "grid": worded(grid), "dim": dim, "order": order,
             "prefix_tokens": extra}
    values = np.concatenate([np.zeros((extra, dim)), mae(grid, dim, order)])
    return Case("grids/right-mae", claim, {"rows": noisy(random, values)}, RIGHT)


def mae_claim(grid, dim, **more):
    return {"encoding": "sincos2d-mae", "grid": worded(grid), "dim": dim, **more}


def mae_order(random):
    """V-JEPA's order; on a square grid it is as if the cells were taken column by column."""
    grid, dim = drawn(random)
    done, meant = random.choice([("wh", "hw"), ("hw", "wh")])
    found = {"order", "axes-swapped"} | ({"transposed"} if grid[0] == grid[1] else set())
    return Case("grids/mae-order", mae_claim(grid, dim, order=meant),
                {"rows": noisy(random, mae(grid, dim, done))}, found, {"order": (done, meant)})


def mae_columns(random):
    """Cells taken column by column, on a grid that is not square."""
    grid, dim = random.choice([(3, 5), (4, 7)]), random.choice([16, 64])
    values = mae(grid, dim).reshape(*grid, dim).transpose(1, 0, 2).reshape(-1, dim)
    return Case("grids/mae-columns", mae_claim(grid, dim), {"rows": f32(values)},
                {"axes-swapped", "transposed", "rows-shuffled"})


def mae_base(random):
    grid, dim = drawn(random)
    done = random.choice([100.0, 1000.0])
    return Case("grids/mae-base", mae_claim(grid, dim), {"rows": f32(mae(grid, dim, base=done))},
                "base", {"base": (done, 10000)})


def mae_scale(random):
    """A grid that was interpolated where the claim's is not, or the reverse."""
    grid, dim = drawn(random)
    done = random.choice([2.0, 4.0])
    return Case("grids/mae-scale", mae_claim(grid, dim),
                {"rows": f32(mae(grid, dim, by=1 / done))},
                {"interpolation_scale", "position-scale", "base_size"})


def mae_class_token(random):
    """Rows of zeros in front of the grid that the claim does not have, or has."""
    grid, dim = drawn(random)
    values, extra = mae(grid, dim), random.choice([0, 1])
    if extra:
        values = np.concatenate([np.zeros((1, dim)), values])
    return Case("grids/mae-class-token", mae_claim(grid, dim, prefix_tokens=1 - extra),
                {"rows": f32(values)}, "prefix_tokens", {"prefix_tokens": (extra, 1 - extra)})


def mae_named_timm(random):
    """The grouped rows of timm where MAE's are claimed."""
    grid, dim = random.choice([(3, 5), (4, 7)]), random.choice([16, 64])
    return Case("grids/encoding", mae_claim(grid, dim),
                {"rows": f32(timm(grid, dim))}, {"encoding", "columns-shuffled"})


# ---- timm ----------------------------------------------------------------------------------


def timm(grid, dim, together=False, order="hw", closed=False):
    """build_sincos2d_pos_embed: [sin h, sin w, cos h, cos w], or those of h before those of w."""
    h, w = places(grid)
    first, second = (h, w) if order == "hw" else (w, h)
    one, other = (coded(p, dim // 2, closed=closed) for p in (first, second))
    if together:
        return np.concatenate([one, other], -1)
    (a, b), (c, d) = np.split(one, 2, -1), np.split(other, 2, -1)
    return np.concatenate([a, c, b, d], -1)


def timm_claim(grid, dim, **more):
    return {"encoding": "sincos2d-timm", "grid": worded(grid), "dim": dim, **more}


def right_timm(random):
    grid, dim = drawn(random)
    together, order = random.choice([False, True]), random.choice(["hw", "wh"])
    closed = random.choice([False, True])
    claim = timm_claim(grid, dim, interleave_sin_cos=int(together), order=order,
                       ladder="geometric-closed" if closed else "geometric-open")
    return Case("grids/right-timm", claim,
                {"rows": noisy(random, timm(grid, dim, together, order, closed))}, RIGHT)


def timm_together(random):
    grid, dim = drawn(random)
    done = random.choice([False, True])
    return Case("grids/timm-interleave", timm_claim(grid, dim, interleave_sin_cos=int(not done)),
                {"rows": noisy(random, timm(grid, dim, done))}, "interleave_sin_cos",
                {"interleave_sin_cos": (int(done), int(not done))})


def timm_order(random):
    grid, dim = random.choice([(3, 5), (4, 7), (2, 9)]), random.choice([16, 64])
    return Case("grids/timm-order", timm_claim(grid, dim),
                {"rows": noisy(random, timm(grid, dim, order="wh"))},
                {"order", "axes-swapped"}, {"order": ("wh", "hw")})


def timm_ladder(random):
    """The simple ViT's ladder, which ends at 1/base; another base gives the same numbers."""
    grid, dim = drawn(random)
    return Case("grids/timm-ladder", timm_claim(grid, dim),
                {"rows": f32(timm(grid, dim, closed=True))}, {"ladder", "base"})


# ---- DETR (Carion et al. 2020) -------------------------------------------------------------


def detr(grid, feats, normalize=True, offset=0.0, base=1e4, scale=2 * np.pi, eps=1e-6,
         order="yx"):
    """PositionEmbeddingSine, a map of channels."""
    h, w = grid
    y, x = np.arange(1.0, h + 1), np.arange(1.0, w + 1)
    if normalize:
        y, x = ((p + offset) / (p[-1] + eps) * scale for p in (y, x))
    t = base ** (2 * (np.arange(feats) // 2) / feats)

    def channels(p):
        angles = p[:, None] / t
        return np.where(np.arange(feats) % 2 == 0, np.sin(angles), np.cos(angles))
    rows = np.broadcast_to(channels(y)[:, None], (h, w, feats))
    columns = np.broadcast_to(channels(x)[None], (h, w, feats))
    both = [rows, columns] if order == "yx" else [columns, rows]
    return np.concatenate(both, -1).transpose(2, 0, 1)


def detr_drawn(random):
    grid, feats = random.choice([(3, 5), (6, 4), (10, 12)]), random.choice([8, 16, 32])
    return grid, feats, {"encoding": "detr-sine", "grid": worded(grid), "num_pos_feats": feats}


def detr_case(name, random, claim, values, found, repair=None):
    """A map of channels, or its rows a point."""
    if random.choice([False, True]):
        return Case("grids/" + name, claim, {"map": noisy(random, values)}, found, repair)
    rows = values.reshape(len(values), -1).T
    return Case("grids/" + name, claim, {"rows": noisy(random, rows)}, found, repair)


def right_detr(random):
    grid, feats, claim = detr_drawn(random)
    normalize, offset = random.choice([(True, 0.0), (True, -0.5), (False, 0.0)])
    claim["normalize"] = int(normalize)
    if normalize:
        claim["offset"] = "%g" % offset
    return detr_case("right-detr", random, claim, detr(grid, feats, normalize, offset), RIGHT)


def detr_parameter(random):
    """Deformable DETR's offset, no normalization, another temperature or scale."""
    grid, feats, claim = detr_drawn(random)
    found, change, repair = random.choice([
        ({"offset", "position-offset"}, {"offset": -0.5}, {"offset": (-0.5, 0)}),
        ({"normalize"}, {"normalize": False}, {"normalize": (0, 1)}),
        ({"base"}, {"base": 20.0}, {"base": (20, 10000)}),
        ({"scale", "position-scale"}, {"scale": 1.0}, {"scale": (1, "2pi")}),
        ({"scale", "position-scale"}, {"scale": np.pi}, {"scale": ("pi", "2pi")})])
    return detr_case("detr-" + min(found), random, claim, detr(grid, feats, **change), found,
                     repair)


def detr_axes(random):
    grid, feats, claim = detr_drawn(random)
    return detr_case("detr-axes-swapped", random, claim, detr(grid, feats, order="xy"),
                     {"axes-swapped", "order", "columns-shuffled"})


# ---- several axes --------------------------------------------------------------------------


def several(sizes, dim):
    """tatp22's multidim-positional-encoding: interleaved rows of the axes, cut to dim."""
    width = 2 * int(np.ceil(dim / (2 * len(sizes))))
    w = 1e4 ** -(np.arange(0, width, 2) / width)
    parts = []
    for axis, size in enumerate(sizes):
        angles = np.arange(size)[:, None] * w
        one = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(size, width)
        shape = [1] * len(sizes) + [width]
        shape[axis] = size
        parts.append(np.broadcast_to(one.reshape(shape), [*sizes, width]))
    return np.concatenate(parts, -1)[..., :dim]


def right_several(random):
    sizes, dim = random.choice([[5, 7], [2, 3, 4], [9], [4, 4]]), random.choice([12, 32, 7])
    claim = {"encoding": "multidim-sine", "grid_sizes": ",".join(map(str, sizes)), "dim": dim}
    return Case("grids/right-multidim", claim, {"table": noisy(random, several(sizes, dim))}, RIGHT)


def several_base(random):
    sizes, dim = random.choice([[5, 7], [2, 3, 4]]), 24
    claim = {"encoding": "multidim-sine", "grid_sizes": ",".join(map(str, sizes)), "dim": dim,
             "base": 100}
    return Case("grids/multidim-base", claim, {"table": f32(several(sizes, dim))}, "base",
                {"base": (10000, 100)})


def video(frames, grid, dim, spatial=1.0):
    """diffusers: a quarter of the width for the frame, then column and row."""
    rows = mae(grid, 3 * dim // 4, by=1 / spatial)
    times = coded(np.arange(frames), dim // 4)
    return np.concatenate([np.repeat(times[:, None], len(rows), 1),
                           np.repeat(rows[None], frames, 0)], -1)


def right_video(random):
    frames, grid, dim = random.choice([2, 5]), random.choice([(2, 3), (4, 4)]), 64
    spatial = random.choice([1, 1.875])
    claim = {"encoding": "sincos3d", "frames": frames, "grid": worded(grid), "dim": dim,
             "spatial_interpolation_scale": spatial}
    return Case("grids/right-video", claim, {"table": f32(video(frames, grid, dim, spatial))},
                RIGHT)


def video_scale(random):
    frames, grid, dim = random.choice([2, 5]), random.choice([(3, 4), (4, 6)]), 64
    claim = {"encoding": "sincos3d", "frames": frames, "grid": worded(grid), "dim": dim,
             "spatial_interpolation_scale": 1.875}
    return Case("grids/video-scale", claim, {"table": f32(video(frames, grid, dim))},
                "spatial_interpolation_scale", {"spatial_interpolation_scale": (1, 1.875)})


ROWS = [right_mae, right_timm, right_mae, right_detr, right_video, right_detr, right_several,
        right_video, right_mae, right_timm, right_detr, mae_order, mae_columns, mae_base,
        mae_scale, mae_class_token, mae_named_timm, timm_together, timm_order, timm_ladder,
        detr_parameter, detr_parameter, detr_axes, several_base, video_scale]
