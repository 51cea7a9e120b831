# SPDX-License-Identifier: Apache-2.0
"""precision.py - numbers that were rounded on the way: positions, frequencies, angles, tables."""

import numpy as np

import rope
from case import Case, MISTAKE, TOLD, case
from support.tensor_file import bf16, widened

F = np.float32
KIND = "precision"


def to_bf16(x):
    return widened(bf16(np.asarray(x, F))).astype(F).reshape(np.shape(x))


def to_f16(x):
    return np.asarray(x, F).astype(np.float16).astype(F)


WAYS = {"bf16": to_bf16, "f16": to_f16}
SAID = {"bf16": r"bf16|bfloat16", "f16": r"\bf16|float16|half"}


def said(draw, positions):
    model = draw.choice(rope.PLAIN[:5])
    return model, draw.choice([["encoding=rope", "model=" + model.name], model.claim()]) + \
        [rope.pos(positions)]


def finished(draw, a, words, say):
    a = rope.half(a) if draw.coin() else a
    return Case(draw.tables(np.cos(a).astype(F), np.sin(a).astype(F)), words, MISTAKE, say)


@case(KIND, "bf16", "f16")
def positions_rounded(draw, way):
    """inv_freq and positions in the model's dtype: positions beyond 256 (2048) fall together."""
    first = draw.choice([300, 900]) if way == "bf16" else draw.choice([2100, 5000])
    positions = np.arange(first, first + 64)
    model, words = said(draw, positions)
    return finished(draw, rope.angles(model.w(), WAYS[way](positions)), words,
                    [r"position", SAID[way]])


@case(KIND, "bf16", "f16")
def frequencies_rounded(draw, way):
    """model.to(bfloat16) takes the buffer inv_freq along."""
    positions = np.arange(draw.choice([64, 128]))
    model, words = said(draw, positions)
    return finished(draw, rope.angles(WAYS[way](model.w()), positions), words,
                    [r"frequenc|inv_freq", SAID[way]])


@case(KIND, "bf16", "f16")
def inv_freq_buffer_rounded(draw, way):
    model = draw.choice(rope.PLAIN[:5])
    return Case(draw.named("frequencies", WAYS[way](model.w())), model.claim(), MISTAKE,
                [SAID[way]])


@case(KIND, "bf16", "f16")
def angles_rounded(draw, way):
    """Autocast: the product of positions and frequencies comes out in the narrow dtype."""
    positions = np.arange(draw.choice([64, 128]))
    model, words = said(draw, positions)
    return finished(draw, WAYS[way](rope.angles(model.w(), positions)), words,
                    [r"angle", SAID[way]])


@case(KIND, "bf16", "f16")
def vectors_by_rounded_tables(draw, way):
    """cos and sin in the narrow dtype before the product, float32 vectors."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = (WAYS[way](x) for x in rope.tables(model.w(), np.arange(24), 1.0, rope.half))
    q = draw.normal(24, model.dim)
    return Case(draw.vectors(q, rope.turn_half(q, cos, sin)),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:24"], MISTAKE,
                [r"cos|table", SAID[way]])


@case(KIND)
def angles_wrapped_early(draw):
    """Angles modulo 2 pi with pi of five digits: an error that grows with the position."""
    positions = np.arange(1000, 1064)
    model, words = said(draw, positions)
    a = (positions[:, None].astype(np.float64) * model.w()[None].astype(np.float64)) % 6.2832
    return Case(draw.tables(np.cos(a).astype(F), np.sin(a).astype(F), True), words, TOLD,
                [r"grow|position|period|2 ?pi|6\.2832|row"])


@case(KIND, "int8", "fp8")
def tables_of_few_levels(draw, way):
    """A table that was quantized: 255 levels, or three bits of mantissa."""
    model, words = said(draw, np.arange(48))
    cos, sin = rope.tables(model.w(), np.arange(48), 1.0, lambda a: a)

    def narrow(x):
        if way == "int8":
            return (np.round(x * 127) / 127).astype(F)
        mantissa, exponent = np.frexp(x)
        return np.ldexp(np.round(mantissa * 16) / 16, exponent).astype(F)
    return Case(draw.tables(narrow(cos), narrow(sin), True), words, TOLD,
                [r"int8|levels|quanti|steps|digits|fp8|e4m3|127|bits"])


@case(KIND)
def accumulated_frequencies(draw):
    """w[i] = w[i-1] * r in float16: the slow pairs drift."""
    r = np.float16(1e4 ** (-2 / 128))
    w = [np.float16(1)]
    for _ in range(63):
        w.append(np.float16(w[-1] * r))
    return Case(draw.named("frequencies", np.array(w, F)), ["encoding=rope", "dim=128"], MISTAKE,
                [SAID["f16"]])


@case(KIND, "bf16", "f16")
def alibi_products_rounded(draw, way):
    """Positions in a narrow dtype: far distances fall together."""
    query = 600 if way == "bf16" else 3000
    distance = -(query - np.arange(64)).astype(F)[None, None]
    slopes = F(2) ** (-np.arange(1, 5, dtype=F) * 2)
    return Case(draw.named("bias", slopes[:, None, None] * F(0.7) * WAYS[way](distance)),
                ["encoding=alibi", "heads=4", "length_scale=0.7", "q=%d" % query, "k=0:64"],
                MISTAKE, [r"position|distance", SAID[way]])


@case(KIND)
def sinusoids_of_rounded_positions(draw):
    positions = np.arange(300, 364)
    w = np.exp(np.arange(0, 64, 2).astype(F) * F(-np.log(1e4) / 64))
    a = to_bf16(positions)[:, None] * w
    rows = np.stack([np.sin(a), np.cos(a)], -1).reshape(64, 64).astype(F)
    return Case(draw.named("rows", rows), ["encoding=sinusoidal", "dim=64", "pos=300:364"], MISTAKE,
                [r"position", SAID["bf16"]])
