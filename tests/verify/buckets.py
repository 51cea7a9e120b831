# SPDX-License-Identifier: Apache-2.0
"""buckets.py - cases of relative positions by number: T5, DeBERTa, Shaw and their relatives."""

import numpy as np

from case import Case, RIGHT, f32
from formulas import biases
from formulas.biases import clipped, distances
from formulas.numbers import positions
from kinds import Kind, exchanged, integers, said

TURNED = {"transposed", "sign"}
OFFSET = {"position-offset", "q", "k"}


def turned(values, p):
    """Queries as columns, where a mistake says so."""
    return np.ascontiguousarray(values.T) if p.get("turned") else values


def numbers(out, formula, write=integers, more=None):
    return Kind("buckets", out, lambda p: turned(formula(p), p), write, more)


def behind(counts):
    """A query behind its keys, by their number."""
    return {"q k": [("%d:%d" % (n - 1, n), "0:%d" % n) for n in counts]}


def earlier(p):
    return np.array(positions(p["q"])) - 1


# ---- T5 (Raffel et al. 2020) -----------------------------------------------------------------


def t5(p):
    """Buckets; truncated ones in settings in which a bucket at a boundary is one too low."""
    right = biases.t5(p)
    if not p.get("truncated"):
        return right
    values = biases.t5(p, biases.truncated_steps)
    assert (values != right).any()
    return values


T5, T5_CLAIM = numbers("buckets", t5), {"encoding": "t5", "bidirectional": 1}
DECODER = {"encoding": "t5", "bidirectional": 0}


def worded(table):
    return ";".join(",".join("%g" % value for value in row) for row in table)


def t5_table(random, buckets, heads):
    """Learned biases of few digits, so that a claim can say them."""
    return np.asarray(f32(np.round(random.normal(buckets, heads), 3)), np.float64)


def t5_bias(name, found=RIGHT, repair=None, scale=1.0, **done):
    """A bias by a table, which the claim has, or which stands in the body beside the bias."""
    def make(random):
        count, heads = random.choice([12, 40]), random.choice([1, 2, 4])
        claim, table = {**T5_CLAIM, "len": count}, t5_table(random, 32, heads)
        bias = scale * np.moveaxis(table[T5.values({**claim, **done})], -1, 0)
        if random.choice([False, True]) and table.size <= 64:
            return Case("buckets/" + name, {**claim, "table": worded(table)}, {"bias": f32(bias)},
                        found, repair)
        return Case("buckets/" + name, claim, {"bias": f32(bias), "table": f32(table)}, found,
                    repair)
    return make


def t5_offset(random):
    """candle#899: the query of a step of decoding counted from 0, so that each key is after it.
    The decoder's buckets are then all 0, as they are with the other sign, or later queries."""
    claim = said(random, **DECODER, **behind([20, 150]))
    return Case("buckets/t5-offset", claim, {"buckets": T5.values({**claim, "q": [0]})},
                OFFSET | TURNED)


def bucket_boundary_bias(random):
    """A truncated logarithm in a decoder, in a bias by a table."""
    claim = {**DECODER, "len": 200, "num_buckets": 20, "max_distance": 320}
    table = t5_table(random, 20, 1)
    bias = table[T5.values({**claim, "truncated": 1})][None, ..., 0]
    return Case("buckets/bucket-boundary-bias", claim, {"bias": f32(bias), "table": f32(table)},
                "bucket-boundary")


def heads_last(random):
    """A bias as (Q, K, H), as the gather from the table leaves it."""
    table, claim = f32(t5_table(random, 32, 4)), {**T5_CLAIM, "len": random.choice([12, 20])}
    return Case("buckets/t5-heads-last", claim, {"bias": table[T5.values(claim)], "table": table},
                "axes")


# ---- DeBERTa (He et al. 2021) --------------------------------------------------------------


DEBERTA = numbers("buckets", biases.deberta,
                  more=lambda random, p: {"encoding": "deberta", "len": p["len"], **p})
DEBERTA_CLAIM = {"position_buckets max_relative_positions": [(8, 16), (16, 64), (32, 128)],
                 "len": [40, 150]}
