# SPDX-License-Identifier: Apache-2.0
"""recurrences.py - codes that are computed from each other, by a map or along a path (Liu et al.
2020)."""

import numpy as np
from mpmath import mp, mpf

from formulas.numbers import EXACT, lifted
from measure import Case, given, loose, named

tanh, relu = lifted(mp.tanh), lifted(lambda x: max(x, mpf(0)))


def sizes(matrix, vector, offset=0):
    return abs(matrix) @ abs(vector) + abs(offset)


def blocks(angles):
    """The matrix that rotates each two columns."""
    matrix = EXACT.real(np.zeros((2 * len(angles), 2 * len(angles))))
    for i, w in enumerate(EXACT.real(angles)):
        c, s = mp.cos(w), mp.sin(w)
        matrix[2 * i:2 * i + 2, 2 * i:2 * i + 2] = [[c, -s], [s, c]]
    return matrix


def recursive(draw):
    dim, length = draw.even(2, 4), draw.randint(1, 9)
    params, p0, b = given({"len": length}, p0=draw.singles(dim), b=draw.singles(dim, -1, 1))
    full = draw.table(dim, dim, -1, 1)
    diagonal, angles = draw.singles(dim, -2, 2), draw.singles(dim // 2)
    for name, own, matrix in (("a", full, EXACT.real(full)), ("angles", angles, blocks(angles)),
                              ("diagonal", diagonal, EXACT.real(np.diag(diagonal)))):
        for bent in (False, True):
            fine = mpf(2) ** (-51 if bent or name == "angles" else -95)
            yield Case("rows", dict(params, tanh=bent, **{name: own}),
                       iterated(p0, length, matrix, b, bent, fine))
    units = draw.randint(2, 4)
    del params["b"]
    params, w1, w2, b1, b2 = given(params, w1=draw.table(units, dim), w2=draw.table(dim, units),
                                   b1=draw.singles(units), b2=draw.singles(dim))
    yield Case("rows", params, network(p0, length, w1, b1, w2, b2))


def iterated(p0, length, matrix, b, bent, fine):
    """The error of a step, carried on by the map."""
    code, away, rows = p0, EXACT.real(np.zeros(len(p0))), []
    for _ in range(length):
        rows.append(loose(code, away))
        away = sizes(matrix, away) + fine * sizes(matrix, code, b)
        code = matrix @ code + b
        code = tanh(code) if bent else code
    return np.array(rows)


def network(p0, length, w1, b1, w2, b2):
    code, away, rows = p0, EXACT.real(np.zeros(len(p0))), []
    for _ in range(length):
        rows.append(loose(code, away))
        hidden = tanh(w1 @ code + b1)
        away = sizes(w2, sizes(w1, away)) + sizes(w2, hidden, b2) * mpf(2) ** -51
        code = w2 @ hidden + b2
    return np.array(rows)


def stepped(h, t, code, s, solver):
    one = h(t, code)
    if solver == "euler":
        return code + s * one
    two = h(t + s / 2, code + s / 2 * one)
    three = h(t + s / 2, code + s / 2 * two)
    four = h(t + s, code + s * three)
    return code + s / 6 * (one + 2 * two + 2 * three + four)


def path(h, code, position, dt, step, solver):
    """Whole steps from 0, and a shorter one to the position; no step where rounding alone made
    it."""
    steps = abs(mpf(position)) * dt / step
    if abs(steps - mp.nint(steps)) <= steps * mpf(2) ** -50:
        steps = mp.nint(steps)
    step, whole = step if position >= 0 else -step, int(mp.floor(steps))
    for i in range(whole):
        code = stepped(h, i * step, code, step, solver)
    if steps > whole:
        code = stepped(h, whole * step, code, mpf(position) * dt - whole * step, solver)
    return loose(code, mpf(2) ** -80 * (1 + max(abs(code))))  # errors of steps are 2^-90 and grow


def floater(draw):
    dim, solver = draw.randint(2, 4), draw.choice(["rk4", "euler"])
    p0, units = draw.singles(dim), draw.randint(2, 4)
    pos = [0, draw.randint(1, 9), draw.real(-5, 5), -draw.randint(1, 4)]
    params = {"pos": pos, "p0": p0, "solver": solver}
    dt, step = draw.choice([(0.01, 0.002), (0.1, 0.03), (0.125, 0.25)])
    if dt != 0.01:
        params.update(dt_position=dt, solver_step=step)
    line, a, b = given(params, a=draw.table(dim, dim, -1, 1), b=draw.singles(dim))
    bent, w1, w2, b1, b2 = given(
        params, w1=draw.table(units, dim + 1, -1, 1), w2=draw.table(dim, units + 1, -1, 1),
        b1=draw.singles(units), b2=draw.singles(dim))

    def flow(t, code):
        return w2 @ np.append(relu(w1 @ np.append(code, t) + b1), t) + b2
    for asked, h in ((line, lambda t, code: a @ code + b), (bent, flow)):
        yield Case("rows", asked, np.array([
            path(h, EXACT.real(p0), p, mpf(dt), mpf(step), solver) for p in pos]))


ROWS = named(floater, recursive)
