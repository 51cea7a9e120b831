# SPDX-License-Identifier: Apache-2.0
"""alibi.py - cases of ALiBi: slopes and biases in the forms and shapes of libraries."""

import numpy as np

from case import Case, RIGHT, f32
from formulas import biases
from formulas.biases import FORMS
from formulas.numbers import DOUBLE
from kinds import Kind, noisy, said, single

CLAIM = {"encoding": "alibi", "heads": [2, 4, 8, 12, 16, 20, 32], "len": [8, 16, 33]}


def made(p):
    """The bias of a claim; a mistake's has another sign, or keys as rows."""
    values = biases.alibi(DOUBLE, p)
    return -values if p.get("sign") else values.swapaxes(-1, -2) if p.get("turned") else values


def drawn(random, p=None):
    return {**said(random, **CLAIM), **(p or {})}


class Slopes(Kind):
    def case(self, random, name, claim, m, found, repair=None, write=None):
        """The slopes themselves, or the bias made with them."""
        kind, count = random.choice(["slopes", "bias", "bias"]), random.choice([8, 16])
        if kind == "slopes":
            return super().case(random, name, claim, m, found, repair, out="slopes")
        values = m[:, None, None] * -abs(biases.distances({"len": count}))
        return super().case(random, name, {**claim, "len": count}, values, found, repair)


BIAS = Kind("alibi", "bias", made, noisy, drawn)
SLOPES = Slopes("alibi", "bias", lambda p: biases.slopes(DOUBLE, p, p.get("first", 1))[
    ::p.get("order", 1)])


# ---- right ---------------------------------------------------------------------------------


def right_slopes(random):
    heads, rule = random.choice([3, 6, 8, 12, 16, 40, 64]), random.choice(["paper", "geometric"])
    most = random.choice([8, 8, 4, 16])
    claim = {"encoding": "alibi", "heads": heads}
    if rule != "paper" and heads & heads - 1:
        claim["non_pow2"] = rule
    if most != 8:
        claim["bias_max"] = most
    return BIAS.case(random, "right-slopes", claim, biases.slopes(DOUBLE, claim), RIGHT,
                     out="slopes")


def right_rows(random):
    """One row for all queries, as BLOOM, Falcon and MPT have it: (H, 1, K); with a batch before."""
    form = random.choice(["key-index", "last-query"])
    claim = drawn(random, {"distance_kind": form})
    values = f32(made(claim)[:, :1])
    return Case("alibi/right-one-row", claim,
                {"bias": values[None] if random.choice([False, True]) else values}, RIGHT)


def batched(random, values):
    values = f32(values)
    return random.choice([values[None], np.stack([values] * 2)])


def right_decoding(random):
    claim = decoding(random, [4, 8, 12], [9, 40, 128])
    return BIAS.case(random, "right-decoding", claim, made(claim), RIGHT)


def decoding(random, heads, counts):
    """A claim of one query behind the keys."""
    heads, keys = random.choice(heads), random.choice(counts)
    return {"encoding": "alibi", "heads": heads, "q": "%d:%d" % (keys - 1, keys),
            "k": "0:%d" % keys}


# ---- biases --------------------------------------------------------------------------------


def other_form(random):
    meant, done = random.choice([
        ("symmetric", "tril"), ("symmetric", "sqrt"), ("tril", "symmetric"), ("tril", "signed"),
        ("key-index", "last-query"), ("symmetric", "key-index"), ("distance", "key-index"),
        ("last-query", "key-index"), ("signed", "symmetric"), ("symmetric", "signed")])
    claim = drawn(random, {"distance_kind": meant})
    said = "distance" if done == "signed" else done  # m (j - i) is -m (i - j)
    found = {"distance_kind"} | ({"position-offset", "k"} if {meant, done} == {
        "key-index", "last-query"} else set())
    return BIAS.case(random, "form-%s-for-%s" % (done, meant), claim,
                     made({**claim, "distance_kind": done}), found,
                     {"distance_kind": (said, meant)})


def sign_slugs(claim, done):
    """Of a signed distance the transposed bias has the same numbers as positive biases."""
    return {"sign", "length_scale"} | ({"transposed"} if claim["distance_kind"] == "signed" else set())


def offset(random):
    """One step of decoding whose query is at 0, or one too early."""
    claim = decoding(random, [4, 8], [16, 40])
    last = int(claim["q"].partition(":")[0])
    done = {"q": [last - random.choice([last, 1])]}
    return BIAS.case(random, "offset", claim, made({**claim, **done}),
                     {"position-offset", "q", "k"}, write=single)


def mask_value(random):
    """Masked entries of another value than the claim's."""
    done, meant = random.choice([("-inf", "min"), ("min", "-inf"), ("-10000", "min")])
    claim = drawn(random, {"causal": 1, "mask_value": meant})
    return BIAS.case(random, "mask-value", claim, made({**claim, "mask_value": done}), "mask_value",
                     {"mask_value": (done, meant)}, write=single)


def padded(random):
    """BLOOM counts keys by the attention mask; a padding on the left that is not counted."""
    heads, left, count = random.choice([4, 8]), random.choice([1, 3]), random.choice([8, 12])
    claim = {"encoding": "alibi", "heads": heads,
             "attention_mask": (np.arange(count) >= left).astype(int)}
    name, found, counted = "left-padding", {"left-padding", "attention_mask"}, np.ones(count, int)
    if random.choice([False, True]):
        name, found, counted = "right-padded", RIGHT, claim["attention_mask"]
    values = biases.padded_alibi(DOUBLE, {**claim, "attention_mask": counted})
    return BIAS.case(random, name, claim, values, found, out="padded_bias", write=single)


