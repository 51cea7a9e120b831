# SPDX-License-Identifier: Apache-2.0
"""sparse_masks.py - cases of masks with two sides, gaps, global tokens, blocks, sinks, trees."""

import numpy as np

from alibi import distances
from case import Case, RIGHT
from masks import case, causal, listed, window


def lengths_and(random, *sizes):
    return random.choice([16, 24, 40]), random.choice(sizes)


def right_both_ways(random):
    count, size = random.choice([12, 30]), random.choice([2, 4])
    convention = random.choice(["hf", "longformer", "llamacpp"])
    claim = {"encoding": "sliding-window-bidirectional-mask", "len": count, "window": size,
             "convention": convention}
    reach = size if convention == "hf" else size // 2
    return case("right-both-ways", random, claim, abs(distances(count)) <= reach, RIGHT)


def both_ways_by_one(random):
    """Half of the window on each side, where the whole is meant, or the reverse."""
    count, size = random.choice([20, 30]), random.choice([4, 6])
    meant = random.choice(["hf", "longformer"])
    claim = {"encoding": "sliding-window-bidirectional-mask", "len": count, "window": size,
             "convention": meant}
    reach = size if meant == "longformer" else size // 2
    return case("both-ways", random, claim, abs(distances(count)) <= reach,
                {"window", "convention"})


def both_ways_causal(random):
    """A window of one side where both are claimed."""
    count, size = random.choice([20, 30]), random.choice([3, 4])
    claim = {"encoding": "sliding-window-bidirectional-mask", "len": count, "window": size}
    return case("encoding-one-side", random, claim, window(count, size + 1), "encoding")


def dilated(count, reach, step, is_causal=False):
    d = distances(count)
    mask = (abs(d) <= reach * step) & (d % step == 0)
    return mask & (d >= 0) if is_causal else mask


def dilated_claim(count, reach, step, **more):
    return {"encoding": "dilated-mask", "len": count, "half_window": reach, "dilation": step,
            **more}


def right_dilated(random):
    count, reach = lengths_and(random, 1, 2, 3)
    step, is_causal = random.choice([1, 2, 3]), random.choice([False, True])
    return case("right-dilated", random, dilated_claim(count, reach, step, causal=int(is_causal)),
                dilated(count, reach, step, is_causal), RIGHT)


def dilated_wrong(random):
    count, reach = lengths_and(random, 2, 3)
    name, found, mask = random.choice([
        ("dilation", {"dilation", "stride"}, dilated(count, reach, 3)),
        ("no-dilation", {"dilation", "stride"}, dilated(count, reach, 1)),
        ("reach", {"half_window"}, dilated(count, reach + 1, 2)),
        ("causal", {"causal"}, dilated(count, reach, 2, True))])
    return case("dilated-" + name, random, dilated_claim(count, reach, 2), mask, found)


def strided(count, stride):
    """Child et al. 2019: the last keys, and every stride-th before them."""
    d = distances(count)
    return (d >= 0) & ((d < stride) | (d % stride == 0))


def right_strided(random):
    count, stride = lengths_and(random, 3, 4, 5)
    return case("right-strided", random, {"encoding": "sparse-strided-mask", "len": count,
                                          "stride": stride}, strided(count, stride), RIGHT)


def strided_wrong(random):
    count, stride = lengths_and(random, 4, 5)
    done = random.choice([stride + 1, stride - 1, 2 * stride])
    return case("strided", random, {"encoding": "sparse-strided-mask", "len": count,
                                    "stride": stride}, strided(count, done), "stride",
                {"stride": (done, stride)})


