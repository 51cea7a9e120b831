# SPDX-License-Identifier: Apache-2.0
"""masks.py - cases of causal, window, prefix, document, chunk and padding masks, as booleans or as
what is added to scores."""

import numpy as np

from case import Case, RIGHT, narrowed
from formulas.masks import RULES, square
from kinds import Kind, said

LOWEST = {"f32": float(np.finfo(np.float32).min), "f16": -65504.0, "bf16": -3.3895313892515355e38}
SHIFTED = {"position-offset", "q_offset", "k_offset", "q", "k"}


def written(random, mask):
    """A mask in the dtypes in which code keeps one, in the shapes of attention."""
    values = mask.astype(random.choice([bool, bool, np.uint8, np.int64, np.float32]))
    return random.choice([values, values, values, values[None, None],
                          np.stack([values] * 2)[:, None]])


def additive(mask, dtype="f32", value=None):
    return narrowed(np.where(mask, 0.0, LOWEST[dtype] if value is None else value), dtype)


class Masks(Kind):
    def case(self, random, name, claim, mask, found, repair=None, both=None, write=None,
             boolean=False):
        """Booleans, or unless they must be, the lowest number of a dtype where a key is hidden."""
        if random.choice(range(3)) or boolean or "true_means" in claim:
            return Case("masks/" + name, claim, {"mask": written(random, mask)}, found, repair, both)
        dtype = random.choice(["f32", "f32", "f16", "bf16"])
        return Case("masks/" + name, claim, {"additive": additive(mask, dtype)}, found, repair, both)


def claimed(encoding, count, **more):
    return {"encoding": encoding + "-mask", "len": count, **more}


def made(claim):
    """The mask of a claim of so many tokens."""
    p = dict(claim)
    masked = p.pop("true_means", "attend") == "masked"
    return square(p.pop("len"), RULES[p.pop("encoding")], **p) ^ masked


KIND = Masks("masks", "mask", made)
case, right, wrong = KIND.case, KIND.right, KIND.wrong


def causal(count):
    return made(claimed("causal", count))


def strictly(mask):
    """Queries that do not see their own keys."""
    return mask & ~np.eye(len(mask), dtype=bool)


def documents(lengths, is_causal=True):
    return made(claimed("document", sum(lengths), causal=is_causal, document_ids=np.repeat(
        np.arange(len(lengths)), lengths)))


# ---- right ---------------------------------------------------------------------------------


def right_alignment(random):
    """Fewer queries than keys, which stand at the end, or at the start."""
    (queries, keys), align = random.choice([(2, 6), (1, 16), (8, 24)]), random.choice(
        ["bottom-right", "top-left"])
    claim = {"encoding": "causal-mask", "q_len": queries, "k_len": keys, "alignment": align}
    return case(random, "right-" + align, claim, aligned(queries, keys, align), RIGHT)


def aligned(queries, keys, align):
    return causal(keys)[-queries:] if align == "bottom-right" else causal(keys)[:queries]


def right_window(random):
    claim = said(random, encoding="sliding-window-mask", len=[16, 48, 100], window=[1, 4, 8],
                 convention=["exclusive", "inclusive", "flash"])
    if claim["convention"] == "flash":
        claim.update(left=claim.pop("window"), right=0)
    return case(random, "right-window", claim, made(claim), RIGHT)


def right_packed(random):
    lengths = random.choice([[5, 7], [3, 3, 6], [10, 2, 9, 4]])
    is_causal = random.choice([True, True, False])
    claim = {"encoding": "document-mask", "causal": int(is_causal), **random.choice([
        {"lengths": lengths}, {"cu_seqlens": [0, *np.cumsum(lengths)]},
        {"document_ids": np.repeat(np.arange(len(lengths)), lengths)},
        {"position_ids": np.concatenate([np.arange(n) for n in lengths])}])}
    return case(random, "right-documents", claim, documents(lengths, is_causal), RIGHT)


def padded(random):
    """A padding on the left: the queries of the padding see no key."""
    left, count = random.choice([1, 3]), random.choice([8, 12])
    keep = np.arange(count) >= left
    return {"encoding": "padding-mask", "attention_mask": keep.astype(int)}, keep, count


def right_padding(random):
    claim, keep, count = padded(random)
    both_ways = random.choice([False, True])
    claim["causal"] = int(not both_ways)
    mask = np.broadcast_to(keep[None], (count, count)) & (both_ways | causal(count))
    return Case("masks/right-padding", claim, {"mask": mask[None, None]}, RIGHT)


def right_additive(random):
    """Minus infinity, the lowest number of the dtype, or a number, where a key is hidden."""
    count, value = random.choice([8, 24]), random.choice(["-inf", "min", "-10000", "-1e9"])
    dtype = random.choice(["f32", "f16", "bf16"]) if value in ("-inf", "min") else "f32"
    claim = claimed("causal", count, **({} if value == "min" else {"mask_value": value}))
    number = None if value == "min" else float(value)
    return Case("masks/right-additive", claim, {"additive": additive(causal(count), dtype, number)},
                RIGHT)