def heads_last(random):
    heads, count = random.choice([(4, 9), (8, 16), (12, 20)])
    claim = {"encoding": "alibi", "heads": heads, "len": count}
    return BIAS.case(random, "heads-last", claim, np.moveaxis(made(claim), 0, -1), "axes")


def two(random):
    claim = drawn(random, {"distance_kind": "symmetric"})
    claim["heads"] = random.choice([6, 12])
    name, change, both = random.choice([
        ("rule-sign", {"non_pow2": "geometric"},
         [{"non_pow2"}, {"sign", "length_scale"}]),
        ("rule-form", {"non_pow2": "geometric", "distance_kind": "key-index"},
         [{"non_pow2"}, {"distance_kind"}]),
        ("most-form", {"bias_max": 4, "distance_kind": "key-index"},
         [{"bias_max"}, {"distance_kind"}])])
    values = made({**claim, **change})
    return BIAS.case(random, "two-" + name, claim, abs(values) if name == "rule-sign" else values,
                     (), both=both, write=single)


def other_heads(random):
    """Two tensor-parallel ranks have each other's heads."""
    claim = drawn(random, {"heads": random.choice([4, 8, 16])})
    values = made(claim)
    return BIAS.case(random, "other-heads", claim, np.roll(values, len(values) // 2, 0),
                     {"other-heads"})


def one_slope(random):
    """A table of slopes with one that no rule gives."""
    claim = {"encoding": "alibi", "heads": random.choice([4, 8, 12, 32])}
    values = np.array(biases.slopes(DOUBLE, claim))
    at = random.choice(range(1, len(values)))
    values[at] = random.choice([0.3, 2.0, 0.75])
    return BIAS.case(random, "one-slope", claim, values, "one-slope", out="slopes")


ALONE = {"encoding": "alibi", "heads": [4, 8, 16, 32]}
SCALES = {"length_scale", "softmax_scale", "applies"}
RIGHT_FORM = BIAS.right("{distance_kind}", distance_kind=sorted(FORMS))
RIGHT_CAUSAL = BIAS.right("causal", single, causal=1, mask_value=["-inf", "min"])
# Heads that are no power of two: mlx#3071, attention-gym, and the forgotten stride.
OTHER_RULE = SLOPES.wrong("non-power-of-two", ("", "non_pow2", {
    "non_pow2": ["geometric", "naive_extra"]}), repair={"non_pow2": "paper"},
                          **dict(ALONE, heads=[6, 12, 20, 40]))
ROWS = [right_slopes, RIGHT_FORM, RIGHT_FORM, RIGHT_FORM, RIGHT_CAUSAL, right_decoding, right_rows,
        BIAS.right("batched", batched), right_decoding, RIGHT_CAUSAL, one_slope, RIGHT_FORM,
        SLOPES.wrong("slopes-reversed", ("", "slopes-reversed", {"order": -1}), **ALONE),
        # The exponent counts from 0, so the first slope is 1: slopes times 2^(8/heads).
        SLOPES.wrong("exponent-offset", ("", {"exponent-offset", "other-slopes"} | SCALES,
                                         {"first": 0}), **ALONE),
        OTHER_RULE, OTHER_RULE, other_heads,
        SLOPES.wrong("slope-order", ("", "slope_order", {"slope_order": "sorted"}),
                     repair={"slope_order": "as-listed"}, **dict(ALONE, heads=[6, 12, 20])),
        SLOPES.wrong("bias-max", ("", "bias_max", {"bias_max": [4.0, 16.0]}),
                     repair={"bias_max": 8}, **dict(ALONE, heads=[4, 8, 16, 12])),
        # Falcon adds the bias before it divides by the root of the head's width, or a port forgot.
        SLOPES.wrong("applies", ("", SCALES, {"applies": "after_scale"}), repair=["applies"],
                     **dict(ALONE, heads=[4, 8]),
                     softmax_scale=["%.17g" % width ** -0.5 for width in (64, 128)],
                     applies="before_scale"),
        SLOPES.wrong("length-scale", ("", SCALES | {"position-scale"}, {"length_scale": 1}),
                     repair=["length_scale"], **dict(ALONE, heads=[4, 8, 12]), length_scale=0.25),
        other_form, other_form,
        BIAS.wrong("sign", ("", sign_slugs, {"sign": -1}),
                   distance_kind=["symmetric", "key-index", "tril", "signed"]),
        # Keys as rows: future keys have the distances of past ones.
        BIAS.wrong("transposed", ("", "transposed", {"turned": 1}), distance_kind="tril"),
        offset,
        BIAS.wrong("not-causal", ("", "causal", {"causal": 0}), repair=["causal"], write=single,
                   causal=1),
        mask_value,
        # GPT-NeoX leaves future keys 0 for the mask: future=zero, and form tril has the numbers.
        BIAS.wrong("future-zero", ("", {"future", "mask_value"}, {
            "future": "zero", "causal": 0, "distance_kind": "tril"}), repair={"future": "masked"},
                   write=single, causal=1),
        padded, padded, heads_last, two]
