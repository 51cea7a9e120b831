# SPDX-License-Identifier: Apache-2.0
"""axes.py - golden methods whose rotations have several axes: mrope, rope_2d_*, rope_3d*,
rope_axial, as requests to the encodings that serve them."""

import math

import rotary
from cases import Inexpressible
from question import Apply, Padded, Tensor, all_used

# Entries of a configuration about the model, or about the defaults of the encoding.
NEUTRAL = ("hidden_size", "num_attention_heads", "num_key_value_heads", "model_type", "note",
           "max_position_embeddings", "original_max_position_embeddings", "matrix", "coords",
           "cls", "split", "grid_type", "pairing")
# A complex table has one number for each pair; its users make pairs of neighbours
# (view_as_complex).
PAIRINGS = {"half": "half", "interleaved": "adjacent", "adjacent": "adjacent",
            "complex": "adjacent", None: None}


def finish(case):
    case.params.neutral(*NEUTRAL)
    all_used(case)


def pairing_of(case, default):
    """The pairing of the case; remarks may follow it: "interleaved (complex)"."""
    said = case.params.take("pairing", default=case.pairing)
    word = str(said).split(" ")[0] if said else None
    if word not in PAIRINGS:
        raise Inexpressible("pairing %r" % said)
    return PAIRINGS[word] or default


def head_of(params):
    """The width of a head: given, or the hidden size over the number of heads. Where heads are
    counted, embed_dim is that of all of them."""
    heads = params.take("num_attention_heads", "num_heads")
    hidden = params.take("hidden_size", *(["embed_dim"] if heads else []))
    head = params.take("head_dim", "dim", "n_dims", *([] if heads else ["embed_dim"]))
    if head is None and hidden and heads:
        head = hidden // heads
    if head is None:
        raise Inexpressible("no width of a head")
    return head


def base_of(params, default):
    base = params.take("rope_theta", "theta", "temperature", "freq_base", "base")
    return default if base is None else base


