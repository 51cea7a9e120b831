# SPDX-License-Identifier: Apache-2.0
"""pictures.py - positions of images and text in one sequence, and tables of several axes, by the
steps of Qwen2-VL, rope-vit, Pixtral, DINOv3, Flux and Wan."""

import numpy as np

import rope

F = np.float32


def mrope_ids(parts, merge=2):
    """get_rope_index of Qwen2-VL: parts are numbers of text tokens and (t, h, w) of patches."""
    columns, at = [], 0
    for part in parts:
        if isinstance(part, int):
            columns.append(np.tile(np.arange(part), (3, 1)) + at)
        else:
            t, h, w = part[0], part[1] // merge, part[2] // merge
            columns.append(np.stack([g.reshape(-1) for g in np.indices((t, h, w))]) + at)
        at = int(columns[-1].max()) + 1
    return np.concatenate(columns, 1)


def segments(parts):
    return "segments=" + ",".join("text:%d" % p if isinstance(p, int) else
                                  "image:%dx%dx%d" % p for p in parts)


def drawn_parts(draw):
    side = draw.choice([4, 6, 8])
    return [draw.integer(2, 6), (1, side, side + 2 * draw.integer(0, 2)), draw.integer(3, 8)]


def mrope_tables(ids, dim=128, base=1e6, sections=(16, 24, 24)):
    """Pairs of chunks turn by time, row and column."""
    w = rope.inv_freq(dim, base)
    axis = np.repeat(np.arange(3), sections)
    a = ids.T.astype(F)[:, axis] * w[None]
    return np.cos(a).astype(F), np.sin(a).astype(F)


def ids_words(ids):
    return "ids=" + ";".join(",".join(str(int(x)) for x in row) for row in ids.T)


def axial(grid, dim, base=100.0, order="xy", centre=0.0):
    """init_t_xy, compute_axial_cis of rope-vit: columns first."""
    h, w = grid
    y, x = (g.reshape(-1).astype(F) + F(centre) for g in np.indices((h, w)))
    freqs = (F(1) / F(base) ** (np.arange(0, dim, 4)[:dim // 4].astype(F) / F(dim))).astype(F)
    first, second = (x, y) if order == "xy" else (y, x)
    a = np.concatenate([first[:, None] * freqs, second[:, None] * freqs], -1)
    return np.cos(a).astype(F), np.sin(a).astype(F)


def flux(ids, axes=(16, 56, 56), base=1e4):
    """rope of Flux in float64, cast at the end."""
    parts = []
    for column, dim in zip(np.asarray(ids, np.float64).T, axes):
        parts.append(column[:, None] * (1.0 / base ** (np.arange(0, dim, 2) / dim))[None])
    a = np.concatenate(parts, -1)
    return np.cos(a).astype(F), np.sin(a).astype(F)


def mae(grid, dim, order="wh", base=1e4):
    """get_2d_sincos_pos_embed: columns first, in float64, cast at the end."""
    y, x = (g.reshape(-1).astype(np.float64) for g in np.indices(grid))
    omega = 1.0 / base ** (np.arange(dim // 4) / (dim / 4.0))

    def one(p):
        a = p[:, None] * omega
        return np.concatenate([np.sin(a), np.cos(a)], 1)
    return np.concatenate([one(p) for p in ((x, y) if order == "wh" else (y, x))], 1).astype(F)


def detr(grid, feats, base=1e4, centre=0.0, normalize=True):
    """PositionEmbeddingSine of DETR, [2 feats, H, W]."""
    h, w = grid
    y = np.repeat(np.arange(1, h + 1, dtype=F)[:, None], w, 1)
    x = np.repeat(np.arange(1, w + 1, dtype=F)[None], h, 0)
    if normalize:
        y = (y + F(centre)) / (y[-1:] + F(1e-6)) * F(2 * np.pi)
        x = (x + F(centre)) / (x[:, -1:] + F(1e-6)) * F(2 * np.pi)
    t = F(base) ** (2 * (np.arange(feats) // 2) / F(feats)).astype(F)
    out = []
    for c in (y, x):
        a = c[..., None] / t
        out.append(np.stack([np.sin(a[..., 0::2]), np.cos(a[..., 1::2])], -1).reshape(h, w, feats))
    return np.concatenate(out, -1).transpose(2, 0, 1).astype(F)


def dinov3(grid, dim, base=100.0, centre=0.5):
    """RopePositionEmbedding of DINOv3, normalize_coords=separate: two equal halves of columns."""
    h, w = grid
    y, x = (g.reshape(-1) for g in np.indices(grid))
    y = 2 * ((y.astype(F) + F(centre)) / F(h)) - 1
    x = 2 * ((x.astype(F) + F(centre)) / F(w)) - 1
    periods = F(base) ** (2 * np.arange(dim // 4).astype(F) / F(dim // 2))
    a = F(2 * np.pi) * np.concatenate([y[:, None] / periods, x[:, None] / periods], -1)
    a = rope.half(a).astype(F)
    return np.cos(a).astype(F), np.sin(a).astype(F)
