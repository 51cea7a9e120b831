# SPDX-License-Identifier: Apache-2.0
"""projections.py - encodings with learned networks, projections or generators: FIRE,
Transformer-XL, TUPE, LieRE, STRING; and the check of a table's pairing."""

import numpy as np
from mpmath import mp, mpf

from biases import NEVER
from formulas.biases import distances, fire_share
from formulas.numbers import EXACT
from formulas.scalings import ladder
from formulas.sinusoids import rows
from ladders import raster
from measure import Case, Loose, given, loose, named
from networks import normalised, relu
from turns import pair_places, rotations, wide


def fire(draw):
    """Li et al. 2023: a network of the distance's share of the context."""
    c, threshold = draw.choice([0.1, draw.real(0.05, 2)]), draw.choice([512, 16])
    q, k = [draw.randint(0, 2000) for _ in range(2)], [draw.randint(0, 2000) for _ in range(3)]
    params = {"c": c, "l": threshold, "q": q, "k": k}
    psi = fire_share(EXACT, params)
    yield Case("psi", params, psi)
    units, heads = draw.randint(1, 4), 2
    params, w1, b1, w2, b2 = given(params, w1=draw.singles(units), b1=draw.singles(units),
                                   w2=draw.table(heads, units), b2=draw.singles(heads))
    hidden, size = (relu(psi[..., None] * w1 + b1), psi[..., None] * abs(w1) + abs(b1))
    values = loose(hidden @ w2.T + b2, (size @ abs(w2).T + abs(b2)) * mpf(2) ** -66)
    if draw.chance():
        params.update(causal=True, mask_value="-inf")
        values = np.where(distances(params)[..., None] < 0, NEVER, values)
    yield Case("bias", params, np.moveaxis(values, -1, 0))


def transformer_xl(draw):
    """Dai et al. 2019, equation (d), one head."""
    model, width, base = draw.even(2, 6), draw.randint(2, 4), draw.base()
    lq, lk = 2, draw.randint(2, 4)
    params = {"q": "%d:%d" % (lk - lq, lk), "k": "0:%d" % lk}
    clamp = draw.choice([None, 1, 2])
    if clamp:
        params["max_distance"] = clamp
    away = clamped(distances(params), clamp)
    yield Case("distance", params, away)
    asked, w_r, u, v, queries, keys = given(
        dict(params, base=base), w_r=draw.table(model, width), u=draw.singles(width),
        v=draw.singles(width), queries=draw.table(lq, width), keys=draw.table(lk, width))

    def places(values):
        """The sinusoids of distances, projected."""
        made = rows(EXACT, {"dim": model, "base": base, "layout": "concat",
                            "pos": values.reshape(-1).tolist()}) @ w_r
        return made.reshape(*values.shape, width)
    far_size = ((abs(queries) + abs(v)) @ abs(w_r).sum(0))[:, None]
    total = (queries + u) @ keys.T + (places(away) * (queries + v)[:, None]).sum(-1)
    size = (abs(queries) + abs(u)) @ abs(keys).T + far_size
    root = mp.sqrt(width)
    yield Case("scores", asked, loose(total / root, size / root * FINE)[None])
    yield from transformer_xl_tables(draw)
    raw = (queries + v) @ places(clamped(np.arange(lk - 1, -1, -1), clamp)).T
    yield Case("raw_bd", asked, loose(raw, far_size * FINE)[None])


FINE = mpf(2) ** -52


def clamped(values, most):
    return np.clip(values, -most, most) if most else values


def transformer_xl_tables(draw):
    """Rows of the sinusoids, one for each distance, in the orders of the three codes."""
    width, base, clamp = draw.even(2, 6), draw.base(), draw.choice([None, 1, 3])
    lk = draw.randint(1, 5)
    lq = draw.randint(1, lk)

    def table(first, last, layout="concat", sign=1):
        pos = clamped(sign * np.arange(first, last - 1, -1), clamp).tolist()
        return rows(EXACT, {"dim": width, "base": base, "layout": layout, "pos": pos})
    params = {"q": "0:%d" % lq, "k": "0:%d" % lk, "dim": width, "base": base}
    if clamp:
        params["max_distance"] = clamp
    yield Case("table", params, table(lk - 1, 0))
    square = dict(params, q="0:%d" % lk, distance_order="conformer")
    yield Case("table", square, table(lk - 1, 1 - lk, "interleaved"))
    both = draw.chance()
    for kind, last in (("bi", 1 - lq), ("uni", 0)):
        yield Case("table", dict(params, distance_order="xlnet", attn_type=kind, bi_data=both),
                   np.stack([table(lk, last), table(lk, last, sign=-1)], 1)[:, :1 + both])


