# SPDX-License-Identifier: Apache-2.0
"""rotary.py - rope with its scalings (Su et al. 2021), and vectors turned by it."""

from mpmath import mp, mpf

from ladders import ladder, power, times
from measure import Case, Loose
from scalings import SCALINGS, linear, none, yarn
from turns import pair_places, rotated, tables

PAIRINGS = ["half", "adjacent"]


def matrix(angles, pairing, width, factor):
    rows = [[mpf(i == j) for j in range(width)] for i in range(width)]
    for (one, two), angle in zip(pair_places(len(angles), pairing), angles):
        rows[one][one] = rows[two][two] = factor * mp.cos(angle)
        rows[one][two], rows[two][one] = -factor * mp.sin(angle), factor * mp.sin(angle)
    return rows


def table_row(angles, order, factor):
    cos, sin = ([factor * wave(a) for a in angles] for wave in (mp.cos, mp.sin))
    if order == "interleaved":
        return [value for both in zip(cos, sin) for value in both]
    return cos + sin if order == "cos-sin" else sin + cos


def rope(draw):
    for scaling in SCALINGS:
        width, base = draw.even(4, 16), draw.base()
        params, freq, factor = scaling(draw, width, base)
        params.update(dim=width, base=base)
        yield Case("inv_freq", params, freq)
        yield Case("wavelengths", params, [2 * mp.pi / w for w in freq])
        yield Case("attention_factor", params, factor)
        if scaling is not none:
            yield Case("kept", params, [w / v for w, v in zip(freq, ladder(base, width))])
        yield from rope_tables(draw, params, freq, factor)
    yield from rope_facts(draw)
    yield from rope_decay(draw)


def rope_tables(draw, params, freq, factor):
    pos, pairing, width = draw.positions(2), draw.choice(PAIRINGS), draw.choice(["half", "full"])
    angles = [times(p, freq) for p in pos]
    asked = dict(params, pos=pos, width=width, **({"pairing": pairing} if width == "full" else {}))
    yield from tables(angles, asked, pairing, width, factor)
    order = draw.choice(["cos-sin", "sin-cos", "interleaved"])
    yield Case("table", dict(params, pos=pos, order=order),
               [table_row(row, order, factor) for row in angles])
    partial = dict(params, dim=params["dim"] + 2, rotary_dim=params["dim"])
    yield Case("matrix", dict(partial, pos=pos, pairing=pairing),
               [matrix(row, pairing, partial["dim"], factor) for row in angles])


def rope_decay(draw):
    """Of scaled rotations without their attention factor; the slack is the stated bound's."""
    for scaling in (none, linear, yarn):
        width, base, distances = draw.even(2, 64), draw.base(), draw.positions()
        scaled, freq, _ = scaling(draw, width, base)
        params = dict(scaled, base=base, dim=width)
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
    """x, or q and k in one request's parameters; `from` moves cached keys; inverse undoes."""
    for scaling in (none, linear, yarn):
        width, base, pos = draw.even(4, 8), draw.base(), draw.positions(2)
        scaled, freq, factor = scaling(draw, width, base)
        pairing = draw.choice(PAIRINGS)
        params = dict(scaled, base=base, pos=pos, pairing=pairing)
        x = [draw.singles(width) for _ in pos]
        angles = [times(p, freq) for p in pos]
        turned = [rotated(v, a, pairing, factor) for v, a in zip(x, angles)]
        yield Case("x", dict(params, x=x), turned)
        yield Case("q", dict(params, q=x), turned)
        yield Case("k", dict(params, k=x), turned)
        yield Case("x", dict(params, x=x, inverse=True), [
            rotated(v, [-t for t in a], pairing, 1 / factor) for v, a in zip(x, angles)])
        moved = [p if abs(p) < 2 ** 52 else p // 4 for p in draw.positions(4)]
        yield Case("x", dict(params, **{"pos": moved[:2], "from": moved[2:]}, x=x), [
            rotated(v, times(mpf(p) - mpf(c), freq), pairing)
            for v, p, c in zip(x, moved[:2], moved[2:])])
        longer = [v + draw.singles(3) for v in x]
        yield Case("x", dict(params, x=longer, rotary_dim=width), [
            rotated(v, a, pairing, factor) for v, a in zip(longer, angles)])


def scale_of(width, gamma):
    """zeta_i of xPos (Sun et al. 2022): (2i/r + gamma) / (1 + gamma)."""
    return [(mpf(2 * i) / width + gamma) / (1 + gamma) for i in range(width // 2)]


def centre_of(name, length):
    return 0 if name == "none" else length // 2


def xpos(draw):
    width, base, pos = draw.even(2, 12), draw.base(), draw.positions(3)
    pos = [p for p in pos if abs(p) < 10 ** 5] + [7]
    scale_base, gamma = draw.choice([512, draw.real(16, 999)]), draw.choice([0.4, draw.real(.1, 2)])
    down = draw.chance()
    zeta = scale_of(width, mpf(gamma))
    params = {"dim": width, "pos": pos, "scale_base": scale_base, "zeta_gamma": gamma,
              "downscale": down}
    powers = [[power(z, (-1 if down else 1) * mpf(p) / scale_base) for z in zeta] for p in pos]
    yield Case("scale", params, powers)
    angles = [times(p, ladder(base, width)) for p in pos]
    for out, wave in (("cos", mp.cos), ("sin", mp.sin)):
        yield Case(out, dict(params, base=base), [
            [s * wave(a) for s, a in zip(*rows)] for rows in zip(powers, angles)])


ROWS = {
    "rope": rope,
    "rope/apply": rope_apply,
    "xpos": xpos,
}
