# SPDX-License-Identifier: Apache-2.0
"""directions.py - rotary encodings whose pairs mix axes or rules: mrope, dense frequencies,
golden gate, V-JEPA 2, xPos on vectors, PoPE, FoPE."""

from mpmath import mp, mpf

import profiles
from axes import Turns, applied, served
from features import dot
from formulas.numbers import EXACT
from formulas.rotary import LAYOUTS, leftover_axes, zeta
from ladders import linspace, power, raster, times
from measure import Case, Loose, named
from rotary import PAIRINGS
from stretches import stretched
from turns import rotated, rotations, waves, wide

FINE = mpf(2) ** -52


def sections_of(draw, variant):
    one, time = draw.randint(1, 3), draw.randint(1, 3)
    if variant == "ernie":
        return [one, one, time]
    if variant in ("chunked", "xdrope"):
        return [draw.randint(1, 3) for _ in range(4 if variant == "xdrope" else 3)]
    return [one + 1, one, one] if variant in ("interleaved", "openpangu") else [time, one, one]


def mrope_of(draw):
    variant = draw.turn(sorted(LAYOUTS))
    sections, names = sections_of(draw, variant), ["pos.t", "pos.h", "pos.w"]
    rule, more = LAYOUTS[variant], {}
    if variant == "interleaved":
        more["leftover"] = draw.choice(["t", "extra"])
        if more["leftover"] == "extra":
            rule, names = leftover_axes, names + ["pos.e"]
    if variant == "xdrope":
        names = ["pos.p", "pos.w", "pos.h", "pos.t"]
    pos, axis = [draw.positions(2) for _ in names], rule(sections)
    if variant == "hope":  # time is not rotated
        names, pos[0] = names[1:], [0, 0]
    params, freq, factor = stretched(draw, 2 * len(axis), draw.base())
    params.update(zip(names, pos[-len(names):]), mrope_section=sections, section_layout=variant, **more)
    return Turns(params, list(zip(*pos)), axis, freq, "half", factor=factor)


def mrope_profile(draw):
    sections, places = [2, 1, 1], [(3, 4095, 7), (draw.randint(0, 10 ** 6), 5, 1000)]
    profile, params = profiles.drawn(draw, 8)
    axis, rows = LAYOUTS["chunked"](sections), []
    for place in places:
        waves = [profiles.waves(profile, params, 8, p) for p in place]
        rows.append([[waves[a][k][i] for i, a in enumerate(axis)] for k in range(2)])
    params.update(zip(("pos.t", "pos.h", "pos.w"), map(list, zip(*places))))
    params.update(mrope_section=sections, dim=8)
    for k, out in enumerate(("cos", "sin")):
        yield Case(out, params, [row[k] for row in rows])


def mrope(draw):
    yield from served(mrope_of)(draw)
    yield from mrope_profile(draw)
    yield Case("attention_factor", {"dim": 8, "mrope_section": [2, 1, 1], "scaling": "yarn",
                                    "factor": 4, "original_max_position_embeddings": 2048},
               1 + mp.log(4) / 10)


class Dense:
    """Angles F . place, with the size of their terms."""

    def __init__(self, params, places, frequencies, pairing, fine=FINE):
        self.fine = fine  # relative to the size of the terms
        self.params, self.places, self.pairing = params, places, pairing
        self.frequencies = frequencies  # a row for each axis, a column for each pair
        self.sums = [[dot(place, column) for column in zip(*frequencies)] for place in places]


def dense(make):
    def row(draw):
        d = make(draw)
        yield Case("frequencies", d.params, d.frequencies)
        yield Case("coordinates", d.params, [[mpf(v) for v in place] for place in d.places])
        yield Case("angles", d.params, [[Loose(a, s * d.fine) for a, s in row] for row in d.sums])
        width = draw.choice(["half", "full"])
        yield from waves(dict(d.params, width=width), lambda wave: [
            wide([Loose(wave(a), s * d.fine) for a, s in row], d.pairing, width)
            for row in d.sums])
    return row


def dense_applied(make):
    def row(draw):
        d = make(draw)
        params = {k: v for k, v in d.params.items() if k != "dim"}
        x, rows = draw.table(len(d.places), 2 * len(d.frequencies[0])), []
        for v, sums in zip(x, d.sums):
            most = max(s for _, s in sums) * d.fine * 8
            rows.append([Loose(e.value, e.slack + most) for e in
                         rotated(v, [a for a, _ in sums], d.pairing)])
        yield from rotations(params, x, rows)
    return row


def rope_nd(draw):
    axes, pairs = draw.randint(1, 3), draw.randint(1, 4)
    freqs = [[draw.real(-2, 2) for _ in range(pairs)] for _ in range(axes)]
    ids = [[draw.real(-99, 99) for _ in range(axes)] for _ in range(2)]
    pairing = draw.turn(PAIRINGS)
    return Dense({"freqs": freqs, "ids": ids, "pairing": pairing}, ids,
                 [[mpf(v) for v in row] for row in freqs], pairing)


