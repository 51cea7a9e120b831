# SPDX-License-Identifier: Apache-2.0
"""masks.py - cases of causal, window, prefix, document, chunk and padding masks, as booleans or as
what is added to scores."""

import numpy as np

from alibi import distances
from case import Case, RIGHT, narrowed

LOWEST = {"f32": float(np.finfo(np.float32).min), "f16": -65504.0, "bf16": -3.3895313892515355e38}
SHIFTED = {"position-offset", "q_offset", "k_offset", "q", "k"}


def written(random, mask):
    """A mask in the dtypes in which code keeps one, in the shapes of attention."""
    values = mask.astype(random.choice([bool, bool, np.uint8, np.int64, np.float32]))
    return random.choice([values, values, values, values[None, None],
                          np.stack([values] * 2)[:, None]])


def additive(mask, dtype="f32", value=None):
    return narrowed(np.where(mask, 0.0, LOWEST[dtype] if value is None else value), dtype)


def case(name, random, claim, mask, found, repair=None, both=None, boolean=False):
    """Booleans, or unless they must be, the lowest number of a dtype where a key is hidden."""
    if random.choice(range(3)) or boolean:
        return Case("masks/" + name, claim, {"mask": written(random, mask)}, found, repair, both)
    dtype = random.choice(["f32", "f32", "f16", "bf16"])
    return Case("masks/" + name, claim, {"additive": additive(mask, dtype)}, found, repair, both)


def causal(count, keys=None):
    return distances(count, keys) >= 0


def window(count, size, keys=None):
    """Beltagy et al. 2020, Jiang et al. 2023 (Mistral): `size` keys, the query's own among them."""
    return causal(count, keys) & (distances(count, keys) < size)


def documents(lengths, is_causal=True):
    which = np.repeat(np.arange(len(lengths)), lengths)
    same = which[:, None] == which[None]
    return same & causal(len(which)) if is_causal else same


def chunked(count, size, padding=0):
    at = (np.arange(count) - padding) // size
    return (at[:, None] == at[None]) & causal(count)


def prefix(count, size):
    return causal(count) | (np.arange(count) < size)[None]


def causal_claim(count, **more):
    return {"encoding": "causal-mask", "len": count, **more}


def window_claim(count, size, **more):
    return {"encoding": "sliding-window-mask", "len": count, "window": size, **more}


def listed(numbers):
    return ",".join(map(str, numbers))


# ---- right ---------------------------------------------------------------------------------


def right_causal(random):
    count = random.choice([2, 8, 16, 48, 128])
    return case("right-causal", random, causal_claim(count), causal(count), RIGHT)


def right_masked(random):
    """True hides a key: masks of MultiheadAttention."""
    count = random.choice([8, 16])
    return case("right-true-masked", random, causal_claim(count, true_means="masked"),
                ~causal(count), RIGHT, boolean=True)


def right_alignment(random):
    """Fewer queries than keys, which stand at the end, or at the start."""
    queries, keys = random.choice([(2, 6), (1, 16), (8, 24)])
    align = random.choice(["bottom-right", "top-left"])
    claim = {"encoding": "causal-mask", "q_len": queries, "k_len": keys, "alignment": align}
    mask = causal(queries, keys)
    if align == "top-left":
        mask = np.arange(queries)[:, None] >= np.arange(keys)[None]
    return case("right-" + align, random, claim, mask, RIGHT)


def right_window(random):
    count, size = random.choice([16, 48, 100]), random.choice([1, 4, 8])
    convention = random.choice(["exclusive", "inclusive", "flash"])
    claim = window_claim(count, size, convention=convention)
    if convention == "flash":
        del claim["window"]
        claim.update(left=size, right=0)
    mask = window(count, size if convention == "exclusive" else size + 1)
    return case("right-window", random, claim, mask, RIGHT)


def right_packed(random):
    lengths = random.choice([[5, 7], [3, 3, 6], [10, 2, 9, 4]])
    is_causal = random.choice([True, True, False])
    ends = np.cumsum(lengths)
    claim = {"encoding": "document-mask", "causal": int(is_causal), **random.choice([
        {"lengths": listed(lengths)}, {"cu_seqlens": listed([0, *ends])},
        {"document_ids": listed(np.repeat(np.arange(len(lengths)), lengths))},
        {"position_ids": listed(np.concatenate([np.arange(n) for n in lengths]))}])}
    return case("right-documents", random, claim, documents(lengths, is_causal), RIGHT)


def right_prefix(random):
    count, size = random.choice([10, 32]), random.choice([2, 5])
    claim = {"encoding": "prefix-lm-mask", "len": count, "prefix_len": size}
    return case("right-prefix", random, claim, prefix(count, size), RIGHT)


def right_chunked(random):
    count, size = random.choice([10, 33]), random.choice([3, 4, 8])
    claim = {"encoding": "chunked-mask", "len": count, "chunk": size}
    return case("right-chunked", random, claim, chunked(count, size), RIGHT)


