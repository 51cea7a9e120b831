# SPDX-License-Identifier: Apache-2.0
"""biases.py - values that are added to attention scores by distance, and values that multiply
them."""

import numpy as np
from mpmath import mp, mpf

from formulas import biases
from formulas.biases import t5_bucket
from formulas.numbers import EXACT
from ladders import linspace, power
from measure import Case, Loose, loose, named

NEVER = mpf("-inf")
FINE = mpf(2) ** -52


def pair_of(draw):
    """Positions of queries and of keys."""
    first, count = draw.randint(-9, 9999), draw.randint(1, 4)
    return draw.positions(2, False), list(range(first, first + count))


def range_of(draw):
    """Positions of queries and of keys that are slices."""
    first, lq, lk = draw.randint(0, 99), draw.randint(1, 4), draw.randint(1, 4)
    return {"q": "%d:%d" % (first, first + lq), "k": "0:%d" % lk}


def alibi(draw):
    heads, bias_max = draw.randint(1, 13), draw.choice([8, 16, draw.real(1, 9)])
    rule = draw.choice(["paper", "geometric"])
    params = {"heads": heads, "bias_max": bias_max}
    if heads & heads - 1:
        params["non_pow2"] = rule
    if draw.chance():
        params["slope_order"] = "sorted"
    if draw.chance():
        params["length_scale"] = draw.real(0.1, 1)
    steep = biases.slopes(EXACT, params)
    yield Case("slopes", params, steep)
    q, k = pair_of(draw)
    causal, form = draw.chance(), draw.choice(sorted(biases.FORMS))
    asked = dict(params, q=q, k=k, distance_kind=form)
    asked.update({"causal": True, "mask_value": "-inf"} if causal else {})
    yield Case("bias", asked, biases.alibi(EXACT, asked))
    heads, first = 2 * draw.randint(1, 4), draw.randint(0, 99)
    asked = {"heads": heads, "distance_kind": "asymmetric", "q": q, "k": k, "mask_value": "-inf"}
    yield Case("bias", asked, biases.alibi(EXACT, asked))
    lq, lk = draw.randint(1, 4), draw.randint(1, 4)
    asked = dict(params, q="%d:%d" % (first, first + lq), k="0:%d" % lk)
    yield Case("toeplitz", asked, biases.toeplitz(EXACT, asked, lambda xp, p, d: (
        steep[:, None] * -abs(d))))
    asked = dict(params, attention_mask=[[draw.randint(0, 1) for _ in range(5)] for _ in range(2)])
    yield Case("padded_bias", asked, biases.padded_alibi(EXACT, asked))


def t5(draw):
    buckets, reach, both = draw.choice([(32, 128), (32, 1024), (20, 160), (8, 81)]) + (
        draw.chance(),)
    q, k = [draw.randint(0, 2000) for _ in range(3)], [draw.randint(0, 2000) for _ in range(9)]
    params = {"num_buckets": buckets, "max_distance": reach, "bidirectional": both, "q": q, "k": k}
    index = biases.t5(params)
    yield Case("buckets", params, index)
    asked = dict(params, q=0, k=[3 * reach - v for v in range(9)])
    yield Case("buckets", asked, biases.t5(asked))
    table = [[draw.single(-3, 3), draw.single(-3, 3)] for _ in range(buckets)]
    scale = draw.choice([1, 8, draw.real(1, 9)])
    yield Case("bias", dict(params, table=table, bias_scale=scale),
               np.moveaxis(EXACT.real(table)[index], -1, 0) * mpf(scale))


