# SPDX-License-Identifier: Apache-2.0
"""attention.py - cases of biases, buckets and masks: ALiBi, T5, causal and window masks."""

import math

import numpy as np

from case import Case, RIGHT, UNEXPLAINED, f32


def slopes(heads):
    """Press et al. 2022, with their rule for counts that are no power of two."""
    def of(count):
        return [2.0 ** (-8.0 * (h + 1) / count) for h in range(count)]
    below = 1 << heads.bit_length() - 1
    return np.array(of(heads) if below == heads else
                    of(below) + of(2 * below)[0::2][:heads - below])


def distances(count):
    return np.arange(count)[:, None] - np.arange(count)[None, :]


def alibi(random):
    heads, count = random.choice([4, 8, 12, 16, 32]), random.choice([8, 16, 33])
    claim = {"encoding": "alibi", "heads": heads, "len": count}
    return heads, count, claim, -slopes(heads)[:, None, None] * abs(distances(count))


def right_alibi(random):
    heads, _, claim, bias = alibi(random)
    if random.choice([False, True]):
        del claim["len"]
        return Case("attention/right-slopes", claim, {"slopes": f32(slopes(heads))}, RIGHT)
    return Case("attention/right-alibi", claim, {"bias": f32(bias)}, RIGHT)


def alibi_sign(random):
    _, _, claim, bias = alibi(random)
    return Case("attention/alibi-sign", claim, {"bias": f32(-bias)}, {"sign", "distance_kind"})


def alibi_reversed(random):
    heads, _, claim, bias = alibi(random)
    return Case("attention/alibi-reversed", claim, {"bias": f32(bias[::-1])},
                {"slopes-reversed", "heads-reversed"})


def alibi_exponent(random):
    """The exponent counts from 0: the first slope is 1."""
    heads = random.choice([4, 8, 16, 32])
    claim = {"encoding": "alibi", "heads": heads, "len": 16}
    wrong = np.array([2.0 ** (-8.0 * h / heads) for h in range(heads)])
    bias = -wrong[:, None, None] * abs(distances(16))
    return Case("attention/alibi-exponent", claim, {"bias": f32(bias)},
                {"exponent-offset", "length_scale", "slopes"})


def bucket(relative, bidirectional, buckets, most):
    """Raffel et al. 2020, of key - query."""
    base, n = 0, -relative
    if bidirectional:
        buckets //= 2
        base, n = (buckets if relative > 0 else 0), abs(relative)
    n = max(n, 0)
    exact = buckets // 2
    if n < exact:
        return base + n
    far = exact + int(math.log(n / exact) / math.log(most / exact) * (buckets - exact))
    return base + min(far, buckets - 1)


def t5_buckets(count, bidirectional, buckets=32, most=128, turned=False):
    return np.array([[bucket((q - k) if turned else (k - q), bidirectional, buckets, most)
                      for k in range(count)] for q in range(count)], np.int64)


def right_t5(random):
    both, count = random.choice([False, True]), random.choice([16, 40, 100])
    claim = {"encoding": "t5", "len": count, "bidirectional": int(both)}
    return Case("attention/right-t5", claim, {"buckets": t5_buckets(count, both)}, RIGHT)


def t5_transposed(random):
    count = random.choice([16, 40])
    claim = {"encoding": "t5", "len": count}
    return Case("attention/t5-transposed", claim,
                {"buckets": t5_buckets(count, True, turned=True)}, {"transposed", "sign"})


def t5_direction(random):
    both, count = random.choice([False, True]), random.choice([16, 40])
    claim = {"encoding": "t5", "len": count, "bidirectional": int(both)}
    return Case("attention/t5-direction", claim, {"buckets": t5_buckets(count, not both)},
                "bidirectional")


def t5_count(random):
    claim = {"encoding": "t5", "len": 64, "num_buckets": 32}
    return Case("attention/t5-count", claim, {"buckets": t5_buckets(64, True, buckets=64)},
                "num_buckets")


def window_mask(count, window):
    return (distances(count) >= 0) & (distances(count) < window)


def right_mask(random):
    count, window = random.choice([16, 48]), random.choice([4, 8])
    kind = random.choice(["causal", "window"])
    if kind == "causal":
        return Case("attention/right-causal", {"encoding": "causal-mask", "len": count},
                    {"mask": distances(count) >= 0}, RIGHT)
    return Case("attention/right-window", {"encoding": "sliding-window-mask", "len": count,
                                           "window": window},
                {"mask": window_mask(count, window)}, RIGHT)


def window_by_one(random):
    count, window = random.choice([16, 48]), random.choice([4, 8])
    claim = {"encoding": "sliding-window-mask", "len": count, "window": window}
    return Case("attention/window-by-one", claim, {"mask": window_mask(count, window + 1)},
                {"window", "convention"})


def polarity(random):
    count = random.choice([8, 16])
    return Case("attention/polarity", {"encoding": "causal-mask", "len": count},
                {"mask": distances(count) < 0}, "true_means")


def strict(random):
    count = random.choice([8, 16])
    return Case("attention/strict", {"encoding": "causal-mask", "len": count},
                {"mask": distances(count) > 0}, {"strict", "q_offset"})


def noise(random):
    heads, count, claim, _ = alibi(random)
    bias = random.normal(heads * count, count).reshape(heads, count, count)
    return Case("attention/noise", claim, {"bias": f32(bias)}, UNEXPLAINED)


ROWS = [right_alibi, right_alibi, right_t5, right_t5, right_mask, right_mask, alibi_sign,
        alibi_reversed, alibi_exponent, t5_transposed, t5_direction, t5_count, window_by_one,
        polarity, strict, noise]
