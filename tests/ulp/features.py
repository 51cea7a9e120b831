# SPDX-License-Identifier: Apache-2.0
"""features.py - Fourier features of coordinates: NeRF, Tancik, score SDE, SAM, Perceiver,
LightGlue."""

import numpy as np
from mpmath import mp, mpf

from formulas.grids import raster
from formulas.numbers import EXACT, lifted, linspace
from generator import Generator
from ladders import as_map, pixel_linear, pixel_log
from measure import Case, loose, named
from turns import waves, wide

FINE = mpf(2) ** -52
double = lifted(lambda value: mpf(float(value)))


def sines_and_cosines(angles, sines_first=True):
    both = [EXACT.sin(angles), EXACT.cos(angles)]
    return np.concatenate(both if sines_first else both[::-1], -1)


def nerf(draw):
    count, octaves = draw.randint(1, 3), draw.randint(1, 6)
    coords = [[draw.real(-2, 2) for _ in range(count)] for _ in range(2)]
    log, with_input, with_pi = draw.chance(), draw.chance(), draw.chance()
    params = {"coords": coords, "num_freqs": octaves, "include_input": with_input,
              "log_sampling": log, "multiply_pi": with_pi}
    top = octaves - 1
    if octaves > 1 and draw.chance():
        top = params["max_freq_log2"] = draw.randint(1, 12)
    bands = mpf(2) ** linspace(EXACT, 0, top, octaves) if log else \
        linspace(EXACT, 1, mpf(2) ** top, octaves)
    x = EXACT.real(coords)
    made = sines_and_cosines((mp.pi if with_pi else 1) * bands[:, None] * x[:, None])
    yield Case("rows", params, np.concatenate([x[:, :count * with_input], made.reshape(2, -1)], -1))


def dot(vector, other):
    """A sum of products and how large its terms are."""
    terms = [mpf(a) * mpf(b) for a, b in zip(vector, other)]
    return sum(terms), sum(abs(term) for term in terms)


def complex_order(draw):
    """Wang et al. 2020: r e^(i (w k + theta)), r and w of all words or of each."""
    count, words, pos = draw.randint(1, 3), draw.randint(2, 4), draw.positions(3)
    r, w = [draw.table(words, count) for _ in range(2)]
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
    sizes, turns = (EXACT.real(table)[tokens if own in (name, "both") else [0] * len(pos)]
                    for name, table in (("r", r), ("w", w)))
    turned, theta = turns * EXACT.real(pos)[:, None], EXACT.real(theta or [0] * count)
    phases = turned + theta
    slack = np.where(theta != 0, (abs(turned) + abs(theta)) * FINE, 0)
    yield Case("rows", params, np.concatenate([
        loose(sizes * wave(phases), abs(sizes) * slack) for wave in (EXACT.cos, EXACT.sin)], -1))
    yield Case("rows", dict(params, complex_form="magnitude-phase"),
               np.concatenate([sizes, loose(phases, slack)], -1))


def features_of(turns, size, sines_first, amplitude=1):
    """Sines and cosines of whole turns, whose products are off by their size."""
    angles = 2 * mp.pi * turns
    return np.concatenate([
        loose(amplitude * wave(angles), abs(amplitude) * size * 2 * mp.pi * FINE)
        for wave in ((EXACT.sin, EXACT.cos) if sines_first else (EXACT.cos, EXACT.sin))], -1)


def given_or_random(draw, params, name, shape, sigmas):
    """A table of reals, or one of the service's normal deviates, as they are shown."""
    if draw.chance():
        params[name] = draw.table(*shape)
        return EXACT.real(params[name])
    seed, sigma = draw.randint(0, 999), draw.choice(sigmas)
    chance = Generator(seed)
    params.update(num_freqs=shape[0], seed=seed, sigma=sigma)
    return sigma * np.array([[chance.normal() for _ in range(shape[1])] for _ in range(shape[0])])


def fourier_features(draw):
    count, features = draw.randint(1, 3), draw.randint(1, 4)
    coords = [[draw.real(-1, 1) for _ in range(count)] for _ in range(2)]
    params = {"coords": coords}
    shown = given_or_random(draw, params, "b", (features, count), [10, 1, 0.5])
    yield Case("directions", params, shown)
    sizes = EXACT.real([1] * features)
    if draw.chance():
        params["amplitudes"] = draw.singles(features, 0.25, 4)
        sizes = EXACT.real(params["amplitudes"])
    x, held = EXACT.real(coords), double(shown).T
    yield Case("rows", params, features_of(x @ held, abs(x) @ abs(held), False, sizes))


