# SPDX-License-Identifier: Apache-2.0
"""codes.py - elementary codes of positions, index builders, remapped distances: mostly whole
numbers, which must be equal."""

import numpy as np
from mpmath import mp, mpf

from formulas import codes, ids
from formulas.numbers import EXACT
from formulas.sinusoids import LAYOUTS, arranged
from generator import Generator
from ladders import raster
from measure import Case, named


def integer(draw):
    length, start, step = draw.randint(0, 9), draw.randint(-99, 10 ** 12), draw.randint(-9, 9)
    yield Case("rows", {"len": length, "start": start, "step": step or 1},
               [start + (step or 1) * p for p in range(length)])


def normalized(draw):
    length, signed, centres = draw.randint(1, 50), draw.chance(), draw.chance()
    params = {"len": length, "interval": "-1..1" if signed else "0..1",
              "endpoint": "centres" if centres else "inclusive"}
    yield Case("rows", params, codes.normalized(EXACT, params))


def one_hot(draw):
    width, kind = draw.randint(1, 9), draw.choice(["clip", "modulo", "error"])
    pos = [draw.randint(-9, 20) for _ in range(4)]
    if kind == "error":
        pos = [p % width for p in pos]
    at = [min(max(p, 0), width - 1) if kind == "clip" else p % width for p in pos]
    yield Case("rows", {"pos": pos, "dim": width, "out_of_range": kind},
               EXACT.real([[c == column for c in range(width)] for column in at]))


def binary(draw):
    width, pos = draw.randint(1, 64), [abs(p) for p in draw.positions(4, False)]
    params = {"pos": pos, "dim": width, "bit_order": draw.choice(["msb-first", "lsb-first"]),
              "code": draw.choice(["binary", "gray"]), "signed": draw.chance(),
              "out_of_range": "modulo"}
    yield Case("rows", params, EXACT.real(codes.binary(params)))


