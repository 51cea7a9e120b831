# SPDX-License-Identifier: Apache-2.0
"""convolutions.py - positions by convolution: learned ones, and positions that borders reveal."""

import numpy as np
from mpmath import mp, mpf

from formulas.numbers import EXACT, lifted
from measure import Case, given, loose, named


def windows(rows, *sides):
    """Of each place its neighbourhood of these sides as one line, along the last axis."""
    return np.lib.stride_tricks.sliding_window_view(rows, sides).reshape(
        *(size - side + 1 for size, side in zip(rows.shape, sides)), -1)


def pad_demo(draw):
    """Islam et al. 2020: a constant input, so that only values outside of it can make a
    difference."""
    sides = [draw.choice([1, 3, 5]) for _ in range(2)]
    sizes = [draw.randint(3, 6) for _ in range(2)]
    value, padding = draw.choice([1, draw.single(-3, 3)]), draw.choice(["zero", "circular",
                                                                       "reflect"])
    line = draw.chance()
    if line:
        sides[0] = sizes[0] = 1
    kernel = draw.table(*sides)
    mode = {"zero": "constant", "circular": "wrap", "reflect": "reflect"}[padding]
    seen = EXACT.real(np.pad(np.full(sizes, float(value)), [[side // 2] * 2 for side in sides], mode))
    terms = windows(seen, *sides) * EXACT.real(kernel).reshape(-1)
    rows = loose(terms.sum(-1), abs(terms).sum(-1) * mpf(2) ** -90)
    where = {"len": sizes[1]} if line else {"grid": "%dx%d" % tuple(sizes)}
    yield Case("response", dict(where, kernel_weights=kernel if sides[0] > 1 else kernel[0],
                                fill=value, padding_mode=padding), rows[0] if line else rows)


gelu = lifted(lambda x: x * mp.erfc(-x / mp.sqrt(2)) / 2)


def summed(x, added):
    """Where the two terms cancel, half of the last place of the larger one remains."""
    total, large = x + added, np.maximum(abs(x), abs(added))
    return np.where(abs(total) < large / 2, loose(total, large * mpf(2) ** -51), total)


def conv_position(draw):
    """Baevski et al. 2020: x + act(conv(x)), one group for each channel (which a target can
    express); the last result of an even kernel is dropped."""
    dim, length, taps = draw.randint(2, 4), draw.randint(2, 6), draw.randint(2, 5)
    params, x, weight = given({}, x=draw.table(length, dim), weight=draw.table(dim, taps, -1, 1))
    wide = np.pad(x, [[taps // 2, taps - 1 - taps // 2], [0, 0]])
    made = np.stack([windows(wide[:, c], taps) @ weight[c] for c in range(dim)], -1)
    bias = draw.singles(dim)
    yield Case("x", dict(params, activation="gelu", conv_bias=bias),
               summed(x, gelu(made + EXACT.real(bias))))
    yield Case("x", dict(params, activation="none"), summed(x, made))


ROWS = named(conv_position, pad_demo)
