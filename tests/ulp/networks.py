# SPDX-License-Identifier: Apache-2.0
"""networks.py - biases that small networks compute from scores and distances: CoPE, DAPE, the
dynamic bias, projected curves."""

import numpy as np
from mpmath import mp, mpf

from biases import NEVER
from formulas.biases import distances
from formulas.numbers import EXACT, lifted
from formulas.windows import offsets
from measure import Case, Loose, given, loose, named

leaky = lifted(lambda x: x if x > 0 else x * mpf(0.01))
silu = lifted(lambda x: x / (1 + mp.exp(-x)))
relu = lifted(lambda x: max(x, mpf(0)))


def dape(draw):
    """Zheng et al. 2024, one head: A + B + MLP([A, B])."""
    n, units = draw.randint(2, 3), draw.randint(1, 3)
    params, scores, bias, w1, b1 = given(
        {}, scores=draw.table(n, n), bias=draw.table(n, n), w1=draw.table(units, 2),
        b1=draw.singles(units))
    params, w2, b2 = given(params, w2=draw.table(1, units), b2=draw.single(-1, 1))
    hidden = leaky(np.stack([scores, bias], -1) @ w1.T + b1)
    yield Case("mixed", params, loose((scores + bias + hidden @ w2[0] + b2)[None],
                                      99 * (1 + abs(scores) + abs(bias)) * mpf(2) ** -92))


def dape_v2(draw):
    """The layers are convolutions of three keys over scores without the future, one head."""
    n, units = draw.randint(2, 4), draw.randint(1, 2)
    params, scores, w1, w2 = given({}, scores=draw.table(n, n), w1=draw.table(units, 3),
                                   w2=draw.table(1, 3 * units))

    def convolved(rows, taps):
        wide = np.pad(rows, ((0, 0), (1, 1)))
        return sum(w * wide[:, t:t + n] for t, w in enumerate(taps))
    hidden = [leaky(convolved(np.tril(scores), taps)) for taps in w1]
    mixed = scores + sum(convolved(rows, taps) for rows, taps in zip(hidden, w2[0].reshape(-1, 3)))
    yield Case("mixed", params, loose(mixed[None], 999 * mpf(2) ** -92))


def dynamic_bias(draw):
    """SiLU networks of the distance, or of sign(d) ln(1 + |d|)."""
    units, log = draw.randint(1, 3), draw.chance()
    params, w_in, b_in, w_out, b_out = given(
        {"log_distance": log}, w_in=draw.singles(units), b_in=draw.singles(units),
        w_out=draw.table(2, units), b_out=draw.singles(2))
    params["len"] = n = draw.randint(1, 4)

    def values(d):
        x = EXACT.real(d)
        x = EXACT.sign(x) * EXACT.log1p(abs(x)) if log else x
        made = silu(x[..., None] * w_in + b_in) @ w_out.T + b_out
        return loose(np.moveaxis(made, -1, 0), 99 * (1 + abs(x)) * mpf(2) ** -66)
    yield Case("bias", params, values(distances(params)))
    yield Case("toeplitz", params, values(np.arange(1 - n, n)))


def normalised(xs, eps=mpf(1) / 100000):
    away = xs - xs.mean(-1, keepdims=True)
    return away / EXACT.sqrt((away ** 2).mean(-1, keepdims=True) + eps)


def dynamic_bias_2d(draw):
    """CrossFormer: layer norm and ReLU before each layer but the first, of offsets (dy, dx)."""
    units, residual, norm = draw.randint(2, 3), draw.chance(), draw.chance()
    activation = draw.choice(["relu", "silu"])
    params, w_in, b_in, w_hidden, b_hidden, w_out = given(
        {"layer_norm": norm, "residual": residual, "activation": activation},
        w_in=draw.table(units, 2), b_in=draw.singles(units), w_hidden=draw.table(units, units),
        b_hidden=draw.table(1, units), w_out=draw.table(2, units))
    params["window_size"] = "%dx%d" % (draw.randint(1, 2), draw.randint(1, 3))

    def bent(xs):
        return (relu if activation == "relu" else silu)(normalised(xs) if norm else xs)
    x = np.moveaxis(EXACT.real(offsets(params["window_size"])), 0, -1) @ w_in.T + b_in
    y = bent(x) @ w_hidden.T + b_hidden[0]
    made = bent(x + y if residual else y) @ w_out.T
    yield Case("bias", params, loose(np.moveaxis(made, -1, 0), 9999 * mpf(2) ** -66))


def relative_projection(draw):
    n, curves, reach = draw.randint(2, 4), draw.randint(2, 3), draw.randint(2, 3)
    params, table, shares = given({"len": n}, curves=draw.table(curves, reach),
                                  curve_weights=draw.table(n, curves))
    d = distances(params)
    near, seen = table.T[np.clip(d, 0, reach - 1)], (d >= 0) & (d < reach)
    terms = near * shares[:, None]
    values = loose(terms.sum(-1), abs(terms).sum(-1) * mpf(2) ** -92)
    yield Case("bias", params, np.where(seen, values, mpf(0))[None])


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
