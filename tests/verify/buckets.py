# SPDX-License-Identifier: Apache-2.0
"""buckets.py - cases of relative positions by number: T5, DeBERTa, Shaw and their relatives."""

import math

import numpy as np

from alibi import distances
from case import Case, RIGHT, f32


def t5_bucket(relative, both, buckets, most, guard=True):
    """Raffel et al. 2020, of key - query. Where the logarithm is a whole number the guard keeps it,
    as exact arithmetic does; without the guard it may be cut to the number below."""
    base, n = 0, -relative
    if both:
        buckets //= 2
        base, n = (buckets if relative > 0 else 0), abs(relative)
    n = max(n, 0)
    exact = buckets // 2
    if n < exact:
        return base + n
    far = math.log(n / exact) / math.log(most / exact) * (buckets - exact)
    if guard and abs(far - round(far)) < 1e-9:
        far = round(far)
    return base + min(exact + int(far), buckets - 1)


def t5(relative, both=True, buckets=32, most=128, guard=True):
    """Buckets of a matrix of key - query."""
    known = {int(r): t5_bucket(int(r), both, buckets, most, guard) for r in np.unique(relative)}
    return np.vectorize(known.get, otypes=[np.int64])(relative)


def t5_claim(both, **more):
    return {"encoding": "t5", "bidirectional": int(both), **more}


def integers(random, values):
    return np.asarray(values).astype(random.choice([np.int64, np.int64, np.int32, np.int16]))


def right_t5(random):
    both, count = random.choice([False, True]), random.choice([16, 40, 150])
    buckets, most = random.choice([(32, 128), (32, 128), (64, 128), (32, 1024), (16, 50)])
    claim = t5_claim(both, len=count, num_buckets=buckets, max_distance=most)
    return Case("buckets/right-t5", claim,
                {"buckets": integers(random, t5(-distances(count), both, buckets, most))}, RIGHT)


def right_t5_decoding(random):
    keys = random.choice([20, 200])
    claim = t5_claim(False, q="%d:%d" % (keys - 1, keys), k="0:%d" % keys)
    values = t5(-distances(1, keys), False)
    return Case("buckets/right-t5-decoding", claim, {"buckets": integers(random, values)}, RIGHT)


def worded(table):
    return ";".join(",".join("%g" % value for value in row) for row in table)


def t5_table(random, buckets, heads):
    """Learned biases of few digits, so that a claim can say them."""
    return np.round(random.normal(buckets, heads), 3)


def t5_bias(random, done, name, found, repair=None, rows=None, scale=1.0, **claimed):
    """A bias by a table, which the claim has, or which stands in the body beside the bias."""
    count, heads, buckets = random.choice([12, 40]), random.choice([1, 2, 4]), 32
    table = np.asarray(f32(t5_table(random, buckets, heads)), np.float64)
    index = t5(done.get("relative", lambda r: r)(-distances(count)), done.get("both", True),
               done.get("buckets", 32), done.get("most", 128))
    bias = scale * np.moveaxis((table if rows is None else rows(table))[index], -1, 0)
    claim = t5_claim(True, len=count, **claimed)
    if random.choice([False, True]) and buckets * heads <= 64:
        return Case(name, {**claim, "table": worded(table)}, {"bias": f32(bias)}, found, repair)
    return Case(name, claim, {"bias": f32(bias), "table": f32(table)}, found, repair)


def right_t5_bias(random):
    return t5_bias(random, {}, "buckets/right-t5-bias", RIGHT)


def t5_bias_transposed(random):
    return t5_bias(random, {"relative": lambda r: -r}, "buckets/t5-bias-transposed",
                   {"transposed", "sign"})


def t5_bias_scaled(random):
    """GPT-NeoX and x-transformers multiply by the root of the head's width."""
    return t5_bias(random, {}, "buckets/t5-bias-scale", {"bias_scale", "head_dim"}, scale=8.0)


def t5_bias_direction(random):
    return t5_bias(random, {"both": False}, "buckets/t5-bias-direction", "bidirectional",
                   {"bidirectional": (0, 1)})


def t5_bias_distance(random):
    return t5_bias(random, {"most": 64}, "buckets/t5-bias-distance", "max_distance",
                   {"max_distance": (64, 128)})


def t5_transposed(random):
    count = random.choice([16, 40])
    return Case("buckets/t5-transposed", t5_claim(True, len=count),
                {"buckets": integers(random, t5(distances(count)))}, {"transposed", "sign"})


def t5_direction(random):
    both, count = random.choice([False, True]), random.choice([16, 40])
    return Case("buckets/t5-direction", t5_claim(both, len=count),
                {"buckets": integers(random, t5(-distances(count), not both))}, "bidirectional",
                {"bidirectional": (int(not both), int(both))})


