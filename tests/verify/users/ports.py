# SPDX-License-Identifier: Apache-2.0
"""ports.py - mistakes of ports of tables that are no rotary ones, and second examples of those that
are found in bug reports."""

import numpy as np

import pictures as p
import rope
from case import Case, MISTAKE, RIGHT, case
from classics import vaswani

F = np.float32
KIND = "ports"


@case(KIND, "conformer", "xlnet")
def signs_of_distances_lost(draw, order):
    """Rows of negative distances are those of positive ones: speechbrain#3070."""
    n, dim = draw.integer(6, 14), draw.choice([32, 64, 128])
    words = ["encoding=transformer-xl", "len=%d" % n, "dim=%d" % dim, "distance_order=" + order]
    if order == "conformer":
        table = vaswani(abs(np.arange(n - 1, -n, -1)), dim)
    else:
        table = vaswani(abs(np.arange(n, -n, -1)), dim, "concat")[:, None]
    return Case({"table": table}, words, MISTAKE, [r"sign|negative|absolute|\|"], form="npz")


@case(KIND, "left-over", "shifted", "rows-first")
def table_cut_in_place_of_resized(draw, way):
    """The part of a table of patches is taken that fits: hipfire#324."""
    old, (h, w), dim = draw.choice([8, 10, 12]), draw.choice([(6, 5), (4, 7), (5, 5)]), 6
    table = draw.normal(old * old, dim)
    square = table.reshape(old, old, dim)
    made = {"left-over": square[:h, :w].reshape(h * w, dim),
            "shifted": square[(old - h) // 2:(old - h) // 2 + h,
                              (old - w) // 2:(old - w) // 2 + w].reshape(h * w, dim),
            "rows-first": table[:h * w]}[way]
    return Case({"table": table, "rows": made.copy()},
                ["encoding=resize-table-2d", "interpolation=%s" % draw.choice(
                    ["linear", "bicubic"]), "new_grid=%dx%d" % (h, w)], MISTAKE,
                [r"slice|top|part|cut|crop|middle|not (resized|interpolated)|nothing|first"])


@case(KIND)
def table_cut_in_one_axis(draw):
    n, old = draw.integer(5, 9), draw.integer(12, 20)
    table = draw.normal(old, 6)
    return Case({"table": table, "rows": table[:n].copy()},
                ["encoding=resize-table-1d", "interpolation=linear", "new_len=%d" % n], MISTAKE,
                [r"slice|first|part|cut|crop|not (resized|interpolated)|nothing"])


@case(KIND)
def centres_of_patches_in_an_axial_table(draw):
    """Positions i + 0.5, where corners are meant."""
    h, w = draw.choice([(4, 6), (6, 8), (5, 9)])
    cos, sin = p.axial((h, w), 64, centre=0.5)
    return Case(draw.tables(cos, sin, True),
                ["encoding=rope2d-axial", "grid=%dx%d" % (h, w), "dim=64"], MISTAKE,
                [r"cent|offset|shift|0\.5"], [0.5])


@case(KIND)
def columns_never_written(draw):
    """The buffer is wider than what was written: the last pairs are zeros."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(32), 1.0, lambda a: a)
    first = draw.integer(20, 50)
    cos[:, first:], sin[:, first:] = 0, 0
    if draw.coin():
        cos, sin = rope.half(cos), rope.half(sin)
    return Case(draw.tables(cos, sin, True), model.claim() + ["pos=0:32"], MISTAKE,
                [r"column|pair", r"zero|0|never"], [first])


@case(KIND)
def wrapped_in_uint8(draw):
    first = draw.integer(210, 240)
    meant = np.arange(first, first + 64)
    cos, sin = rope.tables(rope.PLAIN[1].w(), meant % 256, 1.0, rope.half)
    return Case(draw.tables(cos, sin), ["encoding=rope", "model=llama-3-8b", rope.pos(meant)],
                MISTAKE, [r"row|position", r"wrap|uint8|overflow|modul|restart|0:|begin"], [256])


@case(KIND)
def partial_factor_beside_rotary_dim_of_vectors(draw):
    """GLM: partial_rotary_factor of 0.5, half of it turned."""
    dim, n = 128, 24
    cos, sin = rope.tables(rope.inv_freq(32, 1e4), np.arange(n), 1.0, rope.half)
    q = draw.normal(n, dim)
    return Case(draw.vectors(q, rope.turn_partial(q, cos, sin)),
                ["encoding=rope/apply", "dim=128", "partial_rotary_factor=0.5", "base=10000",
                 "pos=0:%d" % n], MISTAKE, [r"partial_rotary_factor|rotary_dim"], [0.25, 0.5])


@case(KIND, "bf16", "f16")
def tables_rounded_before_vectors_of_llama3(draw, way):
    import precision
    model, n = draw.choice(rope.LLAMA3), 32
    cos, sin = (precision.WAYS[way](x) for x in rope.tables(model.w(), np.arange(n), 1.0,
                                                            rope.half))
    k = draw.normal(1, 2, n, model.dim)
    axis = ["seq_axis=2"] if draw.is_plain else []
    return Case(draw.vectors(k, rope.turn_half(k, cos, sin)),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:%d" % n, *axis], MISTAKE,
                [r"cos|table", precision.SAID[way]])


@case(KIND, "vectors", "sinusoids", "scaled")
def three_mistakes(draw, way):
    """Each of three is in every element."""
    n = 48
    if way == "vectors":
        base, model = draw.choice([1e4, 1e6]), rope.PLAIN[1]
        cos, sin = rope.tables(rope.inv_freq(128, base), np.arange(n) + 2, 1.0, lambda a: a)
        q = draw.normal(n, 128)
        return Case(draw.vectors(q, rope.turn_adjacent(q, cos, sin)),
                    ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:48", "pairing=half"],
                    MISTAKE, [r"base|theta", r"position|offset|pos\b", r"pairing|adjacent"], [base])
    if way == "sinusoids":
        dim = draw.choice([64, 128])
        rows = vaswani(np.arange(n) + 1, dim, "cs", True)
        return Case({"rows": rows}, ["encoding=sinusoidal", "dim=%d" % dim, "pos=0:48"], MISTAKE,
                    [r"ladder|m - 1|closed|whisper|tensor2tensor", r"layout|cos", r"position|pos\b"])
    w = rope.inv_freq(128, 1e4) / F(draw.choice([2, 4]))
    cos, sin = rope.tables(w, np.arange(n) + 1, 1.0, lambda a: a)
    return Case(draw.tables(sin, cos, True), ["encoding=rope", "dim=128", "base=10000",
                                              "pos=0:48"], MISTAKE,
                [r"scal|factor|linear", r"position|offset|pos\b", r"swap|exchang|stand"])


@case(KIND)
def truth_in_text(draw):
    """Text has no dtype: ones and zeros are truth values."""
    n = draw.integer(6, 20)
    return Case({"arr_0": np.tril(np.ones((n, n), F))}, ["encoding=causal-mask"], RIGHT, form="csv")


@case(KIND)
def float_truth_without_a_name(draw):
    """float32 of 1 and 0 in one array: SDPA adds what is no bool, and hides nothing."""
    n = draw.integer(6, 20)
    return Case({"arr_0": np.tril(np.ones((n, n), F))}, ["encoding=causal-mask", "len=%d" % n],
                MISTAKE, [r"truth|bool|0 and 1|added"], form="npy")
