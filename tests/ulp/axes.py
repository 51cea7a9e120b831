# SPDX-License-Identifier: Apache-2.0
"""axes.py - rotary encodings of several axes: from the coordinates of every token and the axis and
frequency of every pair to the tables, and to vectors rotated by them."""

import numpy as np
from mpmath import mp, mpf

from formulas.numbers import EXACT
from ladders import ladder, pixel_linear, pixel_log, linspace, power, raster
from measure import Case
from profiles import rounded
from turns import in_dtype, pair_places, rotated, rotations, tables


class Turns:
    """`places` are rows of coordinates (None: a token that is not rotated); `axis` and `freq`
    belong to the pairs: on grids axis 0 is the row, 1 the column."""

    def __init__(self, params, places, axis, freq, pairing="adjacent", width="half", size=None,
                 factor=1):
        count = len(next(place for place in places if place is not None))
        self.places = EXACT.real([[0] * count if place is None else place for place in places])
        self.params, self.axis, self.freq = params, axis, freq
        self.factor = factor  # of cosines and sines
        self.pairing, self.width = pairing, width
        self.size = size or 2 * len(freq)

    def angles(self):
        return self.places[:, self.axis] * EXACT.real(self.freq)


def served(make, coordinates=True):
    """Row of a table encoding: what `make(draw)` returns, asked for in every output."""
    def row(draw):
        turns = make(draw)
        params = dict(turns.params, dim=turns.size)
        if draw.chance():
            params.update(dim=turns.size + 4 * draw.randint(0, 2), rotary_dim=turns.size)
        angles = turns.angles()
        yield Case("angles", params, angles)
        yield Case("inv_freq", params, turns.freq)
        unscaled = {k: v for k, v in params.items() if k != "partial_rotary_factor"}
        yield Case("section_axis", unscaled, turns.axis)
        if coordinates:
            yield Case("coordinates", params, turns.places)
        width = draw.choice(["half", "full"])
        asked = dict(params, width=width)
        pairing = turns.pairing
        if width == "full" and pairing in ("adjacent", "half") and "pairing" not in params:
            pairing = asked["pairing"] = draw.choice(["adjacent", "half"])
        if pairing == "section-half" and width == "full":
            angles = angles[:, twice(turns.axis)]
            width = "half"
        yield from tables(angles, asked, pairing, width, turns.factor)
    return row


def part_of(make):
    """Row of /apply where a part of each head rotates, as a head of that width would."""
    def row(draw):
        yield from applied(make)(draw)
        turns = make(draw)
        before, after = draw.randint(0, 3), draw.randint(0, 3)
        angles = turns.angles()
        x = draw.table(len(angles), before + turns.size + after)
        places = places_of(turns, turns.pairing) or pair_places(len(turns.axis), turns.pairing)
        rows = rotated(x, angles, turns.pairing, turns.factor,
                       [(before + one, before + two) for one, two in places])
        params = dict(turns.params, rotary_dim=turns.size, offset_dims=before)
        yield next(rotations(params, x, rows))
    return row


def twice(axis):
    """The pairs of each axis twice, before those of the next axis."""
    return [pair for own in sorted(set(axis)) for _ in range(2)
            for pair, other in enumerate(axis) if other == own]


def applied(make):
    """Row of /apply: x, q and k rotated, and rotated back."""
    def row(draw):
        turns = make(draw)
        angles, pairing = turns.angles(), turns.pairing
        params = dict(turns.params)
        if pairing in ("adjacent", "half") and draw.chance():
            pairing = params["pairing"] = draw.choice(["adjacent", "half"])
        pairs = places_of(turns, pairing)
        x = draw.table(len(angles), turns.size)
        yield from rotations(params, x, rotated(x, angles, pairing, turns.factor, pairs))
        yield next(rotations(dict(params, inverse=True), x, rotated(
            x, -angles, pairing, 1 / mpf(turns.factor), pairs)))
        yield next(rotations(dict(params, rotate_math="in_dtype"), x, in_dtype(
            x, angles, pairing, turns.factor, pairs), dtypes=["f32"]))
    return row


def places_of(turns, pairing):
    if pairing != "section-half":
        return None
    places, start = [], 0
    for axis in sorted(set(turns.axis)):
        count = turns.axis.count(axis)
        places += [(start + i, start + count + i) for i in range(count)]
        start += 2 * count
    return places


def grid_of(draw):
    h, w = draw.randint(1, 3), draw.randint(1, 3)
    return h, w, "%dx%d" % (h, w)