def gaussian_fourier(draw):
    m, order = draw.randint(1, 4), draw.choice(["sin-first", "cos-first"])
    pos, params = [draw.real(0.01, 9) for _ in range(3)], {}
    shown = given_or_random(draw, params, "weights", (m, 1), [16, 1])[:, 0]
    if "weights" in params:
        params["weights"] = [weight for weight, in params["weights"]]
    yield Case("weights", params, shown)
    log = draw.chance()
    x = EXACT.log(pos) if log else EXACT.real(pos)
    turns = x[:, None] * double(shown)
    yield Case("rows", dict(params, pos=pos, layout=order, log_input=log), features_of(
        turns, abs(turns) if log else 0, order == "sin-first"))


def sam_random(draw):
    g = draw.table(2, draw.randint(1, 4))
    h, w = draw.randint(1, 4), draw.randint(1, 4)

    def rows_of(points, sizes):
        centred = 2 * (points / EXACT.real(sizes)) - 1
        held = EXACT.real(g)
        return features_of(centred @ held, (abs(centred) + 1) @ abs(held), True)
    rows = rows_of(EXACT.real(raster(h, w)[::-1].T) + mpf(1) / 2, (w, h))
    params = {"g": g, "grid": "%dx%d" % (h, w)}
    yield Case("rows", params, rows)
    yield Case("map", params, as_map(rows, h, w))
    height, width, offset = draw.randint(99, 999), draw.randint(99, 999), draw.choice([0, 0.5])
    points = draw.table(2, 2, 0, 999)
    yield Case("rows", {"g": g, "points": points, "image_size": "%dx%d" % (height, width),
                        "point_offset": offset},
               rows_of(EXACT.real(points) + offset, (width, height)))


def pixel_fourier(draw):
    bands, top = draw.randint(1, 5), draw.choice([224, 10, draw.real(4, 99)])
    linear, with_grid = draw.chance(), draw.chance()
    order = draw.choice(["grid-first", "grid-last"])
    params = {"num_freqs": bands, "concat_grid": with_grid}
    if bands > 1:
        params.update(max_res=top, linear_bands=linear)
    if with_grid:
        params["order"] = order
    freq = np.array(pixel_linear(top, bands) if linear else pixel_log(top, bands))

    def features(points):
        made, own = sines_and_cosines(points[..., None] * freq), points[..., None][..., :with_grid]
        return np.concatenate([own, made] if order == "grid-first" else [made, own], -1)
    coords = [[draw.real(-1, 1) for _ in range(2)] for _ in range(2)]
    yield Case("features", dict(params, coords=coords), features(EXACT.real(coords)))
    h, w = draw.randint(1, 3), draw.randint(1, 3)
    rows, columns = raster(h, w)
    places = np.stack([linspace(EXACT, -1, 1, h)[rows], linspace(EXACT, -1, 1, w)[columns]], -1)
    yield Case("features", dict(params, grid="%dx%d" % (h, w)), features(places),
               lambda array: array.reshape(h * w, 2, -1))


def gelu(x):
    return x * (1 + mp.erf(x / mp.sqrt(2))) / 2


def learnable_fourier(draw):
    pairs, count = draw.randint(1, 3), 2
    coords = [[draw.real(0, 400) for _ in range(count)] for _ in range(2)]
    params = {"coords": coords, "wr": draw.table(pairs, count)}
    points, wr = EXACT.real(coords), EXACT.real(params["wr"]).T
    if draw.chance():
        params["image_wh"] = [640, 480]
        points = (points - EXACT.real([320, 240])) / 320
    angles, sizes = points @ wr, abs(points) @ abs(wr) * FINE
    yield Case("angles", params, loose(angles, sizes))
    width = draw.choice(["half", "full"])
    yield from waves(dict(params, width=width), lambda wave: wide(
        loose(wave(angles), sizes), "adjacent", width))
    gain = 1 / mp.sqrt(2 * pairs)
    made = gain * sines_and_cosines(angles, False)
    yield Case("features", params, loose(made, np.tile(gain * sizes, 2)))
    hidden, out = draw.randint(1, 3), draw.randint(1, 3)
    asked = dict(params, w1=draw.table(hidden, 2 * pairs), b1=draw.singles(hidden),
                 w2=draw.table(out, hidden), b2=draw.singles(out))
    w1, b1, w2, b2 = (EXACT.real(asked[name]) for name in ("w1", "b1", "w2", "b2"))
    away = sizes.max(-1, keepdims=True) * gain
    layer, size = made @ w1.T + b1, abs(made) @ abs(w1).T + abs(b1)
    slack = size * 4 * FINE + away * abs(w1).sum(-1)
    yield Case("rows", asked, loose(
        lifted(gelu)(layer) @ w2.T + b2,
        (slack * 9 / 8 + size * FINE) @ abs(w2).T + (abs(b2) + size @ abs(w2).T) * 4 * FINE))


ROWS = named(complex_order, fourier_features, gaussian_fourier, learnable_fourier, nerf,
             pixel_fourier, sam_random)
