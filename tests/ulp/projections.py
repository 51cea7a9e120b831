# SPDX-License-Identifier: Apache-2.0
"""projections.py - encodings with learned networks, projections or generators: FIRE,
Transformer-XL, TUPE, LieRE, STRING; and the check of a table's pairing."""

import numpy as np
from mpmath import mp, mpf

from biases import NEVER
from features import dot
from formulas.biases import fire_share
from formulas.numbers import EXACT
from ladders import concat, interleaved, ladder, raster, times
from measure import Case, Loose, loose, named
from turns import pair_places, rotations, wide


def fire(draw):
    """Li et al. 2023: a network of the distance's share of the context."""
    c, threshold = draw.choice([0.1, draw.real(0.05, 2)]), draw.choice([512, 16])
    q, k = [draw.randint(0, 2000) for _ in range(2)], [draw.randint(0, 2000) for _ in range(3)]
    params = {"c": c, "l": threshold, "q": q, "k": k}
    psi = fire_share(EXACT, params)
    yield Case("psi", params, psi)
    units, heads = draw.randint(1, 4), 2
    w1, b1 = draw.singles(units), draw.singles(units)
    w2, b2 = [draw.singles(units) for _ in range(heads)], draw.singles(heads)
    causal = draw.chance()
    if causal:
        params.update(causal=True, mask_value="-inf")

    def bias(h, x):
        hidden = [max(mpf(w) * x + mpf(b), mpf(0)) for w, b in zip(w1, b1)]
        size = sum(abs(v) * (abs(w) * x + abs(b)) for v, w, b in zip(w2[h], w1, b1))
        return Loose(dot(w2[h], hidden)[0] + mpf(b2[h]), (size + abs(b2[h])) * mpf(2) ** -66)
    yield Case("bias", dict(params, w1=w1, b1=b1, w2=w2, b2=b2), [[[
        NEVER if causal and j > i else bias(h, psi[a, b]) for b, j in enumerate(k)]
        for a, i in enumerate(q)] for h in range(heads)])


def transformer_xl(draw):
    """Dai et al. 2019, equation (d), one head."""
    model, width, base = draw.even(2, 6), draw.randint(2, 4), draw.base()
    lq, lk = 2, draw.randint(2, 4)
    params = {"q": "%d:%d" % (lk - lq, lk), "k": "0:%d" % lk}
    clamp = draw.choice([None, 1, 2])
    if clamp:
        params["max_distance"] = clamp

    def distance(value):
        return min(max(value, -clamp), clamp) if clamp else value
    away = [[distance(lk - lq + i - j) for j in range(lk)] for i in range(lq)]
    yield Case("distance", params, away)
    w_r = [draw.singles(width) for _ in range(model)]
    u, v = draw.singles(width), draw.singles(width)
    queries, keys = [draw.singles(width) for _ in range(lq)], [draw.singles(width)
                                                              for _ in range(lk)]

    def position(query, value):
        row = concat(times(value, ladder(base, model)))
        pairs = [dot(row, [line[c] for line in w_r]) for c in range(width)]
        met = [mpf(a) + mpf(b) for a, b in zip(query, v)]
        sizes = [abs(mpf(a)) + abs(mpf(b)) for a, b in zip(query, v)]
        return (sum(m * p[0] for m, p in zip(met, pairs)),
                sum(s * sum(abs(line[c]) for line in w_r) for c, s in enumerate(sizes)))

    def score(i, j):
        near = dot([mpf(a) + mpf(b) for a, b in zip(queries[i], u)], keys[j])
        size = dot([abs(a) + abs(b) for a, b in zip(queries[i], u)], map(abs, keys[j]))[0]
        far = position(queries[i], away[i][j])
        return Loose((near[0] + far[0]) / mp.sqrt(width),
                     (size + far[1]) / mp.sqrt(width) * mpf(2) ** -52)
    asked = dict(params, base=base, w_r=w_r, u=u, v=v, queries=queries, keys=keys)
    yield Case("scores", asked, [[[score(i, j) for j in range(lk)] for i in range(lq)]])
    yield from transformer_xl_tables(draw)
    raw = [[position(q, distance(lk - 1 - c)) for c in range(lk)] for q in queries]
    yield Case("raw_bd", asked, [[[Loose(s, z * mpf(2) ** -52) for s, z in row] for row in raw]])


