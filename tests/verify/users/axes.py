# SPDX-License-Identifier: Apache-2.0
"""axes.py - tables of images and video whose axes, centres or sizes are wrong."""

import numpy as np

import pictures as p
import rope
from case import Case, MISTAKE, case

F = np.float32
KIND = "axes"
AXES = r"axis|axes|row|column|height|width|\bh\b.*\bw\b|exchang|swap|order"


def mrope_words(ids, width=False):
    return ["encoding=mrope", "dim=128", "base=1000000", "mrope_section=16,24,24", p.ids_words(ids)]


def mrope(draw, ids, made, say, numbers=(), sections=(16, 24, 24)):
    cos, sin = p.mrope_tables(made, sections=sections)
    if draw.coin():
        cos, sin = rope.half(cos), rope.half(sin)
    return Case(draw.tables(cos, sin, True), mrope_words(ids), MISTAKE, say, numbers)


@case(KIND)
def mrope_rows_and_columns_exchanged(draw):
    ids = p.mrope_ids([3, (1, 4, 8), 4])
    return mrope(draw, ids, ids[[0, 2, 1]], [AXES])


@case(KIND)
def mrope_by_the_positions_of_text(draw):
    parts = p.drawn_parts(draw)
    ids = p.mrope_ids(parts)
    return mrope(draw, ids, np.tile(np.arange(ids.shape[1]), (3, 1)), [r"text|running|0:"])


@case(KIND)
def mrope_sections_exchanged(draw):
    ids = p.mrope_ids(p.drawn_parts(draw))
    return mrope(draw, ids, ids, [r"section"], [24, 16], (24, 24, 16))


@case(KIND)
def mrope_sections_interleaved(draw):
    """Qwen3-VL deals pairs in turn: where chunks are claimed."""
    ids = p.mrope_ids(p.drawn_parts(draw))
    w = rope.inv_freq(128, 1e6)
    a = ids[0][:, None].astype(F) * w
    for axis, offset in ((1, 1), (2, 2)):
        a[:, offset:60:3] = ids[axis][:, None].astype(F) * w[offset:60:3]
    return Case(draw.tables(np.cos(a).astype(F), np.sin(a).astype(F), True),
                ["encoding=mrope", "dim=128", "base=1000000", "mrope_section=24,20,20",
                 p.ids_words(ids)], MISTAKE, [r"interleav|section"])


@case(KIND)
def mrope_text_after_the_picture(draw):
    """Text goes on with the number of tokens, not with the largest id."""
    parts = p.drawn_parts(draw)
    ids = p.mrope_ids(parts)
    made = ids.copy()
    first = ids.shape[1] - parts[2]
    made[:, first:] = np.arange(first, ids.shape[1])
    return mrope(draw, ids, made, [r"row|position|token|text"], [first])


@case(KIND)
def axial_rows_and_columns_exchanged(draw):
    grid = draw.choice([(4, 6), (6, 8), (5, 9)])
    cos, sin = p.axial(grid, 64, order="yx")
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-axial", "grid=%dx%d" % grid,
                                              "dim=64"], MISTAKE, [AXES])


@case(KIND)
def axial_of_the_transposed_grid(draw):
    cos, sin = p.axial((8, 5), 64)
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-axial", "grid=5x8", "dim=64"],
                MISTAKE, [AXES + r"|grid"])


@case(KIND)
def axial_with_the_base_of_text(draw):
    cos, sin = p.axial((6, 6), 64, 10000.0)
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-axial", "grid=6x6", "dim=64"],
                MISTAKE, [r"base|theta"], [10000, 100])


@case(KIND)
def axial_with_a_class_token(draw):
    cos, sin = p.axial((4, 5), 64)
    cos, sin = np.vstack([np.ones((1, 32), F), cos]), np.vstack([np.zeros((1, 32), F), sin])
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-axial", "grid=4x5", "dim=64"],
                MISTAKE, [r"prefix|class|first row|row 0|offset"], [1])


@case(KIND)
def mae_rows_first(draw):
    grid = draw.choice([(4, 6), (7, 7)])
    return Case(draw.named("rows", p.mae(grid, 64, "hw")),
                ["encoding=sincos2d-mae", "dim=64", "grid=%dx%d" % grid], MISTAKE, [AXES])


