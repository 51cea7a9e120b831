# SPDX-License-Identifier: Apache-2.0
"""masks.py - which keys a query attends to, decided entry by entry, in every form in which a mask
is served."""

from mpmath import mpf

from generator import Generator
from ladders import raster
from measure import Case

NEVER = mpf("-inf")


def runs_of(row):
    """(first, one after the last) of each run of ones."""
    edges = [i for i, (a, b) in enumerate(zip([0] + row, row + [0])) if a != b]
    return list(zip(edges[0::2], edges[1::2]))


def padded(rows, filler):
    width = max((len(row) for row in rows), default=0)
    return [list(row) + [filler] * (width - len(row)) for row in rows]


def packed(row):
    return [sum(bit << i for i, bit in enumerate(row[at:at + 8])) for at in range(0, len(row), 8)]


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
    if "attention_mask" in params:
        for case in stacked(draw, params, [matrix], lambda parts: parts):
            yield batch(case)
    else:
        yield from stacked(draw, params, [matrix], lambda parts: parts[0])


def batch(case):
    exact = [case.exact] if case.out in ("mask", "additive") else case.exact
    return Case(case.out, case.params, exact, case.view)


def without_filler(array):
    """Runs without the columns that hold -1 in every row: their number is not promised."""
    used = (array != -1).any(axis=tuple(i for i in range(array.ndim) if i != array.ndim - 2))
    return array[..., :int(used.sum()), :] if used[:int(used.sum())].all() else array


def stacked(draw, params, matrices, join):
    """The outputs of several matrices at once; join makes one nested list of the parts."""
    def each(function):
        return join([function(matrix) for matrix in matrices])
    masked = draw.chance()
    spelled = {"true_means": "masked" if masked else "attend"}
    shown = [[[int(bit) ^ masked for bit in row] for row in matrix] for matrix in matrices]
    yield Case("mask", dict(params, **spelled), join(shown))
    yield Case("packed", dict(params, **spelled), join([[packed(r) for r in m] for m in shown]))
    value = draw.choice(["-inf", -3.25])
    low = mpf(value) if value != "-inf" else NEVER
    yield Case("additive", dict(params, mask_value=value),
               each(lambda m: [[mpf(0) if bit else low for bit in row] for row in m]))
    yield Case("fully_masked_rows", params, each(lambda m: [int(not any(row)) for row in m]))
    size = draw.randint(1, 4)
    yield Case("blocks", dict(params, block_size=size), each(lambda m: blocks_of(m, size)))
    yield Case("block_indices", dict(params, block_size=size),
               each(lambda m: indices_of(blocks_of(m, size))))
    runs = [[runs_of(row) for row in matrix] for matrix in matrices]
    most = max((len(row) for rows in runs for row in rows), default=0)
    yield Case("runs", params, join([[
        [list(run) for run in row] + [[-1, -1]] * (most - len(row)) for row in rows]
        for rows in runs]), without_filler)


def pairwise(rule):
    """A mask of positions: rule(draw, keys) gives parameters and a predicate of (q, k)."""
    def row(draw):
        keys = draw.randint(2, 12)
        queries = draw.randint(1, keys)
        params, attends = rule(draw, keys)
        first = keys - queries
        if draw.chance():
            params.update(q="%d:%d" % (first, keys), k="0:%d" % keys)
        else:
            params.update(q_len=queries, k_len=keys, alignment="bottom-right")
            if draw.chance():
                params["alignment"], first = "top-left", 0
        matrix = [[int(attends(q, k)) for k in range(keys)]
                  for q in range(first, first + queries)]
        if draw.chance():
            keep = [draw.randint(0, 1) for _ in range(keys)]
            params["attention_mask"] = keep
            matrix = [[bit & kept for bit, kept in zip(row, keep)] for row in matrix]
        yield from encodings(draw, params, matrix)
        yield from fully_masked(draw, params, matrix, first)
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


