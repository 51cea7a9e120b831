# SPDX-License-Identifier: Apache-2.0
"""directions.py - rotary encodings whose pairs mix axes or rules: mrope, dense frequencies,
golden gate, V-JEPA 2, xPos on vectors, PoPE, FoPE."""

import numpy as np
from mpmath import mp, mpf

import profiles
from axes import Turns, applied, served
from formulas.numbers import EXACT, lifted, linspace
from formulas.rotary import LAYOUTS, leftover_axes, zeta
from formulas.scalings import ladder
from ladders import power, raster
from measure import Case, Loose, loose, named
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
        self.params, self.places, self.pairing = params, EXACT.real(places), pairing
        self.frequencies = EXACT.real(frequencies)  # a row for each axis, a column for each pair
        self.angles = self.places @ self.frequencies
        self.slack = abs(self.places) @ abs(self.frequencies) * fine


def dense(make):
    def row(draw):
        d = make(draw)
        yield Case("frequencies", d.params, d.frequencies)
        yield Case("coordinates", d.params, d.places)
        yield Case("angles", d.params, loose(d.angles, d.slack))
        width = draw.choice(["half", "full"])
        yield from waves(dict(d.params, width=width), lambda wave: wide(
            loose(wave(d.angles), d.slack), d.pairing, width))
    return row


def dense_applied(make):
    def row(draw):
        d = make(draw)
        params = {k: v for k, v in d.params.items() if k != "dim"}
        x = draw.table(len(d.places), 2 * d.angles.shape[1])
        more = np.frompyfunc(lambda e, slack: Loose(e.value, e.slack + 8 * slack), 2, 1)
        yield from rotations(params, x, more(rotated(x, d.angles, d.pairing),
                                             d.slack.max(-1, keepdims=True)))
    return row


def reals(draw, rows, count, most, least=None):
    return [[draw.real(-most if least is None else least, most) for _ in range(count)]
            for _ in range(rows)]


def rope_nd(draw):
    axes, pairs = draw.randint(1, 3), draw.randint(1, 4)
    freqs, ids = reals(draw, axes, pairs, 2), reals(draw, 2, axes, 99)
    pairing = draw.turn(PAIRINGS)
    return Dense({"freqs": freqs, "ids": ids, "pairing": pairing}, ids, freqs, pairing)


def keypoints(draw):
    """LightGlue's features of one or two coordinates; Wr has a row for each pair."""
    axes, pairs = draw.randint(1, 2), draw.randint(1, 4)
    params = {"wr": reals(draw, pairs, axes, 2), "coords": reals(draw, 2, axes, 400, 0)}
    places = EXACT.real(params["coords"])
    if axes == 2 and draw.chance():
        params["image_wh"] = [640, 480]
        places = (places - EXACT.real([320, 240])) / 320
    return Dense(params, places, np.transpose(params["wr"]), "adjacent")


def rope2d_mixed(draw):
    h, w, pairs = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 4)
    freqs, pairing = reals(draw, 2, pairs, 2), draw.turn(PAIRINGS)
    return Dense({"grid": "%dx%d" % (h, w), "freqs": freqs, "pairing": pairing}, raster(h, w),
                 freqs[::-1], pairing)  # the served rows come first


def golden_gate(draw):
    """Xiong 2025: ten steps to the ratio, normal scores for the directions, scaled to length 1."""
    axes, pairs = draw.randint(2, 3), draw.randint(1, 4)
    low, high = draw.choice([1, 0.5]), draw.choice([100, 10000])
    g = mpf(2)
    for _ in range(10):
        g = power(1 + g, mpf(1) / (axes + 1))
    z = [[(f + 1) * g ** -k % 1 for f in range(pairs)] for k in range(1, axes + 1)]
    v = lifted(lambda part: mp.erfinv(2 * part - 1))(np.array(z))
    sizes = mpf(low) * EXACT.real(mpf(high) / mpf(low)) ** linspace(EXACT, 0, 1, pairs)
    shown = v / EXACT.sqrt((v ** 2).sum(0)) * sizes
    ids, pairing = reals(draw, 2, axes, 9), draw.turn(PAIRINGS)
    return Dense({"pos_dim": axes, "dim": 2 * pairs, "min_freq": low, "max_freq": high,
                  "ids": ids, "pairing": pairing}, ids, shown, pairing, 4 * FINE)


