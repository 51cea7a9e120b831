# SPDX-License-Identifier: Apache-2.0
"""turns.py - the parts that all rotary encodings share: tables of cosines and sines of angles, and
the rotation of vectors by them, for any pairing."""

import numpy as np
from mpmath import mp, mpf

from formulas.numbers import EXACT
from measure import Case, Loose
from profiles import rounded


def wide(row, pairing, width):
    """Rows of a table: a value for every pair, or for every coordinate."""
    if width == "half":
        return row
    return np.concatenate([row, row], -1) if pairing == "half" else np.repeat(row, 2, -1)


def tables(angles, params, pairing, width, factor=1):
    """cos and sin of rows of angles; width '' asks for the default, half width."""
    yield from waves(params, lambda wave: wide(factor * wave(angles), pairing, width),
                     amplified=factor != 1)


def waves(params, rows, view=None, amplified=False):
    """cos and sin of what rows(wave) makes with each."""
    for out, wave in (("cos", EXACT.cos), ("sin", EXACT.sin)):
        yield Case(out, params, rows(wave), view, amplified)


def rotations(params, x, rows, view=None, **more):
    """x, q and k, which are turned alike; a vector alone has no axis of tokens."""
    if len(x) == 1:
        x, rows = x[0], rows if view else rows[0]
    for out in ("x", "q", "k"):
        yield Case(out, dict(params, **{out: x}), rows, view, **more)


def pair_places(pairs, pairing):
    if pairing == "half":
        return [(i, i + pairs) for i in range(pairs)]
    return [(2 * i, 2 * i + 1) for i in range(pairs)]


def rotated(vector, angles, pairing, factor=1, places=None):
    """(a cos t - b sin t, a sin t + b cos t) of every pair; the rest passes through."""
    return turned(vector, [factor * mp.cos(a) for a in angles],
                  [factor * mp.sin(a) for a in angles], pairing, places)


def in_dtype(vector, angles, pairing, factor=1, places=None):
    """Eager PyTorch in float32: cosines, sines, products and sums are rounded each."""
    values = [rounded(value) for value in vector]
    for (one, two), angle in zip(places or pair_places(len(angles), pairing), angles):
        a, b = mpf(vector[one]), mpf(vector[two])
        c, s = (rounded(factor * wave(angle)) for wave in (mp.cos, mp.sin))
        values[one] = rounded(rounded(a * c) - rounded(b * s))
        values[two] = rounded(rounded(b * c) + rounded(a * s))
    return values


def turned(vector, cos, sin, pairing, places=None):
    """The rotation by given cosines and sines."""
    values = [mpf(value) for value in vector]
    for (one, two), c, s in zip(places or pair_places(len(cos), pairing), cos, sin):
        a, b = mpf(vector[one]), mpf(vector[two])
        slack = mp.sqrt((a * a + b * b) * (c * c + s * s)) * mpf(2) ** -51
        values[one], values[two] = Loose(a * c - b * s, slack), Loose(a * s + b * c, slack)
    return values