def heads_of(draw):
    """(params, tokens, heads, pairs, angles[token][head][pair], frequencies, axes)."""
    heads, pairs, base = draw.randint(1, 3), draw.randint(1, 3), draw.base()
    params = {"heads": heads, "base": base}
    ratios, section = [mpf(1)] * heads, []
    kind = draw.turn(["list", "range", "axes"])
    if kind == "list":
        given = [draw.real(1, 9) for _ in range(heads)]
        params["head_ratios"], ratios = given, [mpf(r) for r in given]
    elif kind == "range":
        low, high = draw.real(1, 2), draw.real(2, 5)
        params.update(min_ratio=low, max_ratio=high)
        ratios = [mpf(low) + (mpf(high) - mpf(low)) * h / heads for h in range(heads)]
    else:
        section = [draw.randint(0, 1), heads - 1]
        params["head_section"] = section
    axis = [a for a, n in enumerate(section) for _ in range(n)] if section else [0] * heads
    turning = len(axis)
    axis += [0] * (heads - turning)
    freq = [[w / r if h < turning else mpf(0) for w in ladder(base, 2 * pairs)]
            for h, r in enumerate(ratios)]
    params["ids"] = [[draw.position() for _ in range(max(1, len(section)))] for _ in range(2)]
    freq = np.array(freq)
    angles = EXACT.real(params["ids"])[:, axis, None] * freq
    return params, heads, pairs, angles, freq, axis


def rope_heads(draw):
    params, heads, pairs, angles, freq, axis = heads_of(draw)
    params["dim"] = 2 * pairs
    rows = angles.reshape(len(angles), -1)
    yield Case("angles", params, rows)
    yield Case("inv_freq", params, freq.reshape(-1))
    yield Case("section_axis", params, np.repeat(axis, pairs))
    yield Case("coordinates", params, EXACT.real(params["ids"]))
    yield from tables(rows, params, "half", "half")


def by_heads(params, x, asked, angles, pairing, places=None):
    """x, q and k of tokens and heads, x turned back, and x in its own dtype."""
    def flat(array):
        return array.reshape(-1, len(x[0][0]))
    angles = EXACT.real(angles)
    there, back = (flat(rotated(x, turns, pairing, 1, places)) for turns in (angles, -angles))
    yield from rotations(params, asked, there, flat)
    yield Case("x", dict(params, x=asked, inverse=True), back, flat)
    yield Case("x", dict(params, x=asked, rotate_math="in_dtype"),
               flat(in_dtype(x, angles, pairing, 1, places)), flat, dtypes=["f32"])


def rope_heads_applied(draw):
    params, heads, pairs, angles, _, _ = heads_of(draw)
    params["pairing"] = draw.turn(["half", "adjacent"])
    x = [draw.table(heads, 2 * pairs) for _ in angles]
    params.update({"seq_axis": 0} if heads > 1 else {})
    yield from by_heads(params, x, x if heads > 1 else [row[0] for row in x], angles,
                        params["pairing"])


def given_angles(draw):
    """Angles of the client, the same for all heads or a row for each."""
    heads, pairs, lead = draw.choice([1, 2]), draw.randint(1, 4), draw.randint(0, 2)
    size = lead + 2 * pairs + draw.randint(0, 2)
    angles, pairing = [draw.table(heads, pairs) for _ in range(2)], draw.turn(["half", "adjacent"])
    x = [draw.table(heads, size) for _ in range(2)]
    params = {"pairing": pairing, "offset_dims": lead}
    params.update({"angles": angles, "seq_axis": 0} if heads > 1 else
                  {"angles": [row[0] for row in angles]})
    places = [(lead + a, lead + b) for a, b in pair_places(pairs, pairing)]
    yield from by_heads(params, x, x if heads > 1 else [row[0] for row in x], angles, pairing,
                        places)


def axial(draw):
    h, w, grid = grid_of(draw)
    base, quarter = draw.choice([100, 10000]), draw.randint(1, 4)
    cls = draw.randint(0, 2)
    freq = ladder(base, 2 * quarter)
    return Turns({"grid": grid, "base": base, "prefix_tokens": cls}, [None] * cls + raster(h, w),
                 [1] * quarter + [0] * quarter, freq + freq)


def moonvit(draw):
    h, w, grid = grid_of(draw)
    base, quarter = draw.base(), draw.randint(1, 4)
    freq = [f for f in ladder(base, 2 * quarter) for _ in range(2)]
    return Turns({"grid": grid, "base": base}, raster(h, w), [1, 0] * quarter, freq)


def pixtral(draw):
    h, w, grid = grid_of(draw)
    base, quarter = draw.base(), draw.randint(1, 4)
    whole = ladder(base, 4 * quarter)
    return Turns({"grid": grid, "base": base}, raster(h, w), [0] * quarter + [1] * quarter,
                 whole[0::2] + whole[1::2], "half", "full")


