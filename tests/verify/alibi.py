# SPDX-License-Identifier: Apache-2.0
"""alibi.py - cases of ALiBi: slopes and biases in the forms and shapes of libraries."""

import numpy as np

from case import Case, RIGHT, f32, narrowed

LOWEST = float(np.finfo(np.float32).min)


def slopes(heads, rule="paper", most=8.0, first=1):
    """Press et al. 2022, with their rule for counts that are no power of two; geometric is that of
    attention-gym and of MLX before its issue 3071; naive_extra forgets the stride of two."""
    def of(count):
        return [2.0 ** (-most * (h + first) / count) for h in range(count)]
    below = 1 << heads.bit_length() - 1
    if below == heads or rule == "geometric":
        return np.array(of(heads))
    step = 2 if rule == "paper" else 1
    return np.array(of(below) + of(2 * below)[0::step][:heads - below])


def distances(queries, keys=None):
    """query - key; fewer queries than keys stand at the end."""
    keys = queries if keys is None else keys
    return np.arange(keys - queries, keys)[:, None] - np.arange(keys)[None, :]


def biased(m, values):
    return m[:, None, None] * np.asarray(values, np.float64)


FORMS = {  # of the distance d = query - key, of keys by their number and of the last key
    "symmetric": lambda d: -abs(d), "signed": lambda d: -d, "distance": lambda d: -d,
    "tril": lambda d: -np.maximum(d, 0), "sqrt": lambda d: -np.sqrt(abs(d)),
    "key-index": lambda d: np.broadcast_to(np.arange(d.shape[1]), d.shape),
    "last-query": lambda d: np.broadcast_to(np.arange(d.shape[1]) - d.shape[1] + 1, d.shape)}
SAME = {"signed": "distance", "distance": "signed"}  # by their numbers


def drawn(random, **more):
    heads, count = random.choice([2, 4, 8, 12, 16, 20, 32]), random.choice([8, 16, 33])
    return heads, count, {"encoding": "alibi", "heads": heads, "len": count, **more}


def noisy(random, values):
    return narrowed(values, random.choice(["f32"] * 4 + ["f64", "f16", "bf16"]))


# ---- right ---------------------------------------------------------------------------------


def right_slopes(random):
    heads, rule = random.choice([3, 6, 8, 12, 16, 40, 64]), random.choice(["paper", "geometric"])
    most = random.choice([8, 8, 4, 16])
    claim = {"encoding": "alibi", "heads": heads}
    if rule != "paper" and heads & heads - 1:
        claim["non_pow2"] = rule
    if most != 8:
        claim["bias_max"] = most
    return Case("alibi/right-slopes", claim,
                {"slopes": noisy(random, slopes(heads, rule, most))}, RIGHT)


def right(random):
    form = random.choice(sorted(FORMS))
    heads, count, claim = drawn(random, distance_kind=form)
    values = biased(slopes(heads), FORMS[form](distances(count)))
    return Case("alibi/right-" + form, claim, {"bias": noisy(random, values)}, RIGHT)


def right_rows(random):
    """One row for all queries, as BLOOM, Falcon and MPT have it: (H, 1, K); with a batch before."""
    form = random.choice(["key-index", "last-query"])
    heads, count, claim = drawn(random, distance_kind=form)
    values = f32(biased(slopes(heads), FORMS[form](distances(count))[:1]))
    return Case("alibi/right-one-row", claim,
                {"bias": values[None] if random.choice([False, True]) else values}, RIGHT)


def right_batched(random):
    heads, count, claim = drawn(random)
    values = f32(biased(slopes(heads), -abs(distances(count))))
    return Case("alibi/right-batched", claim,
                {"bias": random.choice([values[None], np.stack([values] * 2)])}, RIGHT)


def right_decoding(random):
    heads, keys = random.choice([4, 8, 12]), random.choice([9, 40, 128])
    claim = {"encoding": "alibi", "heads": heads, "q": "%d:%d" % (keys - 1, keys),
             "k": "0:%d" % keys}
    return Case("alibi/right-decoding", claim,
                {"bias": noisy(random, biased(slopes(heads), -abs(distances(1, keys))))}, RIGHT)


def right_causal(random):
    """Keys after the query hold -inf, or the lowest number of float32."""
    value = random.choice(["-inf", "min"])
    heads, count, claim = drawn(random, causal=1, mask_value=value)
    d = distances(count)
    values = np.where(d < 0, -np.inf if value == "-inf" else LOWEST, biased(slopes(heads), -d))
    return Case("alibi/right-causal", claim, {"bias": f32(values)}, RIGHT)


