# SPDX-License-Identifier: Apache-2.0
"""rotary.py - rope with its scalings (Su et al. 2021), and vectors rotated by it."""

import json
import os

import numpy as np
from mpmath import mp, mpf

import profiles
from formulas.numbers import EXACT
from formulas.rotary import xpos_scale
from ladders import ladder, power, times
from measure import Case, Loose, last_place
from stretches import WAYS, linear, stretched, yarn
from turns import in_dtype, pair_places, rotated, rotations, tables, turned, waves

PAIRINGS = ["half", "adjacent"]


def matrix(angles, pairing, width, factor):
    rows = np.tile(EXACT.real(np.eye(width)), (len(angles), 1, 1))
    one, two = np.array(pair_places(angles.shape[1], pairing)).T
    c, s = factor * EXACT.cos(angles), factor * EXACT.sin(angles)
    rows[:, one, one] = rows[:, two, two] = c
    rows[:, one, two], rows[:, two, one] = -s, s
    return rows


def table_rows(angles, order, factor):
    cos, sin = factor * EXACT.cos(angles), factor * EXACT.sin(angles)
    if order == "interleaved":
        return np.stack([cos, sin], -1).reshape(len(cos), -1)
    return np.concatenate([cos, sin] if order == "cos-sin" else [sin, cos], -1)


def angles_of(pos, freq):
    return EXACT.real(pos)[:, None] * np.array(freq)


def plain(draw, width):
    return {}


SHORT = [plain, linear, yarn("hf")]  # where each of all ways would say no more


def rope(draw):
    for number, way in enumerate([plain] + WAYS):
        width = draw.even(4, 16)
        params, freq, factor = stretched(draw, width, draw.base(), way)
        params.update(dim=width)
        yield Case("inv_freq", params, freq)
        yield Case("wavelengths", params, [2 * mp.pi / w if w else mpf("inf") for w in freq])
        if "apply_attention_factor" not in params:
            yield Case("attention_factor", params, factor)
        if params.get("scaling", "none") != "none" and "resonance" not in params:
            yield Case("kept", params, [w / v for w, v in zip(freq, ladder(params["base"],
                                                                           width))])
        if (number + draw.number) % 4 == 0:
            yield from rope_tables(draw, params, freq, factor)
    yield from rope_profile(draw)
    yield from torch_powers(draw)
    yield from presets(draw)
    yield from rope_facts(draw)
    yield from rope_decay(draw)


def rope_profile(draw):
    width, pos = draw.even(4, 16), [3, 4095, draw.randint(0, 10 ** 6)]
    profile, params = profiles.drawn(draw, width)
    cos, sin = zip(*(profiles.waves(profile, params, width, p) for p in pos))
    asked = dict(params, dim=width, pos=pos)
    if profile != "f64":
        yield Case("angles", asked, [profiles.angles(profile, params, width, p) for p in pos])
    yield Case("cos", asked, list(cos))
    yield Case("sin", asked, list(sin))


def torch_powers(draw):
    """PyTorch's frequencies: correctly rounded, and where PyTorch is known to differ."""
    build = draw.turn(["avx2", "avx512"])
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with open(os.path.join(tests, "golden", "cases", "torch-inv-freq-exceptions.json"),
              encoding="utf-8") as file:
        known = draw.choice(json.load(file)[build])
    base, width = known["rope_theta"], known["rotary_dim"]
    freq = [profiles.rounded(1 / p) for p in profiles.powers(base, width)]
    for index, delta in zip(known["index"], known["delta_ulp"]):
        freq[index] += delta * last_place(freq[index], "f32")
    yield Case("inv_freq", {"base": base, "dim": width, "profile": "f32-pow",
                            "powf": "torch-" + build}, freq)


PRESETS = {"hf-llama": "f32-pow", "meta-llama": "f32-pow", "deepseek": "f32-pow",
           "gpt-j": "f64", "flux": "f64", "gemma": "f32-div", "keras-hub": "f32-pow",
           "mlx": None, "ggml": "f32-acc"}


def presets(draw):
    """Whose arithmetic; pairings do not show in tables of half width."""
    name = draw.turn(sorted(PRESETS))
    width, pos, base = draw.even(4, 16), [3, 4095], draw.choice([10000, 500000])
    if PRESETS[name]:
        rows = [profiles.waves(PRESETS[name], {"base": base}, width, p)[0] for p in pos]
    else:
        rows = [[mp.cos(a) for a in times(p, ladder(base, width))] for p in pos]
    yield Case("cos", {"preset": name, "base": base, "dim": width, "pos": pos}, rows)


def rope_tables(draw, params, freq, factor):
    pos, pairing, width = draw.positions(2), draw.choice(PAIRINGS), draw.choice(["half", "full"])
    angles = angles_of(pos, freq)
    asked = dict(params, pos=pos, width=width, **({"pairing": pairing} if width == "full" else {}))
    yield from tables(angles, asked, pairing, width, factor)
    yield Case("angles", dict(params, pos=pos), angles)
    order = draw.turn(["cos-sin", "sin-cos", "interleaved"])
    yield Case("table", dict(params, pos=pos, table_order=order),
               table_rows(angles, order, factor), amplified=factor != 1)
    partial = dict(params)
    if params.get("scaling") != "proportional":  # whose width is that of the head
        partial.update(dim=params["dim"] + 2, rotary_dim=params["dim"])
    yield Case("matrix", dict(partial, pos=pos, pairing=pairing),
               matrix(angles, pairing, partial["dim"], factor), amplified=factor != 1)