def keypoints(draw):
    """LightGlue's features of one or two coordinates; Wr has a row for each pair."""
    axes, pairs = draw.randint(1, 2), draw.randint(1, 4)
    wr = [[draw.real(-2, 2) for _ in range(axes)] for _ in range(pairs)]
    coords = [[draw.real(0, 400) for _ in range(axes)] for _ in range(2)]
    params, places = {"coords": coords, "wr": wr}, coords
    if axes == 2 and draw.chance():
        params["image_wh"] = [640, 480]
        places = [[(mpf(v) - mpf(s) / 2) / 320 for v, s in zip(row, (640, 480))]
                  for row in coords]
    return Dense(params, places, [[mpf(v) for v in column] for column in zip(*wr)], "adjacent")


def rope2d_mixed(draw):
    h, w, pairs = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 4)
    freqs = [[draw.real(-2, 2) for _ in range(pairs)] for _ in range(2)]
    held = [[mpf(v) for v in row] for row in freqs[::-1]]  # the served rows come first
    pairing = draw.turn(PAIRINGS)
    return Dense({"grid": "%dx%d" % (h, w), "freqs": freqs, "pairing": pairing}, raster(h, w),
                 held, pairing)


def golden_gate(draw):
    """Xiong 2025: ten steps to the ratio, normal scores for the directions, scaled to length 1."""
    axes, pairs = draw.randint(2, 3), draw.randint(1, 4)
    low, high = draw.choice([1, 0.5]), draw.choice([100, 10000])
    g = mpf(2)
    for _ in range(10):
        g = power(1 + g, mpf(1) / (axes + 1))
    columns = []
    for f, size in enumerate(linspace(0, 1, pairs)):
        z = [(f + 1) * g ** -k % 1 for k in range(1, axes + 1)]
        v = [mp.erfinv(2 * part - 1) for part in z]
        length = mp.sqrt(sum(part * part for part in v))
        columns.append([part / length * mpf(low) * power(mpf(high) / mpf(low), size)
                        for part in v])
    ids = [[draw.real(-9, 9) for _ in range(axes)] for _ in range(2)]
    shown = [list(row) for row in zip(*columns)]
    pairing = draw.turn(PAIRINGS)
    return Dense({"pos_dim": axes, "dim": 2 * pairs, "min_freq": low, "max_freq": high,
                  "ids": ids, "pairing": pairing}, ids, shown, pairing, 4 * FINE)


