# SPDX-License-Identifier: Apache-2.0
"""features.py - Fourier features of coordinates: NeRF, Tancik, score SDE, SAM, Perceiver,
LightGlue."""

from mpmath import mp, mpf

from generator import Generator
from ladders import (as_map, concat, linspace, pixel_linear, pixel_log, raster)
from measure import Case, Loose, named
from turns import waves, wide


def nerf(draw):
    count, octaves = draw.randint(1, 3), draw.randint(1, 6)
    coords = [[draw.real(-2, 2) for _ in range(count)] for _ in range(2)]
    log, with_input, with_pi = draw.chance(), draw.chance(), draw.chance()
    params = {"coords": coords, "num_freqs": octaves, "include_input": with_input,
              "log_sampling": log, "multiply_pi": with_pi}
    top = octaves - 1
    if octaves > 1 and draw.chance():
        top = params["max_freq_log2"] = draw.randint(1, 12)
    bands = [mpf(2) ** e for e in linspace(0, top, octaves)] if log else \
        linspace(1, mpf(2) ** top, octaves)
    rows = []
    for xs in coords:
        row = [mpf(x) for x in xs] if with_input else []
        for f in bands:
            angles = [(mp.pi if with_pi else 1) * f * mpf(x) for x in xs]
            row += concat(angles)
        rows.append(row)
    yield Case("rows", params, rows)


def dot(vector, other):
    """A sum of products and how large its terms are."""
    terms = [mpf(a) * mpf(b) for a, b in zip(vector, other)]
    return sum(terms), sum(abs(term) for term in terms)


def complex_order(draw):
    """Wang et al. 2020: r e^(i (w k + theta)), r and w of all words or of each."""
    count, words, pos = draw.randint(1, 3), draw.randint(2, 4), draw.positions(3)
    r, w = [[draw.singles(count) for _ in range(words)] for _ in range(2)]
    theta = draw.choice([None, draw.singles(count)])
    params, tokens = {"pos": pos}, [draw.randrange(words) for _ in pos]
    own = draw.choice(["r", "w", "both", "none"])
    if own == "none":
        tokens = [0] * len(pos)
    else:
        params["token_ids"] = tokens
    if theta:
        params["theta"] = theta
    params["r"] = r if own in ("r", "both") else r[0]
    params["w"] = w if own in ("w", "both") else w[0]
    waves, angles = [], []
    for p, word in zip(pos, tokens):
        sizes, turns = ([r, w][i][word if own in (name, "both") else 0]
                        for i, name in enumerate("rw"))
        phases = [(mpf(a) * p + t, (abs(mpf(a) * p) + abs(t)) * mpf(2) ** -52 if t else 0)
                  for a, t in zip(turns, map(mpf, theta or [0] * count))]
        waves.append([Loose(s * wave(a), abs(s) * slack) for wave in (mp.cos, mp.sin)
                      for s, (a, slack) in zip(map(mpf, sizes), phases)])
        angles.append([mpf(s) for s in sizes] + [Loose(*phase) for phase in phases])
    yield Case("rows", params, waves)
    yield Case("rows", dict(params, complex_form="magnitude-phase"), angles)


def wave_of(wave, turns, size, amplitude=1):
    return Loose(amplitude * wave(2 * mp.pi * turns),
                 abs(amplitude) * size * 2 * mp.pi * mpf(2) ** -52)


def fourier_features(draw):
    count, features = draw.randint(1, 3), draw.randint(1, 4)
    coords = [[draw.real(-1, 1) for _ in range(count)] for _ in range(2)]
    params = {"coords": coords}
    if draw.chance():
        directions = params["b"] = [draw.singles(count) for _ in range(features)]
        shown = [[mpf(v) for v in row] for row in directions]
    else:
        seed, sigma = draw.randint(0, 999), draw.choice([10, 1, 0.5])
        chance = Generator(seed)
        shown = [[sigma * chance.normal() for _ in range(count)] for _ in range(features)]
        params.update(num_freqs=features, seed=seed, sigma=sigma)
    yield Case("directions", params, shown)
    sizes = [1] * features
    if draw.chance():
        sizes = params["amplitudes"] = draw.singles(features, 0.25, 4)
    held = [[mpf(float(v)) for v in row] for row in shown]
    rows = []
    for point in coords:
        sums = [dot(point, row) for row in held]
        rows.append([wave_of(wave, turns, size, mpf(a)) for wave in (mp.cos, mp.sin)
                     for (turns, size), a in zip(sums, sizes)])
    yield Case("rows", params, rows)


def gaussian_fourier(draw):
    m, order = draw.randint(1, 4), draw.choice(["sin-first", "cos-first"])
    pos, params = [draw.real(0.01, 9) for _ in range(3)], {}
    if draw.chance():
        weights = params["weights"] = draw.singles(m)
        shown = [mpf(w) for w in weights]
    else:
        seed, scale = draw.randint(0, 999), draw.choice([16, 1])
        chance = Generator(seed)
        shown = [scale * chance.normal() for _ in range(m)]
        params.update(num_freqs=m, seed=seed, sigma=scale)
    yield Case("weights", params, shown)
    held = [mpf(float(w)) for w in shown]
    log, first, second = draw.chance(), mp.sin, mp.cos
    if order == "cos-first":
        first, second = second, first
    rows = []
    for p in pos:
        x = mp.log(mpf(p)) if log else mpf(p)
        rows.append([wave_of(wave, x * w, abs(x * w) if log else 0)
                     for wave in (first, second) for w in held])
    yield Case("rows", dict(params, pos=pos, layout=order, log_input=log), rows)


