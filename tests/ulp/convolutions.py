# SPDX-License-Identifier: Apache-2.0
"""convolutions.py - positions by convolution: learned ones, and positions that borders reveal."""

from mpmath import mp, mpf

from ladders import raster
from measure import Case, Loose


def reflected(at, size):
    """The input mirrored at its ends, without repeating them."""
    return -at if at < 0 else 2 * (size - 1) - at if at >= size else at


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
    kernel = [draw.singles(sides[1]) for _ in range(sides[0])]

    def seen(at):
        if padding == "circular":
            at = [a % size for a, size in zip(at, sizes)]
        if padding == "reflect":
            at = [reflected(a, size) for a, size in zip(at, sizes)]
        return mpf(value) if all(0 <= a < size for a, size in zip(at, sizes)) else mpf(0)

    def response(y, x):
        terms = [mpf(kernel[i][j]) * seen([y + i - sides[0] // 2, x + j - sides[1] // 2])
                 for i, j in raster(*sides)]
        return Loose(sum(terms), sum(map(abs, terms)) * mpf(2) ** -90)
    rows = [[response(y, x) for x in range(sizes[1])] for y in range(sizes[0])]
    where = {"len": sizes[1]} if line else {"grid": "%dx%d" % tuple(sizes)}
    yield Case("response", dict(where, kernel_weights=kernel if sides[0] > 1 else kernel[0],
                                fill=value, padding_mode=padding), rows[0] if line else rows)


def gelu(x):
    return x * mp.erfc(-x / mp.sqrt(2)) / 2


def summed(x, added):
    """Where the two terms cancel, half of the last place of the larger one remains."""
    total, large = x + added, max(abs(x), abs(added))
    return Loose(total, large * mpf(2) ** -51) if abs(total) < large / 2 else total


def conv_position(draw):
    """Baevski et al. 2020: x + act(conv(x)), one group for each channel (which a target can
    express); the last result of an even kernel is dropped."""
    dim, length, taps = draw.randint(2, 4), draw.randint(2, 6), draw.randint(2, 5)
    x, weight = [draw.singles(dim) for _ in range(length)], [draw.singles(taps, -1, 1)
                                                             for _ in range(dim)]
    for bent, bias in (("gelu", draw.singles(dim)), ("none", None)):
        def convolved(at, c):
            return sum((mpf(weight[c][t]) * x[at + t - taps // 2][c] for t in range(taps)
                        if 0 <= at + t - taps // 2 < length), mpf(bias[c] if bias else 0))
        act = gelu if bent == "gelu" else mpf
        params = {"x": x, "activation": bent, "weight": weight}
        yield Case("x", dict(params, **({"conv_bias": bias} if bias else {})), [
            [summed(mpf(x[at][c]), act(convolved(at, c))) for c in range(dim)]
            for at in range(length)])


ROWS = {
    "conv-position": conv_position,
    "pad-demo": pad_demo,
}