def digits_of(p, base, digits):
    return [p // base ** (digits - 1 - k) % base for k in range(digits)]


def radix(draw):
    base, digits = draw.randint(2, 20), draw.randint(1, 6)
    pos = [draw.randint(0, base ** digits - 1) for _ in range(4)]
    yield Case("rows", {"pos": pos, "base": base, "digits": digits},
               EXACT.real([digits_of(p, base, digits) for p in pos]))
    yield Case("rows", {"pos": pos, "base": base, "digits": digits, "layout": "lsd-first"},
               EXACT.real([digits_of(p, base, digits)[::-1] for p in pos]))
    factor = draw.choice([2, 8, draw.real(1, 9)])
    rows = []
    for p in pos:
        moved = mpf(p) / mpf(factor)
        whole = int(mp.floor(moved))
        row = [mpf(v) for v in digits_of(whole, base, digits)]
        rows.append(row[:-1] + [row[-1] + moved - whole])
    yield Case("rows", {"pos": pos, "base": base, "digits": digits,
                        "out_of_range": "interpolate", "factor": factor}, rows)


def nope(draw):
    pos, width, layers, every = draw.positions(2), draw.even(2, 8), draw.randint(1, 12), \
        draw.randint(1, 6)
    params = {"pos": pos, "dim": width}
    yield Case("rows", params, [[mpf(0)] * width for _ in pos])
    yield Case("cos", params, [[mpf(1)] * (width // 2) for _ in pos])
    yield Case("sin", params, [[mpf(0)] * (width // 2) for _ in pos])
    yield Case("layers", {"layers": layers, "no_rope_layer_interval": every},
               [int((layer + 1) % every != 0) for layer in range(layers)])


def random_positions(draw):
    length, seed = draw.randint(0, 9), draw.randint(0, 2 ** 50)
    top = length + draw.choice([0, 1, 50, 10 ** 9]) or 1
    yield Case("ids", {"len": length, "max_position": top, "seed": seed},
               Generator(seed).pick(top, length))


def random_offset(draw):
    length, seed, top = draw.randint(1, 6), draw.randint(0, 2 ** 50), draw.randint(0, 10 ** 6)
    k = Generator(seed).below(top + 1)
    yield Case("ids", {"len": length, "max_offset": top, "seed": seed},
               [p + k for p in range(length)])
    shift, local, grow = draw.real(0, 9), draw.real(0, 0.5), draw.real(1, 2)
    chance = Generator(seed)
    g = mpf(shift) * (2 * chance.unit() - 1)
    moves = [mpf(local) * (2 * chance.unit() - 1) for _ in range(length)]
    s = mp.exp((2 * chance.unit() - 1) * mp.log(mpf(grow)))
    yield Case("positions", {"len": length, "method": "cape", "max_global_shift": shift,
                             "max_local_shift": local, "max_scale": grow, "seed": seed},
               [s * (p + g + e) for p, e in enumerate(moves)])


def pose(draw):
    length, seed = draw.randint(1, 12), draw.randint(0, 2 ** 50)
    runs, top = draw.randint(1, min(length, 4)), length + draw.choice([0, 5, 10 ** 6])
    chance = Generator(seed)
    cuts = [0] + [x + 1 for x in chance.pick(length - 1, runs - 1)]
    gaps = [0]
    for _ in range(runs - 1):
        gaps.append(gaps[-1] + chance.below(top - length - gaps[-1] + 1))
    yield Case("ids", {"len": length, "max_position": top, "chunks": runs, "seed": seed},
               [p + gaps[sum(cut <= p for cut in cuts) - 1] for p in range(length)])


def log_factor(draw, q):
    trained = draw.randint(2, 60)
    return Case("logn_factor", {"q": q, "train_len": trained},
                [max(mpf(1), mp.log(i + 1) / mp.log(trained)) for i in q])


def rerope(draw):
    window, i = draw.randint(1, 20), draw.randint(0, 60)
    params = {"window": window, "q": [i], "k": "0:%d" % (i + 1)}
    yield Case("distance", params, [[min(i - j, window) for j in range(i + 1)]])
    yield Case("q_positions", params, [window])
    yield Case("k_positions", params, [0] * (i + 1))
    yield log_factor(draw, [i])


def leaky_rerope(draw):
    window, leak, q = draw.randint(1, 20), draw.randint(1, 16), [draw.randint(0, 60)]
    k = range(q[0] + 1)
    params = {"q": q, "k": "0:%d" % len(k), "window": window, "leaky_k": leak}
    yield Case("distance", params, [[
        mpf(i - j) if i - j < window else window + mpf(i - j - window) / leak
        for j in k] for i in q])
    yield Case("q_positions", params, [mpf(i + window * (leak - 1)) / leak for i in q])
    yield Case("k_positions", params, [mpf(j) / leak for j in k])
    yield log_factor(draw, q)


def self_extend(draw):
    group, window = draw.randint(1, 8), draw.randint(1, 20)
    i = draw.randint(window, 80)
    k, rounding = range(i + 1), draw.choice(["floor", "true"])
    params = {"q": [i], "k": "0:%d" % (i + 1), "group": group, "window": window,
              "shift_rounding": rounding}
    shift = mpf(window // group) if rounding == "floor" else mpf(window) / group
    grouped = i // group + window - shift
    yield Case("distance", params, [[
        mpf(i - j) if i - j < window else grouped - j // group for j in k]])
    yield Case("q_grouped", params, [grouped])
    yield Case("k_grouped", params, [mpf(j // group) for j in k])
    yield log_factor(draw, [i])


def dca(draw):
    size = draw.randint(2, 12)
    local = draw.randint(1, size - 1)
    c, i = size - local, draw.randint(0, 60)
    params = {"chunk": size, "local_size": local, "q": [i], "k": "0:%d" % (i + 1)}
    same, before, earlier = i % c, min(i % c + c, size), min(2 * c - 1, size)

    def place(j):
        return (same, before)[i // c - j // c] if i // c - j // c < 2 else earlier
    rows = [[place(j) - j % c for j in range(i + 1)]]
    yield Case("distance", params, rows)
    factor = draw.real(1, 8)
    yield Case("scaled_distance", dict(params, factor=factor),
               [[mpf(v) / mpf(factor) for v in row] for row in rows])
    yield Case("q_same", params, [same])
    yield Case("q_before", params, [before])
    yield Case("q_earlier", params, earlier)
    yield Case("k_positions", params, [j % c for j in range(i + 1)])
    yield Case("tables", params, [
        list(range(c)), [min(p, size) for p in range(c, 2 * c)], list(range(c)),
        list(range(c, 2 * c)), list(range(size, size + c))])
    trained, length = draw.randint(100, 4096), draw.randint(5000, 99999)
    yield Case("attention_factor", {"seq_len": length, "train_len": trained},
               mp.log(mpf(length) / trained) / 20 + 1)


def streaming_llm(draw):
    length, start, recent = draw.randint(0, 30), draw.randint(0, 5), draw.randint(0, 9)
    kept = [i for i in range(length) if i < start or i >= length - recent]
    params = {"len": length, "sink_tokens": start, "recent": recent}
    yield Case("kept", params, kept)
    yield Case("positions", params, list(range(len(kept))))


def ids_from_mask(draw):
    batch, length = draw.randint(1, 2), draw.randint(1, 7)
    mask = [[draw.randint(0, 1) for _ in range(length)] for _ in range(batch)]
    for rule in ("left_pad", "roberta", "opt", "bloom_alibi"):
        params = {"attention_mask": mask, "convention": rule}
        yield Case("position_ids", params, ids.from_mask(params))


def ids_packed(draw):
    lengths = [draw.randint(1, 5) for _ in range(draw.randint(1, 4))]
    for out, exact in ids.packed(lengths).items():
        yield Case(out, {"lengths": lengths}, exact)


def ids_window_order(draw):
    merge, size = draw.randint(1, 3), (draw.randint(1, 4), draw.randint(1, 4))
    grids = [(draw.randint(1, 2), merge * draw.randint(1, 6), merge * draw.randint(1, 6))
             for _ in range(draw.randint(1, 3))]
    params = {"grid_thw": grids, "spatial_merge_size": merge, "window_size": size}
    order, bounds = ids.window_order(grids, merge, size)
    yield Case("index", params, order)
    yield Case("inverse", params, np.argsort(order))
    yield Case("cu_window_seqlens", params, bounds)
    window = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    yield Case("mask", params, (window[:, None] == window).astype(int))


def ids_chatglm2d(draw):
    context = draw.randint(1, 6)
    length, g = context + draw.randint(0, 5), draw.randint(0, context - 1)
    params = {"len": length, "context": context, "mask_position": g}
    yield Case("position_ids", params, [p if p < context else g for p in range(length)])
    yield Case("block_position_ids", params,
               [max(p - context + 1, 0) for p in range(length)])


def ids_grid(draw):
    h, w, kind = draw.randint(1, 4), draw.randint(1, 4), draw.choice(sorted(ids.RANGES))
    params = {"grid": "%dx%d" % (h, w), "coord_range": kind}
    if draw.chance():
        params["axis_order"] = "xy"
    extra = {"prefix_tokens": draw.randint(0, 2), "suffix_tokens": draw.randint(0, 2)}
    around = [EXACT.real(np.zeros((count, 2))) for count in extra.values()]
    yield Case("coords", dict(params, **extra), np.concatenate([
        around[0], ids.coordinates(EXACT, params), around[1]]))
    yield Case("ids", {"grid": params["grid"]}, [list(place) for place in raster(h, w)])


def ids_mrope(draw):
    """Text, an image, text, as Qwen2-VL counts them (merge 2, the next token is at the largest id +
    1)."""
    before, after = draw.randint(1, 4), draw.randint(1, 4)
    h, w = draw.randint(1, 3), draw.randint(1, 3)
    params = {"segments": "text:%d,image:1x%dx%d,text:%d" % (before, 2 * h, 2 * w, after)}
    rows = ids.mrope([before, (1, 2 * h, 2 * w), after])
    yield Case("ids", params, rows)
    yield Case("positions", params, EXACT.real(rows))
    yield Case("rope_delta", params, int(rows.max()) + 1 - rows.shape[1])
    yield from ids_of_time(draw)


def ids_of_time(draw):
    """Texts and videos whose frames are any numbers of seconds apart (Qwen3-Omni)."""
    rate, now, tokens, segments = draw.real(1, 30), mpf(0), [], []
    for _ in range(draw.randint(1, 12)):
        texts, frames, seconds = draw.randint(1, 3), draw.randint(1, 4), draw.real(0, 2)
        h, w = draw.randint(1, 3), draw.randint(1, 3)
        segments += ["text:%d" % texts, "video:%dx%dx%d@%r" % (frames, 2 * h, 2 * w, seconds)]
        tokens += [[now + p] * 3 for p in range(texts)]
        now += texts
        step = mpf(rate) * mpf(seconds)
        tokens += [[now + t * step, now + y, now + x] for t, y, x in raster(frames, h, w)]
        now += max((frames - 1) * step + 1, h, w)
    params = {"segments": ",".join(segments), "time_rule": "real", "tokens_per_second": rate}
    yield Case("positions", params, [list(axis) for axis in zip(*tokens)])
    yield Case("position_delta", params, max(map(max, tokens)) + 1 - len(tokens))


def ids_circle_rope(draw):
    """Wang et al. 2025: a circle across (1, 1, 1), from the middle of each image."""
    alpha, flat = draw.choice([0, 0.5, 1, draw.real(0, 1)]), draw.choice([0, draw.real(0, 1)])
    params = {"alpha": alpha, "dff_rate": flat, "move_to_origin": draw.chance()}
    rule = params["radius_rule"] = draw.turn(["fixed", "auto"])
    size = draw.real(0, 20)
    params["radius" if rule == "fixed" else "radius_scale"] = size
    if draw.chance():
        params.update(move_to_positive=True, positive_offset=draw.real(-3, 3))
    tokens, segments, now = [], [], mpf(0)
    for _ in range(draw.randint(1, 3)):
        texts, h, w = draw.randint(1, 3), draw.randint(1, 4), draw.randint(1, 4)
        segments += ["text:%d" % texts, "image:1x%dx%d" % (2 * h, 2 * w)]
        tokens += [[now + p] * 3 for p in range(texts)]
        now += texts
        patches = circle_patches(params, size, h, w)
        tokens += [[now + v for v in place] for place in patches]
        now += max(map(max, patches)) + 1
    params["segments"] = ",".join(segments)
    yield Case("positions", params, [list(axis) for axis in zip(*tokens)])
    yield Case("position_delta", params, max(map(max, tokens)) + 1 - len(tokens))


def circle_patches(params, size, h, w):
    """(t, h, w) of the patches of one image, without the ids before it."""
    middle = (mpf(w - 1) / 2, mpf(h - 1) / 2) if params["move_to_origin"] else (0, 0)
    points = [(mpf(x) - middle[0], mpf(y) - middle[1]) for y, x in raster(h, w)]
    radius = mpf(size)
    if params["radius_rule"] == "auto":
        radius *= max([0] + [v for point in points for v in point])
    own = [mp.atan2(y, x) for x, y in points]
    turn = max(own) - min(own)
    alpha, flat, places = mpf(params["alpha"]), mpf(params["dff_rate"]), []
    for number, (angle, (x, y)) in enumerate(zip(own, points)):
        if turn > 0:
            angle = (angle - min(own)) / turn * 2 * mp.pi
        angle = alpha * angle + (1 - alpha) * 2 * mp.pi * number / (h * w)
        a = (1 - flat) * radius * mp.cos(angle) + flat * x
        b = (1 - flat) * radius * mp.sin(angle) + flat * y
        u, v = a / mp.sqrt(2), b / mp.sqrt(6)
        places.append([2 * v, u - v, -u - v])
    if params.get("move_to_positive"):
        shift = abs(min(map(min, places))) + mpf(params["positive_offset"])
        places = [[v + shift for v in place] for place in places]
    return places


def ids_videorope(draw):
    before, after, t = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 3)
    h, w, delta = draw.randint(1, 3), draw.randint(1, 3), draw.choice([2, 1.5, draw.real(0.1, 9)])
    params = {"segments": "text:%d,video:%dx%dx%d,text:%d" % (before, t, h, w, after),
              "delta": delta}
    tokens = [[mpf(p)] * 3 for p in range(before)]
    for frame, y, x in raster(t, h, w):
        now = before + frame * mpf(delta)
        tokens.append([now, now + y - (h - 1) // 2, now + x - (w - 1) // 2])
    first = before + (t - 1) * mpf(delta) + 1
    tokens += [[first + p] * 3 for p in range(after)]
    yield Case("ids", params, [list(axis) for axis in zip(*tokens)])


def convert(draw):
    width = draw.even(2, 12)
    half = width // 2
    sines = np.arange(half)[None]
    one, two = draw.sample(sorted(LAYOUTS), 2)
    had, has = (arranged(sines, half + sines, layout)[0].tolist() for layout in (one, two))
    index = [had.index(slot) for slot in has]
    yield Case("index", {"dim": width, "from": one, "to": two}, index)
    x = draw.singles(width)
    yield Case("x", {"from": one, "to": two, "x": x}, [mpf(x[i]) for i in index])
    to_half = [2 * i for i in range(half)] + [2 * i + 1 for i in range(half)]
    yield Case("index", {"dim": width, "from": "adjacent", "to": "half"}, to_half)
    yield Case("index", {"dim": width, "from": "half", "to": "adjacent"},
               [to_half.index(i) for i in range(width)])


ROWS = named(binary, convert, dca, ids_chatglm2d, ids_circle_rope, ids_from_mask, ids_grid,
             ids_mrope, ids_packed, ids_videorope, ids_window_order, integer, leaky_rerope, nope,
             normalized,
             one_hot, pose, radix, random_offset, random_positions, rerope, self_extend,
             streaming_llm)
