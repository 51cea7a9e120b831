# SPDX-License-Identifier: Apache-2.0
"""sparse_masks.py - cases of masks with two sides, gaps, global tokens, blocks, sinks, trees."""

from case import Case, RIGHT
from formulas.masks import neighbours, shifted_windows, square, tree
from kinds import said
from masks import case, causal, claimed, made, right, wrong

LENGTHS = [16, 24, 40]
BOTH_WAYS = {"encoding": "sliding-window-bidirectional-mask"}


def right_sinks(random):
    count, size = random.choice(LENGTHS), random.choice([3, 6])
    claim = claimed("attention-sink-window", count, sink_tokens=random.choice([1, 4]), window=size)
    return case(random, "right-sinks", claim, made(claim), RIGHT)


def nearest(count, size):
    return square(count, neighbours, length=count, kernel_size=size)


def right_neighbours(random):
    claim = said(random, encoding="natten-mask", len=LENGTHS, kernel_size=[3, 7])
    return case(random, "right-natten", claim, nearest(claim["len"], claim["kernel_size"]), RIGHT)


def neighbours_wrong(random):
    """A larger neighbourhood, or a window that shrinks at the borders."""
    claim = said(random, encoding="natten-mask", len=LENGTHS, kernel_size=[3, 5])
    count, size = claim["len"], claim["kernel_size"]
    if random.choice([False, True]):
        return case(random, "natten-kernel", claim, nearest(count, size + 2), "kernel_size",
                    {"kernel_size": (size + 2, size)})
    window = claimed("sliding-window-bidirectional", count, window=size // 2)
    return case(random, "encoding-natten", claim, made(window), "encoding")


PARENTS = (-1, 0, 0, 1, 1, 2, 5)


def right_tree(random):
    claim = said(random, encoding="tree-mask", parents=PARENTS, prefix_len=[0, 3])
    return case(random, "right-tree", claim, tree(PARENTS, claim["prefix_len"]), RIGHT)


def tree_wrong(random):
    """Transposed; or drafted tokens of a chain."""
    name, mask, found = random.choice([
        ("chain", causal(len(PARENTS)), {"parents", "encoding"}),
        ("transposed", tree(PARENTS).T, "transposed")])
    return case(random, "tree-" + name, {"encoding": "tree-mask", "parents": PARENTS}, mask, found)


def images(name, is_right):
    """Tokens of an image see each other, text is causal (Gemma 3); or all of them are as text."""
    def make(random):
        claim = said(random, encoding="blockwise-or-causal-mask", block_ids=[
            (-1, 0, 0, 0, -1, -1, 1, 1, -1), (0, 0, -1, -1, 1, 1, 1, 1)])
        count = len(claim["block_ids"])
        mask = made({**claim, "len": count}) if is_right else causal(count)
        return case(random, name, claim, mask, RIGHT if is_right else {"block_ids", "encoding"})
    return make


def swin_case(name, grid, size, shift, mask, found, repair=None):
    claim = {"encoding": "swin-shift-mask", "grid": "%dx%d" % grid, "window_size": size,
             "shift": shift}
    return Case("masks/" + name, claim, {"mask": mask}, found, repair)


def right_shifted_windows(random):
    window = random.choice([((4, 4), 2, 1), ((8, 4), 4, 2), ((6, 9), 3, 1)])
    return swin_case("right-swin-shift", *window, shifted_windows(*window), RIGHT)


def shifted_windows_wrong(random):
    """Another shift; or true where the reference fills in -100, so that it is hidden."""
    grid, size, shift = random.choice([((8, 8), 4, 2), ((6, 9), 3, 1)])
    if random.choice([False, True]):
        return swin_case("swin-shift-polarity", grid, size, shift,
                         ~shifted_windows(grid, size, shift), "true_means")
    return swin_case("swin-shift", grid, size, shift, shifted_windows(grid, size, shift + 1),
                     "shift", {"shift": (shift + 1, shift)})


def more(name):
    """One more than the claim has."""
    return {name: lambda p: p[name] + 1}


def of(encoding):
    return {"encoding": encoding + "-mask", "len": LENGTHS}


DILATED = wrong("dilated-", ("dilation", {"dilation", "stride"}, {"dilation": 3}),
                ("no-dilation", {"dilation", "stride"}, {"dilation": 1}),
                ("reach", "half_window", more("half_window")), ("causal", "causal", {"causal": 1}),
                **of("dilated"), half_window=[2, 3], dilation=2)
STRIDED = wrong("strided", ("", "stride", {"stride": lambda p: [
    p["stride"] + 1, p["stride"] - 1, 2 * p["stride"]]}),
                repair=["stride"], **of("sparse-strided"), stride=[4, 5])
ROWS = [
    right("both-ways", **BOTH_WAYS, len=[12, 30], window=[2, 4],
          convention=["hf", "longformer", "llamacpp"]),
    right("dilated", **of("dilated"), half_window=[1, 2, 3], dilation=[1, 2, 3], causal=[0, 1]),
    right("strided", **of("sparse-strided"), stride=[3, 4, 5]),
    right("fixed", **of("sparse-fixed"), block=[4, 6], summary_keys=[1, 2]),
    right("global", **of("global-local"), half_window=[1, 3], global_tokens=[(0,), (0, 7), ()]),
    right_sinks, right("blocks", **of("causal-with-blocks"), block=[3, 4]),
    right("left-context", **of("chunk-left-context"), chunk=[3, 5], left_chunks=[0, 1, 2, -1]),
    right_neighbours, right_tree, images("right-images", True), right_shifted_windows,
    # Half of the window on each side, where the whole is meant, or the reverse.
    wrong("both-ways", ("", {"window", "convention"}, {
        "convention": lambda p: "hf" if p["convention"] == "longformer" else "longformer"}),
          **BOTH_WAYS, len=[20, 30], window=[4, 6], convention=["hf", "longformer"]),
    # A window of one side where both are claimed.
    wrong("encoding-one-side", ("", {"encoding", "mask-terms"}, {
        "encoding": "sliding-window-mask", **more("window")}),
          **BOTH_WAYS, len=[20, 30], window=[3, 4]),
    DILATED, DILATED, STRIDED, STRIDED,
    wrong("fixed-", ("summary-keys", "summary_keys", {"summary_keys": 2}),
          ("block", "block", more("block")), **of("sparse-fixed"), block=[4, 6]),
    wrong("global-", ("half-window", "half_window", more("half_window")),
          ("forgotten", {"global_tokens", "encoding"}, {"global_tokens": ()}),
          ("more", "global_tokens", {"global_tokens": (0, 9)}),
          **of("global-local"), half_window=[2, 3], global_tokens=(0,)),
    wrong("sinks-", ("window", "window", more("window")),
          ("tokens", "sink_tokens", {"sink_tokens": 3}),
          ("forgotten", {"sink_tokens", "encoding"}, {"sink_tokens": 0}),
          **of("attention-sink-window"), sink_tokens=4, window=[4, 6]),
    # Blocks of another size, or of one token: a causal mask.
    wrong("blocks", ("", lambda claim, done: {"block"} | (
        {"encoding"} if done["block"] == 1 else set()), {
            "block": lambda p: [p["block"] + 1, 2 * p["block"], 1]}),
          repair=["block"], **of("causal-with-blocks"), block=[3, 4]),
    wrong("left-context-", ("left-chunks", "left_chunks", {"left_chunks": 2}),
          ("chunk", "chunk", more("chunk")), ("left-chunks", "left_chunks", {"left_chunks": 0}),
          **of("chunk-left-context"), chunk=[3, 4], left_chunks=1),
    neighbours_wrong, tree_wrong, images("images-forgotten", False), shifted_windows_wrong]
