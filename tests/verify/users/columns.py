# SPDX-License-Identifier: Apache-2.0
"""columns.py - the right frequencies in the wrong columns, and wrong ones in some columns."""

import numpy as np

import rope
from case import Case, MISTAKE, TOLD, case

F = np.float32
KIND = "columns"


def apply_words(model, n):
    return ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:%d" % n]


def turned(x, angle, first, partner):
    """Column first[i] turns with column partner[i] by the angles of pair i."""
    out = x.copy()
    cos, sin = np.cos(angle), np.sin(angle)
    a, b = x[..., first], x[..., partner]
    out[..., first], out[..., partner] = a * cos - b * sin, a * sin + b * cos
    return out.astype(F)


@case(KIND)
def partner_half_a_head_apart(draw):
    """A partial head whose pairs are (i, i + dim/2): pie#602."""
    model = draw.choice([m for m in rope.PARTIAL])
    pairs, n = model.rotary // 2, 24
    a = rope.angles(model.w(), np.arange(n))
    q = draw.normal(n, model.dim)
    out = turned(q, a, np.arange(pairs), np.arange(pairs) + model.dim // 2)
    return Case(draw.vectors(q, out), apply_words(model, n), MISTAKE,
                [r"partner|pair|i ?\+ ?%d" % (model.dim // 2)], [model.dim // 2, pairs])


@case(KIND)
def contiguous_pairs_of_a_proportional_head(draw):
    """Gemma 4's proportional rope: pairs reach over the whole head (apple/coreai-models#66)."""
    dim, turn = draw.choice([128, 256]), 0.25
    pairs, n = int(dim * turn) // 2, 24
    w = (F(1) / F(1e6) ** (np.arange(0, 2 * pairs, 2).astype(F) / F(dim))).astype(F)
    q = draw.normal(n, dim)
    out = turned(q, rope.angles(w, np.arange(n)), np.arange(pairs), np.arange(pairs) + pairs)
    return Case(draw.vectors(q, out),
                ["encoding=rope/apply", "dim=%d" % dim, "base=1000000", "scaling=proportional",
                 "partial_rotary_factor=0.25", "pos=0:%d" % n], MISTAKE,
                [r"partner|pair|i ?\+ ?%d" % pairs], [pairs, dim // 2])


@case(KIND)
def last_columns_turn(draw):
    """The wrong part of a partial head turns: its end in place of its beginning."""
    model = draw.choice(rope.PARTIAL)
    n, r = 24, model.rotary
    cos, sin = rope.tables(model.w(), np.arange(n), 1.0, rope.half)
    q = draw.normal(n, model.dim)
    out = np.concatenate([q[:, :-r], rope.turn_half(q[:, -r:], cos, sin)], -1)
    return Case(draw.vectors(q, out), apply_words(model, n), MISTAKE,
                [r"last|end|column|offset|part"], [model.dim - r])


@case(KIND)
def first_columns_turn_where_last_are_meant(draw):
    """DeepSeek's layout: the last 64 of 192 columns turn; the first were taken."""
    n, r, dim = 24, 64, 192
    cos, sin = rope.tables(rope.inv_freq(r, 1e4), np.arange(n), 1.0, rope.half)
    q = draw.normal(n, dim)
    out = np.concatenate([rope.turn_half(q[:, :r], cos, sin), q[:, r:]], -1)
    return Case(draw.vectors(q, out),
                ["encoding=rope/apply", "dim=192", "rotary_dim=64", "offset_dims=128",
                 "pos=0:%d" % n], MISTAKE, [r"first|offset|column|part"], [0, 128])


@case(KIND, "cos-sin", "inv-freq", "vectors")
def partial_factor_ignored(draw, form):
    """partial_rotary_factor read as 1: the whole head turns (vllm#43770)."""
    dim, base = draw.choice([64, 128]), draw.choice([1e4, 6e5])
    factor = draw.choice([0.5, 0.25])
    words = ["dim=%d" % dim, "partial_rotary_factor=%g" % factor, "base=%g" % base]
    w, n = rope.inv_freq(dim, base), 48
    say = [r"partial_rotary_factor|rotary_dim|turned width|whole head"]
    if form == "inv-freq":
        return Case(draw.named("frequencies", w), ["encoding=rope"] + words, MISTAKE, say, [dim])
    if form == "vectors":
        cos, sin = rope.tables(w, np.arange(n), 1.0, rope.half)
        q = draw.normal(n, dim)
        return Case(draw.vectors(q, rope.turn_half(q, cos, sin)),
                    ["encoding=rope/apply"] + words + ["pos=0:%d" % n], MISTAKE, say)
    cos, sin = rope.tables(w, np.arange(n), 1.0, lambda a: a)
    return Case(draw.tables(cos, sin, True), ["encoding=rope"] + words + ["pos=0:%d" % n],
                MISTAKE, say)


@case(KIND)
def exponents_by_the_whole_head(draw):
    """arange(0, r, 2) / head_dim, where r / rotary_dim is meant."""
    model = draw.choice(rope.PARTIAL)
    w = (F(1) / F(model.base) ** (np.arange(0, model.rotary, 2).astype(F) / F(model.dim)))
    cos, sin = rope.tables(w.astype(F), np.arange(48), 1.0, rope.half)
    return Case(draw.tables(cos, sin), rope.said(draw, model, np.arange(48)), MISTAKE,
                [r"expon"], [model.dim, model.rotary])


@case(KIND)
def exponents_by_the_model_width(draw):
    dim, wide = 64, draw.choice([768, 1024])
    w = (F(1) / F(1e4) ** (np.arange(0, dim, 2).astype(F) / F(wide))).astype(F)
    return Case(draw.named("frequencies", w), ["encoding=rope", "dim=64"], MISTAKE, [r"expon"],
                [wide, dim])


@case(KIND, "vectors", "tables")
def other_pairing(draw, form):
    """Adjacent pairs where halves are meant, and the other way round."""
    model, n = draw.choice(rope.PLAIN[:5]), 24
    meant = draw.choice(["half", "adjacent"])
    made = {"half": "adjacent", "adjacent": "half"}[meant]
    if form == "tables":
        cos, sin = rope.tables(model.w(), np.arange(n), 1.0,
                               rope.half if made == "half" else rope.adjacent)
        return Case(draw.tables(cos, sin, True),
                    model.claim() + ["width=full", "pairing=" + meant, "pos=0:%d" % n], MISTAKE,
                    [r"pairing|tile|repeat|column", made])
    q, k = draw.normal(1, 2, n, model.dim), draw.normal(1, 2, n, model.dim)
    cos, sin = rope.tables(model.w(), np.arange(n), 1.0,
                           rope.half if made == "half" else lambda a: a)
    turn = rope.turn_half if made == "half" else rope.turn_adjacent
    return Case(draw.vectors(q, turn(q, cos, sin), k, turn(k, cos, sin)),
                apply_words(model, n) + ["pairing=" + meant, "seq_axis=2"], MISTAKE,
                [r"pairing", made])


@case(KIND)
def tables_of_the_other_pairing(draw):
    """Half-tiled tables met by rotate_every_two."""
    model, n = draw.choice(rope.PLAIN[:5]), 24
    cos, sin = rope.tables(model.w(), np.arange(n), 1.0, rope.half)
    q = draw.normal(n, model.dim)
    swapped = np.stack([-q[:, 1::2], q[:, 0::2]], -1).reshape(q.shape)
    return Case(draw.vectors(q, (q * cos + swapped * sin).astype(F)),
                apply_words(model, n) + ["pairing=adjacent"], MISTAKE, [r"til|pairing"])


@case(KIND)
def output_left_in_halves(draw):
    """cat((a', b')) in place of interleaving: reads adjacent pairs and writes halves."""
    model, n = draw.choice(rope.PLAIN[:5]), 24
    a = rope.angles(model.w(), np.arange(n))
    q = draw.normal(n, model.dim)
    x, y = q[:, 0::2], q[:, 1::2]
    out = np.concatenate([x * np.cos(a) - y * np.sin(a), x * np.sin(a) + y * np.cos(a)], -1)
    return Case(draw.vectors(q, out.astype(F)), apply_words(model, n) + ["pairing=adjacent"],
                MISTAKE, [r"halves|half|order|column"])


@case(KIND)
def pairs_in_reverse(draw):
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w()[::-1], np.arange(48), 1.0, rope.half)
    return Case(draw.tables(cos, sin), rope.said(draw, model, np.arange(48)), MISTAKE,
                [r"revers|slowest|order"])


@case(KIND)
def some_pairs_are_not_scaled(draw):
    """A ramp that stops too early: the last pairs keep another divisor."""
    model, n = rope.LLAMA3[0], 64
    w = model.w().copy()
    first = draw.integer(48, 58)
    w[first:] = rope.inv_freq(128, 5e5)[first:]
    cos, sin = rope.tables(w, np.arange(0, n * 64, 64), 1.0, lambda a: a)
    return Case(draw.tables(cos, sin, True), model.claim() + ["pos=0:%d:64" % (n * 64)], MISTAKE,
                [r"pair|column|scal"], [first])


@case(KIND)
def a_column_is_zero(draw):
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(32), 1.0, lambda a: a)
    at = draw.integer(3, 20)
    cos[:, at], sin[:, at] = 0, 0
    return Case(draw.tables(cos, sin, True), model.claim() + ["pos=0:32"], MISTAKE,
                [r"column|pair", r"zero|0|never"], [at])


@case(KIND)
def not_a_number_in_one_place(draw):
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(32), 1.0, lambda a: a)
    row, column = draw.integer(3, 30), draw.integer(3, 30)
    cos[row, column] = np.nan
    return Case(draw.tables(cos, sin, True), model.claim() + ["pos=0:32"], TOLD,
                [r"nan", r"\[%d, ?%d\]" % (row, column)])