def wavlm_bias(draw):
    """Chen et al. 2022: gates of every query and head; the slack is the stated bound."""
    heads, width, tokens = draw.randint(1, 2), draw.randint(1, 3), draw.randint(1, 3)
    hidden = [draw.singles(heads * width) for _ in range(tokens)]
    weight = [draw.singles(width) for _ in range(8)]
    bias, const = [draw.real(-1, 1) for _ in range(8)], [draw.real(-2, 2) for _ in range(heads)]
    params = {"hidden": hidden, "gate_weight": weight, "gate_bias": bias, "gate_const": const}

    def gate(h, q):
        x = [mpf(v) for v in hidden[q][h * width:(h + 1) * width]]
        rows = [mp.fsum(mpf(w) * v for w, v in zip(row, x)) + mpf(b)
                for row, b in zip(weight, bias)]
        a, b = [1 / (1 + mp.exp(-mp.fsum(part))) for part in (rows[:4], rows[4:])]
        c = mpf(const[h])
        return a * (b * c - 1) + 2, (a * (b * abs(c) + 1) + 2) * mpf(2) ** -54
    gates = [[gate(h, q) for q in range(tokens)] for h in range(heads)]
    yield Case("gate", params, [[Loose(*g) for g in row] for row in gates])
    buckets, reach = draw.choice([(320, 800), (8, 81)])
    table = [[draw.single(-3, 3) for _ in range(heads)] for _ in range(buckets)]
    q, k = [[draw.randint(0, 900) for _ in range(n)] for n in (tokens, 5)]
    yield Case("bias", dict(params, num_buckets=buckets, max_distance=reach, table=table, q=q,
                            k=k), [[[
        Loose(g * mpf(t), slack * abs(mpf(t))) for t in (
            table[t5_bucket(j - i, buckets, reach, True)][h] for j in k)]
        for i, (g, slack) in zip(q, gates[h])] for h in range(heads)])


def future(draw, params):
    """Parameters with the future as it is drawn."""
    kind = draw.choice(["both", "masked", "zero"])
    if kind == "both":
        return params
    return dict(params, causal=True, future=kind,
                **({"mask_value": "-inf"} if kind == "masked" else {}))


def proximal(draw):
    q, k = pair_of(draw)
    asked = future(draw, {"q": q, "k": k})
    yield Case("bias", asked, biases.bias(EXACT, asked, biases.proximal))
    asked = range_of(draw)
    yield Case("toeplitz", asked, biases.toeplitz(EXACT, asked, biases.proximal))


def logn(draw):
    trained, pos = draw.choice([512, 2048, draw.randint(2, 9999)]), draw.positions(6, False)
    pos = [abs(p) for p in pos if abs(p) < 2 ** 53] + [trained - 1, trained]
    asked = [{"pos": pos, "train_len": trained, "clip": draw.chance()},
             {"pos": pos, "kappa": draw.real(0.1, 1), "clip": False},
             {"seq_len": draw.randint(1, 10 ** 6), "train_len": trained, "clip": False}]
    for params in asked:
        yield Case("factor", params, biases.logn(EXACT, params),
                   None if "pos" in params else lambda array: array.reshape(1))


def llama4_temperature(draw):
    pos = [abs(p) for p in draw.positions(5, False)] + [8190, 8191]
    scale, floor = draw.choice([0.1, draw.real(0, 1)]), draw.randint(1, 9999)
    pos = [p for p in pos if p < 2 ** 53]
    for more in ({"attn_scale": scale, "floor_scale": floor}, {"preset": "llama4"},
                 {"preset": "ministral3"}):
        params = dict(more, pos=pos)
        yield Case("factor", params, biases.temperature(EXACT, params))


def inkling_log_scale(draw):
    floor = draw.randint(1, 9999)
    pos = [p for p in draw.positions(5, False) if abs(p) < 2 ** 53] + [floor - 1, floor]
    asked = {"log_scaling_alpha": draw.choice([0.1, draw.real(0, 2)]), "log_scaling_n_floor": floor}
    for params in (dict(asked, pos=pos), {"pos": [127999, 128000, 10 ** 6]}):
        yield Case("factor", params, biases.log_scale(EXACT, params))


def softmax_scale(draw):
    d, number = draw.randint(1, 512), draw.real(0.01, 300)

    def alone(value, **params):
        return Case("scale", params, [value], lambda array: array.reshape(1))
    yield alone(1 / mp.sqrt(d), dim=d)
    yield alone(1 / mp.sqrt(mpf(number)), convention="scalar", query_pre_attn_scalar=number)
    yield alone(mpf(number), convention="multiplier", attention_multiplier=number)
    yield alone(1 / mpf(d), convention="mup", dim=d)
    yield alone(mpf(1), convention="one")
    factor, all_dim = draw.real(1.5, 64), draw.choice([1, 0.707])
    yield alone((mpf(all_dim) * mp.log(mpf(factor)) / 10 + 1) ** 2 / mp.sqrt(d),
                convention="deepseek", dim=d, factor=factor, mscale_all_dim=all_dim)
    yield alone(1 / mp.sqrt(3 * d), convention="deberta", dim=d, terms=2)
    learned = [draw.real(-5, 6) for _ in range(3)]
    yield Case("scale", {"convention": "swinv2", "logit_scale": learned},
               [mp.exp(min(mpf(v), mp.log(100))) for v in learned])