# ---- mistakes of any mask ------------------------------------------------------------------


def polarity(random):
    """Where the causal triangle is turned round, the strict triangle of the other side is left."""
    count = random.choice([8, 16])
    claim = random.choice([claimed("causal", count), claimed("sliding-window", count, window=4),
                           claimed("prefix-lm", count, prefix_len=3)])
    mask, hidden = made(claim), random.choice([False, True])
    if hidden:
        claim["true_means"] = "masked"
    meant, done = ("masked", "attend") if hidden else ("attend", "masked")
    return case(random, "polarity", claim, mask ^ (not hidden), "true_means",
                {"true_means": (done, meant)}, boolean=True)


def strict(random):
    """A query that does not see its own key."""
    count = random.choice([8, 16, 40])
    return case(random, "strict", claimed("causal", count), strictly(causal(count)),
                {"strict"} | SHIFTED)


def strict_window(random):
    claim = said(random, encoding="sliding-window-mask", len=[16, 40], window=[4, 8])
    return case(random, "strict-window", claim, strictly(made(claim)), "strict")


def strict_documents(random):
    lengths = random.choice([[5, 7], [3, 3, 6]])
    return case(random, "strict-documents", {"encoding": "document-mask", "lengths": lengths},
                strictly(documents(lengths)), "strict")


def transposed(random):
    """Queries as columns. The window turned over is the window of queries that stand later."""
    count, size = random.choice([12, 20]), random.choice([3, 5])
    name, claim = random.choice([
        ("causal", claimed("causal", count)), ("window", claimed("sliding-window", count, window=size)),
        ("prefix", claimed("prefix-lm", count, prefix_len=size)),
        ("chunked", claimed("chunked", count, chunk=size)),
        ("documents", {"encoding": "document-mask", "lengths": (5, 7)})])
    mask = documents([5, 7]) if name == "documents" else made(claim)
    return case(random, "transposed-" + name, claim, mask.T,
                {"transposed"} | (SHIFTED if name == "window" else set()))


def added_as_boolean(random):
    """A boolean mask that is added to the scores: 1 where a key is seen, 0 where it is hidden."""
    count = random.choice([8, 16])
    claim = random.choice([claimed("causal", count), claimed("sliding-window", count, window=3),
                           claimed("chunked", count, chunk=3)])
    return Case("masks/bool-as-additive", claim,
                {"additive": narrowed(made(claim), random.choice(["f32", "f16", "bf16"]))},
                "bool-as-additive")


def mask_value(random):
    count = random.choice([8, 16])
    done, meant = random.choice([("-inf", "min"), ("min", "-inf"), ("-10000", "-inf"),
                                 ("-1e9", "min"), ("-1e9", "-1e4")])
    number = LOWEST["f32"] if done == "min" else float(done)
    return Case("masks/mask-value", claimed("causal", count, mask_value=meant),
                {"additive": additive(causal(count), "f32", number)}, "mask_value",
                {"mask_value": (done, meant)})


def alignment(random):
    """One query at the end sees all keys, as every query does without a causal mask."""
    queries, keys = random.choice([(2, 6), (1, 16), (8, 24)])
    done, meant = random.choice([("top-left", "bottom-right"), ("bottom-right", "top-left")])
    claim = {"encoding": "causal-mask", "q_len": queries, "k_len": keys, "alignment": meant}
    found = {"alignment"} | SHIFTED | ({"encoding"} if queries == 1 else set())
    return case(random, "alignment", claim, aligned(queries, keys, done), found,
                {"alignment": (done, meant)})


def offset(random):
    """A cache that is one token longer or shorter than was thought."""
    by = random.choice([1, -1, 2])
    claim = {"encoding": "causal-mask", "q": "10:16", "k": "0:20"}
    return case(random, "offset", claim, causal(20)[10 + by:16 + by],
                SHIFTED | ({"strict"} if by == -1 else set()))


# ---- parameters of each --------------------------------------------------------------------


def window_by_one(random):
    count, size = random.choice([16, 48]), random.choice([4, 8])
    convention, by = random.choice([("exclusive", 1), ("inclusive", -1)])
    claim = claimed("sliding-window", count, window=size, convention=convention)
    return case(random, "window-by-one", claim,
                made(claimed("sliding-window", count, window=size + (by > 0))),
                {"window", "convention"})


def documents_ignored(random):
    """Tokens that see the documents before theirs: one document, a causal mask."""
    lengths = random.choice([[5, 7], [3, 3, 6], [10, 2, 9, 4]])
    claim = {"encoding": "document-mask", **random.choice([
        {"lengths": lengths}, {"cu_seqlens": [0, *np.cumsum(lengths)]},
        {"document_ids": np.repeat(np.arange(len(lengths)), lengths)}])}
    return case(random, "documents-ignored", claim, causal(sum(lengths)),
                {"documents-ignored", *claim})


