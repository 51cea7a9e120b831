# SPDX-License-Identifier: Apache-2.0
"""windows.py - relative positions by index and table: Swin, BEiT, LeViT, Shaw, BERT, DeBERTa,
decomposed tables, LayoutLM, AlphaFold, and scores of queries with them."""

import numpy as np
from mpmath import mp, mpf

from features import dot
from formulas import biases, windows
from formulas.grids import raster as cells
from formulas.numbers import EXACT
from measure import Case, Loose, given, loose, named


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


def summed(*pairs, scale=1):
    """Sums of products along the last axis of pairs of arrays, all of them added and scaled."""
    terms = [a * b for a, b in pairs]
    return loose(scale * sum(t.sum(-1) for t in terms),
                 abs(scale) * sum(abs(t).sum(-1) for t in terms) * mpf(2) ** -92)


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
    asked, table, queries = given(params, table=vectors(draw, left + right + 1, width),
                                  queries=vectors(draw, 1, lq, width))
    yield Case("bias", asked, summed((queries[:, :, None], table[index]), scale=1 / mp.sqrt(width)))
    asked, table, shares = given(params, table=asked["table"],
                                 probabilities=vectors(draw, 1, lq, lk))
    yield Case("values", asked, summed((shares[:, :, None], table[index].swapaxes(1, 2))))


def bert_relative_key(draw):
    top, width = draw.randint(2, 5), draw.randint(2, 4)
    params = {"max_position_embeddings": top, "len": top}
    index = biases.distances(params) + top - 1
    yield Case("index", params, index)
    asked, table, queries = given(params, table=vectors(draw, 2 * top - 1, width),
                                  queries=vectors(draw, 1, top, width))
    asked_keys, keys = given(asked, keys=vectors(draw, 1, top, width))
    root, near = 1 / mp.sqrt(width), (queries[:, :, None], table[index])
    yield Case("bias", asked, summed(near, scale=root))
    yield Case("query_key_bias", asked_keys, summed(near, (keys[:, None], table[index]),
                                                    scale=root))


def deberta(draw):
    buckets, reach = draw.choice([(256, 512), (8, 16), (32, 128)])
    q, k = [draw.randint(0, 600) for _ in range(3)], [draw.randint(0, 600) for _ in range(6)]
    asked = {"position_buckets": buckets, "max_relative_positions": reach, "q": q, "k": k}
    yield Case("buckets", asked, biases.deberta(asked))
    span, width = draw.randint(1, 4), draw.randint(2, 4)
    params = {"position_buckets": -1, "max_relative_positions": span, "len": 3}
    at = np.clip(biases.distances(params) + span, 0, 2 * span - 1)
    params, keyed, queried, queries, keys = given(
        params, key_table=vectors(draw, 2 * span, width),
        query_table=vectors(draw, 2 * span, width), queries=vectors(draw, 1, 3, width),
        keys=vectors(draw, 1, 3, width))
    c2p, p2c = (queries[:, :, None], keyed[at]), (keys[:, None], queried[at])
    yield Case("c2p", params, summed(c2p))
    yield Case("p2c", params, summed(p2c))
    yield Case("bias", params, summed(c2p, p2c, scale=1 / mp.sqrt(3 * width)))


def four_term_expansion(draw):
    length, width = draw.randint(2, 3), draw.randint(1, 3)
    params, x, p = given({}, x=vectors(draw, length, width),
                         position_vectors=vectors(draw, length, width))
    scale = params["softmax_scale"] = draw.choice([1, 0.5])
    both = {"xx": (x, x), "xp": (x, p), "px": (p, x), "pp": (p, p)}
    both = {out: (a[:, None], b[None]) for out, (a, b) in both.items()}
    for out, pair in both.items():
        yield Case(out, params, summed(pair, scale=mpf(scale)))
    yield Case("sum", params, summed(*both.values(), scale=mpf(scale)))


def axis_index(queries, keys):
    up, down = max(mpf(keys) / queries, 1), max(mpf(queries) / keys, 1)
    return [[int(i * up - j * down + (keys - 1) * down) for j in range(keys)]
            for i in range(queries)]


def two_axes(draw, params, sizes, tables, at):
    """index_h, index_w and the bias of queries with one table an axis."""
    (qh, qw), (kh, kw) = sizes
    yield Case("index_h", params, at[0])
    yield Case("index_w", params, at[1])
    asked, high, wide, queries = given(
        params, table_h=tables[0], table_w=tables[1],
        queries=vectors(draw, 1, qh * qw, len(tables[0][0])))
    (yq, xq), (yk, xk) = cells(qh, qw)[:, :, None], cells(kh, kw)[:, None]
    at = [np.array(index) for index in at]
    yield Case("bias", asked, summed((queries[:, :, None], high[at[0][yq, yk]]),
                                     (queries[:, :, None], wide[at[1][xq, xk]])))


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

    at = [biases.t5({"q": values, "k": values, "num_buckets": bins, "max_distance": reach})
          for values, bins, reach in ((ids, 32, 128), ([b[0] for b in boxes], 64, 256),
                                      ([b[3] for b in boxes], 64, 256))]
    params = {"position_ids": ids, "boxes": boxes}
    for out, index in zip(("buckets", "buckets_x", "buckets_y"), at):
        yield Case(out, params, index)
    asked, *tables = given(params, table=vectors(draw, 32, 2), table_x=vectors(draw, 64, 2),
                           table_y=vectors(draw, 64, 2))
    terms = np.stack([table[index] for table, index in zip(tables, at)], -1)
    yield Case("bias", dict(asked, head_dim=head_dim), np.moveaxis(
        summed((terms, 1), scale=1 / mp.sqrt(head_dim)), -1, 0))


def alphafold_relpos(draw):
    reach, count = draw.randint(1, 4), 4
    residues = sorted(draw.randint(0, 12) for _ in range(count))
    params = {"residue_index": residues, "r_max": reach}

    def between(values, most):
        """Bins of the differences of values."""
        return windows.clipped_offsets(np.subtract.outer(values, values), most)

    def hot(bins, count):
        return EXACT.real(bins[..., None] == np.arange(count))
    index = between(residues, reach)
    yield Case("index", params, index)
    yield Case("features", params, hot(index, 2 * reach + 1))
    asked, table = given(params, table=vectors(draw, 2 * reach + 1, 2))
    yield Case("bias", asked, table[index])
    chain, entity = ([draw.randint(0, 1) for _ in range(count)] for _ in range(2))
    sym = [draw.randint(0, 4) for _ in range(count)]
    near, same = (np.equal.outer(one, one) for one in (chain, entity))
    yield Case("features", dict(params, version="multimer", asym_id=chain, entity_id=entity,
                                sym_id=sym), np.concatenate([
        hot(np.where(near, index, 2 * reach + 1), 2 * reach + 2), EXACT.real(same)[..., None],
        hot(np.where(same, between(sym, 2), 5), 6)], -1))


ROWS = named(alphafold_relpos, axial_relative_logits, beit_index, bert_relative_key, deberta,
             decomposed_relpos, four_term_expansion, layoutlmv3_bias, levit_bias, shaw, swin,
             swinv2)