def softcap(draw):
    cap, logits = draw.choice([30, 50, draw.real(1, 99)]), draw.singles(5, -200, 200) + [0]
    yield Case("capped", {"scores": logits, "cap": cap},
               [[mpf(cap) * mp.tanh(mpf(x) / mpf(cap)) for x in logits]])


def sink_softmax(draw):
    rows = [draw.singles(4, -30, 30) for _ in range(2)]
    sink = [draw.single(-9, 9) for _ in range(2)]
    params = {"scores": rows, "sink_logit": sink}
    sums = [sum(mp.exp(mpf(x)) for x in row) + mp.exp(mpf(s)) for row, s in zip(rows, sink)]
    yield Case("probabilities", params, [[mp.exp(mpf(x)) / total for x in row]
                                         for row, total in zip(rows, sums)])
    yield Case("sink_probability", params, [mp.exp(mpf(s)) / t for s, t in zip(sink, sums)])


def retnet_decay(draw):
    heads, width = draw.randint(1, 12), draw.even(2, 12)
    gammas = [1 - mpf(2) ** (-5 - h) for h in range(heads)]
    yield Case("gammas", {"heads": heads}, gammas)
    yield Case("inv_freq", {"dim": width}, [
        power(10000, -e) for e in linspace(0, 1, width // 2)])
    length = draw.randint(1, 6)
    params = {"heads": heads, "len": length}
    decay, d = biases.retention(EXACT, params), biases.distances(params)
    yield Case("decay", params, decay)
    yield Case("decay", dict(params, row_norm="sqrt_sum"),
               decay / EXACT.sqrt(decay.sum(-1, keepdims=True)))
    logs = EXACT.log(gammas)[:, None, None]
    yield Case("log_decay", dict(params, mask_value="-inf"), np.where(d < 0, NEVER, d * logs))


def kerple(draw):
    """Chi et al. 2022: -p ln(1 + a d), -a d^p; and the factor exp(-a d^p)."""
    heads = draw.randint(1, 3)  # as many values as a and p have
    p, a = [[draw.real(0.05, 2) for _ in range(heads)] for _ in range(2)]
    q, k = pair_of(draw)
    q, k = [abs(v) % 5000 for v in q], [v % 5000 for v in k]
    for kind in ("log", "power"):
        params = {"kernel": kind, "p": p, "a": a}
        asked = dict(params, **range_of(draw))
        yield Case("toeplitz", asked, biases.toeplitz(EXACT, asked, biases.kerple))
        asked = future(draw, dict(params, q=q, k=k))
        yield Case("bias", asked, biases.bias(EXACT, asked, biases.kerple))
    params = {"q": "0:4", "k": "0:4", "p": p, "a": a}
    yield Case("weight", params, EXACT.exp(biases.bias(EXACT, dict(params, kernel="power"),
                                                       biases.kerple)))


def sandwich(draw):
    heads, width, form = draw.randint(1, 8), draw.even(4, 16), draw.choice(["nemo", "paper"])
    params = {"heads": heads, "dim": width, "score_form": form}
    slack = width // 2 * (width // 2 + 1) * FINE * heads / (8 * (np.arange(heads) + 1))
    asked = dict(params, **range_of(draw))
    yield Case("toeplitz", asked, loose(biases.toeplitz(EXACT, asked, biases.sandwich),
                                        slack[:, None]))
    q, k = pair_of(draw)
    asked = future(draw, dict(params, k=k, q=[p if abs(p) < 2 ** 52 else p // 2 for p in q]))
    yield Case("bias", asked, loose(biases.bias(EXACT, asked, biases.sandwich),
                                    slack[:, None, None]))


ROWS = named(alibi, inkling_log_scale, kerple, llama4_temperature, logn, proximal, retnet_decay, sandwich,
             sink_softmax, softcap, softmax_scale, t5, wavlm_bias)
