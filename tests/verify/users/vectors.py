# SPDX-License-Identifier: Apache-2.0
"""vectors.py - queries and keys before and after a rotation that went wrong."""

import numpy as np

import rope
from case import Case, MISTAKE, TOLD, case

F = np.float32
KIND = "vectors"


def turned(draw, how, say, numbers=(), rows=24, only_q=False, more=(), model=None):
    """Vectors by how(x, cos, sin, model); tables of two equal halves."""
    model = model or draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(rows), model.attention, rope.half)
    lead = draw.choice([(), (1,), (1, 2)])
    shape = (*lead, rows, model.dim)
    q, k = draw.normal(*shape), draw.normal(*shape)
    parts = [q, how(q, cos, sin, model).astype(F), k, how(k, cos, sin, model).astype(F)]
    axis = ["seq_axis=%d" % len(lead)] if lead and draw.is_plain else []
    return Case(draw.vectors(*(parts[:2] if only_q else parts)),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:%d" % rows, *axis, *more],
                MISTAKE, say, numbers)


@case(KIND)
def rotate_half_without_its_minus(draw):
    def how(x, cos, sin, _):
        h = x.shape[-1] // 2
        return x * cos + np.concatenate([x[..., h:], x[..., :h]], -1) * sin
    return turned(draw, how, [r"minus|sign|rotate_half|negat"])


@case(KIND)
def rotate_half_with_its_minus_on_the_other_side(draw):
    def how(x, cos, sin, _):
        h = x.shape[-1] // 2
        return x * cos + np.concatenate([x[..., h:], -x[..., :h]], -1) * sin
    return turned(draw, how, [r"backward|sign|inverse|minus"])


@case(KIND)
def turned_backwards(draw):
    return turned(draw, lambda x, c, s, _: rope.turn_half(x, c, -s), [r"backward|sign|inverse"])


@case(KIND)
def turned_twice(draw):
    return turned(draw, lambda x, c, s, _: rope.turn_half(rope.turn_half(x, c, s), c, s),
                  [r"twice"])


@case(KIND)
def not_turned(draw):
    return turned(draw, lambda x, c, s, _: x, [r"not (turned|rotated)|unrotated|before"])


@case(KIND)
def only_the_queries_turned(draw):
    case_ = turned(draw, lambda x, c, s, _: rope.turn_half(x, c, s), [r"key|k_|\bk\b|xk",
                                                                      r"not (turned|rotated)"])
    before, after = list(case_.tensors)[2:]
    case_.tensors[after] = case_.tensors[before]
    return case_


@case(KIND)
def turned_along_the_heads(draw):
    """Positions run over axis 1 of [B, H, T, D]: the head's number is taken for the position."""
    model = draw.choice(rope.PLAIN[:5])
    heads, rows = 8, 12
    cos, sin = rope.tables(model.w(), np.arange(heads), 1.0, rope.half)
    q = draw.normal(1, heads, rows, model.dim)
    out = rope.turn_half(q, cos[:, None], sin[:, None])
    return Case(draw.vectors(q, out), ["encoding=rope/apply"] + model.claim()[1:] +
                ["pos=0:%d" % rows, "seq_axis=2"], MISTAKE, [r"head|axis|axes"])


@case(KIND)
def halves_and_then_adjacent_pairs(draw):
    """Turned by two libraries: TensorRT-LLM#16378."""
    def how(x, c, s, m):
        half = m.dim // 2
        return rope.turn_adjacent(rope.turn_half(x, c, s), c[..., :half], s[..., :half])
    return turned(draw, how, [r"twice|both|once more|and", r"half|halves", r"adjacent"])


@case(KIND)
def sin_and_cos_exchanged(draw):
    return turned(draw, lambda x, c, s, _: rope.turn_half(x, s, c), [r"cos", r"sin"])


@case(KIND)
def attention_factor_twice(draw):
    model = rope.yarn_model(draw.choice([4, 8]), 32768)
    factor = model.attention
    return turned(draw, lambda x, c, s, _: rope.turn_half(x, c, s) * F(factor),
                  [r"attention.?factor|mscale|magnitude|twice"], [], model=model)


@case(KIND)
def attention_factor_left_out(draw):
    model = rope.yarn_model(draw.choice([4, 8]), 32768)
    factor = F(model.attention)
    return turned(draw, lambda x, c, s, _: rope.turn_half(x, c / factor, s / factor),
                  [r"attention.?factor|mscale|magnitude"], [model.attention], model=model)


@case(KIND)
def first_half_written_in_place(draw):
    """x1 = x1 cos - x2 sin; x2 = x2 cos + x1 sin: x1 is read after it was written."""
    def how(x, c, s, m):
        h = m.dim // 2
        a, b = x[..., :h], x[..., h:]
        a2 = a * c[..., :h] - b * s[..., :h]
        return np.concatenate([a2, b * c[..., :h] + a2 * s[..., :h]], -1)
    return turned(draw, how, [r"in place|overwrit|written|already|after"])


@case(KIND)
def reversed_turn_of_nanochat_is_a_convention(draw):
    """y1 = x1 cos + x2 sin, y2 = -x1 sin + x2 cos: a turn by minus the angle, which q.k does not
    see; it is told as such."""
    def how(x, c, s, m):
        h = m.dim // 2
        a, b = x[..., :h], x[..., h:]
        return np.concatenate([a * c[..., :h] + b * s[..., :h],
                               b * c[..., :h] - a * s[..., :h]], -1)
    made = turned(draw, how, [r"convention|nanochat"])
    made.want = TOLD
    return made


@case(KIND)
def base_of_vectors(draw):
    base = draw.choice([1e4, 1e6])
    model = rope.PLAIN[1]

    def how(x, c, s, m):
        cos, sin = rope.tables(rope.inv_freq(m.dim, base), np.arange(24), 1.0, rope.half)
        return rope.turn_half(x, cos, sin)
    return turned(draw, how, [r"base|theta"], [base], model=model)


@case(KIND)
def heads_last_read_as_heads_first(draw):
    """[B, T, H, D] reshaped, not transposed, to [B, H, T, D]."""
    model = draw.choice(rope.PLAIN[:5])
    heads, rows = 4, 12
    q = draw.normal(1, rows, heads, model.dim)
    cos, sin = rope.tables(model.w(), np.arange(rows), 1.0, rope.half)
    wrong = rope.turn_half(q.reshape(1, heads, rows, model.dim), cos, sin).reshape(q.shape)
    return Case(draw.vectors(q, wrong), ["encoding=rope/apply"] + model.claim()[1:] +
                ["pos=0:12", "seq_axis=1"], MISTAKE, [r"axis|axes|reshape|order|head"])
