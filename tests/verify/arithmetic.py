# SPDX-License-Identifier: Apache-2.0
"""arithmetic.py - cases of arithmetics that lose digits on the way: frequencies that are accumulated,
angles that are reduced by a rounded period, tables of few levels, distances of 16 bits."""

import numpy as np

from case import Case, RIGHT, f32
from frequencies import chosen, claim, frequencies, tables, width
from port import span
from precision import rounded, waves


def accumulated_frequencies(p, dtype):
    """w[i] = w[i-1] * r, each product in the dtype."""
    ratio = rounded(dtype)(p["base"] ** (-2.0 / width(p)))
    w = [1.0]
    while len(w) < width(p) // 2:
        w.append(float(rounded(dtype)(w[-1] * ratio)))
    return np.array(w)


def accumulated(random):
    """The slow pairs drift."""
    _, p = chosen(random, "none")
    dtype = random.choice(["f16", "bf16"])
    w = accumulated_frequencies(p, dtype)
    if random.choice([True, False]):
        return Case("arithmetic/accumulated-inv-freq", claim("rope", p), {"inv_freq": f32(w)},
                    "inv-freq-accumulated")
    words, positions = span(random, counts=(64, 128), firsts=(0, 1, 100))
    cos, sin = waves(positions[:, None] * w[None, :])
    return Case("arithmetic/accumulated-tables", claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, "inv-freq-accumulated")


def wrapped(random):
    """Angles modulo a period of few digits, before the sine."""
    _, p = chosen(random, "none", "linear", "llama3")
    period = random.choice([6.28, 6.2832, 6.28318, 2 * 3.1416, 2 * 22 / 7])
    words, positions = span(random, counts=(48, 64), firsts=(2000, 5000))
    cos, sin = waves(positions[:, None] * frequencies(p)[None, :] % period)
    return Case("arithmetic/angles-wrapped", claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, "angles-wrapped")


def of_steps(count):
    return lambda values: np.round(values * count) / count


def of_bits(count):
    def narrow(values):
        mantissa, exponent = np.frexp(values)
        return np.ldexp(np.round(mantissa * 2.0 ** count) / 2.0 ** count, exponent)
    return narrow


def is_of_bytes(values, bits, least):
    """Whether floats of 8 bits with so many significant bits, and the least step 2^least, hold
    all values."""
    _, exponent = np.frexp(values)
    steps = values / np.ldexp(1.0, np.maximum(exponent - bits, least))
    return bool(np.all(steps == np.round(steps)))


def few_levels(random):
    """Tables of few steps or bits; what int8 with one scale, or a float of 8 bits, holds is right
    for that dtype, and nothing else is."""
    _, p = chosen(random, "none", "linear", "llama3")
    words, positions = span(random, counts=(48, 64), firsts=(0, 1, 100))
    steps, bits = random.choice([(7, 0), (15, 0), (31, 0), (100, 0), (127, 0), (255, 0), (0, 3),
                                 (0, 4)])
    narrow = of_steps(steps) if steps else of_bits(bits)
    both = np.array([narrow(values) for values in tables(p, positions)])
    right = steps == 127 if steps else any(
        is_of_bytes(both, *kind) for kind in ((4, -9), (3, -16)))  # e4m3, e5m2
    cos, sin = both
    return Case("arithmetic/few-levels", claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, RIGHT if right else "few-levels")


def bias_of_rounded_distances(random):
    """Slopes times distances that were held in 16 bits."""
    dtype, query = random.choice([("bf16", 600), ("bf16", 1500), ("f16", 5000)])
    heads = random.choice([4, 8])
    slopes = 2.0 ** (-np.arange(1, heads + 1) * 8 / heads)
    distance = rounded(dtype)(np.float32(query - np.arange(96)))
    return Case("arithmetic/bias-of-distances-" + dtype,
                {"encoding": "alibi", "heads": heads, "q": query, "k": "0:96",
                 "length_scale": 0.7}, {"bias": f32(-0.7 * slopes[:, None, None] * distance[None, None])}, "positions-" + dtype)


ROWS = ([accumulated] * 3 + [wrapped] * 3 + [few_levels] * 4 + [bias_of_rounded_distances] * 2)
