# SPDX-License-Identifier: Apache-2.0
"""biases.py - what is added to attention scores by distance, what multiplies them, and numbers of
relative positions. A kernel is a function of the distances query - key."""

import math

import numpy as np

from formulas.numbers import positions

FINITE_LOWEST = float(np.finfo(np.float32).min)


def pairs(p):
    """Positions of queries, as a column, and of keys, as a row."""
    alone = range(p["len"]) if "len" in p else ()
    q, k = (np.atleast_1d(positions(p.get(name, alone))) for name in "qk")
    return q[:, None], k[None]


def distances(p):
    q, k = pairs(p)
    return q - k


def mask_value(xp, p):
    """What stands where a key is after its query."""
    said = p.get("mask_value", "min")
    return xp.real({"min": FINITE_LOWEST, "-inf": -np.inf}.get(said, said))


def bias(xp, p, kernel):
    """The kernel of each pair; keys after the query as `causal` and `future` say."""
    d = distances(p)
    values = kernel(xp, p, d)
    if not p.get("causal"):
        return values
    hidden = mask_value(xp, p) if p.get("future") != "zero" else kernel(xp, p, 0 * d)
    return np.where(d < 0, hidden, values)


def toeplitz(xp, p, kernel):
    """The kernel of each distance, from that of the last key and the first query on."""
    d = distances(p)
    return kernel(xp, p, np.arange(d[0, -1], d[-1, 0] + 1))


# ---- slopes (Press et al. 2022) ----------------------------------------------------------------


def slopes(xp, p, first=1):
    """2^(-bias_max (h+1) / H), and a rule for counts that are no power of two: the paper's, of which
    naive_extra forgets the stride of two; geometric of attention-gym, and of MLX before its issue
    3071; mpt of llm-foundry's gen_slopes."""
    heads, rule = p["heads"], p.get("non_pow2", "paper")

    def of(count):
        most = xp.real(p.get("bias_max", 8))
        return list(xp.real(2) ** (-most * (np.arange(count) + first) / count))
    below = 1 << heads.bit_length() - 1
    if below == heads or rule == "geometric":
        listed = of(heads)
    elif rule == "mpt":
        listed = of(2 * below)
        listed = (listed[1::2] + listed[::2])[:heads]
    else:
        listed = of(below) + of(2 * below)[0::2 if rule == "paper" else 1][:heads - below]
    if p.get("slope_order") == "sorted":
        listed.sort(reverse=True)
    return np.array(listed) * xp.real(p.get("length_scale", 1))


FORMS = {  # of queries, keys and the last key
    "symmetric": lambda xp, q, k, last: -abs(q - k), "signed": lambda xp, q, k, last: k - q,
    "distance": lambda xp, q, k, last: k - q,
    "tril": lambda xp, q, k, last: -np.maximum(q - k, 0),
    "sqrt": lambda xp, q, k, last: -xp.sqrt(abs(q - k)),
    "key-index": lambda xp, q, k, last: k + 0 * q,
    "last-query": lambda xp, q, k, last: k - last + 0 * q}


