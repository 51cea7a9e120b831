# SPDX-License-Identifier: Apache-2.0
"""sinusoids.py - one-dimensional sinusoids: sinusoidal, its relatives, timesteps, Time2Vec."""

import numpy as np
from mpmath import mp, mpf

from formulas.biases import clipped, distances
from formulas.numbers import EXACT
from formulas.sinusoids import (CLOSED, GAINS, LAYOUTS, OPEN, PRESETS, TIMES, frequencies, rows,
                                timesteps, zipformer)
from ladders import ladder, linspace, times
from measure import Case, Loose, named

SINES_FIRST = {"interleaved": True, "concat": True, "interleaved-cs": False, "concat-cs": False}


def shift_block(angle, sines_first):
    c, s = mp.cos(angle), mp.sin(angle)
    return ((c, s), (-s, c)) if sines_first else ((c, -s), (s, c))


def shift_matrix(angles, layout):
    pairs, width = len(angles), 2 * len(angles)
    matrix = [[mpf(0)] * width for _ in range(width)]
    for i, angle in enumerate(angles):
        at = (2 * i, 2 * i + 1) if layout.startswith("interleaved") else (i, i + pairs)
        block = shift_block(angle, SINES_FIRST[layout])
        for row in range(2):
            for column in range(2):
                matrix[at[row]][at[column]] = block[row][column]
    return matrix


def similarity(distance, freq, amplitude, measure):
    total = sum(mp.cos(distance * w) for w in freq)
    slack = mpf(2 * len(freq)) * len(freq) * mpf(2) ** -53
    if measure == "cosine":
        return Loose(total / len(freq), slack / len(freq))
    if measure == "raw":
        return Loose(total * amplitude ** 2, slack * amplitude ** 2)
    square = 2 * (len(freq) - total) * amplitude ** 2
    root = mp.sqrt(square)
    return Loose(root, 2 * slack * amplitude ** 2 / root if root else mp.sqrt(2 * slack) * amplitude)


def sinusoidal(draw):
    width, base, layout = draw.even(2, 16), draw.base(), draw.choice(sorted(LAYOUTS))
    params = {"dim": width, "base": base, "ladder": draw.choice([OPEN, CLOSED])}
    freq = frequencies(EXACT, params)
    yield Case("inv_freq", params, freq)
    yield Case("wavelengths", params, 2 * mp.pi / freq)
    context = draw.real(1, 10 ** 5)
    turns = context * freq / (2 * mp.pi)
    yield Case("context_turns", dict(params, context=context), turns)
    yield Case("critical_dim", dict(params, context=context), 2 * sum(t > 1 for t in turns))
    shift = draw.position()
    yield Case("shift", dict(params, shift=shift, layout=layout),
               shift_matrix(times(shift, freq), layout))
    scale, amplitude = draw.choice([1, 0.5, draw.real(0.1, 9)]), draw.choice([1, draw.real(.1, 9)])
    pos, moved = draw.positions(), dict(params, scale=scale)
    asked = dict(moved, amplitude=amplitude, pos=pos, layout=layout)
    yield Case("rows", asked, rows(EXACT, asked))
    measure = draw.choice(["raw", "cosine", "euclidean"])
    gain = {} if measure == "cosine" else {"amplitude": amplitude}
    turned = mpf(scale) * freq
    yield Case("similarity", dict(moved, **gain, measure=measure, distance=pos), [
        similarity(p, turned, mpf(amplitude), measure) for p in pos])
    yield Case("similarity_matrix", dict(moved, **gain, measure=measure, pos=pos), [[
        similarity(mpf(p) - mpf(k), turned, mpf(amplitude), measure) for k in pos] for p in pos])
    yield from sinusoidal_odd(draw, pos)
    yield from sinusoidal_presets(draw)
    yield sinusoidal_timescales(draw, pos)


def sinusoidal_presets(draw):
    """Rows as each library computes them: mlx with norm 1, x-transformers times dim^-1/2."""
    width, base = draw.even(2, 12), draw.base()
    for name in PRESETS:
        params = {"preset": name, "dim": width, "base": base, "pos": [0] + draw.positions(2)}
        yield Case("rows", params, rows(EXACT, params), amplified=name in GAINS)