def square(rule):
    """A mask over len tokens, without offsets."""
    def row(draw):
        params, matrix = rule(draw)
        yield from encodings(draw, params, matrix)
        yield from fully_masked(draw, params, matrix, 0)
    return row


def causal(draw, keys):
    return {}, lambda q, k: k <= q


def bidirectional(draw, keys):
    return {}, lambda q, k: True


def sliding_window(draw, keys):
    w, kind = draw.randint(1, 5), draw.choice(["exclusive", "inclusive", "flash"])
    if kind == "flash":
        left, right = draw.randint(-1, 4), draw.randint(-1, 3)
        return {"convention": kind, "left": left, "right": right}, lambda q, k: (
            (left < 0 or k >= q - left) and (right < 0 or k <= q + right))
    reach = w if kind == "inclusive" else w - 1
    return {"window": w, "convention": kind}, lambda q, k: 0 <= q - k <= reach


def sliding_window_bidirectional(draw, keys):
    w, kind = draw.randint(1, 6), draw.choice(["hf", "llamacpp", "longformer"])
    if kind == "longformer":
        w *= 2
    reach = w if kind == "hf" else w // 2
    return {"window": w, "convention": kind}, lambda q, k: abs(q - k) <= reach


def chunked(draw, keys):
    size = draw.randint(1, 5)
    return {"chunk": size}, lambda q, k: k <= q and q // size == k // size