def tupe(draw):
    """Ke et al. 2021: untied projections of positions; the class token is treated apart."""
    heads, each, length = draw.randint(1, 2), draw.randint(1, 2), draw.randint(2, 3)
    width = max(heads * each, 2)
    each = width // heads
    table, norm = draw.table(length + 1, width), draw.chance()
    params, wq, wk, bq, bk = given(
        {"len": length, "heads": heads, "table": table, "layer_norm": norm},
        wq=draw.table(width, width), wk=draw.table(width, width), bq=draw.singles(width),
        bk=draw.singles(width))
    places = normalised(EXACT.real(table), mpf(1e-5)) if norm else EXACT.real(table)

    def products(q, k, wq, bq, wk, bk):
        """Of the queries and the keys of each head."""
        one, other = ((x @ w.T + b)[:, :heads * each].reshape(-1, heads, each).swapaxes(0, 1)
                      for x, w, b in ((q, wq, bq), (k, wk, bk)))
        return one @ other.swapaxes(1, 2) / mp.sqrt(mpf(2 * width) / heads)
    values = products(places, places, wq, bq, wk, bk)
    sizes = products(*map(abs, (places, places, wq, bq, wk, bk)))
    i, j = np.indices((length, length))
    r, s = (np.where(i == 0, 0, np.where(j == 0, 1, at + 1)) for at in (i, j))
    yield Case("bias", params, loose(values, sizes * mpf(2) ** -80)[:, r, s])


def exponential(generator, fine=mpf(2) ** -47):
    """The exponential of an antisymmetric matrix within the stated block^2 (2 + norm) 2^-47."""
    return rounded_off(mp.expm(mp.matrix(generator.tolist())), generator, fine)


def rounded_off(matrix, generator, fine=mpf(2) ** -47):
    slack = len(generator) ** 2 * (2 + mp.sqrt((generator ** 2).sum())) * fine
    return loose(np.array(matrix.tolist() if hasattr(matrix, "tolist") else matrix), slack).tolist()


def antisymmetric(rows):
    rows = EXACT.real(rows)
    return rows - rows.T


def turned(blocks, vector):
    """A vector rotated by the blocks; columns outside of all blocks pass through."""
    row, at = [], 0
    for block in blocks:
        part = [mpf(v) for v in vector[at:at + len(block)]]
        length = mp.sqrt(sum(v * v for v in part))
        row += [Loose(sum(e.value * v for e, v in zip(line, part)), line[0].slack * length)
                for line in block]
        at += len(block)
    return row + [mpf(v) for v in vector[at:]]


def applied(make):
    def row(draw):
        params, blocks, width = make(draw)
        x = draw.table(len(blocks), width)
        yield from rotations(params, x, [turned(own, v) for own, v in zip(blocks, x)])
    return row


def served(make):
    def row(draw):
        params, blocks, width = make(draw)
        yield Case("matrix", dict(params, dim=width), [[own] for own in blocks])
    return row


def liere(draw):
    """exp(sum of pos_a (U - U^T)) of every block, U the strict upper triangle."""
    block, count, axes = draw.randint(2, 4), draw.randint(1, 2), draw.randint(1, 2)
    raw = [draw.table(block, block, -1, 1) for _ in range(axes * count)]
    ids = [[draw.real(-4, 4) for _ in range(axes)] for _ in range(2)]
    skew = [antisymmetric(np.triu(part, 1)) for part in raw]
    blocks = [[exponential(sum(mpf(p) * skew[a * count + b] for a, p in enumerate(place)))
               for b in range(count)] for place in ids]
    params = {"raw": [line for part in raw for line in part], "ids": ids}
    return params, blocks, block * count + draw.randint(0, 1)