def vjepa_sections(draw, width):
    h, w, frames = draw.randint(1, 2), draw.randint(1, 3), draw.randint(1, 2)
    each = 2 * (width // 3 // 2)
    places = raster(frames, h, w)
    freq = [power(10000, -mpf(2 * i) / each) for i in range(each // 2)]
    return {"grid": "%dx%d" % (h, w), "frames": frames}, places, freq


def rope3d_vjepa2(draw):
    width = 6 * draw.randint(1, 4)
    params, places, freq = vjepa_sections(draw, width)
    params["dim"] = width
    angles = [[p * w for p in place for w in freq] for place in places]
    yield Case("angles", params, angles)
    yield Case("inv_freq", params, freq * 3)
    yield Case("section_axis", params, [a for a in range(3) for _ in freq])
    yield Case("coordinates", params, [[mpf(p) for p in place] for place in places])
    yield from waves(dict(params, width="half"), lambda wave: [
        [wave(a) for a in row] for row in angles])
    yield from waves(dict(params, width="full"), lambda wave: [
        [wave(p * w) for p in place for w in freq + freq] for place in places])


def mismatched(x, position, freq):
    """y_k = x_k c_(k mod h) + g_k s_(k mod h), where g is the quarter turn of adjacent pairs."""
    row = []
    for k, value in enumerate(x):
        other = mpf(x[k + 1]) * -1 if k % 2 == 0 else mpf(x[k - 1])
        angle = position * freq[k % len(freq)]
        slack = mp.sqrt(mpf(value) ** 2 + other ** 2) * mpf(2) ** -51
        row.append(Loose(mpf(value) * mp.cos(angle) + other * mp.sin(angle), slack))
    return row


def rope3d_vjepa2_apply(draw):
    width = draw.even(6, 26)
    params, places, freq = vjepa_sections(draw, width)
    x, each, rows = draw.table(len(places), width), 2 * len(freq), []
    for vector, place in zip(x, places):
        row = []
        for a, p in enumerate(place):
            row += mismatched(vector[a * each:(a + 1) * each], p, freq)
        rows.append(row + [mpf(v) for v in vector[3 * each:]])
    yield from rotations(params, x, rows)


def vjepa2_rope(draw):
    half, pos, base = draw.randint(1, 4), draw.positions(2), draw.base()
    freq = [power(base, -mpf(i) / half) for i in range(half)]
    x = draw.table(len(pos), 2 * half)
    yield from rotations({"pos": pos, "base": base}, x, [
        mismatched(v, p, freq) for v, p in zip(x, pos)])


def xpos_apply(draw):
    width = draw.even(4, 8)
    params, freq, factor = stretched(draw, width, draw.base())
    pos = [abs(p) % 20000 for p in draw.positions(2)]
    x, down = draw.table(len(pos), width), {True: [], False: []}
    for key, rows in down.items():
        for v, p in zip(x, pos):
            there = rotated(v, times(p, freq), "adjacent", factor)
            scale = [power(z, (-1 if key else 1) * mpf(p) / 512) for z in zeta(EXACT, width, 0.4)
                     for _ in range(2)]
            rows.append([Loose(e.value * s, 2 * e.slack * s) for e, s in zip(there, scale)])
    params["pos"] = pos
    yield Case("x", dict(params, x=x), down[False])
    yield Case("x", dict(params, x=x, downscale=True), down[True])
    yield Case("q", dict(params, q=x), down[False])
    yield Case("k", dict(params, k=x), down[True])


def pope_angles(draw, width):
    base, pos = draw.base(), draw.positions(2)
    freq = [power(base, -mpf(i) / width) for i in range(width)]
    return {"base": base, "pos": pos}, freq, [times(p, freq) for p in pos]


def pope(draw):
    width = draw.randint(1, 8)
    params, freq, angles = pope_angles(draw, width)
    params["dim"] = width
    yield Case("inv_freq", params, freq)
    yield from waves(params, lambda wave: [[wave(a) for a in row] for row in angles],
                     lambda array: array.reshape(2, -1))


def pope_apply(draw):
    width = draw.even(2, 8)
    params, _, angles = pope_angles(draw, width)
    x, rows = draw.table(len(angles), width), []
    for v, row in zip(x, angles):
        radii = [mp.log(1 + mp.exp(mpf(value))) for value in v]
        rows.append([r * wave(a) for wave in (mp.cos, mp.sin) for r, a in zip(radii, row)])
    yield from rotations(params, x, rows)


def fope_mix(draw):
    pairs, pos = draw.randint(2, 5), draw.positions(2)
    params, freq, factor = stretched(draw, 2 * pairs, draw.base())
    count = draw.randint(1, pairs)
    mixed = draw.randint(1, count)
    coefs = [draw.table(count, mixed) for _ in range(2)]
    freq, pad = freq[:count], draw.choice(["ones", "identity"])
    params.update({"pos": pos, "num_inv_freq": count, "cos_coef": coefs[0],
                   "sin_coef": coefs[1], "pad": pad})
    tables = []
    for wave, coef, rest in ((mp.cos, coefs[0], 1), (mp.sin, coefs[1], int(pad == "ones"))):
        rows = []
        for p in pos:
            waves = [factor * wave(p * w) for w in freq]
            sums = [dot(waves, [row[o] for row in coef]) for o in range(mixed)]
            sizes = [factor * sum(abs(row[o]) for row in coef) for o in range(mixed)]
            rows.append([Loose(s[0], size * mpf(2) ** -50) for s, size in zip(sums, sizes)] +
                        [mpf(rest)] * (pairs - mixed))
        tables.append(rows)
    return params, tables, pairs


def fope(draw):
    params, tables, pairs = fope_mix(draw)
    for out, rows in zip(("cos", "sin"), tables):
        yield Case(out, dict(params, dim=2 * pairs), rows,
                   lambda array: array.reshape(len(array), -1))


def size_of(entry):
    if isinstance(entry, Loose):
        return entry.value, entry.slack * mpf(2) ** 50
    return entry, abs(entry)


def fope_apply(draw):
    params, tables, pairs = fope_mix(draw)
    x, rows = draw.table(2, 2 * pairs), []
    for v, cos, sin in zip(x, *tables):
        row = [None] * (2 * pairs)
        for i in range(pairs):
            (c, cs), (s, ss) = size_of(cos[i]), size_of(sin[i])
            a, b = mpf(v[i]), mpf(v[i + pairs])
            fine = mpf(2) ** -49
            row[i] = Loose(a * c - b * s, (abs(a) * cs + abs(b) * ss) * fine)
            row[i + pairs] = Loose(a * s + b * c, (abs(a) * ss + abs(b) * cs) * fine)
        rows.append(row)
    yield from rotations(params, x, rows)


ROWS = named(fope, mrope, pope, rope3d_vjepa2, vjepa2_rope)
ROWS.update({"fope/apply": fope_apply, "learnable-fourier/apply": dense_applied(keypoints),
             "mrope/apply": applied(mrope_of), "pope/apply": pope_apply, "rope-golden-gate":
             dense(golden_gate), "rope-golden-gate/apply": dense_applied(golden_gate),
             "rope-nd": dense(rope_nd), "rope-nd/apply": dense_applied(rope_nd), "rope2d-mixed":
             dense(rope2d_mixed), "rope2d-mixed/apply": dense_applied(rope2d_mixed),
             "rope3d-vjepa2/apply": rope3d_vjepa2_apply, "xpos/apply": xpos_apply})