def rope_decay(draw):
    """Scaled rotations without their attention factor; the slack is the stated bound."""
    for way in SHORT:
        width, distances = draw.even(4, 64), draw.positions()
        params, freq, _ = stretched(draw, width, draw.base(), way)
        params.update(dim=width)
        decay, similarity = [], []
        for angles in (times(k, freq) for k in distances):
            sums = [mp.fsum(mp.expj(a) for a in angles[:i + 1]) for i in range(len(angles))]
            decay.append(Loose(mp.fsum(map(abs, sums)) / len(sums),
                               mpf(2) ** -50 * (len(sums) + 1) / 2))
            similarity.append(Loose(sums[-1].real / len(sums), mpf(2) ** -51))
        yield Case("decay", dict(params, distance=distances), decay)
        yield Case("similarity", dict(params, distance=distances), similarity)
        context = draw.real(1, 10 ** 5)
        turns = [context * w / (2 * mp.pi) for w in freq]
        yield Case("context_turns", dict(params, context=context), turns)
        yield Case("critical_dim", dict(params, context=context), 2 * sum(t > 1 for t in turns))


def rope_facts(draw):
    width, base, trained = draw.even(4, 16), draw.base(), draw.choice([2048, 4096])
    params = {"dim": width, "base": base}
    yield Case("turns", dict(params, scaling="yarn", factor=4,
                             original_max_position_embeddings=trained),
               [trained * w / (2 * mp.pi) for w in ladder(base, width)])
    s = draw.real(1, 40)
    yield Case("effective_base", dict(params, scaling="ntk", factor=s),
               mpf(base) * power(s, mpf(width) / (width - 2)))
    length = draw.randint(1, 50000)
    reach = 1
    while reach * trained < length:
        reach *= 2
    yield Case("ntk_alpha", dict(params, scaling="dynamic", scaling_variant="qwen",
                                 seq_len=length, max_position_embeddings=trained),
               mpf(2 * reach - 1))
    context = draw.randint(64, 10 ** 6)
    yield Case("min_theta", {"dim": width, "context": context},
               power(context / (2 * mp.pi), mpf(width) / (width - 2)))


def rope_apply(draw):
    """x, or q and k in one request's parameters; `from` moves cached keys; inverse rotates back."""
    for way in SHORT + [draw.turn(WAYS)]:
        width, pos, pairing = draw.even(4, 8), draw.positions(2), draw.choice(PAIRINGS)
        params, freq, factor = stretched(draw, width, draw.base(), way)
        params.update(pos=pos, pairing=pairing)
        x = draw.table(len(pos), width)
        angles = angles_of(pos, freq)
        there = rotated(x, angles, pairing, factor)
        yield from rotations(params, x, there)
        yield Case("x", dict(params, x=x, inverse=True), rotated(x, -angles, pairing, 1 / factor))
        way = draw.choice(["forward", "backward"])
        yield Case("x", dict(params, x=x, direction=way),
                   rotated(x, -angles if way == "backward" else angles, pairing, factor))
        moved = [p if abs(p) < 2 ** 52 else p // 4 for p in draw.positions(4)]
        apart = EXACT.real(moved[:2]) - EXACT.real(moved[2:])
        yield Case("x", dict(params, **{"pos": moved[:2], "cached_pos": moved[2:]}, x=x),
                   rotated(x, angles_of(apart, freq), pairing))
        if params.get("scaling") != "proportional":
            longer = [v + draw.singles(3) for v in x]
            yield Case("x", dict(params, x=longer, rotary_dim=width),
                       rotated(longer, angles, pairing, factor))
        yield Case("x", dict(params, x=x, rotate_math="in_dtype"),
                   in_dtype(x, angles, pairing, factor), dtypes=["f32"])
        yield from paired_anew(draw, params, x, there, pairing)
    yield from rope_apply_profile(draw)


def paired_anew(draw, params, x, there, pairing):
    """Pairs read by one pairing and written where pairing_out puts them."""
    new, half = draw.choice(PAIRINGS), len(x[0]) // 2
    moved = there.copy()
    moved[:, np.ravel(pair_places(half, new))] = there[:, np.ravel(pair_places(half, pairing))]
    yield Case("x", dict(params, x=x, pairing_out=new), moved)


def rope_apply_profile(draw):
    width, pos, pairing = draw.even(4, 8), [3, 4095], draw.choice(PAIRINGS)
    profile, params = profiles.drawn(draw, width)
    x = draw.table(len(pos), width)
    cos, sin = zip(*(profiles.waves(profile, params, width, p) for p in pos))
    yield Case("x", dict(params, pos=pos, pairing=pairing, x=x), turned(x, cos, sin, pairing))


def xpos(draw):
    width, pos = draw.even(4, 12), draw.positions(3)
    scale_base, gamma = draw.choice([512, draw.real(16, 999)]), draw.choice([0.4, draw.real(.1, 2)])
    pos = [p for p in pos if abs(p) < 40 * scale_base] + [7]  # a scale that is exact in float32
    down = draw.chance()
    params = {"dim": width, "pos": pos, "scale_base": scale_base, "zeta_gamma": gamma,
              "downscale": down}
    centre, length = draw.turn(["none", "floor_half", "torchscale"]), draw.randint(1, 99)
    if centre != "none":
        params.update(centre=centre, centre_len=length)
    powers = xpos_scale(EXACT, params)
    yield Case("scale", params, powers)
    scaled, freq, factor = stretched(draw, width, draw.base())
    angles = angles_of(pos, freq)
    yield from waves(dict(params, **scaled), lambda wave: factor * powers * wave(angles))


ROWS = {
    "rope": rope,
    "rope/apply": rope_apply,
    "xpos": xpos,
}