def tables(outputs, encoding, params, frequencies, rotated, integers=None):
    """Questions about cos and sin (by their width), angles, inv_freq, and integer outputs, which
    depend on the parameters that `integers` gives for each."""
    questions = {}
    for output in outputs:
        name, _, variant = output.name.partition("_")
        if output.name in (integers or {}):
            questions[output.name] = Tensor(encoding, output.name, integers[output.name],
                                            output.shape)
        elif output.name == "inv_freq":
            questions[output.name] = Tensor(encoding, "inv_freq", frequencies, output.shape)
        elif output.name == "attention_factor":
            questions[output.name] = Tensor(encoding, "attention_factor", frequencies,
                                            output.shape)
        elif output.name == "angles":
            questions[output.name] = Tensor(encoding, "angles", params, output.shape)
        elif name in ("cos", "sin"):
            width = {rotated // 2: "half", rotated: "full"}.get(output.shape[-1])
            if width is None or variant.split("_")[0] not in ("", "half", "full"):
                raise Inexpressible("no request for output %s %s" % (output.name, output.shape))
            questions[output.name] = Tensor(encoding, name, dict(params, width=width),
                                            output.shape)
        else:
            raise Inexpressible("no request for output %s" % output.name)
    return questions


# ---- multimodal ------------------------------------------------------------------------------


class Kind:
    """A case with a scaling of that type: rope_scaling also holds entries of mrope."""

    def __init__(self, variant):
        self.variant = variant


VARIANTS = {False: "chunked", True: "interleaved", None: "chunked"}
SECTIONS = ("mrope_section", "xdrope_section", "mrope_interleaved")


def take_config(params):
    """The entries of rope_scaling about the axes; the rest stays for the scaling."""
    own, kind = {}, "default"
    for name in ("rope_scaling", "rope_parameters"):
        config = dict(params.values.get(name) or {})
        own.update({key: config.pop(key) for key in SECTIONS if key in config})
        kind = config.get("rope_type", config.get("type", kind))
        if config:
            params.values[name] = config
    return own, "default" if kind == "mrope" else kind


def positions_of(inputs, names):
    """pos.t, pos.h, ... from rows of positions, one an axis."""
    rows = inputs.take("positions_thw", "positions_thwe", "positions_pwht", "positions",
                       "position_ids")
    if rows is None:
        raise Inexpressible("no positions")
    return {"pos." + name: row for name, row in zip(names, rows)}


def mrope(case):
    params, inputs = case.params, case.inputs
    own, kind = take_config(params)
    hidden, heads = params.take("hidden_size"), params.take("num_attention_heads")
    if "head_dim" not in params.values and hidden and heads:
        params.values["head_dim"] = hidden // heads
    width = rotary.width_of(params)
    sections = params.take("mrope_section", "xdrope_section", "sections",
                           default=own.get("mrope_section", own.get("xdrope_section")))
    interleaved = params.take("mrope_interleaved", "interleaved",
                              default=own.get("mrope_interleaved"))
    variant = params.take("variant", default=VARIANTS[interleaved])
    names = "pwht" if variant == "xdrope" else "thwe"
    positions = positions_of(inputs, names)
    frequencies = dict(width, base=rotary.base_of(params))
    frequencies.update(rotary.scaling_of(Kind(kind), params,
                                         sum(positions.values(), [])))
    axes = {"mrope_section": sections, "variant": variant}
    asked = dict(frequencies, pairing=pairing_of(case, "half"), **axes, **positions)
    vectors = rotary.vectors_of(case)
    finish(case)
    turned = [output for output in case.outputs if output.name.endswith("rotated")]
    plain = [output for output in case.outputs if output not in turned]
    rotated = 2 * sum(sections) if variant != "interleaved" else width.get(
        "rotary_dim", int(width["dim"] * width.get("partial_rotary_factor", 1)))
    questions = tables(plain, "mrope", asked, frequencies, rotated,
                       {"section_axis": dict(width, **axes)})
    for output in turned:
        source = output.name.partition("_")[0] if output.name != "rotated" else "x"
        questions[output.name] = Apply("mrope", with_sequence(asked, output), vectors[source])
    return questions


def with_sequence(asked, output):
    """The first axis of rotated vectors is the sequence."""
    return dict(asked, **({"seq_axis": 0} if len(output.shape) > 2 else {}))


def mrope_ggml(case):
    params, inputs = case.params, case.inputs
    width = params.take("n_dims", "dim")
    frequencies = {"dim": width, "base": base_of(params, 10000.0)}
    ggml = {name: params.take(name) for name in ("freq_scale", "ext_factor", "attn_factor",
                                                 "beta_fast", "beta_slow")}
    context = params.take("n_ctx_orig")
    factors = inputs.take("freq_factors")
    frequencies.update({name: value for name, value in ggml.items() if value is not None})
    if context is not None and ggml["ext_factor"]:
        frequencies["original_max_position_embeddings"] = context
    elif not ggml["ext_factor"]:
        frequencies.pop("beta_fast", None)
        frequencies.pop("beta_slow", None)
    if factors is not None:
        frequencies["freq_factors"] = factors
    frequencies["scaling"] = "ggml"
    interleaved = params.take("interleaved", "is_imrope")
    asked = dict(frequencies, mrope_section=params.take("sections"),
                 section_layout=VARIANTS[interleaved], pairing=pairing_of(case, "half"),
                 **positions_of(inputs, "thwe"))
    if interleaved:
        asked["leftover"] = "extra"
    finish(case)
    return tables(case.outputs, "mrope", asked, frequencies, width)


# ---- images ------------------------------------------------------------------------------------


def grid_text(rows, columns):
    return "%dx%d" % (rows, columns)


def of_patches(case, encoding, pairing, sizes, integers=(), base=10000.0):
    """Tables of patches, whose coordinates are of sizes; integers are outputs of sizes alone."""
    dim = head_of(case.params)
    frequencies = {"dim": dim, "base": base_of(case.params, base)}
    asked = dict(frequencies, pairing=pairing_of(case, pairing), **sizes)
    finish(case)
    return tables(case.outputs, encoding, asked, frequencies, dim, dict.fromkeys(integers, sizes))


def axial(case):
    columns, rows = case.params.take("end_x"), case.params.take("end_y")
    grid = case.params.take("grid") or (rows, columns)
    return of_patches(case, "rope2d-axial", "adjacent", {"grid": grid_text(*grid)}, base=100.0)


def patches_of(case):
    """Rows and columns of patches: H and W as Meta's own code is called, a grid, or pixels."""
    rows, columns = (case.params.take(name, default=case.inputs.take(name)) for name in "HW")
    patch = case.params.take("patch_size", default=1)
    grid, pixels = case.params.take("grid"), case.params.take("pixels", "image_size")
    if isinstance(pixels, int):
        pixels = pixels, pixels
    if rows is not None and columns is not None:
        return rows, columns
    if grid is None and pixels is None:
        raise Inexpressible("no grid of patches")
    return grid or [side // patch for side in pixels]


AUGMENTATIONS = ("shift_coords", "jitter_coords", "rescale_coords")  # used in training alone


def dinov3(case):
    params = case.params
    dim, grid = head_of(params), patches_of(case)
    params.neutral(*AUGMENTATIONS)
    remark = params.take("coords", "normalize_coords", default="separate")
    normalize = next((word for word in ("separate", "max", "min") if word in remark), None)
    if normalize is None:
        raise Inexpressible("coords %r" % remark)
    low, high = params.take("min_period"), params.take("max_period")
    frequencies = {"dim": dim}
    base = params.take("rope_theta", "base")
    if params.take("periods_dtype") == "bfloat16":
        frequencies["period_dtype"] = "bf16"
    moves = {"shift_coords": params.take("drawn_shift"), "grid_offset": params.take("grid_offset"),
             "jitter_coords": params.take("drawn_jitter"),
             "rescale_coords": params.take("drawn_rescale")}
    if low is not None:
        frequencies.update(min_period=low, max_period=high)
    else:
        frequencies["base"] = 100.0 if base is None else base
    asked = dict(frequencies, grid=grid_text(*grid),
                 normalize_coords=normalize, pairing=pairing_of(case, "half"),
                 **{name: value for name, value in moves.items() if value is not None})
    finish(case)
    return tables(case.outputs, "rope2d-dinov3", asked, frequencies, dim)


def timm(case):
    params = case.params
    dim, pixels = head_of(params), params.take("in_pixels", default=True)
    asked = {"dim": dim, "in_pixels": pixels, "pairing": pairing_of(case, "adjacent"),
             "grid": grid_text(*params.take("feat_shape"))}
    reference = params.take("ref_feat_shape")
    if reference is not None:
        asked["ref_grid"] = grid_text(*reference)
    indexing = params.take("grid_indexing")
    if indexing is not None:
        asked["grid_indexing"] = indexing
    offset, linear = params.take("grid_offset"), params.take("linear_bands")
    base, most = params.take("temperature", "theta"), params.take("max_res")
    if pixels:
        asked.update(max_res=most or 224, **({"linear_bands": True} if linear else {}))
    else:
        asked.update(base=base or 10000.0, grid_offset=offset or 0.0)
    finish(case)
    return tables(case.outputs, "rope2d-timm-cat", asked, {}, dim)


def qwen_vision(case):
    return of_patches(case, "rope2d-qwen-vit", "half", {
        "grid_thw": case.params.take("grid_thw"),
        "spatial_merge_size": case.params.take("spatial_merge_size", default=2)},
        ["hw_position_ids"])


def sizes_of(params):
    return {name: params.take(name) for name in ("image_size", "patch_size")}


def pixtral(case):
    sizes = dict(sizes_of(case.params), grid=grid_text(*case.params.take("grid")))
    return of_patches(case, "rope2d-pixtral", "half", sizes, ["position_ids"])


def llama4_vision(case):
    return of_patches(case, "rope-vision-llama4", "adjacent", sizes_of(case.params))


# ---- an axis after the other ---------------------------------------------------------------------


def axial_blocks(case):
    """Flux and its family: ids of tokens, and a width for each axis."""
    params = case.params
    widths = params.take("axes_dim", "axes_dims_rope")
    frequencies = {"axes_dim": widths}
    base = params.take("theta", "base", "rope_theta")
    if isinstance(base, list):
        frequencies["axes_base"] = base
    else:
        frequencies["base"] = 10000.0 if base is None else base
    params.neutral("dim", "head_dim")
    asked = dict(frequencies, ids=case.inputs.take("ids", "position_ids"),
                 pairing=pairing_of(case, "adjacent"))
    finish(case)
    return tables(case.outputs, "rope-axes", asked, frequencies, sum(widths))


def cogvideox(case):
    params = case.params
    dim = head_of(params)
    frequencies = {"preset": "cogvideox", "dim": dim, "base": base_of(params, 10000.0)}
    rows, columns = params.take("grid_size")
    frames = params.take("temporal_size")
    kind, crops = params.take("grid_type", default="linspace"), params.take("crops_coords")
    asked = dict(frequencies, grid_sizes=[frames, rows, columns],
                 pairing=pairing_of(case, "adjacent"))
    if kind == "linspace" and crops is not None:
        asked["crops_coords"] = crops
    elif kind == "slice":
        params.neutral("max_size")  # rows of a longer table are its own
    elif kind != "linspace":
        raise Inexpressible("grid_type %r" % kind)
    finish(case)
    return tables(case.outputs, "rope-axes", asked, frequencies, dim)


def wan(case):
    params = case.params
    dim = head_of(params)
    asked = {"base": base_of(params, 10000.0), "pairing": pairing_of(case, "adjacent"),
             "grid_sizes": params.take("grid_fhw", "grid_sizes")}
    widths = params.take("axes_dim")
    asked.update({"axes_dim": widths} if widths else {"preset": "wan", "dim": dim})
    vectors = rotary.vectors_of(case)["x"]
    finish(case)
    places = math.prod(asked["grid_sizes"])
    return {output.name: Padded(Apply("rope-axes", with_sequence(asked, output),
                                      vectors[:places]), vectors[places:])
            for output in case.outputs}


def lumina(case):
    params = case.params
    dim = head_of(params)
    frequencies = {"preset": "lumina-next", "dim": dim, "base": base_of(params, 10000.0)}
    now, watershed = params.take("timestep", default=1), params.take("scale_watershed", default=1)
    names = {"ntk_factor": "ntk_factor", "linear_factor": "linear_factor",
             "rope_scaling_factor": "linear_factor",
             "scale_factor": "linear_factor" if now < watershed else "ntk_factor"}
    for name, ours in names.items():
        value = params.take(name)
        if value is not None:
            frequencies[ours] = value
    grid, end = params.take("grid", "grid_size", "feat_shape"), params.take("end")
    rows = grid or (params.take("height", "len_h", default=end),
                    params.take("width", "len_w", default=end))
    asked = dict(frequencies, pairing=pairing_of(case, "adjacent"))
    ids = case.inputs.take("ids", "position_ids")
    asked.update({"ids": ids} if ids is not None else {"grid_sizes": list(rows)})
    finish(case)
    return tables(case.outputs, "rope-axes", asked, frequencies, dim)
