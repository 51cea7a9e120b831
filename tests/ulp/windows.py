# SPDX-License-Identifier: Apache-2.0
"""windows.py - relative positions by index and table: Swin, BEiT, LeViT, Shaw, BERT, DeBERTa,
decomposed tables, LayoutLM, AlphaFold, and scores of queries with them."""

import numpy as np
from mpmath import mp, mpf

from features import dot
from formulas import biases, windows
from formulas.biases import t5_bucket
from formulas.numbers import EXACT
from ladders import raster
from measure import Case, Loose, named


def looked_up(draw, index, rows, heads=2):
    """(table of rows, bias of heads)."""
    table = draw.table(rows, heads)
    return table, np.moveaxis(EXACT.real(table)[index], -1, 0)


def window_of(draw, low, name="window_size"):
    """(parameters of a window, its number of offsets)"""
    h, w = draw.randint(1, 3), draw.randint(low, 3)
    return {name: "%dx%d" % (h, w)}, (2 * h - 1) * (2 * w - 1)


def swin(draw):
    params, rows = window_of(draw, 2)
    index = windows.swin(params["window_size"])
    yield Case("index", params, index)
    table, bias = looked_up(draw, index, rows)
    yield Case("bias", dict(params, table=table), bias)


def beit_index(draw):
    params, rows = window_of(draw, 1)
    index = windows.beit(params["window_size"])
    yield Case("index", params, index)
    table, bias = looked_up(draw, index, rows + 3)
    yield Case("bias", dict(params, table=table), bias)
    yield Case("index", dict(params, class_token=False), windows.swin(params["window_size"]))


def levit_bias(draw):
    h, w, s = draw.randint(1, 4), draw.randint(1, 4), draw.randint(1, 2)
    params, index = {"resolution": "%dx%d" % (h, w), "query_stride": s}, windows.levit((h, w), s)
    yield Case("index", params, index)
    table = draw.table(2, h * w)
    yield Case("bias", dict(params, table=table), EXACT.real(table)[:, index])


def swinv2(draw):
    params, _ = window_of(draw, 1)
    window = params["window_size"]
    mode = params["convention"] = draw.choice(["swin", "cr"])
    if mode == "swin" and draw.chance():
        params["pretrained_window"] = "%dx%d" % (draw.randint(2, 9), draw.randint(2, 9))
    coords = windows.coordinates(EXACT, window, params.get("pretrained_window"), mode)
    index = windows.swin(window)
    yield Case("index", {"window_size": window}, index)
    yield Case("coords", params, coords)
    units = draw.randint(1, 4)
    w1, b1, w2 = draw.table(units, 2), draw.singles(units), draw.table(2, units, -1, 1)

    def bias(head, pair):
        sums = [dot(v, pair) for v in w1]
        hidden = [max(s[0] + b, mpf(0)) for s, b in zip(sums, b1)]
        value, size = dot(head, hidden)
        size += sum(abs(v) * (s[1] + abs(b)) for v, s, b in zip(head, sums, b1))
        if mode == "cr":
            return Loose(value, size * mpf(2) ** -82)
        return Loose(16 / (1 + mp.exp(-value)), 16 * size * mpf(2) ** -82)
    values = np.array([[bias(head, pair) for pair in coords.reshape(-1, 2)] for head in w2])
    yield Case("bias", dict(params, w1=w1, b1=b1, w2=w2), values[:, index])


def summed(*pairs):
    """A sum of sums of products."""
    return scaled(1, *pairs)


def scaled(scale, *pairs):
    sums = [dot(a, b) for a, b in pairs]
    return Loose(scale * sum(s[0] for s in sums),
                 abs(scale) * sum(s[1] for s in sums) * mpf(2) ** -92)


def vectors(draw, *counts):
    if len(counts) == 1:
        return draw.singles(counts[0])
    return [vectors(draw, *counts[1:]) for _ in range(counts[0])]


