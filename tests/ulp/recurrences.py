# SPDX-License-Identifier: Apache-2.0
"""recurrences.py - codes that are computed from each other, by a map or along a path (Liu et al.
2020)."""

from mpmath import mp, mpf

from measure import Case, Loose


def layer(matrix, offset, vector):
    return [sum(mpf(w) * x for w, x in zip(row, vector)) + mpf(b)
            for row, b in zip(matrix, offset)]


def sizes(matrix, offset, vector):
    return layer([[abs(w) for w in row] for row in matrix], map(abs, offset),
                 [abs(x) for x in vector])


def blocks(angles):
    """The matrix that rotates each two columns."""
    count = 2 * len(angles)
    matrix = [[mpf(0)] * count for _ in range(count)]
    for at, w in enumerate(angles):
        i, c, s = 2 * at, mp.cos(w), mp.sin(w)
        matrix[i][i:i + 2], matrix[i + 1][i:i + 2] = [c, -s], [s, c]
    return matrix


def recursive(draw):
    dim, length = draw.even(2, 4), draw.randint(1, 9)
    p0, b = draw.singles(dim), draw.singles(dim, -1, 1)
    params = {"p0": p0, "len": length}
    full = [draw.singles(dim, -1, 1) for _ in range(dim)]
    diagonal, angles = draw.singles(dim, -2, 2), draw.singles(dim // 2)
    for name, given, matrix in (
            ("a", full, full), ("angles", angles, blocks(angles)),
            ("diagonal", diagonal, [[d if i == j else 0 for j in range(dim)]
                                    for i, d in enumerate(diagonal)])):
        for bent in (False, True):
            loose = mpf(2) ** (-51 if bent or name == "angles" else -95)
            yield Case("rows", dict(params, b=b, tanh=bent, **{name: given}),
                       iterated(p0, length, matrix, b, bent, loose))
    units = draw.randint(2, 4)
    w1, w2 = [draw.singles(dim) for _ in range(units)], [draw.singles(units) for _ in range(dim)]
    b1, b2 = draw.singles(units), draw.singles(dim)
    yield Case("rows", dict(params, w1=w1, b1=b1, w2=w2, b2=b2),
               network(p0, length, w1, b1, w2, b2))


def iterated(p0, length, matrix, b, bent, loose):
    """The error of a step, carried on by the map."""
    code, away, rows = [mpf(x) for x in p0], [mpf(0)] * len(p0), []
    for _ in range(length):
        rows.append([Loose(x, e) for x, e in zip(code, away)])
        carried = sizes(matrix, [0] * len(p0), away)
        away = [e + loose * s for e, s in zip(carried, sizes(matrix, b, code))]
        code = layer(matrix, b, code)
        code = [mp.tanh(x) for x in code] if bent else code
    return rows


def network(p0, length, w1, b1, w2, b2):
    code, away, rows = [mpf(x) for x in p0], [mpf(0)] * len(p0), []
    for _ in range(length):
        rows.append([Loose(x, e) for x, e in zip(code, away)])
        hidden = [mp.tanh(x) for x in layer(w1, b1, code)]
        carried = sizes(w2, [0] * len(p0), sizes(w1, [0] * len(w1), away))
        away = [e + s * mpf(2) ** -51 for e, s in zip(carried, sizes(w2, b2, hidden))]
        code = layer(w2, b2, hidden)
    return rows


def moved(code, by, slope):
    return [x + by * k for x, k in zip(code, slope)]


def stepped(h, t, code, s, solver):
    one = h(t, code)
    if solver == "euler":
        return moved(code, s, one)
    two = h(t + s / 2, moved(code, s / 2, one))
    three = h(t + s / 2, moved(code, s / 2, two))
    four = h(t + s, moved(code, s, three))
    return moved(code, s / 6, [a + 2 * b + 2 * c + d
                               for a, b, c, d in zip(one, two, three, four)])


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
    fine = mpf(2) ** -80 * (1 + max(map(abs, code)))  # the errors of its steps are 2^-90 and grow
    return [Loose(x, fine) for x in code]


def floater(draw):
    dim, solver = draw.randint(2, 4), draw.choice(["rk4", "euler"])
    p0, units = draw.singles(dim), draw.randint(2, 4)
    pos = [0, draw.randint(1, 9), draw.real(-5, 5), -draw.randint(1, 4)]
    params = {"pos": pos, "p0": p0, "solver": solver}
    dt, step = draw.choice([(0.01, 0.002), (0.1, 0.03), (0.125, 0.25)])
    if dt != 0.01:
        params.update(dt_position=dt, solver_step=step)
    a, b = [draw.singles(dim, -1, 1) for _ in range(dim)], draw.singles(dim)
    w1 = [draw.singles(dim + 1, -1, 1) for _ in range(units)]
    w2 = [draw.singles(units + 1, -1, 1) for _ in range(dim)]
    b1, b2 = draw.singles(units), draw.singles(dim)

    def flow(t, code):
        hidden = [max(x, mpf(0)) for x in layer(w1, b1, code + [t])]
        return layer(w2, b2, hidden + [t])
    for given, h in (({"a": a, "b": b}, lambda t, code: layer(a, b, code)),
                     ({"w1": w1, "b1": b1, "w2": w2, "b2": b2}, flow)):
        yield Case("rows", dict(params, **given), [
            path(h, [mpf(x) for x in p0], p, mpf(dt), mpf(step), solver) for p in pos])


ROWS = {
    "floater": floater,
    "recursive": recursive,
}
