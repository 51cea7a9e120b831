# SPDX-License-Identifier: Apache-2.0
"""networks.py - biases that small networks compute from scores and distances: CoPE, DAPE, the
dynamic bias, projected curves."""

from mpmath import mp, mpf

from biases import NEVER
from features import dot
from ladders import raster
from measure import Case, Loose, named


def leaky(x):
    return x if x > 0 else x * mpf(0.01)


def dape(draw):
    """Zheng et al. 2024, one head: A + B + MLP([A, B])."""
    n, units = draw.randint(2, 3), draw.randint(1, 3)
    scores, bias = [[draw.singles(n) for _ in range(n)] for _ in range(2)]
    w1, b1 = [draw.singles(2) for _ in range(units)], draw.singles(units)
    w2, b2 = draw.singles(units), draw.single(-1, 1)

    def value(a, b):
        hidden = [leaky(dot(w, (a, b))[0] + mpf(c)) for w, c in zip(w1, b1)]
        size = 99 * (1 + abs(a) + abs(b))
        return Loose(mpf(a) + mpf(b) + dot(w2, hidden)[0] + mpf(b2), size * mpf(2) ** -92)
    yield Case("mixed", {"scores": scores, "bias": bias, "w1": w1, "b1": b1, "w2": [w2],
                         "b2": b2}, [[[value(a, b) for a, b in zip(*rows)]
                                      for rows in zip(scores, bias)]])


def dape_v2(draw):
    """The layers are convolutions of three keys over scores without the future, one head."""
    n, units = draw.randint(2, 4), draw.randint(1, 2)
    scores = [draw.singles(n) for _ in range(n)]
    w1, w2 = [draw.singles(3) for _ in range(units)], draw.singles(3 * units)

    def seen(row, j):
        return row[j] if 0 <= j < len(row) else mpf(0)

    def line(i, row):
        past = [mpf(v) if j <= i else mpf(0) for j, v in enumerate(row)]
        hidden = [[leaky(sum(mpf(w[t]) * seen(past, j + t - 1) for t in range(3)))
                   for j in range(n)] for w in w1]
        return [Loose(mpf(row[j]) + sum(mpf(w2[3 * u + t]) * seen(hidden[u], j + t - 1)
                                        for u in range(units) for t in range(3)),
                      999 * mpf(2) ** -92) for j in range(n)]
    yield Case("mixed", {"scores": scores, "w1": w1, "w2": [w2]},
               [[line(i, row) for i, row in enumerate(scores)]])


def dynamic_bias(draw):
    """SiLU networks of the distance, or of sign(d) ln(1 + |d|)."""
    units, log = draw.randint(1, 3), draw.chance()
    w_in, b_in = draw.singles(units), draw.singles(units)
    w_out, b_out = [draw.singles(units) for _ in range(2)], draw.singles(2)
    n = draw.randint(1, 4)

    def value(h, d):
        x = mpf(d) if not log else mp.sign(d) * mp.log(1 + abs(d))
        sums = [mpf(w) * x + mpf(b) for w, b in zip(w_in, b_in)]
        hidden = [s / (1 + mp.exp(-s)) for s in sums]
        size = 99 * (1 + abs(x))
        return Loose(dot(w_out[h], hidden)[0] + mpf(b_out[h]), size * mpf(2) ** -66)
    params = {"len": n, "w_in": w_in, "b_in": b_in, "w_out": w_out, "b_out": b_out,
              "log_distance": log}
    yield Case("bias", params, [[[value(h, i - j) for j in range(n)] for i in range(n)]
                                for h in range(2)])
    yield Case("toeplitz", params, [[value(h, d) for d in range(1 - n, n)] for h in range(2)])


def normalised(xs):
    mean = sum(xs) / len(xs)
    variance = sum((x - mean) ** 2 for x in xs) / len(xs)
    return [(x - mean) / mp.sqrt(variance + mpf(1) / 100000) for x in xs]


def dynamic_bias_2d(draw):
    """CrossFormer: layer norm and ReLU before each layer but the first, of offsets (dy, dx)."""
    units, residual, norm = draw.randint(2, 3), draw.chance(), draw.chance()
    activation = draw.choice(["relu", "silu"])
    w_in, b_in = [draw.singles(2) for _ in range(units)], draw.singles(units)
    w_hidden, b_hidden = [draw.singles(units) for _ in range(units)], draw.singles(units)
    w_out = [draw.singles(units) for _ in range(2)]
    h, w = draw.randint(1, 2), draw.randint(1, 3)

    def bent(xs):
        xs = normalised(xs) if norm else xs
        return [max(x, mpf(0)) if activation == "relu" else x / (1 + mp.exp(-x)) for x in xs]

    def value(head, dy, dx):
        x = [mpf(a) * dy + mpf(b) * dx + mpf(c) for (a, b), c in zip(w_in, b_in)]
        y = [dot(row, bent(x))[0] + mpf(b) for row, b in zip(w_hidden, b_hidden)]
        x = [a + b for a, b in zip(x, y)] if residual else y
        return Loose(dot(w_out[head], bent(x))[0], 9999 * mpf(2) ** -66)
    yield Case("bias", {"window_size": "%dx%d" % (h, w), "w_in": w_in, "b_in": b_in,
                        "w_hidden": w_hidden, "b_hidden": [b_hidden], "w_out": w_out,
                        "layer_norm": norm, "residual": residual, "activation": activation},
               [[[value(head, yq - yk, xq - xk) for yk, xk in raster(h, w)]
                 for yq, xq in raster(h, w)] for head in range(2)])


def relative_projection(draw):
    n, curves, reach = draw.randint(2, 4), draw.randint(2, 3), draw.randint(2, 3)
    table, shares = [draw.singles(reach) for _ in range(curves)], [draw.singles(curves)
                                                                  for _ in range(n)]

    def value(i, j):
        if not 0 <= i - j < reach:
            return mpf(0)
        total, size = dot(shares[i], [row[i - j] for row in table])
        return Loose(total, size * mpf(2) ** -92)
    yield Case("bias", {"len": n, "curves": table, "curve_weights": shares},
               [[[value(i, j) for j in range(n)] for i in range(n)]])


def cope(draw):
    """Golovneva et al. 2024: gates summed from the key to the query, rows interpolated."""
    n = draw.randint(2, 4)
    scores, products = [draw.singles(n) for _ in range(n)], [draw.singles(n + 2) for _ in range(n)]
    gates = [[1 / (1 + mp.exp(-mpf(x))) for x in row] for row in scores]
    places = [[sum(gates[i][j:i + 1]) for j in range(n)] for i in range(n)]

    def value(i, j):
        if j > i:
            return NEVER
        low = int(mp.floor(places[i][j]))
        part = places[i][j] - low
        return Loose(mpf(products[i][low]) * (1 - part) + mpf(products[i][low + 1]) * part,
                     max(map(abs, products[i])) * (n + 2) * mpf(2) ** -50)
    yield Case("positions", {"scores": scores, "mask_value": "-inf"}, [[[
        places[i][j] if j <= i else NEVER for j in range(n)] for i in range(n)]])
    yield Case("bias", {"scores": scores, "products": products, "mask_value": "-inf"},
               [[[value(i, j) for j in range(n)] for i in range(n)]])


ROWS = named(cope, dape, dape_v2, dynamic_bias, dynamic_bias_2d, relative_projection)