def fixed(count, block, summary):
    at = np.arange(count)
    same = (at // block)[:, None] == (at // block)[None]
    return causal(count) & (same | (at % block >= block - summary)[None])


def right_fixed(random):
    count, block = lengths_and(random, 4, 6)
    summary = random.choice([1, 2])
    return case("right-fixed", random, {"encoding": "sparse-fixed-mask", "len": count,
                                        "block": block, "summary_keys": summary},
                fixed(count, block, summary), RIGHT)


def fixed_wrong(random):
    count, block = lengths_and(random, 4, 6)
    claim = {"encoding": "sparse-fixed-mask", "len": count, "block": block}
    name, mask = random.choice([("summary_keys", fixed(count, block, 2)),
                                ("block", fixed(count, block + 1, 1))])
    return case("fixed-" + name.replace("_", "-"), random, claim, mask, name)


def local(count, reach, tokens):
    """Longformer (Beltagy et al. 2020): tokens that see all and that all see."""
    mask = abs(distances(count)) <= reach
    mask[:, tokens] = True
    mask[tokens, :] = True
    return mask


def right_local(random):
    count, reach = lengths_and(random, 1, 3)
    tokens = random.choice([[0], [0, 7], []])
    claim = {"encoding": "global-local-mask", "len": count, "half_window": reach}
    if tokens:
        claim["global_tokens"] = listed(tokens)
    return case("right-global", random, claim, local(count, reach, tokens), RIGHT)


def local_wrong(random):
    count, reach = lengths_and(random, 2, 3)
    claim = {"encoding": "global-local-mask", "len": count, "half_window": reach,
             "global_tokens": "0"}
    name, found, mask = random.choice([
        ("half-window", {"half_window"}, local(count, reach + 1, [0])),
        ("forgotten", {"global_tokens", "encoding"}, local(count, reach, [])),
        ("more", {"global_tokens"}, local(count, reach, [0, 9]))])
    return case("global-" + name, random, claim, mask, found)


def sinks(count, tokens, size):
    """Xiao et al. 2023: the first keys and the last ones."""
    return window(count, size) | (causal(count) & (np.arange(count) < tokens)[None])


def sink_claim(count, tokens, size):
    return {"encoding": "attention-sink-window-mask", "len": count, "sink_tokens": tokens,
            "window": size}


def right_sinks(random):
    count, size = lengths_and(random, 3, 6)
    tokens = random.choice([1, 4])
    return case("right-sinks", random, sink_claim(count, tokens, size), sinks(count, tokens, size),
                RIGHT)


def sinks_wrong(random):
    count, size = lengths_and(random, 4, 6)
    name, found, mask = random.choice([
        ("window", {"window"}, sinks(count, 4, size + 1)),
        ("tokens", {"sink_tokens"}, sinks(count, 3, size)),
        ("forgotten", {"sink_tokens", "encoding"}, window(count, size))])
    return case("sinks-" + name, random, sink_claim(count, 4, size), mask, found)


def blocks(count, size):
    at = np.arange(count) // size
    return at[:, None] >= at[None]


def right_blocks(random):
    count, size = lengths_and(random, 3, 4)
    return case("right-blocks", random, {"encoding": "causal-with-blocks-mask", "len": count,
                                         "block": size}, blocks(count, size), RIGHT)


def blocks_wrong(random):
    """Blocks of another size, or of one token: a causal mask."""
    count, size = lengths_and(random, 3, 4)
    done = random.choice([size + 1, 2 * size, 1])
    found = {"block"} | ({"encoding"} if done == 1 else set())
    return case("blocks", random, {"encoding": "causal-with-blocks-mask", "len": count,
                                   "block": size}, blocks(count, done), found,
                {"block": (done, size)})


def speech(count, chunk, left):
    at = np.arange(count) // chunk
    mask = at[:, None] >= at[None]
    return mask & (at[:, None] - at[None] <= left) if left >= 0 else mask


def speech_claim(count, chunk, left):
    return {"encoding": "chunk-left-context-mask", "len": count, "chunk": chunk,
            "left_chunks": left}


def right_speech(random):
    count, chunk = lengths_and(random, 3, 5)
    left = random.choice([0, 1, 2, -1])
    return case("right-left-context", random, speech_claim(count, chunk, left),
                speech(count, chunk, left), RIGHT)


def speech_wrong(random):
    count, chunk = lengths_and(random, 3, 4)
    name, mask = random.choice([("left_chunks", speech(count, chunk, 2)),
                                ("chunk", speech(count, chunk + 1, 1)),
                                ("left_chunks", speech(count, chunk, 0))])
    return case("left-context-" + name.replace("_", "-"), random, speech_claim(count, chunk, 1),
                mask, name)


def neighbours(count, size):
    """Hassani et al. 2023: as many keys at a border as elsewhere."""
    start = np.clip(np.arange(count) - size // 2, 0, count - size)[:, None]
    at = np.arange(count)[None]
    return (at >= start) & (at < start + size)


def natten_claim(count, size):
    return {"encoding": "natten-mask", "len": count, "kernel_size": size}


def right_neighbours(random):
    count, size = lengths_and(random, 3, 7)
    return case("right-natten", random, natten_claim(count, size), neighbours(count, size), RIGHT)


def neighbours_wrong(random):
    """A larger neighbourhood, or a window that shrinks at the borders."""
    count, size = lengths_and(random, 3, 5)
    if random.choice([False, True]):
        return case("natten-kernel", random, natten_claim(count, size), neighbours(count, size + 2),
                    "kernel_size", {"kernel_size": (size + 2, size)})
    return case("encoding-natten", random, natten_claim(count, size),
                abs(distances(count)) <= size // 2, "encoding")


def tree(parents, prefix=0):
    """Drafted tokens that see their ancestors and the keys before the tree."""
    mask = np.eye(len(parents), dtype=bool)
    for node, parent in enumerate(parents):
        while parent >= 0:
            mask[node, parent] = True
            parent = parents[parent]
    return np.concatenate([np.ones((len(parents), prefix), bool), mask], -1)


PARENTS = [-1, 0, 0, 1, 1, 2, 5]


def right_tree(random):
    prefix = random.choice([0, 3])
    claim = {"encoding": "tree-mask", "parents": listed(PARENTS), "prefix_len": prefix}
    return case("right-tree", random, claim, tree(PARENTS, prefix), RIGHT)


def tree_wrong(random):
    """Transposed; or drafted tokens of a chain."""
    claim = {"encoding": "tree-mask", "parents": listed(PARENTS)}
    if random.choice([False, True]):
        return case("tree-transposed", random, claim, tree(PARENTS).T, "transposed")
    return case("tree-chain", random, claim, causal(len(PARENTS)), {"parents", "encoding"})


def right_images(random):
    """Tokens of an image see each other, text is causal (Gemma 3)."""
    ids = random.choice([[-1, 0, 0, 0, -1, -1, 1, 1, -1], [0, 0, -1, -1, 1, 1, 1, 1]])
    known = np.array(ids)
    mask = causal(len(ids)) | ((known[:, None] == known[None]) & (known >= 0)[:, None])
    claim = {"encoding": "blockwise-or-causal-mask", "block_ids": listed(ids)}
    return case("right-images", random, claim, mask, RIGHT)


def images_forgotten(random):
    ids = random.choice([[-1, 0, 0, 0, -1, -1, 1, 1, -1], [0, 0, -1, -1, 1, 1, 1, 1]])
    claim = {"encoding": "blockwise-or-causal-mask", "block_ids": listed(ids)}
    return case("images-forgotten", random, claim, causal(len(ids)), {"block_ids", "encoding"})


def shifted_windows(grid, size, shift):
    """Liu et al. 2021: cells of a shifted window that were not neighbours do not see each other;
    a matrix a window, true where the key is seen."""
    h, w = grid
    region = np.zeros((h, w), int)
    for at, rows in enumerate([slice(0, -size), slice(-size, -shift), slice(-shift, None)]):
        for other, columns in enumerate([slice(0, -size), slice(-size, -shift),
                                         slice(-shift, None)]):
            region[rows, columns] = 3 * at + other
    cells = region.reshape(h // size, size, w // size, size).transpose(0, 2, 1, 3)
    cells = cells.reshape(-1, size * size)
    return cells[:, :, None] == cells[:, None, :]


def swin_claim(grid, size, shift):
    return {"encoding": "swin-shift-mask", "grid": "%dx%d" % grid, "window_size": size,
            "shift": shift}


def right_shifted_windows(random):
    grid, size, shift = random.choice([((4, 4), 2, 1), ((8, 4), 4, 2), ((6, 9), 3, 1)])
    return Case("masks/right-swin-shift", swin_claim(grid, size, shift),
                {"mask": shifted_windows(grid, size, shift)}, RIGHT)


def shifted_windows_wrong(random):
    """Another shift; or true where the reference fills in -100, so that it is hidden."""
    grid, size, shift = random.choice([((8, 8), 4, 2), ((6, 9), 3, 1)])
    if random.choice([False, True]):
        return Case("masks/swin-shift-polarity", swin_claim(grid, size, shift),
                    {"mask": ~shifted_windows(grid, size, shift)}, "true_means")
    done = shift + 1
    return Case("masks/swin-shift", swin_claim(grid, size, shift),
                {"mask": shifted_windows(grid, size, done)}, "shift", {"shift": (done, shift)})


ROWS = [right_both_ways, right_dilated, right_strided, right_fixed, right_local, right_sinks,
        right_blocks, right_speech, right_neighbours, right_tree, right_images,
        right_shifted_windows, both_ways_by_one, both_ways_causal, dilated_wrong, dilated_wrong,
        strided_wrong, strided_wrong, fixed_wrong, local_wrong, sinks_wrong, blocks_wrong,
        speech_wrong, neighbours_wrong, tree_wrong, images_forgotten, shifted_windows_wrong]