def alibi(xp, p):
    """A slope a head, times a form of the distance; the asymmetric one has two directions."""
    q, k = pairs(p)
    form = p.get("distance_kind", "symmetric")
    if form == "asymmetric":
        half = slopes(xp, {**p, "heads": p["heads"] // 2})[:, None, None] * -abs(q - k)
        return np.concatenate([np.where(sign * (k - q) > 0, mask_value(xp, p), half)
                               for sign in (1, -1)])
    values = slopes(xp, p)[:, None, None] * FORMS[form](xp, q, k, k[0, -1])
    return np.where(k > q, mask_value(xp, p), values) if p.get("causal") else values


def padded_alibi(xp, p):
    """BLOOM's, whose keys are counted by the attention mask: (batch, heads, 1, keys)."""
    keep = np.array(p["attention_mask"], int)
    keep = keep[None] if keep.ndim == 1 else keep
    return slopes(xp, p)[None, :, None, None] * ((keep.cumsum(-1) - 1) * keep)[:, None, None, :]


# ---- kernels of the distance -------------------------------------------------------------------


def of_heads(xp, values, d):
    return xp.real(positions(values)).reshape([-1] + [1] * np.ndim(d))


def kerple(xp, p, d):
    """Chi et al. 2022: -p ln(1 + a d) and -a d^p."""
    a, power = (of_heads(xp, p[name], d) for name in "ap")
    d = xp.real(abs(d))
    return -power * xp.log1p(a * d) if p.get("kernel", "log") == "log" else -a * d ** power


def sandwich(xp, p, d):
    """Chi et al. 2023, as NeMo divides it: the sum of cosines over (h+1) 8/H."""
    dim, heads, nemo = p.get("dim", 128), p["heads"], p.get("score_form", "nemo") == "nemo"
    w = xp.real(p.get("base", 10000)) ** -(2 * (xp.arange(dim // 2) + nemo) / dim)
    total = xp.cos(abs(d)[..., None] * w).sum(-1) - (dim // 2 if nemo else 0)
    return total[None] / of_heads(xp, (xp.arange(heads) + 1) * 8 / heads, d)


def proximal(xp, p, d):
    return -xp.log1p(abs(d))


def fire_share(xp, p):
    """Li et al. 2023: the distance's share of the context."""
    (q, k), c = pairs(p), xp.real(p.get("c", 0.1))
    return xp.log(c * abs(q - k) + 1) / (
        xp.log(c * np.maximum(q, p.get("l", 512)) + 1) + xp.real(p.get("eps", 1e-6)))


def retention(xp, p):
    """Sun et al. 2023: gamma to the distance, 0 for keys after the query."""
    gamma, d = 1 - xp.real(2) ** (-5 - np.arange(p["heads"])), distances(p)
    return np.where(d < 0, xp.real(0), gamma[:, None, None] ** np.maximum(d, 0))


# ---- factors -----------------------------------------------------------------------------------


def temperature(xp, p):
    """Llama 4's factor of queries, and Ministral 3's."""
    floor, offset = {"ministral3": (16384, 0)}.get(p.get("preset"), (8192, 1))
    at = (np.array(positions(p["pos"])) + p.get("offset", offset)) // p.get("floor_scale", floor)
    return xp.real(p.get("attn_scale", 0.1)) * xp.log(at + 1) + 1


def log_scale(xp, p):
    """Inkling's factor of queries: 1 up to a length, and a logarithm beyond it."""
    floor = p.get("log_scaling_n_floor", 128000)
    tokens = np.maximum(np.array(positions(p["pos"])) + 1, floor)
    grown = xp.log(xp.real(tokens) / xp.real(floor))
    return xp.real(p.get("log_scaling_alpha", 0.1)) * grown + 1


def logn(xp, p):
    """Su 2021: log(n) over the logarithm of the trained length, or times kappa."""
    n = [p["seq_len"]] if "seq_len" in p else np.array(positions(p["pos"])) + 1
    log = xp.log(xp.real(n))
    values = xp.real(p["kappa"]) * log if "kappa" in p else log / xp.log(xp.real(p["train_len"]))
    return np.maximum(xp.real(1), values) if p.get("clip", True) else values


# ---- relative positions by number ----------------------------------------------------------------


def each(function, values):
    """A function of one whole number for all of an array."""
    known = {int(value): function(int(value)) for value in np.unique(values)}
    return np.vectorize(known.get, otypes=[np.int64])(values)


def whole_steps(n, exact, reach, steps):
    """floor(ln(n / exact) / ln(reach / exact) steps), found in integers."""
    k = 0
    while k < steps and n ** steps * exact ** (k + 1) >= reach ** (k + 1) * exact ** steps:
        k += 1
    return k


def truncated_steps(n, exact, reach, steps):
    """The same by a truncated logarithm of doubles, which may be cut to the number below."""
    return int(math.log(n / exact) / math.log(reach / exact) * steps)


def t5_bucket(relative, buckets=32, reach=128, both=True, steps_of=whole_steps):
    """Raffel et al. 2020, of key - query."""
    offset, n = 0, max(-relative, 0)
    if both:
        buckets //= 2
        offset, n = (buckets if relative > 0 else 0), abs(relative)
    exact = buckets // 2
    if n < exact:
        return offset + n
    return offset + min(exact + steps_of(n, exact, reach, buckets - exact), buckets - 1)


def t5(p, steps_of=whole_steps):
    return each(lambda d: t5_bucket(-d, p.get("num_buckets", 32), p.get("max_distance", 128),
                                    p.get("bidirectional", True), steps_of), distances(p))


def log_bucket(relative, buckets, reach):
    """He et al. 2021, of query - key, as v2 and v3 have it; a whole logarithm is kept."""
    middle, n = buckets // 2, abs(relative)
    if n <= middle:
        return relative
    far = math.log(n / middle) / math.log((reach - 1) / middle) * (middle - 1)
    step = (round(far) if abs(far - round(far)) < 1e-9 else math.ceil(far)) + middle
    return step if relative > 0 else -step


def deberta(p):
    d, reach = distances(p), p["max_relative_positions"]
    d = np.clip(d, 1 - reach, reach - 1) if p.get("clamp_distance") else d
    return d if p["position_buckets"] < 0 else each(
        lambda one: log_bucket(one, p["position_buckets"], reach), d)


def clipped(d, left, right):
    """Rows of key - query of a table from -left to right (Shaw et al. 2018)."""
    return np.clip(d, -left, right) + left
