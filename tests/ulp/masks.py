# SPDX-License-Identifier: Apache-2.0
"""masks.py - which keys a query attends to, decided entry by entry, in every form in which a mask
is served."""

import numpy as np
from mpmath import mpf

from formulas.masks import RULES, compressed, neighbours, shifted_windows, square, tree
from generator import Generator
from ladders import raster
from measure import Case

NEVER = mpf("-inf")


def runs_of(row):
    """(first, one after the last) of each run of ones."""
    edges = [i for i, (a, b) in enumerate(zip([0] + row, row + [0])) if a != b]
    return list(zip(edges[0::2], edges[1::2]))


def blocks_of(matrix, size):
    def state(rows, start):
        cells = [bit for row in rows for bit in row[start:start + size]]
        return 2 if all(cells) else int(any(cells))
    return [[state(matrix[at:at + size], start) for start in range(0, len(matrix[0]), size)]
            for at in range(0, len(matrix), size)]


def indices_of(blocks):
    width = len(blocks[0])
    return [([i for i, state in enumerate(row) if state] + [-1] * width)[:width]
            for row in blocks]


def encodings(draw, params, matrix):
    """Every output of a mask; the mask of a batch has an axis for it, dense ones an axis for
    heads."""
    batch = "attention_mask" in params
    for case in stacked(draw, params, np.array([matrix], int)):
        exact = case.exact if batch else case.exact[0]
        exact = [exact] if batch and case.out in ("mask", "additive") else exact
        yield Case(case.out, case.params, exact, case.view)


def without_filler(array):
    """Runs without the columns that hold -1 in every row: their number is not promised."""
    used = (array != -1).any(axis=tuple(i for i in range(array.ndim) if i != array.ndim - 2))
    return array[..., :int(used.sum()), :] if used[:int(used.sum())].all() else array


def stacked(draw, params, masks):
    """The outputs of several masks at once."""
    masked = draw.chance()
    spelled, shown = {"true_means": "masked" if masked else "attend"}, masks ^ int(masked)
    yield Case("mask", dict(params, **spelled), shown)
    yield Case("packed", dict(params, **spelled), np.packbits(shown, -1, "little"))
    value = draw.choice(["-inf", -3.25])
    yield Case("additive", dict(params, mask_value=value),
               np.where(masks, mpf(0), mpf(value) if value != "-inf" else NEVER))
    yield Case("fully_masked_rows", params, (1 - masks).all(-1).astype(int))
    size = draw.randint(1, 4)
    blocks = [blocks_of(mask, size) for mask in masks.tolist()]
    yield Case("blocks", dict(params, block_size=size), blocks)
    yield Case("block_indices", dict(params, block_size=size), [indices_of(b) for b in blocks])
    runs = [[runs_of(row) for row in mask] for mask in masks.tolist()]
    most = max((len(row) for rows in runs for row in rows), default=0)
    yield Case("runs", params, [[
        [list(run) for run in row] + [[-1, -1]] * (most - len(row)) for row in rows]
        for rows in runs], without_filler)


def matrix_of(seen):
    return seen.astype(int).tolist()


def pairwise(encoding, drawn):
    """A mask of positions: drawn(draw, keys) gives the parameters."""
    def row(draw):
        keys = draw.randint(2, 12)
        queries = draw.randint(1, keys)
        params = drawn(draw, keys)
        asked, first = dict(params), keys - queries
        if draw.chance():
            asked.update(q="%d:%d" % (first, keys), k="0:%d" % keys)
        else:
            asked.update(q_len=queries, k_len=keys, alignment="bottom-right")
            if draw.chance():
                asked["alignment"], first = "top-left", 0
        matrix = matrix_of(RULES[encoding](np.arange(first, first + queries)[:, None],
                                           np.arange(keys)[None], **params))
        if draw.chance():
            keep = [draw.randint(0, 1) for _ in range(keys)]
            asked["attention_mask"] = keep
            matrix = [[bit & kept for bit, kept in zip(row, keep)] for row in matrix]
        yield from encodings(draw, asked, matrix)
        yield from fully_masked(draw, asked, matrix, first)
    return row


def fully_masked(draw, params, matrix, first):
    """The values of rows without any key."""
    keys = len(matrix[0])
    repaired = {"keep_self": lambda q: [int(k == q or q >= keys) for k in range(keys)],
                "unmask_all": lambda q: [1] * keys}
    policy = draw.choice(sorted(repaired))
    rows = [row if any(row) else repaired[policy](first + i) for i, row in enumerate(matrix)]
    yield Case("mask", dict(params, fully_masked=policy),
               [[rows]] if "attention_mask" in params else rows)


