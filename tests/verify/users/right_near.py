# SPDX-License-Identifier: Apache-2.0
"""right_near.py - right numbers with the arithmetic of printing, of fast kernels and of caches."""

import numpy as np

import rope
from case import Case, NEAR, RIGHT, case

F = np.float32
KIND = "right-near"


def drawn(draw, widen=rope.half, models=rope.PLAIN[:5] + rope.LLAMA3):
    model, positions = draw.choice(models), np.arange(draw.choice([32, 64]))
    cos, sin = rope.tables(model.w(), positions, model.attention, widen)
    return model, positions, cos, sin


def noisy(draw, size, want, more=()):
    """Tables whose elements are off by at most `size`; more: what is claimed besides the model."""
    model, positions, cos, sin = drawn(draw)
    cos, sin = (x + size * draw.random.uniform(-1, 1, x.shape).astype(F) for x in (cos, sin))
    return Case(draw.tables(cos.astype(F), sin.astype(F), True),
                rope.said(draw, model, positions) + list(more), want)


@case(KIND, "6", "5", "4", "8")
def printed_in_decimals(draw, digits):
    model, positions, cos, sin = drawn(draw)
    cos, sin = (np.round(x.astype(np.float64), int(digits)).astype(F) for x in (cos, sin))
    return Case(draw.tables(cos, sin, True), rope.said(draw, model, positions), RIGHT)


@case(KIND, "2e-7", "5e-7", "1e-6")
def fast_sine_of_float32(draw, size):
    return noisy(draw, float(size), NEAR)


@case(KIND)
def fast_sine_with_a_tolerance(draw):
    return noisy(draw, 1e-6, RIGHT, ["atol=1e-5"])


@case(KIND)
def noise_with_a_tolerance(draw):
    """Within 1e-4 of the truth, by no arithmetic that is known."""
    return noisy(draw, 1e-4, RIGHT, ["atol=2e-4"])


@case(KIND)
def noise_without_a_tolerance(draw):
    return noisy(draw, 1e-4, NEAR)


@case(KIND)
def half_tiled_tables_of_deepseek(draw):
    """DeepSeek-V3 in transformers: cos, sin of 64 columns as two equal halves, before vectors are
    reordered from adjacent pairs."""
    model = rope.DEEPSEEK
    positions = np.arange(draw.choice([32, 64]))
    cos, sin = rope.tables(model.w(), positions, 1.0, rope.half)
    return Case(draw.tables(cos, sin, True), draw.choice([
        ["encoding=rope", "model=deepseek-v3", rope.pos(positions), "width=full"],
        ["model=deepseek-v3"] if not draw.is_plain else ["model=deepseek-v3", rope.pos(positions)],
        ["encoding=rope", "model=deepseek-v3", rope.pos(positions)]]), RIGHT)


@case(KIND)
def half_width_of_llama3_scaling(draw):
    model = draw.choice(rope.LLAMA3)
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, lambda a: a)
    return Case(draw.tables(cos, sin, True), ["model=" + model.name] +
                (["pos=0:64"] if draw.is_plain else []), RIGHT)


@case(KIND, "exp", "pow", "div", "float64", "bf16-cast")
def other_roads_to_the_frequencies(draw, road):
    """exp(-ln(base) * i / half), base ** -x, powers by repeated division, all in float64 and cast
    at the end, tables cast to bfloat16 and back."""
    dim, base = 128, draw.choice([1e4, 5e5, 1e6])
    i = np.arange(0, dim, 2)
    if road == "exp":
        w = np.exp((i.astype(F) * F(-np.log(base) / dim)).astype(F))
    elif road == "pow":
        w = F(base) ** (-(i.astype(F)) / F(dim))
    elif road == "div":
        w = np.cumprod(np.concatenate([[F(1)], np.full(dim // 2 - 1, F(base ** (-2 / dim)))]),
                       dtype=F)
    else:
        w = base ** (-i / dim)
    a = np.arange(64).astype(w.dtype)[:, None] * w[None]
    cos, sin = np.cos(a).astype(F), np.sin(a).astype(F)
    if road == "bf16-cast":
        from support.tensor_file import bf16, widened
        cos, sin = widened(bf16(cos)), widened(bf16(sin))
    return Case(draw.tables(cos, sin, True),
                ["encoding=rope", "dim=128", "base=%g" % base, "pos=0:64"], RIGHT)


@case(KIND)
def far_positions_in_float32(draw):
    """float32 angles at position 100,000 are off by 4e-3, as every framework's are."""
    model = draw.choice(rope.PLAIN[1:5])
    first = draw.choice([30000, 100000, 130000])
    cos, sin = rope.tables(model.w(), np.arange(first, first + 32), 1.0, rope.half)
    return Case(draw.tables(cos, sin, True), rope.said(draw, model, np.arange(first, first + 32)),
                RIGHT)


@case(KIND)
def vectors_in_float16(draw):
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(24), 1.0, rope.half)
    q = draw.normal(1, 2, 24, model.dim)
    return Case(draw.vectors(q.astype(np.float16), rope.turn_half(
        q.astype(np.float16).astype(F), cos, sin).astype(np.float16)),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:24"] +
                (["seq_axis=2"] if draw.is_plain else []), RIGHT)


@case(KIND, "minus-inf", "finfo-min", "minus-1e9", "minus-10000")
def values_of_masked_keys(draw, name):
    """-inf, torch.finfo(float32).min, -1e9, -10000: none is in the claim."""
    value = {"minus-inf": -np.inf, "finfo-min": np.finfo(F).min, "minus-1e9": -1e9,
             "minus-10000": -10000.0}[name]
    n = draw.integer(6, 40)
    mask = np.where(np.tril(np.ones((n, n), bool)), F(0), F(value)).astype(F)
    return Case(draw.named("mask", draw.choice([mask, mask[None, None]])),
                ["encoding=causal-mask"] + (["len=%d" % n] if draw.is_plain or draw.coin() else []),
                RIGHT)


@case(KIND, "alibi", "window")
def minus_inf_in_biases(draw, name):
    n = draw.integer(8, 24)
    i, j = np.indices((n, n))
    if name == "window":
        window = draw.integer(2, 6)
        mask = np.where((j <= i) & (i - j < window), F(0), F(-np.inf))
        return Case(draw.named("mask", mask[None, None]),
                    ["encoding=sliding-window-mask", "window=%d" % window, "len=%d" % n], RIGHT)
    slopes = F(2) ** (-np.arange(1, 9, dtype=F))
    bias = np.where(j <= i, slopes[:, None, None] * (j - i).astype(F), F(-np.inf)).astype(F)
    return Case(draw.named("bias", bias),
                ["encoding=alibi", "heads=8", "len=%d" % n, "causal=1"], RIGHT)