def t5_count(random):
    done, meant = random.choice([(64, 32), (16, 32), (32, 64)])
    return Case("buckets/t5-count", t5_claim(True, len=80, num_buckets=meant),
                {"buckets": integers(random, t5(-distances(80), buckets=done))}, "num_buckets",
                {"num_buckets": (done, meant)})


def t5_distance(random):
    done, meant = random.choice([(256, 128), (64, 128), (128, 256)])
    return Case("buckets/t5-distance", t5_claim(True, len=150, max_distance=meant),
                {"buckets": integers(random, t5(-distances(150), most=done))}, "max_distance",
                {"max_distance": (done, meant)})


def t5_offset(random):
    """candle#899: the query of a step of decoding counted from 0, so that each key is after it.
    The decoder's buckets are then all 0, as they are with the other sign, or later queries."""
    keys = random.choice([20, 150])
    claim = t5_claim(False, q="%d:%d" % (keys - 1, keys), k="0:%d" % keys)
    return Case("buckets/t5-offset", claim, {"buckets": np.zeros((1, keys), np.int64)},
                {"position-offset", "q", "sign", "transposed", "k"})


def t5_offset_by_one(random):
    keys = random.choice([40, 150])
    claim = t5_claim(False, q="%d:%d" % (keys - 1, keys), k="0:%d" % keys)
    values = t5(-distances(1, keys) + 1, False)
    return Case("buckets/t5-offset-by-one", claim, {"buckets": integers(random, values)},
                {"position-offset", "q", "k"})


def bucket_boundary(random):
    """Settings in which a truncated logarithm of doubles is one bucket too low at a boundary."""
    buckets, most, count = random.choice([(20, 160, 100), (40, 320, 200)])
    claim = t5_claim(True, len=count, num_buckets=buckets, max_distance=most)
    values = t5(-distances(count), True, buckets, most, guard=False)
    assert (values != t5(-distances(count), True, buckets, most)).any()
    return Case("buckets/bucket-boundary", claim, {"buckets": integers(random, values)},
                "bucket-boundary")


def bucket_boundary_bias(random):
    """The same in a decoder, in a bias by a table."""
    buckets, most, count = 20, 320, 200
    table = np.asarray(f32(t5_table(random, buckets, 1)), np.float64)
    index = t5(-distances(count), False, buckets, most, guard=False)
    assert (index != t5(-distances(count), False, buckets, most)).any()
    claim = t5_claim(False, len=count, num_buckets=buckets, max_distance=most)
    return Case("buckets/bucket-boundary-bias", claim,
                {"bias": f32(table[index][None, ..., 0]), "table": f32(table)}, "bucket-boundary")


def heads_last(random):
    """A bias as (Q, K, H), as the gather from the table leaves it."""
    table, count = f32(t5_table(random, 32, 4)), random.choice([12, 20])
    return Case("buckets/t5-heads-last", t5_claim(True, len=count),
                {"bias": table[t5(-distances(count))], "table": table}, "axes")


# ---- DeBERTa (He et al. 2021) --------------------------------------------------------------


def deberta(relative, buckets, most, clamp=False):
    """Buckets of query - key, as v2 and v3 have them."""
    relative, middle = np.asarray(relative), buckets // 2
    if clamp:
        relative = np.clip(relative, -(most - 1), most - 1)
    size = np.maximum(abs(relative), 1)
    far = np.log(size / middle) / np.log((most - 1) / middle) * (middle - 1)
    whole = np.where(abs(far - np.round(far)) < 1e-9, np.round(far), np.ceil(far))
    return np.where(abs(relative) <= middle, relative,
                    np.sign(relative) * (whole + middle)).astype(np.int64)


def deberta_drawn(random):
    buckets, most = random.choice([(8, 16), (16, 64), (32, 128)])
    count = random.choice([40, 150])
    return buckets, most, count, {"encoding": "deberta", "len": count, "position_buckets": buckets,
                                  "max_relative_positions": most}


def right_deberta(random):
    buckets, most, count, claim = deberta_drawn(random)
    clamp = random.choice([False, True])
    claim["clamp_distance"] = int(clamp)
    return Case("buckets/right-deberta", claim,
                {"buckets": integers(random, deberta(distances(count), buckets, most, clamp))},
                RIGHT)