def comrope(draw):
    """exp(t (F - F^T)) of every block: t the coordinate of its axis, or a sum over the axes."""
    block, axes, each = draw.randint(2, 4), draw.randint(1, 2), draw.randint(1, 2)
    count, cls = axes * each, draw.choice([None, draw.real(-1, 1)])
    freqs = [[draw.real(-2, 2) for _ in range(block)] for _ in range(count * block)]
    params = {"freqs": freqs}
    factors = EXACT.real([[b % axes == a for b in range(count)] for a in range(axes)])
    if draw.chance():
        params["multiplier"] = [[draw.real(-2, 2) for _ in range(count)] for _ in range(axes)]
        factors = EXACT.real(params["multiplier"])
    else:
        params["num_axes"] = axes
    if draw.chance():
        sides = params["grid_sizes"] = [draw.randint(1, 3) for _ in range(axes)]
        places = (EXACT.real(raster(*sides)) + mpf(1) / 2) / sides[-1]
    else:
        params["ids"] = [[draw.real(-4, 4) for _ in range(axes)] for _ in range(2)]
        places = EXACT.real(params["ids"])
    if cls is not None:
        params["cls_position"] = cls
        places = np.concatenate([EXACT.real([[cls] * axes]), places])
    skew = [antisymmetric(freqs[b * block:(b + 1) * block]) for b in range(count)]
    blocks = [[exponential(g * t, mpf(2) ** -96) for g, t in zip(skew, times)]
              for times in places @ factors]
    return params, blocks, block * count