DEBERTA_WRONG = DEBERTA.wrong(
    "deberta-", ("transposed", TURNED, {"turned": 1}),
    ("none", {"position_buckets", "max_relative_positions"}, {"position_buckets": -1}),
    ("most", "max_relative_positions", {
        "max_relative_positions": lambda p: 2 * p["max_relative_positions"]}),
    ("count", "position_buckets", {"position_buckets": lambda p: p["position_buckets"] // 2}),
    **DEBERTA_CLAIM)


# ---- Shaw et al. 2018, and the relative keys of BERT ---------------------------------------


SHAW = numbers("index", lambda p: clipped(-distances(p), *(
    p.get(side, p.get("max_distance")) for side in ("max_left", "max_right"))))


def right_shaw(random):
    left, right = random.choice([(4, 4), (8, 8), (6, 2), (64, 8)])
    claim = {"encoding": "shaw", "len": random.choice([12, 90])}
    claim.update({"max_distance": left} if left == right else {"max_left": left,
                                                               "max_right": right})
    return SHAW.case(random, "right-shaw", claim, SHAW.values(claim), RIGHT)


def shaw_bias(random):
    """q . a of the clipped distance over the root of the width, or without the root."""
    count, most, dim, heads = 10, 3, 8, 2
    table, queries = f32(random.normal(2 * most + 1, dim)), f32(random.normal(heads, count, dim))
    claim = {"encoding": "shaw", "len": count, "max_distance": most}
    bias = np.einsum("hid,ijd->hij", queries.astype(np.float64),
                     table.astype(np.float64)[SHAW.values(claim)])
    scaled = random.choice([False, True])
    return Case("buckets/right-shaw-bias" if scaled else "buckets/shaw-not-scaled", claim,
                {"bias": f32(bias * dim ** -0.5 if scaled else bias), "table": table,
                 "queries": queries}, RIGHT if scaled else "scaled")


KEY = numbers("index", lambda p: p.get("sign", 1) * distances(p) + p["max_position_embeddings"] - 1)
KEY_CLAIM = {"encoding": "bert-relative-key", "len": [8, 30], "max_position_embeddings": [30, 64]}
RIGHT_T5 = T5.right("t5", encoding="t5", bidirectional=[0, 1], len=[16, 40, 150], **{
    "num_buckets max_distance": [(32, 128), (32, 128), (64, 128), (32, 1024), (16, 50)]})
RIGHT_BIAS, RIGHT_KEY = t5_bias("right-t5-bias"), KEY.right("relative-key", **KEY_CLAIM)
RIGHT_DEBERTA = DEBERTA.right("deberta", **DEBERTA_CLAIM, clamp_distance=[0, 1])
ROWS = [RIGHT_T5, RIGHT_T5, RIGHT_BIAS, RIGHT_KEY, RIGHT_DEBERTA,
        T5.right("t5-decoding", **DECODER, **behind([20, 200])), RIGHT_BIAS, RIGHT_BIAS,
        RIGHT_DEBERTA, right_shaw, RIGHT_KEY, RIGHT_T5, RIGHT_DEBERTA, right_shaw,
        T5.wrong("t5-transposed", ("", TURNED, {"turned": 1}), **T5_CLAIM, len=[16, 40]),
        T5.wrong("t5-direction", ("", "bidirectional", {
            "bidirectional": lambda p: 1 - p["bidirectional"]}), repair=["bidirectional"],
                 encoding="t5", bidirectional=[0, 1], len=[16, 40]),
        T5.wrong("t5-count", *exchanged("num_buckets", (64, 32), (16, 32), (32, 64)),
                 repair=["num_buckets"], **T5_CLAIM, len=80),
        T5.wrong("t5-distance", *exchanged("max_distance", (256, 128), (64, 128), (128, 256)),
                 repair=["max_distance"], **T5_CLAIM, len=150), t5_offset,
        T5.wrong("t5-offset-by-one", ("", OFFSET, {"q": earlier}), **DECODER, **behind([40, 150])),
        T5.wrong("bucket-boundary", ("", "bucket-boundary", {"truncated": 1}), **T5_CLAIM, **{
            "len num_buckets max_distance": [(100, 20, 160), (200, 40, 320)]}),
        bucket_boundary_bias, t5_bias("t5-bias-transposed", TURNED, turned=1),
        # GPT-NeoX and x-transformers multiply by the root of the head's width.
        t5_bias("t5-bias-scale", {"bias_scale", "head_dim"}, scale=8.0),
        t5_bias("t5-bias-direction", "bidirectional", {"bidirectional": (0, 1)}, bidirectional=0),
        t5_bias("t5-bias-distance", "max_distance", {"max_distance": (64, 128)}, max_distance=64),
        DEBERTA_WRONG, DEBERTA_WRONG,
        DEBERTA.wrong("deberta-clamp", ("", "clamp_distance", {"clamp_distance": 1}),
                      repair={"clamp_distance": 0}, len=150, position_buckets=16,
                      max_relative_positions=32),
        SHAW.wrong("shaw-", ("transposed", TURNED, {"turned": 1}),
                   ("left", "max_left", {"max_left": lambda p: p["max_left"] - 1}),
                   ("right", "max_right", {"max_right": lambda p: p["max_right"] + 3}),
                   encoding="shaw", len=[24, 40], **{"max_left max_right": [(4, 4), (8, 8)]}),
        SHAW.wrong("shaw-distance", ("", "max_distance", {"max_distance": lambda p: [
            p["max_distance"] + 1, 2 * p["max_distance"], p["max_distance"] - 1]}),
                   repair=["max_distance"], encoding="shaw", len=[24, 40], max_distance=[4, 8]),
        heads_last, shaw_bias,
        # Shaw's sign, or an index that counts from the row before.
        KEY.wrong("relative-key-",
                  ("offset", {"max_position_embeddings"} | OFFSET, {
                      "max_position_embeddings": lambda p: p["max_position_embeddings"] + 1}),
                  ("sign", TURNED, {"sign": -1}), write=lambda random, values: values,
                  **KEY_CLAIM)]
