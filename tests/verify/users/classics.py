# SPDX-License-Identifier: Apache-2.0
"""classics.py - the mistakes of a first port: base, signs, logarithms, order, degrees; and two or
three of them at once."""

import math

import numpy as np

import rope
from case import Case, MISTAKE, NOTHING, case

F = np.float32
KIND = "classics"


def drawn(draw, w=None, change=lambda a: a, rows=(32, 48), models=rope.PLAIN):
    """A model and its tables, of other frequencies or angles where given: (words, cos, sin)."""
    model = draw.choice(models)
    positions = rope.span(draw, rows)
    a = change(rope.angles(w(model) if w else model.w(), positions))
    a = draw.choice([rope.half, lambda x: x])(a)
    words = draw.choice([["encoding=rope", "model=" + model.name], model.claim()])
    return words + [rope.pos(positions)], np.cos(a).astype(F), np.sin(a).astype(F), model


def tables(draw, say, numbers=(), **options):
    words, cos, sin, _ = drawn(draw, **options)
    return Case(draw.tables(cos, sin), words, MISTAKE, say, numbers)


@case(KIND, "default", "million", "wild")
def base_of_another_model(draw, way):
    base = {"default": 1e4, "million": 1e6, "wild": draw.choice([150000, 8e6, 42000, 2.5e5])}[way]
    models = [m for m in rope.PLAIN if m.base != base]
    return tables(draw, [r"base|theta"], [base], w=lambda m: rope.inv_freq(m.dim, base),
                  models=models)


@case(KIND)
def base_of_inv_freq(draw):
    base = draw.choice([1e4, 1e6])
    return Case(draw.named("frequencies", rope.inv_freq(128, base)),
                ["encoding=rope", "model=llama-3-8b"], MISTAKE, [r"base|theta"], [base, 5e5])


@case(KIND)
def sines_and_cosines_exchanged(draw):
    words, cos, sin, _ = drawn(draw)
    return Case(draw.tables(sin, cos), words, MISTAKE, [r"cos", r"sin", r"swap|exchang|stand|for"])


@case(KIND)
def degrees(draw):
    return tables(draw, [r"degree|radian"], change=lambda a: a * F(math.pi / 180))


@case(KIND)
def sines_negated(draw):
    words, cos, sin, _ = drawn(draw)
    return Case(draw.tables(cos, -sin), words, MISTAKE, [r"sign|negat|minus|backward|inverse"])


@case(KIND)
def logarithm_of_base_two(draw):
    """exp(-log2(base) i / d)."""
    return tables(draw, [r"log|base"], w=lambda m: np.exp(
        -math.log2(m.base) * np.arange(0, m.dim, 2) / m.dim).astype(F))


@case(KIND)
def logarithm_of_base_ten(draw):
    return tables(draw, [r"log|base"], w=lambda m: np.exp(
        -math.log10(m.base) * np.arange(0, m.dim, 2) / m.dim).astype(F))


@case(KIND)
def doubled_exponents(draw):
    """2 * arange(0, d, 2) / d: the factor 2 stands twice."""
    return tables(draw, [r"expon|base"], w=lambda m: (
        F(1) / F(m.base) ** (2 * np.arange(0, m.dim, 2).astype(F) / F(m.dim))).astype(F))