def padded(random):
    """A padding on the left: the queries of the padding see no key."""
    left, count = random.choice([1, 3]), random.choice([8, 12])
    keep = np.arange(count) >= left
    claim = {"encoding": "padding-mask", "attention_mask": listed(keep.astype(int))}
    return claim, keep, count


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
    claim = causal_claim(count)
    if value != "min":
        claim["mask_value"] = value
    number = {"-inf": -np.inf, "min": None}.get(value, 0)
    number = float(value) if number == 0 else number
    return Case("masks/right-additive", claim, {"additive": additive(causal(count), dtype, number)},
                RIGHT)


# ---- mistakes of any mask ------------------------------------------------------------------


def polarity(random):
    """Where the causal triangle is turned round, the strict triangle of the other side is left."""
    count = random.choice([8, 16])
    claim, mask = random.choice([
        (causal_claim(count), causal(count)), (window_claim(count, 4), window(count, 4)),
        ({"encoding": "prefix-lm-mask", "len": count, "prefix_len": 3}, prefix(count, 3))])
    if random.choice([False, True]):
        return case("polarity", random, {**claim, "true_means": "masked"}, mask, "true_means",
                    {"true_means": ("attend", "masked")}, boolean=True)
    return case("polarity", random, claim, ~mask, "true_means",
                {"true_means": ("masked", "attend")}, boolean=True)


def strict(random):
    """A query that does not see its own key."""
    count = random.choice([8, 16, 40])
    return case("strict", random, causal_claim(count), distances(count) > 0, {"strict"} | SHIFTED)


def strict_window(random):
    count, size = random.choice([16, 40]), random.choice([4, 8])
    mask = window(count, size) & (distances(count) > 0)
    return case("strict-window", random, window_claim(count, size), mask, "strict")


def strict_documents(random):
    lengths = random.choice([[5, 7], [3, 3, 6]])
    count = sum(lengths)
    mask = documents(lengths) & (distances(count) > 0)
    claim = {"encoding": "document-mask", "lengths": listed(lengths)}
    return case("strict-documents", random, claim, mask, "strict")


def transposed(random):
    """Queries as columns. The window turned over is the window of queries that stand later."""
    count, size = random.choice([12, 20]), random.choice([3, 5])
    name, claim, mask, found = random.choice([
        ("causal", causal_claim(count), causal(count), {"transposed"}),
        ("window", window_claim(count, size), window(count, size), {"transposed"} | SHIFTED),
        ("prefix", {"encoding": "prefix-lm-mask", "len": count, "prefix_len": size},
         prefix(count, size), {"transposed"}),
        ("chunked", {"encoding": "chunked-mask", "len": count, "chunk": size},
         chunked(count, size), {"transposed"}),
        ("documents", {"encoding": "document-mask", "lengths": "5,7"}, documents([5, 7]),
         {"transposed"})])
    return case("transposed-" + name, random, claim, mask.T, found)


def added_as_boolean(random):
    """A boolean mask that is added to the scores: 1 where a key is seen, 0 where it is hidden."""
    count, size = random.choice([8, 16]), 3
    claim, mask = random.choice([
        (causal_claim(count), causal(count)), (window_claim(count, size), window(count, size)),
        ({"encoding": "chunked-mask", "len": count, "chunk": size}, chunked(count, size))])
    return Case("masks/bool-as-additive", claim,
                {"additive": narrowed(mask, random.choice(["f32", "f16", "bf16"]))},
                "bool-as-additive")


def mask_value(random):
    count = random.choice([8, 16])
    done, meant = random.choice([("-inf", "min"), ("min", "-inf"), ("-10000", "-inf"),
                                 ("-1e9", "min"), ("-1e9", "-1e4")])
    claim = causal_claim(count, mask_value=meant)
    number = LOWEST["f32"] if done == "min" else float(done)
    return Case("masks/mask-value", claim, {"additive": additive(causal(count), "f32", number)},
                "mask_value", {"mask_value": (done, meant)})


def alignment(random):
    """One query at the end sees all keys, as every query does without a causal mask."""
    queries, keys = random.choice([(2, 6), (1, 16), (8, 24)])
    done, meant = random.choice([("top-left", "bottom-right"), ("bottom-right", "top-left")])
    claim = {"encoding": "causal-mask", "q_len": queries, "k_len": keys, "alignment": meant}
    mask = causal(queries, keys)
    if done == "top-left":
        mask = np.arange(queries)[:, None] >= np.arange(keys)[None]
    found = {"alignment"} | SHIFTED | ({"encoding"} if queries == 1 else set())
    return case("alignment", random, claim, mask, found,
                {"alignment": (done, meant)})


def offset(random):
    """A cache that is one token longer or shorter than was thought."""
    queries, keys, by = 6, 20, random.choice([1, -1, 2])
    claim = {"encoding": "causal-mask", "q": "10:16", "k": "0:20"}
    mask = np.arange(10 + by, 16 + by)[:, None] >= np.arange(keys)[None]
    assert len(mask) == queries
    found = SHIFTED | ({"strict"} if by == -1 else set())
    return case("offset", random, claim, mask, found)


# ---- parameters of each --------------------------------------------------------------------