def merged(h, w, m):
    return [(y * m + j, x * m + i) for y in range(h // m) for x in range(w // m)
            for j in range(m) for i in range(m)]


def qwen_vit(draw):
    m, quarter, base = draw.randint(1, 2), draw.randint(1, 4), draw.base()
    items = [[draw.randint(1, 2), m * draw.randint(1, 2), m * draw.randint(1, 2)]
             for _ in range(draw.randint(1, 2))]
    places = [p for t, h, w in items for _ in range(t) for p in merged(h, w, m)]
    freq = ladder(base, 2 * quarter)
    return Turns({"grid_thw": items, "base": base, "spatial_merge_size": m}, places,
                 [0] * quarter + [1] * quarter, freq + freq, "half", "full")


def moved(draw, params, places, sizes):
    """What training does to coordinates, by any doubles: sixteenths put patches on zero too."""
    whole = draw.chance()
    shift = [draw.randint(-16, 16) / 16 if whole else draw.real(-2, 2) for _ in range(2)]
    offset = draw.randint(-8, 8) / 16 if whole else draw.real(-1, 1)
    jitter, rescale = [draw.real(0.5, 2) for _ in range(2)], draw.real(0.5, 2)
    params.update(shift_coords=shift, jitter_coords=jitter, rescale_coords=rescale,
                  grid_offset=offset)
    return [tuple((c + 2 * mpf(offset) / n + mpf(s)) * mpf(j) * mpf(rescale)
                  for c, n, s, j in zip(place, sizes, shift, jitter)) for place in places]


def dinov3(draw):
    h, w, grid = grid_of(draw)
    quarter, base = draw.randint(1, 4), draw.choice([100, draw.real(2, 999)])
    kind = draw.choice(["separate", "max", "min"])
    sizes = {"separate": (h, w), "max": (max(h, w),) * 2, "min": (min(h, w),) * 2}[kind]
    places = [(2 * (y + mpf(1) / 2) / sizes[0] - 1, 2 * (x + mpf(1) / 2) / sizes[1] - 1)
              for y, x in raster(h, w)]
    params = {"grid": grid, "normalize_coords": kind}
    if draw.chance():
        places = moved(draw, params, places, sizes)
    if draw.chance() and quarter > 1:
        low, high = params["min_period"], params["max_period"] = draw.real(0.1, 1), draw.real(2, 9)
        periods = [mpf(low) * power(mpf(high) / mpf(low), e) for e in linspace(0, 1, quarter)]
    else:
        params["base"] = base
        periods = [power(base, mpf(i) / quarter) for i in range(quarter)]
    if draw.chance():
        params["period_dtype"] = "bf16"
        periods = [rounded(p, "bf16") for p in periods]
    freq = [2 * mp.pi / p for p in periods]
    return Turns(params, places, [0] * quarter + [1] * quarter, freq + freq, "half")


def loftr(draw):
    h, w, grid = grid_of(draw)
    quarter, base = draw.randint(1, 4), 10000
    params, ratios = {"grid": grid}, (mpf(1), mpf(1))
    if draw.chance():
        sizes = [draw.randint(100, 900) for _ in range(4)]
        params.update(train_size="%dx%d" % tuple(sizes[:2]),
                      test_size="%dx%d" % tuple(sizes[2:]))
        ratios = mpf(sizes[0]) / sizes[2], mpf(sizes[1]) / sizes[3]
    places = [((y + 1) * ratios[0], (x + 1) * ratios[1]) for y, x in raster(h, w)]
    freq = [power(base, -mpf(k) / quarter) for k in range(quarter) for _ in range(2)]
    return Turns(params, places, [0, 1] * quarter, freq)


def timm_cat(draw):
    h, w, grid = grid_of(draw)
    bands = draw.randint(2, 4)
    params, ref = {"grid": grid}, (1, 1)
    if draw.chance():
        top, linear = draw.choice([224, draw.real(4, 99)]), draw.chance()
        params.update(max_res=top, linear_bands=linear)
        freq = pixel_linear(top, bands) if linear else pixel_log(top, bands)
        ys, xs = linspace(-1, 1, h), linspace(-1, 1, w)
    else:
        base, offset = draw.base(), draw.choice([0, 0.5, draw.real(-9, 9)])
        params.update(in_pixels=False, base=base, grid_offset=offset)
        freq = [power(base, -mpf(i) / bands) for i in range(bands)]
        ys, xs = [[i + mpf(offset) for i in range(n)] for n in (h, w)]
    if draw.chance():
        ref = draw.randint(1, 9), draw.randint(1, 9)
        params["ref_grid"] = "%dx%d" % ref
        ref = mpf(ref[0]) / h, mpf(ref[1]) / w
    places = [(ys[y] * ref[0], xs[x] * ref[1]) for y, x in raster(h, w)]
    axis = [0] * bands + [1] * bands
    if draw.chance():
        params["grid_indexing"] = "xy"
        axis.reverse()
    return Turns(params, places, axis, freq + freq, "adjacent", "full")


def timm_cat_table(draw):
    yield from served(timm_cat)(draw)
    turns = timm_cat(draw)
    angles = np.repeat(turns.angles(), 2, -1)
    yield Case("table", dict(turns.params, dim=turns.size),
               np.concatenate([EXACT.sin(angles), EXACT.cos(angles)], -1))


def llama4(draw):
    n, patch, base, half = draw.randint(1, 3), draw.randint(1, 14), draw.base(), draw.randint(1, 4)
    places = [(y + 1, x + 1) for y, x in raster(n, n)] + [None]
    freq = ladder(base, 2 * half)
    return Turns({"image_size": n * patch, "patch_size": patch, "base": base}, places,
                 [1] * half + [0] * half, freq + freq)


def chatglm(draw):
    pos, block = draw.positions(3), draw.positions(3)
    quarter, base = draw.randint(1, 4), draw.base()
    freq = ladder(base, 2 * quarter)
    return Turns({"pos": pos, "pos.block": block, "base": base}, list(zip(pos, block)),
                 [0] * quarter + [1] * quarter, freq + freq, "section-half")


def concatenated(draw):
    widths = [draw.even(2, 8) for _ in range(draw.randint(2, 4))]
    base = draw.base()
    ids = [[draw.position() for _ in widths] for _ in range(2)]
    axis = [a for a, width in enumerate(widths) for _ in range(width // 2)]
    freq = [w for width in widths for w in ladder(base, width)]
    return Turns({"axes_dim": widths, "base": base, "ids": ids}, ids, axis, freq)


def cropped(draw):
    """CogVideoX's grid over a region of the image, whose corners are any numbers."""
    t, h, w = draw.randint(1, 2), draw.randint(1, 4), draw.randint(1, 4)
    quarter, base = draw.randint(1, 2), draw.base()
    top, left = draw.real(-9, 9), draw.real(-9, 9)
    bottom, right = top + draw.real(1, 9), left + draw.real(1, 9)

    def line(low, high, n):
        end = mpf(high) * (n - 1) / n
        return [mpf(low) + (end - mpf(low)) * k / (n - 1) for k in range(n)] if n > 1 else [mpf(low)]
    ys, xs = line(top, bottom, h), line(left, right, w)
    widths = [2, 2 * quarter, 2 * quarter]
    freq = [f for d in widths for f in ladder(base, d)]
    axis = [a for a, d in enumerate(widths) for _ in range(d // 2)]
    return Turns({"axes_dim": widths, "base": base, "grid_sizes": [t, h, w],
                  "crops_coords": [[top, left], [bottom, right]]},
                 [(mpf(k), ys[y], xs[x]) for k, y, x in raster(t, h, w)], axis, freq)


def axes_of_all_kinds(draw):
    return draw.turn([concatenated, cropped])(draw)


def with_positions(make):
    """Pixtral's position ids and Qwen's (h, w), beside the rest."""
    def row(draw):
        yield from served(make)(draw)
        turns = make(draw)
        params = dict(turns.params)
        if make is pixtral:
            params.update(image_size=224, patch_size=14)
            yield Case("position_ids", params, [int(y * 16 + x) for y, x in turns.places])
        else:
            params.pop("base")
            yield Case("hw_position_ids", params, turns.places.astype(int))
    return row


MAKERS = {
    "rope-axes": axes_of_all_kinds,
    "rope-vision-llama4": llama4,
    "rope2d-axial": axial,
    "rope2d-chatglm": chatglm,
    "rope2d-dinov3": dinov3,
    "rope2d-loftr": loftr,
    "rope2d-moonvit": moonvit,
    "rope2d-pixtral": pixtral,
    "rope2d-qwen-vit": qwen_vit,
    "rope2d-timm-cat": timm_cat,
}
ROWS = {name: served(make) for name, make in MAKERS.items()}
ROWS.update({name + "/apply": part_of(make) for name, make in MAKERS.items()})
ROWS["rope-angles"] = given_angles
ROWS.update({"rope-heads": rope_heads, "rope-heads/apply": rope_heads_applied})
ROWS.update({"rope2d-timm-cat": timm_cat_table, "rope2d-pixtral": with_positions(pixtral),
             "rope2d-qwen-vit": with_positions(qwen_vit)})
