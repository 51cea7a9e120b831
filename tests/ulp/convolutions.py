# SPDX-License-Identifier: Apache-2.0
"""convolutions.py - what convolutions answer at the borders of their input."""

from mpmath import mpf

from ladders import raster
from measure import Case, Loose


def reflected(at, size):
    """The input mirrored at its ends, which are not repeated."""
    return -at if at < 0 else 2 * (size - 1) - at if at >= size else at


def pad_demo(draw):
    """Islam et al. 2020: a constant input, so that only places outside can differ."""
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
    where = {"length": sizes[1]} if line else {"grid": "%dx%d" % tuple(sizes)}
    yield Case("response", dict(where, kernel=kernel if sides[0] > 1 else kernel[0],
                                value=value, padding=padding), rows[0] if line else rows)


ROWS = {
    "pad-demo": pad_demo,
}