@case(KIND)
def halved_exponents(draw):
    """arange(d / 2) / d."""
    return tables(draw, [r"expon|base"], w=lambda m: (
        F(1) / F(m.base) ** (np.arange(m.dim // 2).astype(F) / F(m.dim))).astype(F))


@case(KIND)
def exponents_from_one(draw):
    return tables(draw, [r"expon", r"index|from|one|offset|1"], w=lambda m: (
        F(1) / F(m.base) ** (np.arange(2, m.dim + 2, 2).astype(F) / F(m.dim))).astype(F))


@case(KIND)
def closed_ladder(draw):
    """linspace(0, 1, d/2) with both ends."""
    return tables(draw, [r"ladder|clos|d/2 ?- ?1|last"], w=lambda m: (
        F(1) / F(m.base) ** np.linspace(0, 1, m.dim // 2).astype(F)).astype(F))


@case(KIND)
def frequencies_not_inverted(draw):
    """base ** (+2i/d): the reciprocal was forgotten."""
    return Case(draw.named("frequencies", (F(1e4) ** (np.arange(0, 64, 2).astype(F) / F(64)))),
                ["encoding=rope", "dim=64"], MISTAKE, [r"invert|reciproc|inverse|1 ?/|divid|base"])


@case(KIND)
def cosine_of_other_frequencies(draw):
    """arange(1, d, 2) for the cosines: sinusoids by a loop over columns."""
    n, dim = 32, 64
    i = np.arange(dim)
    a = np.arange(n)[:, None] / 1e4 ** (i / dim)
    rows = np.where(i % 2 == 0, np.sin(a), np.cos(a)).astype(F)
    return Case(draw.named("rows", rows), ["encoding=sinusoidal", "dim=64", "pos=0:32"], MISTAKE,
                [r"cosine|cos"])


def vaswani(positions, dim, layout="interleaved", closed=False):
    half = dim // 2
    w = np.exp(np.arange(half).astype(F) * F(-math.log(1e4) / (half - closed)))
    a = np.asarray(positions, F)[:, None] * w
    parts = np.sin(a), np.cos(a)
    if layout == "interleaved":
        return np.stack(parts, -1).reshape(len(a), dim).astype(F)
    return np.concatenate(parts[::-1] if layout == "cs" else parts, -1).astype(F)


@case(KIND)
def vaswani_for_whisper(draw):
    dim, n = draw.choice([64, 128]), draw.choice([50, 100])
    return Case(draw.named("rows", vaswani(np.arange(n), dim)),
                ["encoding=sinusoidal", "preset=whisper", "dim=%d" % dim, "pos=0:%d" % n], MISTAKE,
                [r"vaswani|interleaved", r"vaswani|geometric-open|open"])


@case(KIND)
def tensor2tensor_for_vaswani(draw):
    dim = draw.choice([64, 128])
    return Case(draw.named("rows", vaswani(np.arange(40), dim, "concat", True)),
                ["encoding=sinusoidal", "dim=%d" % dim, "pos=0:40"], MISTAKE,
                [r"tensor2tensor|whisper|concat", r"tensor2tensor|whisper|closed"])


@case(KIND)
def sinusoids_in_two_halves(draw):
    return Case(draw.named("rows", vaswani(np.arange(40), 64, "concat")),
                ["encoding=sinusoidal", "dim=64", "pos=0:40"], MISTAKE, [r"concat|half|halves"])


@case(KIND)
def sinusoids_cosine_first(draw):
    return Case(draw.named("rows", vaswani(np.arange(40), 64, "cs")),
                ["encoding=timestep-embedding", "dim=64", "pos=0:40", "downscale_freq_shift=0"],
                MISTAKE,
                [r"flip_sin_to_cos|cos"])


@case(KIND)
def timesteps_divided_by_1000(draw):
    steps = [1, 20, 250, 500, 999]
    return Case(draw.named("rows", vaswani(np.array(steps) / 1000, 64, "cs")),
                ["encoding=timestep-embedding", "preset=dit", "dim=64", "pos=1,20,250,500,999"],
                MISTAKE, [r"1000|0\.001|time|scale"])


@case(KIND)
def timesteps_not_multiplied_by_1000(draw):
    """Flux multiplies its times in 0..1 by 1000."""
    t = [0.1, 0.25, 0.5, 1.0]
    return Case(draw.named("rows", vaswani(t, 64, "cs")),
                ["encoding=timestep-embedding", "preset=flux", "dim=64", "pos=0.1,0.25,0.5,1"],
                MISTAKE, [r"time_factor|factor|scale"], [1000])


@case(KIND, "base-offset", "pairing-sign", "yarn-offset")
def two_mistakes(draw, way):
    n = 48
    if way == "base-offset":
        cos, sin = rope.tables(rope.inv_freq(128, 1e4), np.arange(n) + 1, 1.0, rope.half)
        return Case(draw.tables(cos, sin, True), ["encoding=rope", "model=llama-3-8b", "pos=0:48"],
                    MISTAKE, [r"base|theta", r"position|offset|pos\b"], [1e4])
    if way == "yarn-offset":
        model = rope.yarn_model(4, 32768)
        cos, sin = rope.tables(model.w(), np.arange(n) + 1, 1.0, rope.half)
        return Case(draw.tables(cos, sin, True), model.claim() + ["pos=0:48"], MISTAKE,
                    [r"attention.?factor|mscale", r"position|offset|pos\b"], [rope.mscale(4)])
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(n), 1.0, lambda a: a)
    q = draw.normal(n, model.dim)
    return Case(draw.vectors(q, rope.turn_adjacent(q, cos, -sin)),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:48", "pairing=half"], MISTAKE,
                [r"pairing", r"sign|backward|inverse|minus"])


@case(KIND)
def three_mistakes(draw):
    """Base, an offset, and sines where cosines belong: each alone is in every element."""
    base = draw.choice([1e4, 1e6])
    cos, sin = rope.tables(rope.inv_freq(128, base), np.arange(48) + 1, 1.0, lambda a: a)
    return Case(draw.tables(sin, cos, True), ["encoding=rope", "model=llama-3-8b", "pos=0:48"],
                MISTAKE, [r"base|theta", r"position|offset|pos\b", r"swap|exchang|stand"], [base])


@case(KIND)
def nothing_that_anyone_knows(draw):
    """Random numbers are no mistake with a name: an accusation would be a guess."""
    cos, sin = (np.clip(draw.normal(48, 64), -1, 1) for _ in range(2))
    return Case(draw.tables(cos, sin, True), ["encoding=rope", "model=llama-3-8b", "pos=0:48"],
                NOTHING)