# ---- slopes --------------------------------------------------------------------------------


def of_slopes(name, random, heads, claim, m, found, repair=None):
    """The slopes themselves, or the bias made with them."""
    kind, count = random.choice(["slopes", "bias", "bias"]), random.choice([8, 16])
    if kind == "slopes":
        return Case("alibi/" + name, claim, {"slopes": noisy(random, m)}, found, repair)
    values = biased(m, -abs(distances(count)))
    return Case("alibi/" + name, {**claim, "len": count}, {"bias": noisy(random, values)}, found,
                repair)


def slopes_reversed(random):
    heads = random.choice([4, 8, 16, 32])
    return of_slopes("slopes-reversed", random, heads, {"encoding": "alibi", "heads": heads},
                     slopes(heads)[::-1], "slopes-reversed")


def exponent_from_zero(random):
    """The exponent counts from 0, so the first slope is 1: slopes times 2^(8/heads)."""
    heads = random.choice([4, 8, 16, 32])
    return of_slopes("exponent-offset", random, heads, {"encoding": "alibi", "heads": heads},
                     slopes(heads, first=0),
                     {"exponent-offset", "length_scale", "softmax_scale", "applies"})


def other_rule(random):
    """Heads that are no power of two: mlx#3071, attention-gym, and the forgotten stride."""
    heads = random.choice([6, 12, 20, 40])
    done = random.choice(["geometric", "naive_extra"])
    return of_slopes("non-power-of-two", random, heads, {"encoding": "alibi", "heads": heads},
                     slopes(heads, done), "non_pow2", {"non_pow2": (done, "paper")})


def other_order(random):
    heads = random.choice([6, 12, 20])
    return of_slopes("slope-order", random, heads, {"encoding": "alibi", "heads": heads},
                     np.sort(slopes(heads))[::-1], "slope_order",
                     {"slope_order": ("sorted", "as-listed")})


def other_most(random):
    heads, done = random.choice([4, 8, 16, 12]), random.choice([4.0, 16.0])
    return of_slopes("bias-max", random, heads, {"encoding": "alibi", "heads": heads},
                     slopes(heads, most=done), "bias_max", {"bias_max": (done, 8)})


def before_scale(random):
    """Falcon adds the bias before it divides by the root of the head's width, or a port forgot."""
    heads, width = random.choice([4, 8]), random.choice([64, 128])
    claim = {"encoding": "alibi", "heads": heads, "softmax_scale": "%.17g" % width ** -0.5,
             "applies": "before_scale"}
    found = {"applies", "length_scale", "softmax_scale"}
    return of_slopes("applies", random, heads, claim, slopes(heads), found,
                     {"applies": ("after_scale", "before_scale")})


def length_scale(random):
    heads = random.choice([4, 8, 12])
    claim = {"encoding": "alibi", "heads": heads, "length_scale": 0.25}
    return of_slopes("length-scale", random, heads, claim, slopes(heads),
                     {"length_scale", "applies", "softmax_scale", "position-scale"},
                     {"length_scale": (1, 0.25)})


# ---- biases --------------------------------------------------------------------------------


def other_form(random):
    meant, done = random.choice([
        ("symmetric", "tril"), ("symmetric", "sqrt"), ("tril", "symmetric"), ("tril", "signed"),
        ("key-index", "last-query"), ("symmetric", "key-index"), ("distance", "key-index"),
        ("last-query", "key-index"), ("signed", "symmetric"), ("symmetric", "signed")])
    heads, count, claim = drawn(random, distance_kind=meant)
    values = biased(slopes(heads), FORMS[done](distances(count)))
    found = {"distance_kind"}
    said = "distance" if done == "signed" else done  # m (j - i) is -m (i - j)
    if {meant, done} == {"key-index", "last-query"}:
        found |= {"position-offset", "k"}
    return Case("alibi/form-%s-for-%s" % (done, meant), claim, {"bias": noisy(random, values)},
                found, {"distance_kind": (said, meant)})


def sign(random):
    """Positive biases; of a signed distance the transposed bias has the same numbers."""
    form = random.choice(["symmetric", "key-index", "tril", "signed"])
    heads, count, claim = drawn(random, distance_kind=form)
    values = -biased(slopes(heads), FORMS[form](distances(count)))
    found = {"sign", "length_scale"} | ({"transposed"} if form == "signed" else set())
    return Case("alibi/sign", claim, {"bias": noisy(random, values)}, found)