def vjepa_sections(draw, width):
    h, w, frames = draw.randint(1, 2), draw.randint(1, 3), draw.randint(1, 2)
    freq = ladder(EXACT, 10000, 2 * (width // 3 // 2))
    return {"grid": "%dx%d" % (h, w), "frames": frames}, np.array(raster(frames, h, w)), freq


def rope3d_vjepa2(draw):
    width = 6 * draw.randint(1, 4)
    params, places, freq = vjepa_sections(draw, width)
    params["dim"], angles = width, places[..., None] * freq
    yield Case("angles", params, angles.reshape(len(places), -1))
    yield Case("inv_freq", params, np.tile(freq, 3))
    yield Case("section_axis", params, np.repeat(range(3), len(freq)))
    yield Case("coordinates", params, EXACT.real(places))
    for kind, own in (("half", angles), ("full", np.concatenate([angles, angles], -1))):
        yield from waves(dict(params, width=kind), lambda wave: wave(own).reshape(len(places), -1))


def mismatched(x, angles):
    """y_k = x_k c_(k mod h) + g_k s_(k mod h), where g is the quarter turn of adjacent pairs."""
    x, angles = EXACT.real(x), np.concatenate([angles, angles], -1)
    other = np.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)
    return loose(x * EXACT.cos(angles) + other * EXACT.sin(angles),
                 EXACT.sqrt(x ** 2 + other ** 2) * mpf(2) ** -51)


def rope3d_vjepa2_apply(draw):
    width = draw.even(6, 26)
    params, places, freq = vjepa_sections(draw, width)
    x, each = draw.table(len(places), width), 2 * len(freq)
    turning = np.array(x)[:, :3 * each].reshape(len(x), 3, each)
    made = mismatched(turning, places[..., None] * freq).reshape(len(x), -1)
    yield from rotations(params, x, np.concatenate([made, EXACT.real(x)[:, 3 * each:]], -1).tolist())


def vjepa2_rope(draw):
    half, pos, base = draw.randint(1, 4), draw.positions(2), draw.base()
    x = draw.table(len(pos), 2 * half)
    angles = EXACT.real(pos)[:, None] * ladder(EXACT, base, 2 * half)
    yield from rotations({"pos": pos, "base": base}, x, mismatched(x, angles))


def xpos_apply(draw):
    width = draw.even(4, 8)
    params, freq, factor = stretched(draw, width, draw.base())
    pos = [abs(p) % 20000 for p in draw.positions(2)]
    x, column = draw.table(len(pos), width), EXACT.real(pos)[:, None]
    there = rotated(x, column * np.array(freq), "adjacent", factor)
    powers = np.repeat(zeta(EXACT, width, 0.4) ** (column / 512), 2, -1)
    times = np.frompyfunc(lambda e, s: Loose(e.value * s, 2 * e.slack * s), 2, 1)
    params["pos"], up, down = pos, times(there, powers), times(there, 1 / powers)
    yield Case("x", dict(params, x=x), up)
    yield Case("x", dict(params, x=x, downscale=True), down)
    yield Case("q", dict(params, q=x), up)
    yield Case("k", dict(params, k=x), down)


def pope_angles(draw, width):
    base, pos = draw.base(), draw.positions(2)
    freq = ladder(EXACT, base, 2 * width)
    return {"base": base, "pos": pos}, freq, EXACT.real(pos)[:, None] * freq


def pope(draw):
    width = draw.randint(1, 8)
    params, freq, angles = pope_angles(draw, width)
    params["dim"] = width
    yield Case("inv_freq", params, freq)
    yield from waves(params, lambda wave: wave(angles), lambda array: array.reshape(2, -1))


def pope_apply(draw):
    width = draw.even(2, 8)
    params, _, angles = pope_angles(draw, width)
    x = draw.table(len(angles), width)
    radii = EXACT.log(1 + EXACT.exp(EXACT.real(x)))
    yield from rotations(params, x, np.concatenate([
        radii * EXACT.cos(angles), radii * EXACT.sin(angles)], -1))


def fope_mix(draw):
    """(parameters, (cosines, their sizes), (sines, their sizes)); the error is 2^-50 of a size."""
    pairs, pos = draw.randint(2, 5), draw.positions(2)
    params, freq, factor = stretched(draw, 2 * pairs, draw.base())
    count = draw.randint(1, pairs)
    mixed = draw.randint(1, count)
    params.update(pos=pos, num_inv_freq=count, cos_coef=draw.table(count, mixed),
                  sin_coef=draw.table(count, mixed))
    params["pad"] = draw.choice(["ones", "identity"])
    angles, tables = EXACT.real(pos)[:, None] * np.array(freq[:count]), []
    for wave, name, rest in ((EXACT.cos, "cos_coef", 1),
                             (EXACT.sin, "sin_coef", int(params["pad"] == "ones"))):
        coef, padding = EXACT.real(params[name]), EXACT.real([[rest] * (pairs - mixed)] * 2)
        sizes = np.tile(factor * abs(coef).sum(0), (2, 1))
        tables.append((np.concatenate([factor * wave(angles) @ coef, padding], -1),
                       np.concatenate([sizes, padding], -1), mixed))
    return params, tables, pairs


def fope(draw):
    params, tables, pairs = fope_mix(draw)
    for out, (values, sizes, mixed) in zip(("cos", "sin"), tables):
        rows = np.concatenate([loose(values, sizes * mpf(2) ** -50)[:, :mixed], values[:, mixed:]],
                              -1)
        yield Case(out, dict(params, dim=2 * pairs), rows,
                   lambda array: array.reshape(len(array), -1))


def fope_apply(draw):
    params, ((c, cs, _), (s, ss, _)), pairs = fope_mix(draw)
    x = draw.table(2, 2 * pairs)
    a, b = np.split(EXACT.real(x), 2, -1)
    fine = mpf(2) ** -49
    yield from rotations(params, x, np.concatenate([
        loose(a * c - b * s, (abs(a) * cs + abs(b) * ss) * fine),
        loose(a * s + b * c, (abs(a) * ss + abs(b) * cs) * fine)], -1))


ROWS = named(fope, mrope, pope, rope3d_vjepa2, vjepa2_rope)
ROWS.update({"fope/apply": fope_apply, "learnable-fourier/apply": dense_applied(keypoints),
             "mrope/apply": applied(mrope_of), "pope/apply": pope_apply, "rope-golden-gate":
             dense(golden_gate), "rope-golden-gate/apply": dense_applied(golden_gate),
             "rope-nd": dense(rope_nd), "rope-nd/apply": dense_applied(rope_nd), "rope2d-mixed":
             dense(rope2d_mixed), "rope2d-mixed/apply": dense_applied(rope2d_mixed),
             "rope3d-vjepa2/apply": rope3d_vjepa2_apply, "xpos/apply": xpos_apply})