def shaw(draw):
    left, right, width = draw.randint(0, 3), draw.randint(0, 3), draw.randint(2, 4)
    lq, lk = draw.randint(2, 4), draw.randint(2, 4)
    params = {"max_left": left, "max_right": right, "q": "0:%d" % lq, "k": "0:%d" % lk}
    index = biases.clipped(-biases.distances(params), left, right)
    yield Case("index", params, index)
    table, queries = vectors(draw, left + right + 1, width), vectors(draw, 1, lq, width)
    yield Case("bias", dict(params, table=table, queries=queries), [[[
        scaled(1 / mp.sqrt(width), (q, table[i])) for i in row] for q, row in zip(head, index)]
        for head in queries])
    shares = vectors(draw, 1, lq, lk)
    yield Case("values", dict(params, table=table, probabilities=shares), [[[
        summed((p, [table[i][c] for i in row])) for c in range(width)]
        for p, row in zip(head, index)] for head in shares])


def bert_relative_key(draw):
    top, width = draw.randint(2, 5), draw.randint(2, 4)
    places = range(top)
    params = {"max_position_embeddings": top, "len": top}
    index = biases.distances(params) + top - 1
    yield Case("index", params, index)
    table = vectors(draw, 2 * top - 1, width)
    queries, keys = vectors(draw, 1, top, width), vectors(draw, 1, top, width)
    root = 1 / mp.sqrt(width)
    asked = dict(params, table=table, queries=queries)
    yield Case("bias", asked, [[[scaled(root, (q[i], table[index[i, j]])) for j in places]
                                for i in places] for q in queries])
    yield Case("query_key_bias", dict(asked, keys=keys), [[[
        scaled(root, (q[i], table[index[i, j]]), (k[j], table[index[i, j]])) for j in places]
        for i in places] for q, k in zip(queries, keys)])


def deberta(draw):
    buckets, reach = draw.choice([(256, 512), (8, 16), (32, 128)])
    q, k = [draw.randint(0, 600) for _ in range(3)], [draw.randint(0, 600) for _ in range(6)]
    asked = {"position_buckets": buckets, "max_relative_positions": reach, "q": q, "k": k}
    yield Case("buckets", asked, biases.deberta(asked))
    span, width, places = draw.randint(1, 4), draw.randint(2, 4), range(3)
    params = {"position_buckets": -1, "max_relative_positions": span, "len": 3}
    at = [[min(max(i - j + span, 0), 2 * span - 1) for j in places] for i in places]
    tables = [vectors(draw, 2 * span, width) for _ in range(2)]
    queries, keys = vectors(draw, 1, 3, width), vectors(draw, 1, 3, width)
    c2p = [[(queries[0][i], tables[0][at[i][j]]) for j in places] for i in places]
    p2c = [[(keys[0][j], tables[1][at[i][j]]) for j in places] for i in places]
    params.update(queries=queries, keys=keys, key_table=tables[0], query_table=tables[1])
    yield Case("c2p", params, [[[summed(pair) for pair in row] for row in c2p]])
    yield Case("p2c", params, [[[summed(pair) for pair in row] for row in p2c]])
    yield Case("bias", params, [[[scaled(1 / mp.sqrt(3 * width), a, b) for a, b in zip(*rows)]
                                 for rows in zip(c2p, p2c)]])


def four_term_expansion(draw):
    length, width = draw.randint(2, 3), draw.randint(1, 3)
    x, p = vectors(draw, length, width), vectors(draw, length, width)
    scale = draw.choice([1, 0.5])
    params = {"x": x, "position_vectors": p, "softmax_scale": scale}
    both = {"xx": (x, x), "xp": (x, p), "px": (p, x), "pp": (p, p)}
    for out, (a, b) in both.items():
        yield Case(out, params, [[scaled(mpf(scale), (u, v)) for v in b] for u in a])
    yield Case("sum", params, [[scaled(mpf(scale), *[(a[i], b[j]) for a, b in both.values()])
                                for j in range(length)] for i in range(length)])


def axis_index(queries, keys):
    up, down = max(mpf(keys) / queries, 1), max(mpf(queries) / keys, 1)
    return [[int(i * up - j * down + (keys - 1) * down) for j in range(keys)]
            for i in range(queries)]