def transposed(random):
    """Keys as rows: future keys have the distances of past ones."""
    heads, count, claim = drawn(random, distance_kind="tril")
    values = biased(slopes(heads), -np.maximum(-distances(count), 0))
    return Case("alibi/transposed", claim, {"bias": noisy(random, values)}, "transposed")


def offset(random):
    """One step of decoding whose query is at 0, or one too early."""
    heads, keys = random.choice([4, 8]), random.choice([16, 40])
    claim = {"encoding": "alibi", "heads": heads, "q": "%d:%d" % (keys - 1, keys),
             "k": "0:%d" % keys}
    d = distances(1, keys) - random.choice([keys - 1, 1])
    return Case("alibi/offset", claim, {"bias": f32(biased(slopes(heads), -abs(d)))},
                {"position-offset", "q", "k"})


def not_causal(random):
    heads, count, claim = drawn(random, causal=1)
    values = biased(slopes(heads), -abs(distances(count)))
    return Case("alibi/not-causal", claim, {"bias": f32(values)}, "causal", {"causal": (0, 1)})


def mask_value(random):
    """Masked entries of another value than the claim's."""
    done, meant = random.choice([("-inf", "min"), ("min", "-inf"), ("-10000", "min")])
    heads, count, claim = drawn(random, causal=1, mask_value=meant)
    d = distances(count)
    values = {"-inf": -np.inf, "min": LOWEST}.get(done, -10000.0)
    return Case("alibi/mask-value", claim,
                {"bias": f32(np.where(d < 0, values, biased(slopes(heads), -d)))}, "mask_value",
                {"mask_value": (done, meant)})


def future_zero(random):
    """GPT-NeoX leaves future keys 0 for the mask: future=zero, and form tril has the numbers."""
    heads, count, claim = drawn(random, causal=1)
    values = biased(slopes(heads), -np.maximum(distances(count), 0))
    return Case("alibi/future-zero", claim, {"bias": f32(values)}, {"future", "mask_value"},
                {"future": ("zero", "masked")})


def padded(random):
    """BLOOM counts keys by the attention mask; a padding on the left that is not counted."""
    heads, left, count = random.choice([4, 8]), random.choice([1, 3]), random.choice([8, 12])
    keep = np.array([0] * left + [1] * (count - left))
    claim = {"encoding": "alibi", "heads": heads, "attention_mask": ",".join(map(str, keep))}
    if random.choice([False, True]):
        j = (np.cumsum(keep) - 1) * keep
        values = slopes(heads)[None, :, None, None] * j[None, None, None, :]
        return Case("alibi/right-padded", claim, {"padded_bias": f32(values)}, RIGHT)
    values = slopes(heads)[None, :, None, None] * np.arange(count)[None, None, None, :]
    return Case("alibi/left-padding", claim, {"padded_bias": f32(values)},
                {"left-padding", "attention_mask"})


def heads_last(random):
    heads, count = random.choice([(4, 9), (8, 16), (12, 20)])
    claim = {"encoding": "alibi", "heads": heads, "len": count}
    values = np.moveaxis(biased(slopes(heads), -abs(distances(count))), 0, -1)
    return Case("alibi/heads-last", claim, {"bias": noisy(random, values)}, "axes")


def two(random):
    heads, count, claim = drawn(random, distance_kind="symmetric")
    heads = claim["heads"] = random.choice([6, 12])
    name, m, form, both = random.choice([
        ("rule-sign", slopes(heads, "geometric"), 1, [{"non_pow2"}, {"sign", "length_scale"}]),
        ("rule-form", slopes(heads, "geometric"), -1, [{"non_pow2"}, {"distance_kind"}]),
        ("most-form", slopes(heads, most=4.0), -1, [{"bias_max"}, {"distance_kind"}])])
    values = abs(distances(count)) if form > 0 else FORMS["key-index"](distances(count))
    return Case("alibi/two-" + name, claim, {"bias": f32(biased(m, values))}, (), found_both=both)


ROWS = [right_slopes, right, right, right, right_causal, right_decoding, right_rows,
        right_batched, right_decoding, right_causal, right_slopes, right, slopes_reversed,
        exponent_from_zero, other_rule, other_rule, other_order, other_most, before_scale,
        length_scale, other_form, other_form, sign, transposed, offset, not_causal, mask_value,
        future_zero, padded, padded, heads_last, two]