def window_by_one(random):
    count, size = random.choice([16, 48]), random.choice([4, 8])
    convention, by = random.choice([("exclusive", 1), ("inclusive", -1)])
    claim = window_claim(count, size, convention=convention)
    mask = window(count, size + (1 if by > 0 else 0))
    return case("window-by-one", random, claim, mask, {"window", "convention"})


def window_other(random):
    count, size = random.choice([24, 48]), random.choice([6, 8])
    done = random.choice([size - 1, size // 2, 2 * size])
    return case("window-other", random, window_claim(count, size), window(count, done), "window",
                {"window": (done, size)})


def window_forgotten(random):
    """No window: another encoding has these numbers, and so has a window of no bound."""
    count = random.choice([16, 48])
    return case("window-forgotten", random, window_claim(count, 5), causal(count),
                {"window", "encoding"})


def window_not_claimed(random):
    count, size = random.choice([16, 48]), random.choice([4, 6])
    return case("encoding-window", random, causal_claim(count), window(count, size), "encoding")


def prefix_wrong(random):
    count, size = random.choice([12, 32]), random.choice([3, 6])
    claim = {"encoding": "prefix-lm-mask", "len": count, "prefix_len": size}
    done = random.choice([size + 1, size - 1, 0])
    found = {"prefix_len"} | ({"encoding"} if done < 2 else set())
    return case("prefix", random, claim, prefix(count, done), found, {"prefix_len": (done, size)})


def documents_ignored(random):
    """Tokens that see the documents before theirs: one document, a causal mask."""
    lengths = random.choice([[5, 7], [3, 3, 6], [10, 2, 9, 4]])
    claim = {"encoding": "document-mask", **random.choice([
        {"lengths": listed(lengths)}, {"cu_seqlens": listed([0, *np.cumsum(lengths)])},
        {"document_ids": listed(np.repeat(np.arange(len(lengths)), lengths))}])}
    found = {"documents-ignored", *claim}
    return case("documents-ignored", random, claim, causal(sum(lengths)), found)


def documents_both_ways(random):
    lengths = random.choice([[5, 7], [3, 3, 6]])
    meant = random.choice([True, False])
    claim = {"encoding": "document-mask", "lengths": listed(lengths), "causal": int(meant)}
    return case("documents-causal", random, claim, documents(lengths, not meant), "causal",
                {"causal": (int(not meant), int(meant))})


def documents_moved(random):
    """One boundary a token too late."""
    claim = {"encoding": "document-mask", "lengths": "5,7,4"}
    return case("documents-lengths", random, claim, documents([6, 6, 4]), "lengths",
                {"lengths": ("6,6,4", "5,7,4")})


def chunk_other(random):
    count, size = random.choice([24, 33]), random.choice([4, 6])
    done = random.choice([size + 1, 2 * size, size // 2])
    claim = {"encoding": "chunked-mask", "len": count, "chunk": size}
    return case("chunk", random, claim, chunked(count, done), "chunk", {"chunk": (done, size)})


def chunk_padding(random):
    """A padding on the left that the chunks do not follow."""
    count, size, left = random.choice([24, 33]), random.choice([4, 6]), random.choice([1, 2])
    claim = {"encoding": "chunked-mask", "len": count, "chunk": size, "left_padding": left}
    return case("chunk-padding", random, claim, chunked(count, size),
                {"left_padding", "left-padding"} | SHIFTED)


def window_named_chunk(random):
    count, size = random.choice([24, 33]), random.choice([4, 6])
    claim = {"encoding": "chunked-mask", "len": count, "chunk": size}
    return case("encoding-chunk", random, claim, window(count, size), "encoding")


def padding_missed(random):
    claim, _, count = padded(random)
    return Case("masks/left-padding", claim, {"mask": causal(count)[None, None]},
                {"left-padding", "attention_mask", "encoding"})


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
    name, claim, mask, both = random.choice([
        ("window-polarity", window_claim(count, size), ~window(count, size + 2),
         [{"window", "convention"}, {"true_means"}]),
        ("chunk-polarity", {"encoding": "chunked-mask", "len": count, "chunk": size},
         ~chunked(count, 2 * size), [{"chunk"}, {"true_means"}]),
        ("prefix-polarity", {"encoding": "prefix-lm-mask", "len": count, "prefix_len": size},
         ~prefix(count, size + 2), [{"prefix_len"}, {"true_means"}]),
        ("chunk-transposed", {"encoding": "chunked-mask", "len": count, "chunk": size},
         chunked(count, 2 * size).T, [{"chunk"}, {"transposed"}])])
    return case("two-" + name, random, claim, mask, (), both=both, boolean=True)


ROWS = [right_causal, right_causal, right_window, right_packed, right_alignment, right_masked,
        right_alignment, right_window, right_packed, right_prefix, right_chunked, right_padding,
        right_additive, right_window, right_packed, right_additive, polarity, strict,
        strict_window, strict_documents, transposed, transposed, added_as_boolean,
        added_as_boolean, mask_value, alignment, offset, window_by_one, window_other,
        window_forgotten, window_not_claimed, prefix_wrong, documents_ignored, documents_ignored,
        documents_both_ways, documents_moved, chunk_other, chunk_padding, window_named_chunk,
        padding_missed, padding_rows, two, two]