def sam_random(draw):
    features = draw.randint(1, 4)
    g = [draw.singles(features), draw.singles(features)]
    h, w = draw.randint(1, 4), draw.randint(1, 4)

    def row(x, y):
        cx, cy = 2 * x - 1, 2 * y - 1
        sums = [dot((cx, cy), (g[0][i], g[1][i])) for i in range(features)]
        sizes = [(abs(cx) + 1) * abs(g[0][i]) + (abs(cy) + 1) * abs(g[1][i])
                 for i in range(features)]
        return [wave_of(wave, turns, size) for wave in (mp.sin, mp.cos)
                for (turns, _), size in zip(sums, sizes)]
    rows = [row((x + mpf(1) / 2) / w, (y + mpf(1) / 2) / h) for y, x in raster(h, w)]
    params = {"g": g, "grid": "%dx%d" % (h, w)}
    yield Case("rows", params, rows)
    yield Case("map", params, as_map(rows, h, w))
    height, width, offset = draw.randint(99, 999), draw.randint(99, 999), draw.choice([0, 0.5])
    points = [[draw.single(0, 999), draw.single(0, 999)] for _ in range(2)]
    yield Case("rows", {"g": g, "points": points, "image_size": "%dx%d" % (height, width),
                        "point_offset": offset}, [
        row((mpf(x) + offset) / width, (mpf(y) + offset) / height) for x, y in points])


def pixel_fourier(draw):
    bands, top = draw.randint(1, 5), draw.choice([224, 10, draw.real(4, 99)])
    linear, with_grid = draw.chance(), draw.chance()
    order = draw.choice(["grid-first", "grid-last"])
    params = {"num_freqs": bands, "concat_grid": with_grid}
    if bands > 1:
        params.update(max_res=top, linear_bands=linear)
    if with_grid:
        params["order"] = order
    freq = pixel_linear(top, bands) if linear else pixel_log(top, bands)

    def feature(x):
        row, own = concat([x * f for f in freq]), [x] if with_grid else []
        return own + row if order == "grid-first" else row + own
    coords = [[draw.real(-1, 1) for _ in range(2)] for _ in range(2)]
    yield Case("features", dict(params, coords=coords),
               [[feature(mpf(x)) for x in point] for point in coords])
    h, w = draw.randint(1, 3), draw.randint(1, 3)
    ys, xs = linspace(-1, 1, h), linspace(-1, 1, w)
    yield Case("features", dict(params, grid="%dx%d" % (h, w)),
               [[feature(ys[y]), feature(xs[x])] for y, x in raster(h, w)],
               lambda array: array.reshape(h * w, 2, -1))


def gelu(x):
    return x * (1 + mp.erf(x / mp.sqrt(2))) / 2


def learnable_fourier(draw):
    pairs, count = draw.randint(1, 3), 2
    coords = [[draw.real(0, 400) for _ in range(count)] for _ in range(2)]
    wr = [draw.singles(count) for _ in range(pairs)]
    params, points = {"coords": coords, "wr": wr}, [[mpf(v) for v in row] for row in coords]
    if draw.chance():
        size = params["image_wh"] = [640, 480]
        points = [[(v - mpf(s) / 2) / (mpf(max(size)) / 2) for v, s in zip(row, size)]
                  for row in points]
    sums = [[dot(point, row) for row in wr] for point in points]
    fine = mpf(2) ** -52

    def waved(wave, row, gain=1):
        return [Loose(gain * wave(a), gain * s * fine) for a, s in row]
    yield Case("angles", params, [[Loose(a, s * fine) for a, s in row] for row in sums])
    width = draw.choice(["half", "full"])
    yield from waves(dict(params, width=width), lambda wave: [
        wide(waved(wave, row), "adjacent", width) for row in sums])
    gain = 1 / mp.sqrt(2 * pairs)
    yield Case("features", params, [
        waved(mp.cos, row, gain) + waved(mp.sin, row, gain) for row in sums])
    hidden, out = draw.randint(1, 3), draw.randint(1, 3)
    w1, b1 = [draw.singles(2 * pairs) for _ in range(hidden)], draw.singles(hidden)
    w2, b2 = [draw.singles(hidden) for _ in range(out)], draw.singles(out)
    rows = []
    for row in sums:
        f = [gain * wave(a) for wave in (mp.cos, mp.sin) for a, _ in row]
        away = max(s for _, s in row) * fine * gain
        layer = [dot(w, f)[0] + b for w, b in zip(w1, b1)]
        size = [dot(map(abs, w), map(abs, f))[0] + abs(b) for w, b in zip(w1, b1)]
        slack = [s * 4 * fine + away * sum(map(abs, w)) for s, w in zip(size, w1)]
        rows.append([Loose(dot(w, map(gelu, layer))[0] + b,
                           sum(abs(v) * (s * 9 / 8 + a * fine) for v, s, a in zip(w, slack, size))
                           + (abs(b) + dot(map(abs, w), size)[0]) * 4 * fine)
                     for w, b in zip(w2, b2)])
    yield Case("rows", dict(params, w1=w1, b1=b1, w2=w2, b2=b2), rows)


ROWS = named(complex_order, fourier_features, gaussian_fourier, learnable_fourier, nerf,
             pixel_fourier, sam_random)