def transformer_xl_tables(draw):
    """Rows of the sinusoids, one for each distance, in the orders of the three codes."""
    width, base, clamp = draw.even(2, 6), draw.base(), draw.choice([None, 1, 3])
    lk = draw.randint(1, 5)
    lq = draw.randint(1, lk)

    def row(value, in_turn=False):
        value = min(max(value, -clamp), clamp) if clamp else value
        return (interleaved if in_turn else concat)(times(value, ladder(base, width)))
    params = {"q": "0:%d" % lq, "k": "0:%d" % lk, "dim": width, "base": base}
    if clamp:
        params["max_distance"] = clamp
    yield Case("table", params, [row(d) for d in range(lk - 1, -1, -1)])
    square = dict(params, q="0:%d" % lk, distance_order="conformer")
    yield Case("table", square, [row(d, True) for d in range(lk - 1, -lk, -1)])
    both = draw.chance()
    for kind, last in (("bi", 1 - lq), ("uni", 0)):
        yield Case("table", dict(params, distance_order="xlnet", attn_type=kind, bi_data=both), [
            [row(d), row(-d)][:1 + both] for d in range(lk, last - 1, -1)])


def normalised(row):
    mean = sum(map(mpf, row)) / len(row)
    variance = sum((mpf(x) - mean) ** 2 for x in row) / len(row)
    return [(mpf(x) - mean) / mp.sqrt(variance + mpf(1e-5)) for x in row]


def tupe(draw):
    """Ke et al. 2021: untied projections of positions; the class token is treated apart."""
    heads, each, length = draw.randint(1, 2), draw.randint(1, 2), draw.randint(2, 3)
    width = max(heads * each, 2)
    each = width // heads
    table, norm = [draw.singles(width) for _ in range(length + 1)], draw.chance()
    wq, wk = [[draw.singles(width) for _ in range(width)] for _ in range(2)]
    bq, bk = draw.singles(width), draw.singles(width)
    rows = [normalised(row) if norm else row for row in table]

    def projected(weights, offsets, row):
        return [(dot(w, row)[0] + b, dot(map(abs, w), map(abs, row))[0] + abs(b))
                for w, b in zip(weights, offsets)]
    queries = [projected(wq, bq, row) for row in rows]
    keys = [projected(wk, bk, row) for row in rows]
    gain = 1 / mp.sqrt(mpf(2 * width) / heads)

    def score(h, r, s):
        pairs = list(zip(queries[r], keys[s]))[h * each:(h + 1) * each]
        return Loose(gain * sum(a[0] * b[0] for a, b in pairs),
                     gain * sum(a[1] * b[1] for a, b in pairs) * mpf(2) ** -80)

    def entry(h, i, j):
        if i == 0:
            return score(h, 0, 0)
        return score(h, 1, 1) if j == 0 else score(h, i + 1, j + 1)
    yield Case("bias", {"len": length, "heads": heads, "table": table, "layer_norm": norm,
                        "wq": wq, "bq": bq, "wk": wk, "bk": bk}, [[[
        entry(h, i, j) for j in range(length)] for i in range(length)] for h in range(heads)])


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
    angles = [times(p, ladder(base, width)) for p in (0, 1)]

    def table(wave, sign=1):
        return [[float(sign * gain * v) for v in wide([wave(a) for a in row], made, "full")]
                for row in angles]
    params = {"pos": [0, 1], "rotation": rotation, "cos": table(mp.cos),
              "sin": table(mp.sin, -1 if inverse else 1)}
    verdict = int(inverse) if made == rotation else 2 if made == "half" else 3
    yield Case("verdict", params, verdict)
    yield Case("layout", params, 1 if made == "adjacent" else 2)
    yield Case("amplitude", params, Loose(mpf(gain), gain * mpf(2) ** -40))
    yield Case("theta", params, Loose(mpf(base), base * mpf(10) ** -8))


ROWS = named(fire, grape_m, pairing_lint, transformer_xl, tupe)
ROWS.update({"comrope": served(comrope), "comrope/apply": comrope_applied, "grape-m/apply":
             grape_m_applied, "liere": served(liere), "liere/apply": applied(liere), "string":
             served(string), "string/apply": applied(string)})