def square_of(rule):
    """A mask over len tokens, without offsets."""
    def row(draw):
        params, matrix = rule(draw)
        yield from encodings(draw, params, matrix)
        yield from fully_masked(draw, params, matrix, 0)
    return row


def sliding_window(draw, keys):
    w, kind = draw.randint(1, 5), draw.choice(["exclusive", "inclusive", "flash"])
    if kind == "flash":
        return {"convention": kind, "left": draw.randint(-1, 4), "right": draw.randint(-1, 3)}
    return {"window": w, "convention": kind}


def sliding_window_bidirectional(draw, keys):
    w, kind = draw.randint(1, 6), draw.choice(["hf", "llamacpp", "longformer"])
    return {"window": 2 * w if kind == "longformer" else w, "convention": kind}


def sparse_fixed(draw, keys):
    s = draw.randint(1, 5)
    return {"block": s, "summary_keys": draw.randint(1, s)}


PAIRWISE = {
    "causal": lambda draw, keys: {},
    "bidirectional": lambda draw, keys: {},
    "sliding-window": sliding_window,
    "sliding-window-bidirectional": sliding_window_bidirectional,
    "chunked": lambda draw, keys: {"chunk": draw.randint(1, 5)},
    "chunk-left-context": lambda draw, keys: {"chunk": draw.randint(1, 4),
                                              "left_chunks": draw.randint(-1, 2)},
    "prefix-lm": lambda draw, keys: {"prefix_len": draw.randint(0, keys + 1)},
    "document": lambda draw, keys: {"document_ids": sorted(
        draw.randint(-1, 2) for _ in range(keys)), "causal": not draw.chance()},
    "blockwise-or-causal": lambda draw, keys: {
        "block_ids": [draw.randint(-1, 1) for _ in range(keys)],
        "window": draw.randint(0, 4)},
    "dilated": lambda draw, keys: {"half_window": draw.randint(0, 3),
                                   "dilation": draw.randint(1, 3), "causal": draw.chance()},
    "global-local": lambda draw, keys: {
        "half_window": draw.randint(0, 2), "causal": draw.chance(),
        "global_tokens": sorted(draw.sample(range(keys), draw.randint(1, 2)))},
    "sparse-strided": lambda draw, keys: {"stride": draw.randint(1, 5)},
    "sparse-fixed": sparse_fixed,
    "attention-sink-window": lambda draw, keys: {"sink_tokens": draw.randint(0, 3),
                                                 "window": draw.randint(1, 4)},
    "causal-with-blocks": lambda draw, keys: {"block": draw.randint(1, 4)},
}


def block_diffusion(draw):
    n, size = draw.randint(1, 6), draw.randint(1, 3)

    def attends(q, k):
        a, b = q % n // size, k % n // size
        if q < n:
            return a == b if k < n else b < a
        return k >= n and b <= a
    return {"len": n, "block": size}, [[int(attends(q, k)) for k in range(2 * n)]
                                       for q in range(2 * n)]


def xlnet_permutation(draw):
    order = draw.sample(range(6), 6)
    content = draw.chance()
    return {"permutation": order, "stream": "content" if content else "query"}, [
        [int(k < q or (content and k == q)) for k in order] for q in order]


def natten(draw):
    kernel, dilation = draw.choice([1, 3, 5]), draw.randint(1, 2)
    if draw.chance():
        n = kernel * dilation + draw.randint(0, 4)
        return {"kernel_size": kernel, "dilation": dilation, "len": n}, matrix_of(square(
            n, neighbours, length=n, kernel_size=kernel, dilation=dilation))
    sides = h, w = 3 + draw.randint(0, 1), 3 + draw.randint(0, 2)
    seen = [square(n, neighbours, length=n, kernel_size=3) for n in sides]
    return {"kernel_size": 3, "grid": "%dx%d" % (h, w)}, [
        [int(seen[0][a, c] and seen[1][b, d]) for c, d in raster(h, w)] for a, b in raster(h, w)]