def comrope_applied(draw):
    params, blocks, width = comrope(draw)
    x = draw.table(len(blocks), width)

    def loose(own, vector):
        row = turned(own, vector)
        each = len(own[0])
        for i, value in enumerate(row):
            part = vector[i // each * each:i // each * each + each]
            value.slack = each * mp.sqrt(sum(mpf(v) ** 2 for v in part)) * mpf(2) ** -50
        return row
    yield from rotations(params, x, [loose(own, v) for own, v in zip(blocks, x)],
                         lambda array: array.reshape(-1, width))


def plane_rotation(draw, heads):
    """exp(n omega L) of every position and head, L = a b^T - b a^T; b may be nearly parallel to a."""
    width, count = draw.randint(2, 5), 2
    a, b = [[draw.singles(width) for _ in range(heads)] for _ in range(2)]
    if draw.chance():
        b = [[float(2 * x + draw.real(-1, 1) * 2.0 ** -draw.randint(20, 45)) for x in row] for row in a]
    omega = [draw.real(-1, 1) for _ in range(draw.choice([1, heads]))]
    sizes = []
    for u, v in zip(a, b):
        dot = [mp.fsum(mpf(x) * mpf(y) for x, y in zip(*pair)) for pair in ((u, u), (u, v), (v, v))]
        sizes.append(mp.sqrt(dot[0] * dot[2] - dot[1] ** 2))
    pos, turns = [draw.position() for _ in range(count)], []
    while any(abs(mpf(p) * mpf(omega[h % len(omega)]) * sizes[h]) > mpf(2) ** 39
              for p in pos for h in range(heads)):
        pos = [int(p) // 1024 for p in pos]
    for p in pos:
        for h in range(heads):
            s, t = sizes[h], mpf(p) * mpf(omega[h % len(omega)]) * sizes[h]
            u, v = [[mpf(x) for x in row[h]] for row in (a, b)]
            turns.append((u, v, mp.sin(t) / s, (1 - mp.cos(t)) / s ** 2) if s > 0 else
                         (u, v, mpf(0), mpf(0)))
    return {"pos": pos, "a": a, "b": b, "omega": omega}, width, turns


def plane_matrix(turn):
    """I + first L + second L^2, which may be off by 2^-50 besides."""
    u, v, first, second = turn
    line = np.outer(u, v) - np.outer(v, u)
    square = line @ line
    return loose(np.eye(len(u), dtype=int) + first * line + second * square, mpf(2) ** -50).tolist()


def grape_m(draw):
    heads = draw.turn([1, 2])
    params, width, turns = plane_rotation(draw, heads)
    rows = [plane_matrix(turn) for turn in turns]
    yield Case("matrix", dict(params, dim=width),
               [[[rows[p * heads + h]] for h in range(heads)] for p in range(len(params["pos"]))])


def grape_m_applied(draw):
    heads = draw.turn([1, 2])
    params, width, turns = plane_rotation(draw, heads)
    x = [draw.table(heads, width) for _ in params["pos"]]
    asked = dict(params, seq_axis=0) if heads > 1 else params
    flat = [vector for place in x for vector in place]
    rows = [turned([plane_matrix(t)], vector) for t, vector in zip(turns, flat)]
    yield from rotations(asked, x if heads > 1 else flat, rows,
                         lambda array: array.reshape(-1, width))
    back = [turned([[list(line) for line in zip(*plane_matrix(t))]], vector)
            for t, vector in zip(turns, flat)]
    yield Case("x", dict(asked, inverse=True, x=x if heads > 1 else flat), back,
               lambda array: array.reshape(-1, width))


def string(draw):
    """Schenck et al. 2025: Cayley's P RoPE P^T, or the exponential of circulants."""
    width = draw.even(2, 6)
    axes, pairs = draw.randint(1, 2), width // 2
    ids = [[draw.real(-4, 4) for _ in range(axes)] for _ in range(2)]
    if draw.chance():
        rows, blocks = draw.table(axes, width, -1, 1), []
        at = np.arange(width)
        turns = [antisymmetric(np.array(row)[(at[None] - at[:, None]) % width]) for row in rows]
        for place in ids:
            blocks.append([exponential(sum(mpf(p) * turn for p, turn in zip(place, turns)))])
        return {"circulant": rows, "ids": ids}, blocks, width
    freqs, skew = draw.table(axes, pairs), np.zeros((width, width), object)
    for i in range(width):
        for j in range(i + 1, width):
            skew[i, j] = draw.single(-1, 1)
    skew = skew - skew.T
    s, one = mp.matrix(EXACT.real(skew).tolist()), mp.eye(width)
    outer = (one - s) * (one + s) ** -1
    blocks = []
    for place in ids:
        turn, g = mp.zeros(width), EXACT.real(np.zeros((width, width)))
        for i, (a, b) in enumerate(pair_places(pairs, "adjacent")):
            angle = sum(mpf(p) * mpf(row[i]) for p, row in zip(place, freqs))
            turn[a, a] = turn[b, b] = mp.cos(angle)
            turn[a, b], turn[b, a] = -mp.sin(angle), mp.sin(angle)
            g[a, b] = angle
        blocks.append([rounded_off(outer * turn * outer.T, g)])
    return {"skew": skew.tolist(), "freqs": freqs, "ids": ids}, blocks, width


def pairing_lint(draw):
    width, base, made = draw.even(4, 10), draw.choice([100, 10000]), draw.choice(["half", "adjacent"])
    rotation, gain = draw.choice(["half", "adjacent"]), draw.choice([1, 1.25])
    inverse = draw.chance() and made == rotation
    angles = EXACT.real([[0], [1]]) * ladder(EXACT, base, width)

    def table(wave, sign=1):
        return (sign * gain * wide(wave(angles), made, "full")).astype(float).tolist()
    params = {"pos": [0, 1], "rotation": rotation, "cos": table(EXACT.cos),
              "sin": table(EXACT.sin, -1 if inverse else 1)}
    verdict = int(inverse) if made == rotation else 2 if made == "half" else 3
    yield Case("verdict", params, verdict)
    yield Case("layout", params, 1 if made == "adjacent" else 2)
    yield Case("amplitude", params, Loose(mpf(gain), gain * mpf(2) ** -40))
    yield Case("theta", params, Loose(mpf(base), base * mpf(10) ** -8))


ROWS = named(fire, grape_m, pairing_lint, transformer_xl, tupe)
ROWS.update({"comrope": served(comrope), "comrope/apply": comrope_applied, "grape-m/apply":
             grape_m_applied, "liere": served(liere), "liere/apply": applied(liere), "string":
             served(string), "string/apply": applied(string)})