def chunk_left_context(draw, keys):
    size, left = draw.randint(1, 4), draw.randint(-1, 2)
    return {"chunk": size, "left_chunks": left}, lambda q, k: (
        (0 if left < 0 else max(q // size - left, 0) * size) <= k < (q // size + 1) * size)


def prefix_lm(draw, keys):
    prefix = draw.randint(0, keys + 1)
    return {"prefix_len": prefix}, lambda q, k: k < prefix or k <= q


def document(draw, keys):
    ids = sorted(draw.randint(-1, 2) for _ in range(keys))
    both_ways = draw.chance()
    return {"document_ids": ids, "causal": not both_ways}, lambda q, k: (
        ids[q] == ids[k] and ids[q] >= 0 and (both_ways or k <= q))


def blockwise_or_causal(draw, keys):
    ids = [draw.randint(-1, 1) for _ in range(keys)]
    return {"block_ids": ids}, lambda q, k: k <= q or (ids[q] == ids[k] and ids[q] >= 0)


def dilated(draw, keys):
    w, step, one_way = draw.randint(0, 3), draw.randint(1, 3), draw.chance()
    return {"half_window": w, "dilation": step, "causal": one_way}, lambda q, k: (
        abs(q - k) <= w * step and (q - k) % step == 0 and not (one_way and k > q))


def global_local(draw, keys):
    w, one_way = draw.randint(0, 2), draw.chance()
    seen = sorted(draw.sample(range(keys), draw.randint(1, 2)))
    return {"half_window": w, "global_tokens": seen, "causal": one_way}, lambda q, k: (
        (abs(q - k) <= w or k in seen or q in seen) and not (one_way and k > q))


def sparse_strided(draw, keys):
    s = draw.randint(1, 5)
    return {"stride": s}, lambda q, k: k <= q and (q - k < s or (q - k) % s == 0)


def sparse_fixed(draw, keys):
    s = draw.randint(1, 5)
    c = draw.randint(1, s)
    return {"block": s, "summary_keys": c}, lambda q, k: (
        k <= q and (q // s == k // s or k % s >= s - c))


def attention_sink_window(draw, keys):
    start, w = draw.randint(0, 3), draw.randint(1, 4)
    return {"sink_tokens": start, "window": w}, lambda q, k: k <= q and (k < start or q - k < w)


def causal_with_blocks(draw, keys):
    size = draw.randint(1, 4)
    return {"block": size}, lambda q, k: k // size <= q // size


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


def neighbours(place, kernel, dilation, length):
    member, residue = place // dilation, place % dilation
    members = -(-(length - residue) // dilation)
    start = min(max(member - kernel // 2, 0), members - kernel)
    return {(start + t) * dilation + residue for t in range(kernel)}


def natten(draw):
    kernel, dilation = draw.choice([1, 3, 5]), draw.randint(1, 2)
    if draw.chance():
        n = kernel * dilation + draw.randint(0, 4)
        return {"kernel_size": kernel, "dilation": dilation, "len": n}, [
            [int(k in neighbours(q, kernel, dilation, n)) for k in range(n)] for q in range(n)]
    h, w = 3 + draw.randint(0, 1), 3 + draw.randint(0, 2)
    places = raster(h, w)
    return {"kernel_size": 3, "grid": "%dx%d" % (h, w)}, [
        [int(all(b in neighbours(a, 3, 1, n) for a, b, n in zip(q, k, (h, w))))
         for k in places] for q in places]


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


def tree(draw):
    count, prefix = draw.randint(1, 7), draw.randint(0, 3)
    parents = [-1] + [draw.randint(0, i - 1) for i in range(1, count)]
    ancestors = []
    for i, parent in enumerate(parents):
        ancestors.append({i} | (ancestors[parent] if parent >= 0 else set()))
    depth = [len(line) - 1 for line in ancestors]
    params = {"parents": parents}
    yield Case("depth", params, depth)
    params["prefix_len"] = prefix
    yield Case("positions", params, [prefix + d for d in depth])
    matrix = [[1] * prefix + [int(k in line) for k in range(count)] for line in ancestors]
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

    def label(x, length):
        return 0 if x < length - w or not shift else 1 if x < length - shift else 2
    matrices = []
    for top, left in raster(high, wide):
        labels = [(label(top * w + y, h), label(left * w + x, width)) for y, x in raster(w, w)]
        matrices.append([[int(a == b) for b in labels] for a in labels])
    params = {"grid": "%dx%d" % (h, width), "window_size": w, "shift": shift}
    yield Case("additive", params, [[[mpf(0) if bit else mpf(-100) for bit in row] for row in m]
                                    for m in matrices])
    yield from stacked(draw, params, matrices, lambda parts: parts)


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
    patterns = {1: (lambda q, k: True, 0), 2: (lambda q, k: k <= q, 0),
                3: (lambda q, k: 0 <= q - k < size, size),
                4: (lambda q, k: abs(q - k) <= size, size),
                5: (lambda q, k: k < size or k <= q, size)}
    for number, (attends, shown) in patterns.items():
        params = {"mask": [[int(attends(q, k)) for k in range(n)] for q in range(n)]}
        yield Case("pattern", params, number)
        yield Case("pattern_size", params, shown)


ROWS = {
    "attention-sink-window-mask": pairwise(attention_sink_window),
    "bidirectional-mask": pairwise(bidirectional),
    "bigbird-mask": square(bigbird),
    "block-diffusion-mask": square(block_diffusion),
    "blockwise-or-causal-mask": pairwise(blockwise_or_causal),
    "causal-mask": pairwise(causal),
    "causal-with-blocks-mask": pairwise(causal_with_blocks),
    "chunk-left-context-mask": pairwise(chunk_left_context),
    "chunked-mask": pairwise(chunked),
    "dilated-mask": pairwise(dilated),
    "document-mask": pairwise(document),
    "global-local-mask": pairwise(global_local),
    "mask-combine": mask_combine,
    "mask-convert": mask_convert,
    "natten-mask": square(natten),
    "padding-mask": padding,
    "prefix-lm-mask": pairwise(prefix_lm),
    "sliding-window-bidirectional-mask": pairwise(sliding_window_bidirectional),
    "sliding-window-mask": pairwise(sliding_window),
    "sparse-fixed-mask": pairwise(sparse_fixed),
    "sparse-strided-mask": pairwise(sparse_strided),
    "swin-shift-mask": swin_shift,
    "tree-mask": tree,
    "xlnet-permutation-mask": square(xlnet_permutation),
}