def bigbird(draw):
    size, count, random = draw.randint(1, 2), draw.randint(3, 7), draw.randint(0, 3)
    seed = draw.randint(0, 2 ** 40)
    chance, seen = Generator(seed), []
    for a in range(count):
        seen.append({c for c in range(count)
                     if abs(a - c) <= 1 or a in (0, count - 1) or c in (0, count - 1)})
    for a in range(1, count - 1):
        rest = [c for c in range(count) if c not in seen[a]]
        seen[a] |= {rest[i] for i in chance.pick(len(rest), min(random, len(rest)))}
    length = size * count
    return {"len": length, "block": size, "random_blocks": random, "seed": seed}, [
        [int(k // size in seen[q // size]) for k in range(length)] for q in range(length)]


def tree_mask(draw):
    count, prefix = draw.randint(1, 7), draw.randint(0, 3)
    parents = [-1] + [draw.randint(0, i - 1) for i in range(1, count)]
    depth = (tree(parents).sum(1) - 1).tolist()
    params = {"parents": parents}
    yield Case("depth", params, depth)
    params["prefix_len"] = prefix
    yield Case("positions", params, [prefix + d for d in depth])
    matrix = matrix_of(tree(parents, prefix))
    yield from encodings(draw, params, matrix)
    yield from fully_masked(draw, params, matrix, prefix)


def padding(draw):
    keep, one_way = [draw.randint(0, 1) for _ in range(draw.randint(1, 6))], draw.chance()
    keys = len(keep)
    params = {"attention_mask": keep, "causal": one_way}
    matrix = [[int(keep[k] and (k <= q or not one_way)) for k in range(keys)]
              for q in range(keys)]
    yield from encodings(draw, params, matrix)
    yield from fully_masked(draw, params, matrix, 0)


def swin_shift(draw):
    w, high, wide = draw.randint(2, 3), draw.randint(1, 2), draw.randint(1, 2)
    shift, h = draw.randint(0, w - 1), high * w
    width = wide * w
    masks = shifted_windows((h, width), w, shift).astype(int)
    params = {"grid": "%dx%d" % (h, width), "window_size": w, "shift": shift}
    yield Case("additive", params, np.where(masks, mpf(0), mpf(-100)))
    yield from stacked(draw, params, masks)


def compressed_block(draw):
    rate, q = draw.randint(1, 5), [draw.randint(-3, 30) for _ in range(draw.randint(1, 8))]
    k = [draw.randint(0, 9) for _ in range(draw.randint(1, 6))]
    params = {"q": q, "k": k, "rate": rate}
    yield Case("positions", {"k": k, "rate": rate}, [rate * entry for entry in k])
    matrix = matrix_of(compressed(np.array(q)[:, None], np.array(k)[None], rate))
    yield from encodings(draw, params, matrix)
    params = {"len": rate * draw.randint(1, 4), "rate": rate}
    queries, entries = np.arange(params["len"])[:, None], np.arange(params["len"] // rate)[None]
    yield from fully_masked(draw, params, matrix_of(compressed(queries, entries, rate)), 0)


OPERATIONS = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


def mask_combine(draw):
    queries, keys = draw.randint(2, 5), draw.randint(2, 9)
    a, b = [[[draw.randint(0, 1) for _ in range(keys)] for _ in range(queries)] for _ in range(2)]
    name = draw.choice(sorted(OPERATIONS))
    yield from encodings(draw, {"mask_a": a, "mask_b": b, "op": name}, [
        [OPERATIONS[name](x, y) for x, y in zip(*rows)] for rows in zip(a, b)])
    yield from encodings(draw, {"mask_a": a, "op": "not"}, [[1 - x for x in row] for row in a])
    yield from fully_masked(draw, {"mask_a": a, "mask_b": b, "op": "and"}, [
        [x & y for x, y in zip(*rows)] for rows in zip(a, b)], 0)


def mask_convert(draw):
    n, size = draw.randint(6, 8), draw.randint(2, 3)
    matrix = [[draw.randint(0, 1) for _ in range(n)] for _ in range(n - 2)]
    yield from encodings(draw, {"mask": matrix}, matrix)
    yield from fully_masked(draw, {"mask": matrix}, matrix, 0)
    yield from encodings(draw, {"mask": matrix, "input_true_means": "masked"},
                         [[1 - bit for bit in row] for row in matrix])
    patterns = [("bidirectional-mask", {}), ("causal-mask", {}),
                ("sliding-window-mask", {"window": size}),
                ("sliding-window-bidirectional-mask", {"window": size}),
                ("prefix-lm-mask", {"prefix_len": size})]
    for number, (name, given) in enumerate(patterns, 1):
        params = {"mask": matrix_of(square(n, RULES[name], **given))}
        yield Case("pattern", params, number)
        yield Case("pattern_size", params, size if given else 0)


SQUARE = {"bigbird": bigbird, "block-diffusion": block_diffusion, "natten": natten,
          "xlnet-permutation": xlnet_permutation}
ROWS = {"compressed-block-mask": compressed_block, "mask-combine": mask_combine, "mask-convert": mask_convert, "padding-mask": padding,
        "swin-shift-mask": swin_shift, "tree-mask": tree_mask}
ROWS.update({name + "-mask": pairwise(name + "-mask", drawn) for name, drawn in PAIRWISE.items()})
ROWS.update({name + "-mask": square_of(drawn) for name, drawn in SQUARE.items()})
