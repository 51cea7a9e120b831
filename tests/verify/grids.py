# SPDX-License-Identifier: Apache-2.0
"""grids.py - cases of sinusoidal rows of two and three axes: MAE, timm, DETR, their relatives."""

from case import RIGHT
from formulas import grids
from formulas.numbers import DOUBLE
from kinds import Kind, noisy, said, single

GRIDS, UNEQUAL, DIMS = ["3x5", "4x7", "6x6", "14x14", "2x9"], ["3x5", "4x7"], [16, 64, 128]


def of(encoding, grid=GRIDS, dim=DIMS, **more):
    return {"encoding": encoding, "grid": grid, "dim": dim, **more}


def by_formula(formula, out="rows", write=noisy):
    return Kind("grids", out, lambda p: formula(DOUBLE, p), write)


MAE, TIMM = by_formula(grids.mae), by_formula(grids.timm)


def mae_order(random):
    """V-JEPA's order; on a square grid it is as if the cells were taken column by column."""
    grid, dim = random.choice(GRIDS), random.choice(DIMS)
    done, meant = random.choice([("wh", "hw"), ("hw", "wh")])
    claim = of("sincos2d-mae", grid, dim, order=meant)
    found = {"order", "axes-swapped"} | ({"transposed"} if grid in ("6x6", "14x14") else set())
    return MAE.case(random, "mae-order", claim, MAE.values({**claim, "order": done}), found,
                    {"order": (done, meant)})


def mae_columns(random):
    """Cells taken column by column, on a grid that is not square."""
    claim = of("sincos2d-mae", random.choice(UNEQUAL), random.choice([16, 64]))
    h, w = grids.sides(claim["grid"])
    values = MAE.values(claim).reshape(h, w, -1).transpose(1, 0, 2).reshape(h * w, -1)
    return MAE.case(random, "mae-columns", claim, values,
                    {"axes-swapped", "transposed", "rows-shuffled"}, write=single)


def named_timm(random):
    """The grouped rows of timm where MAE's are claimed."""
    claim = of("sincos2d-mae", random.choice(UNEQUAL), random.choice([16, 64]))
    return MAE.case(random, "encoding", claim, TIMM.values(claim), {"encoding", "columns-shuffled"},
                    write=single)


def switched(kind, name, encoding, parameter, write=None):
    """A parameter that is 0 where the claim has 1, or the reverse."""
    def make(random):
        grid, dim, done = random.choice(GRIDS), random.choice(DIMS), random.choice([0, 1])
        claim = of(encoding, grid, dim, **{parameter: 1 - done})
        return kind.case(random, name, claim, kind.values({**claim, parameter: done}), parameter,
                         {parameter: (done, 1 - done)}, write=write)
    return make


class Detr(Kind):
    def case(self, random, name, claim, values, found, repair=None, both=None, write=None):
        """A map of channels, or its rows a point."""
        if random.choice([False, True]):
            return super().case(random, name, claim, values.reshape(
                *grids.sides(claim["grid"]), -1).transpose(2, 0, 1), found, repair, out="map")
        return super().case(random, name, claim, values, found, repair)


DETR = Detr("grids", "rows", lambda p: grids.detr(DOUBLE, p))
DETR_CLAIM = {"encoding": "detr-sine", "grid": ["3x5", "6x4", "10x12"],
              "num_pos_feats": [8, 16, 32]}


def right_detr(random):
    """Normalized with an offset, or not."""
    claim = said(random, **DETR_CLAIM)
    normalize, offset = random.choice([(1, "0"), (1, "-0.5"), (0, None)])
    claim["normalize"] = normalize
    if normalize:
        claim["offset"] = offset
    return DETR.case(random, "right-detr", claim, DETR.values(claim), RIGHT)


SEVERAL = by_formula(grids.multidim, "table")
VIDEO = by_formula(grids.video, "table", single)
VIDEO_CLAIM = {"encoding": "sincos3d", "frames": [2, 5], "grid": ["2x3", "4x4"], "dim": 64}

RIGHT_MAE = MAE.right("mae", **of("sincos2d-mae"), order=["wh", "hw"], prefix_tokens=[0, 0, 1])
RIGHT_TIMM = TIMM.right("timm", **of("sincos2d-timm"), interleave_sin_cos=[0, 1],
                        order=["hw", "wh"], ladder=["geometric-open", "geometric-closed"])
RIGHT_VIDEO = VIDEO.right("video", **VIDEO_CLAIM, spatial_interpolation_scale=[1, 1.875])
# Deformable DETR's offset, no normalization, another temperature or scale.
DETR_PARAMETER = DETR.wrong(
    "detr-", ("offset", {"offset", "position-offset"}, {"offset": -0.5}),
    ("normalize", {"normalize"}, {"normalize": 0}), ("base", {"base"}, {"base": 20}),
    ("position-scale", {"scale", "position-scale"}, {"scale": 1}),
    ("position-scale", {"scale", "position-scale"}, {"scale": "pi"}),
    repair={"offset": 0, "normalize": 1, "base": 10000, "scale": "2pi"}, **DETR_CLAIM)
ROWS = [RIGHT_MAE, RIGHT_TIMM, RIGHT_MAE, right_detr, RIGHT_VIDEO, right_detr,
        SEVERAL.right("multidim", encoding="multidim-sine",
                      grid_sizes=[(5, 7), (2, 3, 4), (9,), (4, 4)], dim=[12, 32, 7]),
        RIGHT_VIDEO, RIGHT_MAE, RIGHT_TIMM, right_detr, mae_order, mae_columns,
        MAE.wrong("mae-base", ("", "base", {"base": [100.0, 1000.0]}), repair={"base": 10000},
                  write=single, **of("sincos2d-mae")),
        # A grid that was interpolated where the claim's is not, or the reverse.
        MAE.wrong("mae-scale", ("", {"interpolation_scale", "position-scale", "base_size"}, {
            "interpolation_scale": [2.0, 4.0]}), write=single, **of("sincos2d-mae")),
        switched(MAE, "mae-class-token", "sincos2d-mae", "prefix_tokens", single), named_timm,
        switched(TIMM, "timm-interleave", "sincos2d-timm", "interleave_sin_cos"),
        TIMM.wrong("timm-order", ("", {"order", "axes-swapped"}, {"order": "wh"}),
                   repair={"order": "hw"}, **of("sincos2d-timm", [*UNEQUAL, "2x9"], [16, 64])),
        # The simple ViT's ladder, which ends at 1/base; another base gives the same numbers.
        TIMM.wrong("timm-ladder", ("", {"ladder", "base"}, {"ladder": "geometric-closed"}),
                   write=single, **of("sincos2d-timm")),
        DETR_PARAMETER, DETR_PARAMETER,
        DETR.wrong("detr-axes-swapped", ("", {"axes-swapped", "order", "columns-shuffled"}, {
            "order": "xy"}), **DETR_CLAIM),
        SEVERAL.wrong("multidim-base", ("", "base", {"base": 10000}), repair=["base"], write=single,
                      encoding="multidim-sine", grid_sizes=[(5, 7), (2, 3, 4)], dim=24, base=100),
        VIDEO.wrong("video-scale", ("", "spatial_interpolation_scale", {
            "spatial_interpolation_scale": 1}), repair=["spatial_interpolation_scale"],
                    **dict(VIDEO_CLAIM, grid=["3x4", "4x6"]), spatial_interpolation_scale=1.875)]