def sinusoidal_odd(draw, pos):
    width, base = draw.even(2, 12) + 1, draw.base()
    for policy in ("extra-sin", "zero-pad", "zero-last", "ceil-truncate"):
        params = {"dim": width, "base": base, "odd": policy, "pos": pos}
        table = rows(EXACT, params)
        yield Case("rows", params, table)
        if policy != "zero-pad":
            yield Case("rows", dict(params, layout="concat"),
                       np.concatenate([table[:, 0::2], table[:, 1::2]], -1))


def sinusoidal_timescales(draw, pos):
    pairs, low, high = draw.randint(1, 8), draw.real(0.5, 3), draw.real(10, 1e5)
    freq = mpf(low) * EXACT.real(mpf(high) / low) ** -(EXACT.arange(pairs) / max(pairs - 1, 1))
    asked = {"dim": 2 * pairs, "pos": pos, "layout": "concat"}
    return Case("rows", dict(asked, base=high, min_timescale=low), rows(EXACT, asked, freq))


def sinusoidal_relative(draw):
    width, reach, base = draw.even(2, 8), draw.randint(0, 9), draw.base()
    places = {"q": draw.positions(2, False), "k": draw.positions(3, False)}
    params = {"dim": width, "max_distance": reach, "base": base}
    table = rows(EXACT, dict(params, pos=range(2 * reach + 1)))
    index = clipped(-distances(places), reach, reach)
    yield Case("index", dict(places, max_distance=reach), index)
    yield Case("table", params, table)
    yield Case("vectors", dict(params, **places), table[index])


def properties(draw):
    width, length, base = draw.even(2, 16), draw.randint(2, 40), draw.base()
    freq = ladder(base, width)
    apart = [mp.sqrt(sum((2 * mp.sin(k * w / 2)) ** 2 for w in freq)) for k in range(1, length)]
    params = {"dim": width, "base": base, "len": length}
    yield Case("min_distance", params, min(apart))
    yield Case("closest", params, 1 + apart.index(min(apart)))
    yield Case("row_norm", {"dim": width}, mp.sqrt(mpf(width) / 2))
    yield Case("slowest_period", {"dim": width, "base": base}, 2 * mp.pi / freq[-1])


def timestep_embedding(draw):
    width, base = draw.randint(2, 13), draw.base()
    shift = draw.choice([0, 1, 0.5]) if width > 3 else 0
    flip, scale = draw.chance(), draw.choice([1, 1000, draw.real(0.1, 10)])
    params = {"dim": width, "base": base, "downscale_freq_shift": shift, "pos": draw.positions(),
              "flip_sin_to_cos": flip, draw.choice(["scale", "time_factor"]): scale}
    yield Case("rows", params, timesteps(EXACT, params))
    pairs, base, pos = draw.randint(2, 6), draw.base(), draw.positions()
    for name in TIMES:
        params = {"preset": name, "dim": 2 * pairs, "base": base, "pos": pos}
        yield Case("rows", params, timesteps(EXACT, params))


def temporal_cos(draw):
    width, pos = draw.randint(1, 9), draw.positions()
    steps = linspace(0, mp.sqrt(width), width)
    yield Case("rows", {"dim": width, "pos": pos}, [
        [mp.cos(p * mp.sqrt(width) ** -u) for u in steps] for p in pos])


def time2vec(draw):
    width, pos = draw.randint(2, 6), [draw.position() for _ in range(3)]
    w, phi = draw.singles(width), draw.singles(width)
    wave, last = draw.choice(["sin", "cos"]), draw.choice(["first", "last"])
    line = 0 if last == "first" else width - 1
    rows = []
    for p in pos:
        row = []
        for i in range(width):
            angle, size = mpf(p) * w[i] + phi[i], abs(mpf(p) * w[i]) + abs(phi[i])
            value = angle if i == line else getattr(mp, wave)(angle)
            row.append(Loose(value, size * mpf(2) ** -52))
        rows.append(row)
    yield Case("rows", {"pos": pos, "w": w, "phi": phi, "activation": wave,
                        "linear_column": last}, rows)


def zipformer_relative(draw):
    pos = [p % 10 ** 6 * draw.choice([-1, 1]) for p in draw.positions(6, False)] + [0, 1, -2]
    params = {"pos": pos, "dim": draw.even(2, 24), "length_factor": draw.choice([1, 2, 1.5])}
    yield Case("rows", params, zipformer(EXACT, params))


ROWS = named(properties, sinusoidal, sinusoidal_relative, temporal_cos, time2vec,
             timestep_embedding, zipformer_relative)
