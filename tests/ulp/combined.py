# SPDX-License-Identifier: Apache-2.0
"""combined.py - /apply of additive encodings: vectors plus the rows that the encoding's own cases
expect; forgetting gates."""

import numpy as np
from mpmath import mp, mpf

from biases import NEVER
from formulas.biases import distances, slopes
from formulas.numbers import EXACT
from images import ROWS as IMAGES
from learned import ROWS as LEARNED
from measure import Case, Loose, flatten, shape_of
from sinusoids import ROWS as SINUSOIDS


def of_both(function):
    """function(number, value, slack) of arrays of numbers and of rows, which may have slack."""
    return np.frompyfunc(lambda a, row: Loose(*(
        function(a, row.value, row.slack) if isinstance(row, Loose) else function(a, row, 0))), 2, 1)


added = of_both(lambda a, value, slack: (
    a + value, slack + max(abs(a), abs(value)) * mpf(2) ** -51))
product = of_both(lambda a, value, slack: (
    a * value, abs(a) * slack + abs(a * value) * mpf(2) ** -51))
JOINED = {"add": added, "multiply": product, "zero": lambda x, rows: rows,
          "concat": lambda x, rows: np.concatenate([x, rows], -1),
          "mul1": lambda x, rows: product(x, added(mpf(1), rows))}


WAYS = ["add", "concat", "multiply", "mul1", "zero"]


def applied(table):
    """x and its row, for each case of the table of rows."""
    def row(draw):
        for case in table(draw):
            if case.out not in ("rows", "table"):
                continue
            width = shape_of(case.exact)[-1]
            rows = np.array(flatten(case.exact), object).reshape(-1, width)
            lines = draw.table(*rows.shape)
            way, root = draw.turn(WAYS), draw.chance()
            scale = mp.sqrt(width) if root and way != "zero" else mpf(1)
            exact = JOINED[way](scale * EXACT.real(lines), rows)
            if len(lines) == 1:
                lines, exact = lines[0], exact[0]
            params = {k: v for k, v in case.params.items() if k != "dim"}
            params.update(combine=way, **({"x_scale": "sqrt_dim"} if scale != 1 else {}))
            if way == "concat" and "dim" in case.params:
                params["dim"] = width
            yield Case("x", dict(params, x=lines), exact)
    return row


def forgetting(draw):
    """c_i - c_j of the cumulative gates, for keys not after the query."""
    gates = [-abs(v) for v in draw.singles(draw.randint(2, 5))]
    sums, d = np.cumsum(EXACT.real(gates)), distances({"len": len(gates)})
    yield Case("bias", {"gates": gates, "mask_value": "-inf"},
               np.where(d < 0, NEVER, sums[:, None] - sums)[None])


def grape_a(draw):
    """Zhang et al. 2025: minus distance, ALiBi's slope, omega, and the softplus of both gates."""
    heads, tokens = draw.randint(1, 4), draw.randint(1, 4)
    kind = draw.turn(["logit", "rate"])
    given = draw.choice([["query_gates"], ["key_gates"], ["query_gates", "key_gates"]])
    params = {"gate_kind": kind, "mask_value": "-inf"}
    rates = {"query_gates": [[0] * tokens] * heads, "key_gates": [[0] * tokens] * heads}
    for name in given:
        params[name] = [[abs(v) if kind == "rate" else v for v in draw.singles(tokens)]
                        for _ in range(heads)]
        rates[name] = [[mp.log(1 + mp.exp(mpf(v))) if kind == "logit" else mpf(v) for v in row]
                       for row in params[name]]
    steep = slopes(EXACT, {"heads": heads})
    if draw.chance():
        params["slopes"] = [draw.real(0, 2) for _ in range(heads)]
        steep = EXACT.real(params["slopes"])
    if draw.chance():
        params["omega"] = [draw.real(0, 2) for _ in range(draw.choice([1, heads]))]
        steep = steep * EXACT.real(params["omega"])
    yield Case("bias", params, [[[
        -(i - j) * steep[h] * (rates["query_gates"][h][i] + rates["key_gates"][h][j])
        if j <= i else NEVER for j in range(tokens)] for i in range(tokens)] for h in range(heads)])


NAMES = {
    "axial-learned/apply": LEARNED, "detr-sine/apply": IMAGES,
    "detr-sine3d/apply": IMAGES, "learned/apply": LEARNED,
    "loftr-sine/apply": IMAGES, "multidim-sine/apply": IMAGES, "sincos2d-mae/apply": IMAGES,
    "sincos2d-timm/apply": IMAGES, "sincos3d/apply": IMAGES,
    "sinusoidal/apply": SINUSOIDS, "timestep-embedding/apply": SINUSOIDS,
}
ROWS = {name: applied(family[name.rsplit("/", 1)[0]]) for name, family in NAMES.items()}
ROWS["forgetting"] = forgetting
ROWS["grape-a"] = grape_a