def documents_both_ways(random):
    lengths = random.choice([[5, 7], [3, 3, 6]])
    meant = random.choice([True, False])
    claim = {"encoding": "document-mask", "lengths": lengths, "causal": int(meant)}
    return case(random, "documents-causal", claim, documents(lengths, not meant), "causal",
                {"causal": (int(not meant), int(meant))})


def documents_moved(random):
    """One boundary a token too late."""
    return case(random, "documents-lengths", {"encoding": "document-mask", "lengths": (5, 7, 4)},
                documents([6, 6, 4]), "lengths", {"lengths": ("6,6,4", "5,7,4")})


def chunk_padding(random):
    """A padding on the left that the chunks do not follow."""
    claim = said(random, encoding="chunked-mask", len=[24, 33], chunk=[4, 6], left_padding=[1, 2])
    return case(random, "chunk-padding", claim, made({**claim, "left_padding": 0}),
                {"left_padding", "left-padding"} | SHIFTED)


def padding_missed(random):
    claim, _, count = padded(random)
    return Case("masks/left-padding", claim, {"mask": causal(count)[None, None]},
                {"left-padding", "attention_mask", "encoding", "mask-terms"})


def padding_rows(random):
    """Queries that see no key: left as they are, or with their own key, or with all."""
    claim, keep, count = padded(random)
    mask = keep[None] & causal(count)
    empty, policy = ~mask.any(-1), random.choice(["keep_self", "unmask_all"])
    mask[empty] = np.eye(count, dtype=bool)[empty] if policy == "keep_self" else True
    return Case("masks/padding-rows", claim, {"mask": mask[None, None]}, "fully_masked",
                {"fully_masked": (policy, "none")})


def two(random):
    count, size = random.choice([16, 30]), random.choice([4, 6])
    name, claim, change, found = random.choice([
        ("window-polarity", claimed("sliding-window", count, window=size), {"window": size + 2},
         {"window", "convention"}),
        ("chunk-polarity", claimed("chunked", count, chunk=size), {"chunk": 2 * size}, {"chunk"}),
        ("prefix-polarity", claimed("prefix-lm", count, prefix_len=size), {"prefix_len": size + 2},
         {"prefix_len"}),
        ("chunk-transposed", claimed("chunked", count, chunk=size), {"chunk": 2 * size},
         {"chunk"})])
    mask, turned = made({**claim, **change}), name == "chunk-transposed"
    return case(random, "two-" + name, claim, mask.T if turned else ~mask, (), boolean=True,
                both=[found, {"transposed" if turned else "true_means"}])


SLIDING = {"encoding": "sliding-window-mask", "len": [24, 48]}
CHUNKED = {"encoding": "chunked-mask", "len": [24, 33], "chunk": [4, 6]}
ROWS = [right("causal", encoding="causal-mask", len=[2, 8, 16, 48, 128])] * 2 + [
    right_window, right_packed, right_alignment,
    # True hides a key: masks of MultiheadAttention.
    right("true-masked", encoding="causal-mask", len=[8, 16], true_means="masked"),
    right_alignment, right_window, right_packed,
    right("prefix", encoding="prefix-lm-mask", len=[10, 32], prefix_len=[2, 5]),
    right("chunked", encoding="chunked-mask", len=[10, 33], chunk=[3, 4, 8]), right_padding,
    right_additive, right_window, right_packed, right_additive, polarity, strict, strict_window,
    strict_documents, transposed, transposed, added_as_boolean, added_as_boolean, mask_value,
    alignment, offset, window_by_one,
    wrong("window-other", ("", "window", {"window": lambda p: [
        p["window"] - 1, p["window"] // 2, 2 * p["window"]]}),
          repair=["window"], **SLIDING, window=[6, 8]),
    # No window: another encoding has these numbers, and so has a window of no bound.
    wrong("window-forgotten", ("", {"window", "encoding", "window-missing"}, {"window": 1000}),
          **dict(SLIDING, len=[16, 48]), window=5),
    wrong("encoding-window", ("", {"encoding", "mask-terms"}, {
        "encoding": "sliding-window-mask", "window": [4, 6]}), encoding="causal-mask",
          len=[16, 48]),
    wrong("prefix", ("", lambda claim, done: {"prefix_len"} | ({"encoding"} if not done["prefix_len"] else
                                                        set()),
                     {"prefix_len": lambda p: [p["prefix_len"] + 1, p["prefix_len"] - 1, 0]}),
          repair=["prefix_len"], encoding="prefix-lm-mask", len=[12, 32], prefix_len=[3, 6]),
    documents_ignored, documents_ignored, documents_both_ways, documents_moved,
    wrong("chunk", ("", "chunk", {"chunk": lambda p: [p["chunk"] + 1, 2 * p["chunk"],
                                                      p["chunk"] // 2]}),
          repair=["chunk"], **CHUNKED),
    chunk_padding,
    wrong("encoding-chunk", ("", {"encoding", "mask-terms"}, {
        "encoding": "sliding-window-mask", "window": lambda p: p["chunk"], "chunk": ()}), **CHUNKED),
    padding_missed, padding_rows, two, two]
