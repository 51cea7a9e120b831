# SPDX-License-Identifier: Apache-2.0
"""additive.py - golden methods whose rows are added: images (sincos_2d, sinusoidal_nd,
detr_sine_2d, point_sine_2d, sam_random_fourier), times (timestep_embedding,
gaussian_fourier_projection) and coordinates (fourier_features, nerf_positional_encoding)."""

import re

from axes import grid_text
from cases import Inexpressible
from question import Picked, Stack, Tensor, all_used, alone

# Remarks that repeat other parameters.
REMARKS = ("layout", "note", "order")


def served(case, question):
    """The case's only output; the case must have no other."""
    case.params.neutral(*REMARKS)
    return alone(case, question)


def copied(params, names):
    """Those parameters that the case has, under our names."""
    asked = {}
    for ours, theirs in names.items():
        value = params.take(*theirs)
        if value is not None:
            asked[ours] = value
    return asked


# ---- images ------------------------------------------------------------------------------------


def sides_of(value):
    """A grid as [rows, columns]; one number is a square."""
    return list(value) if isinstance(value, (list, tuple)) else [value, value]


def sincos_2d(case):
    """timm's function has names of its own; the other names are those of MAE and its ports."""
    params = case.params
    rows = case.inputs.take("rows")
    timm = "feat_shape" in params.values or "interleave_sin_cos" in params.values
    layout = str(params.take("layout") or "")
    asked = {"grid": grid_text(*sides_of(params.take("feat_shape", "grid_size", "grid"))),
             "dim": params.take("embed_dim", "dim"),
             "base": params.take("temperature", "base", default=10000)}
    if timm:
        asked.update(copied(params, {"interleave_sin_cos": ["interleave_sin_cos"],
                                     "reverse_coord": ["reverse_coord"]}))
        question = Tensor("sincos2d-timm", "rows", asked)
    else:
        base_size = params.take("base_size")
        scale = params.take("interpolation_scale")
        if base_size is not None:
            asked["base_size"] = sides_of(base_size)
            if scale is not None:
                asked["interpolation_scale"] = scale
        elif scale not in (None, 1):
            asked["interpolation_scale"] = scale  # the service says why it refuses
        extra = params.take("extra_tokens")
        tokens = int(params.take("cls_token", default=0))
        asked["cls_token"] = extra if tokens and extra is not None else tokens
        if re.match(r"\[?(y|h|row)\b", layout):
            asked["order"] = "hw"
        question = Tensor("sincos2d-mae", "rows", asked)
    return served(case, question if rows is None else Picked(question, rows))


def sinusoidal_nd(case):
    params = case.params
    asked = {"grid_sizes": params.take("shape", "grid_size"),
             "dim": params.take("channels", "dim"),
             "base": params.take("base", "temperature", default=10000)}
    return served(case, Tensor("multidim-sine", "table", asked, case.outputs[0].shape))


def scaled(params, asked):
    """The parameters of DETR and its family; scale is a number or the words 2*pi."""
    asked.update(copied(params, {"base": ["temperature", "temperatureH", "temperature_h"],
                                 "base_w": ["temperatureW", "temperature_w"]}))
    scale = params.take("scale")
    if scale is not None:
        asked["scale"] = re.sub(r"\W", "", scale) if isinstance(scale, str) else scale
    return asked


def detr_sine_2d(case):
    params, inputs = case.params, case.inputs
    mask = inputs.take("mask")
    output = case.outputs[0]
    asked = scaled(params, copied(params, {"num_pos_feats": ["num_pos_feats", "embedding_dim"],
                                           "normalize": ["normalize"], "offset": ["offset"]}))
    eps = params.take("eps")
    if asked.get("normalize", True):
        asked.update({} if eps is None else {"eps": eps})
    else:  # the reference does not read them in this case
        asked.pop("scale", None)
    if mask is None:
        asked["grid"] = grid_text(*sides_of(params.take("grid", "feat_shape", "shape")
                                            or inputs.take("grid", "shape")))
    masks = mask if mask and isinstance(mask[0][0], list) else [mask]
    channels = output.shape[-3] if len(output.shape) > 2 else output.shape[-1]
    if channels == asked.get("num_pos_feats"):  # SAM 2's scale is of both coordinates
        asked["num_pos_feats"] = channels // 2
    first = output.shape[0] == 2 * asked.get("num_pos_feats", 128) or len(output.shape) > 2
    out, shape = "map" if first else "rows", output.shape
    if len(masks) > 1:
        return served(case, Stack([Tensor("detr-sine", out, dict(asked, mask=as_bits(one)),
                                          shape[1:]) for one in masks], 0))
    if mask is not None:
        asked["mask"] = as_bits(masks[0])
    return served(case, Tensor("detr-sine", out, asked, shape))