def two_axes(draw, params, sizes, tables, at):
    """index_h, index_w and the bias of queries with one table an axis."""
    (qh, qw), (kh, kw) = sizes
    yield Case("index_h", params, at[0])
    yield Case("index_w", params, at[1])
    width = len(tables[0][0])
    queries = vectors(draw, 1, qh * qw, width)
    asked = dict(params, table_h=tables[0], table_w=tables[1], queries=queries)
    yield Case("bias", asked, [[[
        summed((q, tables[0][at[0][yq][yk]]), (q, tables[1][at[1][xq][xk]]))
        for yk, xk in raster(kh, kw)] for q, (yq, xq) in zip(head, raster(qh, qw))]
        for head in queries])


def decomposed_relpos(draw):
    q = (draw.randint(2, 3), draw.randint(2, 3))
    k = draw.choice([q, (2 * q[0], 2 * q[1])])
    tables = [vectors(draw, 2 * max(a, b) - 1, 3) for a, b in zip(q, k)]
    params = {"q_grid": "%dx%d" % q, "k_grid": "%dx%d" % k}
    yield from two_axes(draw, params, (q, k), tables, [axis_index(*n) for n in zip(q, k)])


def axial_relative_logits(draw):
    q = (draw.randint(2, 3), draw.randint(2, 3))
    tables = [vectors(draw, 2 * n - 1, 3) for n in q]
    at = [[[j - i + n - 1 for j in range(n)] for i in range(n)] for n in q]
    yield from two_axes(draw, {"grid": "%dx%d" % q}, (q, q), tables, at)


def layoutlmv3_bias(draw):
    count, head_dim = 3, draw.choice([64, 96])
    ids = [draw.randint(0, 500) for _ in range(count)]
    boxes = [[draw.randint(0, 1000) for _ in range(4)] for _ in range(count)]

    def buckets(values, bins, reach):
        return [[t5_bucket(j - i, bins, reach) for j in values] for i in values]
    at = [buckets(ids, 32, 128), buckets([b[0] for b in boxes], 64, 256),
          buckets([b[3] for b in boxes], 64, 256)]
    params = {"position_ids": ids, "boxes": boxes}
    for out, index in zip(("buckets", "buckets_x", "buckets_y"), at):
        yield Case(out, params, index)
    tables = [vectors(draw, bins, 2) for bins in (32, 64, 64)]
    ones = [1, 1, 1]
    yield Case("bias", dict(params, head_dim=head_dim, table=tables[0], table_x=tables[1],
                            table_y=tables[2]), [[[
        scaled(1 / mp.sqrt(head_dim), ([t[a[i][j]][h] for t, a in zip(tables, at)], ones))
        for j in range(count)] for i in range(count)] for h in range(2)])


def alphafold_relpos(draw):
    reach, count = draw.randint(1, 4), 4
    residues = sorted(draw.randint(0, 12) for _ in range(count))
    places, params = range(count), {"residue_index": residues, "r_max": reach}

    def bin_of(difference, top):
        return int(windows.clipped_offsets(difference, top))
    index = [[bin_of(residues[i] - residues[j], reach) for j in places] for i in places]
    yield Case("index", params, index)
    features = [[[mpf(c == b) for c in range(2 * reach + 1)] for b in row] for row in index]
    yield Case("features", params, features)
    table = vectors(draw, 2 * reach + 1, 2)
    yield Case("bias", dict(params, table=table),
               [[[mpf(v) for v in table[b]] for b in row] for row in index])
    chain = [draw.randint(0, 1) for _ in places]
    entity, sym = [draw.randint(0, 1) for _ in places], [draw.randint(0, 4) for _ in places]

    def row(i, j):
        near = bin_of(residues[i] - residues[j], reach) if chain[i] == chain[j] else 2 * reach + 1
        same = entity[i] == entity[j]
        far = bin_of(sym[i] - sym[j], 2) if same else 5
        return ([mpf(c == near) for c in range(2 * reach + 2)] + [mpf(same)] +
                [mpf(c == far) for c in range(6)])
    yield Case("features", dict(params, version="multimer", asym_id=chain, entity_id=entity,
                                sym_id=sym), [[row(i, j) for j in places] for i in places])


ROWS = named(alphafold_relpos, axial_relative_logits, beit_index, bert_relative_key, deberta,
             decomposed_relpos, four_term_expansion, layoutlmv3_bias, levit_bias, shaw, swin,
             swinv2)
