# SPDX-License-Identifier: Apache-2.0
"""turns.py - the parts that all rotary encodings share: tables of cosines and sines of angles, and
the rotation of vectors by them, for any pairing."""

import numpy as np
from mpmath import mpf

from formulas.numbers import EXACT, lifted
from measure import Case, loose
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


def rotated(x, angles, pairing, factor=1, places=None):
    """(a cos t - b sin t, a sin t + b cos t) of every pair; the rest passes through."""
    return turned(x, factor * EXACT.cos(angles), factor * EXACT.sin(angles), pairing, places)


def paired(x, count, pairing, places):
    """The columns of the pairs, and what stands there."""
    one, two = np.array(places or pair_places(count, pairing)).T
    return one, two, x[..., one], x[..., two]


def in_dtype(x, angles, pairing, factor=1, places=None):
    """Eager PyTorch in float32: cosines, sines, products and sums are rounded each."""
    kept, x = lifted(rounded), EXACT.real(x)
    one, two, a, b = paired(x, np.shape(angles)[-1], pairing, places)
    c, s, values = kept(factor * EXACT.cos(angles)), kept(factor * EXACT.sin(angles)), kept(x)
    values[..., one] = kept(kept(a * c) - kept(b * s))
    values[..., two] = kept(kept(b * c) + kept(a * s))
    return values


def turned(x, c, s, pairing, places=None):
    """The rotation by given cosines and sines."""
    values, c, s = EXACT.real(x), EXACT.real(c), EXACT.real(s)
    one, two, a, b = paired(values, c.shape[-1], pairing, places)
    slack = EXACT.sqrt((a * a + b * b) * (c * c + s * s)) * mpf(2) ** -51
    values[..., one], values[..., two] = loose(a * c - b * s, slack), loose(a * s + b * c, slack)
    return values