def as_bits(mask):
    return [[int(pixel) for pixel in row] for row in mask]


def point_sine_2d(case):
    params, inputs = case.params, case.inputs
    width = params.take("d_model", "hidden_size", "hidden_dim")
    asked = scaled(params, {"num_pos_feats": params.take("num_pos_feats") or width // 2})
    for ours, theirs in (("points", ("points_xy", "points")), ("boxes", ("boxes", "boxes_cxcywh"))):
        rows = inputs.take(*theirs)
        if rows is not None:
            asked[ours] = rows
    return served(case, Tensor("detr-query-sine", "rows", asked, case.outputs[0].shape))


def sam_random_fourier(case):
    params, inputs = case.params, case.inputs
    matrix = inputs.take("positional_encoding_gaussian_matrix", "gaussian_matrix", "G")
    points, size = inputs.take("points_xy", "points"), params.take("image_size")
    grid = params.take("grid", "feat_shape", "size")
    offset = params.take("point_offset")
    params.neutral("num_pos_feats", "scale")  # the matrix contains both
    case.params.neutral(*REMARKS)
    all_used(case)
    asked = {"g": matrix}
    on_points = dict(asked, points=points, image_size=grid_text(*sides_of(size or 0)),
                     **({"point_offset": offset} if offset is not None else {}))
    return {output.name: Tensor("sam-random", "map", dict(asked, grid=grid_text(*sides_of(grid))),
                                output.shape) if output.name == "grid"
            else Tensor("sam-random", "rows", on_points, output.shape)
            for output in case.outputs}


# ---- times and coordinates -----------------------------------------------------------------------


def timestep_embedding(case):
    params = case.params
    asked = copied(params, {
        "dim": ["embedding_dim", "dim", "num_channels"], "flip_sin_to_cos": ["flip_sin_to_cos"],
        "downscale_freq_shift": ["downscale_freq_shift"], "scale": ["scale"],
        "base": ["max_period", "max_positions"], "time_factor": ["time_factor"]})
    asked["pos"] = case.inputs.take("timesteps", "t", "positions")
    return served(case, Tensor("timestep-embedding", "rows", asked, case.outputs[0].shape))


def gaussian_fourier_projection(case):
    params, inputs = case.params, case.inputs
    asked = {"pos": inputs.take("x", "timesteps", "sigma", "t"),
             "weights": inputs.take("weight", "weights", "W", "freqs"),
             "log": bool(params.take("log", default=False)),
             "order": "cos-first" if params.take("flip_sin_to_cos") else "sin-first"}
    params.neutral("embedding_size", "num_channels", "scale")  # given weights contain them
    return served(case, Tensor("gaussian-fourier", "rows", asked, case.outputs[0].shape))


def fourier_features(case):
    params = case.params
    asked = copied(params, {"max_freq": ["max_freq", "max_res"], "num_bands": ["num_bands"],
                            "linear_bands": ["linear_bands"],
                            "concat_grid": ["concat_input", "concat_grid"]})
    spacing = str(params.take("frequency_spacing") or "linear")
    if spacing.startswith("log"):
        asked["linear_bands"] = False
    elif not spacing.startswith("linear"):
        raise Inexpressible("frequency_spacing %r" % spacing)
    if re.match(r"(x|grid)\b", str(params.take("layout") or "")):
        asked["order"] = "grid-first"
    coords = case.inputs.take("x", "coords")
    if not isinstance(coords[0], list):
        coords = [[value] for value in coords]
    return served(case, Tensor("pixel-fourier", "features", dict(asked, coords=coords),
                               case.outputs[0].shape))


def nerf_positional_encoding(case):
    params = case.params
    asked = copied(params, {"num_freqs": ["multires", "num_freqs", "L"],
                            "include_input": ["include_input"],
                            "log_sampling": ["log_sampling"],
                            "multiply_pi": ["pi_factor", "multiply_pi"],
                            "max_freq_log2": ["max_freq_log2"]})
    coords = case.inputs.take("x", "coords", "points")
    if not isinstance(coords[0], list):
        coords = [[value] for value in coords]
    return served(case, Tensor("nerf", "rows", dict(asked, coords=coords),
                               case.outputs[0].shape))