@case(KIND)
def detr_centres(draw):
    """Deformable DETR counts patch centres (-0.5), DETR their ends."""
    return Case({"pos_embed" if not draw.is_plain else "map": p.detr((6, 8), 32, centre=-0.5)},
                ["encoding=detr-sine", "grid=6x8", "num_pos_feats=32"], MISTAKE,
                [r"offset|cent"], [-0.5])


@case(KIND)
def detr_without_normalization(draw):
    return Case({"pos_embed" if not draw.is_plain else "map": p.detr((6, 8), 32, normalize=False)},
                ["encoding=detr-sine", "grid=6x8", "num_pos_feats=32"], MISTAKE, [r"normali"])


@case(KIND)
def dinov3_corners_for_centres(draw):
    """Patch centres + 0.5 left out."""
    cos, sin = p.dinov3((5, 7), 64, centre=0.0)
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-dinov3", "grid=5x7", "dim=64",
                                              "width=full"], MISTAKE, [r"cent|offset|0\.5"], [-0.5])


@case(KIND)
def dinov3_of_another_base(draw):
    cos, sin = p.dinov3((5, 7), 64, 1000.0)
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-dinov3", "grid=5x7", "dim=64",
                                              "width=full"], MISTAKE, [r"base|period"], [1000])


def grid_ids(h, w):
    return np.stack([np.zeros(h * w), *(g.reshape(-1) for g in np.indices((h, w)))], 1)


@case(KIND)
def flux_rows_and_columns_exchanged(draw):
    ids = grid_ids(4, 6)
    cos, sin = p.flux(ids[:, [0, 2, 1]])
    return Case(draw.tables(cos, sin, True), ["encoding=rope-axes", "preset=flux",
                                              "grid_sizes=1,4,6"], MISTAKE, [AXES])


@case(KIND)
def flux_axes_of_equal_width(draw):
    cos, sin = p.flux(grid_ids(4, 6), (44, 42, 42))
    return Case(draw.tables(cos, sin, True), ["encoding=rope-axes", "axes_dim=16,56,56",
                                              "grid_sizes=1,4,6"], MISTAKE,
                [r"axes_dim|width|split"], [44, 42])


@case(KIND)
def wan_time_is_not_the_slowest(draw):
    """Frames vary fastest, where columns should."""
    t, h, w = 3, 4, 5
    ids = np.stack([g.reshape(-1) for g in np.indices((h, w, t))], 1)[:, [2, 0, 1]]
    cos, sin = p.flux(ids, (44, 42, 42))
    return Case(draw.tables(cos, sin, True), ["encoding=rope-axes", "preset=wan", "dim=128",
                                              "grid_sizes=3,4,5"], MISTAKE,
                [r"order|axis|axes|row|fast"])


@case(KIND, "sliced", "nearest", "corners")
def resized_table(draw, way):
    """The top left part was taken; nearest for bicubic; corners aligned."""
    table = draw.normal(64, 4)
    square = table.reshape(8, 8, 4)
    if way == "sliced":
        made = square[:6, :5]
        say = [r"slice|top|part|cut|crop|not (resized|interpolated)|nothing"]
    elif way == "nearest":
        made = square[(np.arange(6) * 8 // 6)][:, (np.arange(5) * 8 // 5)]
        say = [r"nearest"]
    else:
        def weights(old, new):
            x = np.arange(new) * (old - 1) / (new - 1)
            low = np.minimum(x.astype(int), old - 2)
            out = np.zeros((new, old))
            out[np.arange(new), low] = 1 - (x - low)
            out[np.arange(new), low + 1] += x - low
            return out
        made = np.einsum("yi,xj,ijc->yxc", weights(8, 6), weights(8, 5), square)
        say = [r"align_corners|corner"]
    return Case({"table": table, "rows": made.reshape(30, 4).astype(F)},
                ["encoding=resize-table-2d", "interpolation=linear", "new_grid=6x5",
                 "antialias=0"], MISTAKE, say)
