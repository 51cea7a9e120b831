# SPDX-License-Identifier: Apache-2.0
"""mask_code.py - terms of masks, and the forms in which programs keep a mask."""

import numpy as np

F = np.float32


def grid(n, keys=None):
    return np.indices((n, keys or n))


def causal(n):
    i, j = grid(n)
    return j <= i


def window(n, size):
    """The last `size` keys, the query's own among them."""
    i, j = grid(n)
    return (j <= i) & (i - j < size)


def prefix(n, size):
    i, j = grid(n)
    return (j < size) | (j <= i)


def same(labels):
    labels = np.asarray(labels)
    return labels[:, None] == labels[None, :]


def blocks(labels):
    """Tokens of one picture see each other; -1 is text."""
    labels = np.asarray(labels)
    return same(labels) & (labels >= 0)[:, None]


def keys_of(flags, n=None):
    """Keys that are no padding, for every query."""
    flags = np.asarray(flags, bool)
    return np.broadcast_to(flags[None, :], (n or len(flags), len(flags)))


def documents(draw, count=3, low=4, high=12):
    lengths = [draw.integer(low, high) for _ in range(count)]
    return lengths, np.repeat(np.arange(count), lengths)


def pictures(draw):
    """Text, a picture, text, as block ids."""
    a, p, b = draw.integer(3, 8), draw.integer(16, 26), draw.integer(6, 12)
    return [-1] * a + [0] * p + [-1] * b


def form(draw, seen, plain_bool=False):
    """A bool mask, or what is added to the scores: -inf, float's lowest number, 0 and 1."""
    seen = np.array(seen)
    way = "bool" if plain_bool else draw.choice(["bool", "bool", "inf", "min", "u8", "1e9"])
    if draw.is_plain:
        way = draw.choice(["bool", "min"])
    out = {"bool": lambda: seen, "u8": lambda: seen.astype(np.uint8),
           "inf": lambda: np.where(seen, F(0), F(-np.inf)),
           "min": lambda: np.where(seen, F(0), np.finfo(F).min).astype(F),
           "1e9": lambda: np.where(seen, F(0), F(-1e9))}[way]()
    if draw.is_plain:
        return out
    return draw.choice([out, out, out[None], out[None, None]])


def commas(numbers):
    return ",".join(str(int(number)) for number in numbers)