def deberta_wrong(random):
    buckets, most, count, claim = deberta_drawn(random)
    name, found, values = random.choice([
        ("transposed", {"transposed", "sign"}, deberta(-distances(count), buckets, most)),
        ("none", {"position_buckets", "max_relative_positions"}, distances(count)),
        ("most", {"max_relative_positions"}, deberta(distances(count), buckets, 2 * most)),
        ("count", {"position_buckets"}, deberta(distances(count), buckets // 2, most))])
    return Case("buckets/deberta-" + name, claim, {"buckets": integers(random, values)}, found)


def deberta_clamp(random):
    claim = {"encoding": "deberta", "len": 150, "position_buckets": 16,
             "max_relative_positions": 32}
    return Case("buckets/deberta-clamp", claim,
                {"buckets": integers(random, deberta(distances(150), 16, 32, True))},
                "clamp_distance", {"clamp_distance": (1, 0)})


# ---- Shaw et al. 2018, and the relative keys of BERT ---------------------------------------


def shaw(relative, left, right):
    """Rows of key - query."""
    return np.clip(relative, -left, right) + left


def right_shaw(random):
    left, right = random.choice([(4, 4), (8, 8), (6, 2), (64, 8)])
    count = random.choice([12, 90])
    claim = {"encoding": "shaw", "len": count}
    claim.update({"max_distance": left} if left == right else {"max_left": left,
                                                               "max_right": right})
    return Case("buckets/right-shaw", claim,
                {"index": integers(random, shaw(-distances(count), left, right))}, RIGHT)


def shaw_wrong(random):
    count, most = random.choice([24, 40]), random.choice([4, 8])
    claim = {"encoding": "shaw", "len": count, "max_left": most, "max_right": most}
    name, found, values = random.choice([
        ("transposed", {"transposed", "sign"}, shaw(distances(count), most, most)),
        ("left", {"max_left"}, shaw(-distances(count), most - 1, most)),
        ("right", {"max_right"}, shaw(-distances(count), most, most + 3))])
    return Case("buckets/shaw-" + name, claim, {"index": integers(random, values)}, found)


def shaw_distance(random):
    count, meant = random.choice([24, 40]), random.choice([4, 8])
    done = random.choice([meant + 1, 2 * meant, meant - 1])
    return Case("buckets/shaw-distance", {"encoding": "shaw", "len": count, "max_distance": meant},
                {"index": integers(random, shaw(-distances(count), done, done))}, "max_distance",
                {"max_distance": (done, meant)})


def shaw_bias(random):
    """q . a of the clipped distance over the root of the width, or without the root."""
    count, most, dim, heads = 10, 3, 8, 2
    table, queries = f32(random.normal(2 * most + 1, dim)), f32(random.normal(heads, count, dim))
    index = shaw(-distances(count), most, most)
    bias = np.einsum("hid,ijd->hij", queries.astype(np.float64), table.astype(np.float64)[index])
    scaled = random.choice([False, True])
    claim = {"encoding": "shaw", "len": count, "max_distance": most}
    return Case("buckets/right-shaw-bias" if scaled else "buckets/shaw-not-scaled", claim,
                {"bias": f32(bias * dim ** -0.5 if scaled else bias), "table": table,
                 "queries": queries}, RIGHT if scaled else "scaled")


def right_relative_key(random):
    count, most = random.choice([8, 30]), random.choice([30, 64])
    claim = {"encoding": "bert-relative-key", "len": count, "max_position_embeddings": most}
    return Case("buckets/right-relative-key", claim,
                {"index": integers(random, distances(count) + most - 1)}, RIGHT)


def relative_key_wrong(random):
    """Shaw's sign, or an index that counts from the row before."""
    count, most = random.choice([8, 30]), random.choice([30, 64])
    claim = {"encoding": "bert-relative-key", "len": count, "max_position_embeddings": most}
    if random.choice([False, True]):
        return Case("buckets/relative-key-sign", claim,
                    {"index": -distances(count) + most - 1}, {"transposed", "sign"})
    return Case("buckets/relative-key-offset", claim, {"index": distances(count) + most},
                {"max_position_embeddings", "position-offset", "q", "k"})


ROWS = [right_t5, right_t5, right_t5_bias, right_relative_key, right_deberta, right_t5_decoding,
        right_t5_bias, right_t5_bias, right_deberta, right_shaw, right_relative_key, right_t5,
        right_deberta, right_shaw, t5_transposed, t5_direction, t5_count, t5_distance, t5_offset,
        t5_offset_by_one, bucket_boundary, bucket_boundary_bias, t5_bias_transposed,
        t5_bias_scaled, t5_bias_direction, t5_bias_distance, deberta_wrong, deberta_wrong,
        deberta_clamp, shaw_wrong, shaw_distance, heads_last, shaw_bias, relative_key_wrong]
