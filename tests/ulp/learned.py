# SPDX-License-Identifier: Apache-2.0
"""learned.py - values that are computed from learned tables: lookups, the hierarchical
decomposition, factorised tables, boxes of pages, resizing."""

import numpy as np
from mpmath import mp, mpf

from formulas.ids import from_mask
from formulas.numbers import EXACT
from ladders import raster
from measure import Case, Loose, loose, named


def decomposed(table, alpha, k):
    """kexue.fm 7947: alpha u_i + (1 - alpha) u_j, u_k = (E_k - alpha E_0) / (1 - alpha)."""
    rows, alpha = len(table), mpf(alpha)
    if k < rows:
        return [mpf(v) for v in table[k]]
    basis = [[(mpf(v) - alpha * mpf(first)) / (1 - alpha) for v, first in zip(row, table[0])]
             for row in (table[k // rows], table[k % rows])]
    size = max(abs(mpf(v)) for row in table for v in row) * 4 / (1 - alpha)
    return [Loose(alpha * a + (1 - alpha) * b, size * mpf(2) ** -52) for a, b in zip(*basis)]


def learned(draw):
    rows, width = draw.randint(2, 6), draw.randint(2, 4)
    table = draw.table(rows, width)
    exact, pos = EXACT.real(table), [draw.randint(0, rows - 1) for _ in range(3)]
    params = {"table": table, "pos": pos}
    yield Case("rows", params, exact[pos])
    far = [draw.randint(-9, 20) for _ in range(3)]
    inside = np.array([[0 <= p < rows] for p in far])
    for name, values in (("clamp", exact[np.clip(far, 0, rows - 1)]),
                         ("wrap", exact[np.mod(far, rows)]),
                         ("zero", np.where(inside, exact[np.mod(far, rows)], mpf(0)))):
        yield Case("rows", {"table": table, "pos": far, "out_of_range": name}, values)
    scale = draw.real(0.1, 9)
    yield Case("rows", dict(params, amplitude=scale), exact[pos] * mpf(scale))
    norms = EXACT.sqrt((exact ** 2).sum(-1, keepdims=True))
    yield Case("rows", dict(params, l2norm=True), (exact / norms)[pos])
    offset, padding = draw.randint(-9, 9), draw.randint(0, 3)
    yield Case("index", {"pos": far, "offset": offset}, [p + offset for p in far])
    tokens = [[draw.randint(0, 1) for _ in range(5)] for _ in range(2)]
    # fairseq utils.py, make_positions: cumsum(mask) * mask + padding_idx, as RoBERTa's ids
    yield Case("index", {"attention_mask": tokens, "convention": "fairseq", "padding_idx": padding},
               from_mask({"attention_mask": tokens, "convention": "roberta",
                          "padding_idx": padding}))


def hierarchical(draw):
    rows, alpha = draw.randint(2, 5), draw.choice([0.4, draw.real(0.1, 0.45)])
    table = draw.table(rows, 3)
    pos = [draw.randint(0, rows * rows - 1) for _ in range(4)]
    yield Case("rows", {"table": table, "pos": pos, "alpha": alpha},
               [decomposed(table, alpha, p) for p in pos])


def axial_learned(draw):
    h, w = draw.randint(2, 4), draw.randint(2, 4)
    params = {"row_table": draw.table(h, 3), "col_table": draw.table(w, 3)}
    rows, columns = (EXACT.real(table) for table in params.values())
    pos = np.array([draw.randint(0, h * w - 1) for _ in range(3)])
    yield Case("rows", dict(params, pos=pos.tolist()),
               np.concatenate([rows[pos // w], columns[pos % w]], -1))
    grid, (y, x) = dict(params, grid="%dx%d" % (h, w)), np.array(raster(h, w)).T
    yield Case("rows", dict(grid, method="detr"), np.concatenate([columns[x], rows[y]], -1))
    yield Case("rows", dict(grid, method="pix2struct"), rows[y] + columns[x])


def layout_2d(draw):
    tables = [draw.table(9, 2) for _ in range(4)]
    x, y, h, w = map(EXACT.real, tables)
    boxes = []
    for _ in range(2):
        (x0, x1), (y0, y1) = (sorted(draw.randint(0, 8) for _ in range(2)) for _ in range(2))
        boxes.append([x0, y0, x1, y1])
    params = {name + "_position_embeddings": table for name, table in zip("xyhw", tables)}
    params["boxes"] = boxes
    parts = np.array([(x[a], y[b], x[c], y[d], h[d - b], w[c - a]) for a, b, c, d in boxes])
    yield Case("rows", params, loose(parts.sum(1), mpf(2) ** -48))
    yield Case("rows", dict(params, version=3), parts.reshape(2, -1))


def keys_kernel(t, a):
    t = abs(t)
    if t <= 1:
        return (a + 2) * t ** 3 - (a + 3) * t ** 2 + 1
    return a * t ** 3 - 5 * a * t ** 2 + 8 * a * t - 4 * a if t < 2 else mpf(0)


def lanczos(t):
    return mp.sinc(mp.pi * t) * mp.sinc(mp.pi * t / 3) if abs(t) < 3 else mpf(0)


KERNELS = {"linear": (1, lambda t: max(1 - abs(t), mpf(0))),
           "bicubic": (2, lambda t: keys_kernel(t, mpf(-1) / 2)), "lanczos": (3, lanczos)}


def widened(old, new, mode):
    """Weights of PIL and of PyTorch's antialias: the kernel spans max(old/new, 1) samples."""
    reach, kernel = KERNELS[mode]
    ratio = mpf(old) / new
    size = max(ratio, 1)
    matrix = []
    for d in range(new):
        centre = (d + mpf(1) / 2) * ratio
        first = max(int(centre - reach * size + mpf(1) / 2), 0)
        end = min(int(centre + reach * size + mpf(1) / 2), old)
        taps = [kernel((j + mpf(1) / 2 - centre) / size) if first <= j < end else mpf(0)
                for j in range(old)]
        matrix.append([tap / sum(taps) for tap in taps])
    return matrix


def pointwise(old, new, mode, corners, zeros=False):
    """Weights without antialias: the neighbours of the source coordinate, clamped, or lost where
    there are only zeros beyond the ends."""
    matrix = []
    for d in range(new):
        row = [mpf(0)] * old
        s = mpf(d) * (old - 1) / max(new - 1, 1) if corners else \
            (d + mpf(1) / 2) * old / new - mpf(1) / 2
        if zeros:
            reach, kernel = {**KERNELS, "bicubic": (2, lambda t: keys_kernel(t, mpf(-3) / 4))}[mode]
            row = [kernel(s - j) if abs(s - j) < reach else mpf(0) for j in range(old)]
        elif mode == "linear":
            s = max(s, mpf(0))
            i = int(mp.floor(s))
            row[min(i, old - 1)] += 1 - (s - i)
            row[min(i + 1, old - 1)] += s - i
        else:
            i = int(mp.floor(s))
            for k in range(-1, 3):
                row[min(max(i + k, 0), old - 1)] += keys_kernel(s - i - k, mpf(-3) / 4)
        matrix.append(row)
    return matrix


def weights_of(draw, params, *sizes):
    kind = draw.choice(["widened", "pointwise", "nearest", "nearest-exact"] + [
        "tile"] * all(old <= new for old, new in sizes))
    if kind == "widened":
        mode = params["interpolation"] = draw.choice(sorted(KERNELS))
        return [widened(old, new, mode) for old, new in sizes]
    if kind == "pointwise":
        mode = params["interpolation"] = draw.choice(["linear", "bicubic"])
        corners = draw.chance()
        params["align_corners" if corners else "antialias"] = corners
        zeros = not corners and draw.chance()
        if zeros:
            params["padding_mode"] = "zeros"
        return [pointwise(old, new, mode, corners, zeros) for old, new in sizes]
    params["interpolation"] = kind
    if kind == "tile":
        return [[[mpf(j == d % old) for j in range(old)] for d in range(new)] for old, new in sizes]
    shift = 0 if kind == "nearest" else mpf(1) / 2
    return [[[mpf(j == min(int((d + shift) * old / new), old - 1)) for j in range(old)]
             for d in range(new)] for old, new in sizes]


def mixed(terms):
    """Sums of weighted numbers along the last axis, to 2^-47 of the largest."""
    return loose(terms.sum(-1), abs(terms).max(-1) * mpf(2) ** -47)


def resize_table_1d(draw):
    old, new = draw.randint(2, 7), draw.randint(1, 9)
    table, params = draw.table(old, 2), {}
    matrix, = weights_of(draw, params, (old, new))
    yield Case("rows", dict(params, table=table, new_len=new),
               mixed(np.array(matrix)[:, None] * EXACT.real(table).T))


def resized(table, down, across):
    """Rows of a grid's table by weights of its rows and its columns."""
    down, across = np.array(down), np.array(across)
    weights = (down[:, None, :, None] * across[:, None]).reshape(len(down) * len(across), 1, -1)
    return mixed(weights * EXACT.real(table).T)


def resize_table_2d(draw):
    old, new = [(draw.randint(2, 4), draw.randint(2, 4)) for _ in range(2)]
    table, params = draw.table(old[0] * old[1], 2), {}
    params.update(table=table, old_grid="%dx%d" % old, new_grid="%dx%d" % new)
    down, across = weights_of(draw, params, *zip(old, new))
    yield Case("rows", params, resized(table, down, across))


def geometric_places(old, new):
    """BEiT's: 0, +-c_1, ..., c_(k+1) = c_k + q^k, q by bisection."""
    low, high, n = 1.01, 1.5, old // 2
    while high - low > 1e-6:
        q = (low + high) / 2
        if sum(mpf(q) ** k for k in range(n)) > new // 2:
            high = q
        else:
            low = q
    right = [sum(mpf(q) ** i for i in range(k)) for k in range(1, n + 1)]
    return [-x for x in reversed(right)] + [mpf(0)] + right


def not_a_knot(places, targets):
    """Weights of the cubic spline in truncated powers: one polynomial over all but the inner
    knots, none at the second place and the last but one."""
    knots = places[2:-2]

    def row(x):
        return [mpf(1), x, x ** 2, x ** 3] + [max(x - k, mpf(0)) ** 3 for k in knots]
    inverse = mp.inverse(mp.matrix([row(x) for x in places]))
    return (mp.matrix([row(t) for t in targets]) * inverse).tolist()


def straight(places, targets):
    matrix = []
    for t in targets:
        i = max(i for i in range(len(places) - 1) if places[i] <= t)
        share = (t - places[i]) / (places[i + 1] - places[i])
        matrix.append([1 - share if j == i else share if j == i + 1 else mpf(0)
                       for j in range(len(places))])
    return matrix


def relative_weights(mode, old, new):
    if mode == "bilinear":
        return pointwise(old, new, "linear", False)
    if mode == "bicubic":
        return pointwise(old, new, mode, False)
    places = geometric_places(old, new)
    targets = [min(max(mpf(d - new // 2), places[0]), places[-1]) for d in range(new)]
    return (not_a_knot if mode == "geometric" else straight)(places, targets)


def resize_table_relative(draw):
    window, size = [(draw.randint(3, 5), draw.randint(3, 5)) for _ in range(2)]
    if window == size:
        size = size[0] + 1, size[1]
    old, new = [[2 * n - 1 for n in sides] for sides in (window, size)]
    mode, extra = draw.choice(["bicubic", "bilinear", "geometric", "geometric-linear"]), 3
    table = draw.table(old[0] * old[1] + extra, 2)
    down, across = [relative_weights(mode, *sides) for sides in zip(old, new)]
    yield Case("table", {"table": table, "interpolation": mode, "num_extra_tokens": extra,
                         "old_window": "%dx%d" % window, "new_window": "%dx%d" % size},
               np.concatenate([resized(table[:-extra], down, across), EXACT.real(table[-extra:])]))


ROWS = named(axial_learned, hierarchical, layout_2d, learned, resize_table_1d, resize_table_2d,
             resize_table_relative)
