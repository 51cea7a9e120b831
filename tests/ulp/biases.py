# SPDX-License-Identifier: Apache-2.0
"""biases.py - values that are added to attention scores by distance, and values that multiply
them."""

from mpmath import mp, mpf

from ladders import ladder, linspace, power
from measure import Case, Loose

NEVER = mpf("-inf")
FINE = mpf(2) ** -52


def slopes(heads, bias_max=8, rule="paper"):
    """Press et al. 2022: 2^(-bias_max (h+1)/H), and their rule for other counts."""
    def listed(count):
        return [mpf(2) ** (-mpf(bias_max) * (h + 1) / count) for h in range(count)]
    below = 1 << heads.bit_length() - 1
    if below == heads or rule == "geometric":
        return listed(heads)
    return listed(below) + listed(2 * below)[0::2][:heads - below]


FORMS = {
    "symmetric": lambda m, i, j, last: -m * abs(i - j),
    "distance": lambda m, i, j, last: -m * (i - j),
    "signed": lambda m, i, j, last: m * (j - i),
    "key-index": lambda m, i, j, last: m * j,
    "last-query": lambda m, i, j, last: m * (j - last),
    "tril": lambda m, i, j, last: -m * max(i - j, 0),
    "sqrt": lambda m, i, j, last: -m * mp.sqrt(abs(i - j)),
}


def pair_of(draw):
    """Positions of queries and of keys."""
    first, count = draw.randint(-9, 9999), draw.randint(1, 4)
    return draw.positions(2, False), list(range(first, first + count))


def alibi(draw):
    heads, bias_max = draw.randint(1, 13), draw.choice([8, 16, draw.real(1, 9)])
    rule = draw.choice(["paper", "geometric"])
    params = {"heads": heads, "bias_max": bias_max}
    if heads & heads - 1:
        params["non_pow2"] = rule
    steep = slopes(heads, bias_max, rule)
    if draw.chance():
        params["slope_order"] = "sorted"
        steep = sorted(steep, reverse=True)
    if draw.chance():
        params["length_scale"] = draw.real(0.1, 1)
        steep = [m * mpf(params["length_scale"]) for m in steep]
    yield Case("slopes", params, steep)
    q, k = pair_of(draw)
    causal, last = draw.chance(), k[-1]
    form = draw.choice(sorted(FORMS))

    def value(m, i, j):
        return NEVER if causal and j > i else FORMS[form](m, i, j, last)
    asked = dict(params, q=q, k=k, distance_kind=form)
    asked.update({"causal": True, "mask_value": "-inf"} if causal else {})
    yield Case("bias", asked, [[[value(m, i, j) for j in k] for i in q] for m in steep])
    heads, first = 2 * draw.randint(1, 4), draw.randint(0, 99)
    yield Case("bias", {"heads": heads, "distance_kind": "asymmetric", "q": q, "k": k,
                        "mask_value": "-inf"}, [[[
        NEVER if (j > i if h < heads // 2 else j < i) else -m * abs(i - j)
        for j in k] for i in q] for h, m in enumerate(2 * slopes(heads // 2))])
    lq, lk = draw.randint(1, 4), draw.randint(1, 4)
    yield Case("toeplitz", dict(params, q="%d:%d" % (first, first + lq), k="0:%d" % lk), [
        [-m * abs(first - (lk - 1) + t) for t in range(lq + lk - 1)] for m in steep])
    mask = [[draw.randint(0, 1) for _ in range(5)] for _ in range(2)]
    yield Case("padded_bias", dict(params, attention_mask=mask), [[[[
        m * (sum(row[:j + 1]) - 1) * row[j] for j in range(5)]] for m in steep]
        for row in mask])


def t5_bucket(relative, buckets=32, reach=128, both=True):
    """Raffel et al. 2020, kpos - qpos; the logarithm's step found in integers."""
    offset, distance = 0, max(-relative, 0)
    if both:
        buckets //= 2
        offset, distance = (buckets if relative > 0 else 0), abs(relative)
    exact = buckets // 2
    if distance < exact:
        return offset + distance
    steps, k = buckets - exact, 0
    while k < steps and (distance ** steps * exact ** (k + 1) >=
                         reach ** (k + 1) * exact ** steps):
        k += 1
    return offset + min(exact + k, buckets - 1)


def t5(draw):
    buckets, reach, both = draw.choice([(32, 128), (32, 1024), (20, 160), (8, 81)]) + (
        draw.chance(),)
    q, k = [draw.randint(0, 2000) for _ in range(3)], [draw.randint(0, 2000) for _ in range(9)]
    params = {"num_buckets": buckets, "max_distance": reach, "bidirectional": both, "q": q, "k": k}
    index = [[t5_bucket(j - i, buckets, reach, both) for j in k] for i in q]
    yield Case("buckets", params, index)
    yield Case("buckets", dict(params, q=0, k=[3 * reach - v for v in range(9)]), [
        [t5_bucket(3 * reach - v, buckets, reach, both) for v in range(9)]])
    table = [[draw.single(-3, 3), draw.single(-3, 3)] for _ in range(buckets)]
    scale = draw.choice([1, 8, draw.real(1, 9)])
    yield Case("bias", dict(params, table=table, bias_scale=scale), [[[
        mpf(table[b][h]) * mpf(scale) for b in row] for row in index] for h in range(2)])


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


def future(draw, params, q, k, value, heads):
    """value(h, i, j) of every entry, with the future as it was drawn."""
    kind = draw.choice(["both", "masked", "zero"])
    if kind != "both":
        params.update(causal=True, future=kind)
    if kind == "masked":
        params["mask_value"] = "-inf"

    def entry(h, i, j):
        if kind == "both" or j <= i:
            return value(h, i, j)
        return NEVER if kind == "masked" else value(h, i, i)
    return [[[entry(h, i, j) for j in k] for i in q] for h in range(heads)]


def toeplitz(draw, params, value, heads):
    first, lq, lk = draw.randint(0, 99), draw.randint(1, 4), draw.randint(1, 4)
    return Case("toeplitz", dict(params, q="%d:%d" % (first, first + lq), k="0:%d" % lk), [
        [value(h, first - lk + 1 + t, 0) for t in range(lq + lk - 1)]
        for h in range(heads)])


def proximal(draw):
    q, k = pair_of(draw)
    params = {"q": q, "k": k}
    yield Case("bias", params, future(draw, params, q, k,
                                      lambda h, i, j: -mp.log(1 + abs(i - j)), 1)[0])
    first, lq, lk = draw.randint(0, 99), draw.randint(1, 4), draw.randint(1, 4)
    yield Case("toeplitz", {"q": "%d:%d" % (first, first + lq), "k": "0:%d" % lk}, [
        -mp.log(1 + abs(first - lk + 1 + t)) for t in range(lq + lk - 1)])


def logn(draw):
    trained, pos = draw.choice([512, 2048, draw.randint(2, 9999)]), draw.positions(6, False)
    pos = [abs(p) for p in pos if abs(p) < 2 ** 53] + [trained - 1, trained]
    clip = draw.chance()
    rows = [mp.log(p + 1) / mp.log(trained) for p in pos]
    yield Case("factor", {"pos": pos, "train_len": trained, "clip": clip},
               [max(v, mpf(1)) if clip else v for v in rows])
    kappa = draw.real(0.1, 1)
    yield Case("factor", {"pos": pos, "kappa": kappa, "clip": False},
               [mpf(kappa) * mp.log(p + 1) for p in pos])
    length = draw.randint(1, 10 ** 6)
    yield Case("factor", {"seq_len": length, "train_len": trained, "clip": False},
               [mp.log(length) / mp.log(trained)], lambda array: array.reshape(1))


def llama4_temperature(draw):
    pos = [abs(p) for p in draw.positions(5, False)] + [8190, 8191]
    scale, floor, offset = draw.choice([0.1, draw.real(0, 1)]), draw.randint(1, 9999), 1
    pos = [p for p in pos if p < 2 ** 53]
    yield Case("factor", {"pos": pos, "attn_scale": scale, "floor_scale": floor}, [
        1 + mpf(scale) * mp.log((p + offset) // floor + 1) for p in pos])
    yield Case("factor", {"pos": pos, "preset": "llama4"}, [
        1 + mpf(0.1) * mp.log((p + 1) // 8192 + 1) for p in pos])
    yield Case("factor", {"pos": pos, "preset": "ministral3"}, [
        1 + mpf(0.1) * mp.log(p // 16384 + 1) for p in pos])


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
    places, decay = range(length), []
    for g in gammas:
        rows = [[g ** (i - j) if j <= i else mpf(0) for j in places] for i in places]
        decay.append(rows)
    yield Case("decay", {"heads": heads, "len": length}, decay)
    yield Case("decay", {"heads": heads, "len": length, "row_norm": "sqrt_sum"}, [
        [[v / mp.sqrt(sum(row)) for v in row] for row in rows] for rows in decay])
    yield Case("log_decay", {"heads": heads, "len": length, "mask_value": "-inf"}, [
        [[(i - j) * mp.log(g) if j <= i else NEVER for j in places] for i in places]
        for g in gammas])


def kerple(draw):
    """Chi et al. 2022: -p ln(1 + a d), -a d^p; and the factor exp(-a d^p)."""
    heads = draw.randint(1, 3)  # as many values as a and p have
    p, a = [[draw.real(0.05, 2) for _ in range(heads)] for _ in range(2)]
    q, k = pair_of(draw)
    q, k = [abs(v) % 5000 for v in q], [v % 5000 for v in k]

    def log(h, i, j):
        return -mpf(p[h]) * mp.log(1 + mpf(a[h]) * abs(i - j))

    def raised(h, i, j):
        return mpf(a[h]) * (power(abs(i - j), mpf(p[h])) if i != j else 0)
    for kind, value in (("log", log), ("power", lambda h, i, j: -raised(h, i, j))):
        params = {"kernel": kind, "p": p, "a": a}
        yield toeplitz(draw, params, value, heads)
        asked = dict(params, q=q, k=k)
        rows = future(draw, asked, q, k, value, heads)
        yield Case("bias", asked, rows)
    yield Case("weight", {"q": "0:4", "k": "0:4", "p": p, "a": a}, [[[
        mp.exp(-raised(h, i, j)) for j in range(4)] for i in range(4)] for h in range(heads)])


def sandwich(draw):
    """Chi et al. 2023, as NeMo divides it: the sum of cosines over (h+1) 8/H."""
    heads, width, form = draw.randint(1, 8), draw.even(4, 16), draw.choice(["nemo", "paper"])
    freq = [power(10000, -mpf(2 * (i + (form == "nemo"))) / width) for i in range(width // 2)]

    def value(h, i, j):
        total = sum(mp.cos((i - j) * w) for w in freq) - (width // 2 if form == "nemo" else 0)
        divisor = mpf(8 * (h + 1)) / heads
        return Loose(total / divisor, width // 2 * (width // 2 + 1) * FINE / divisor)
    params = {"heads": heads, "dim": width, "score_form": form}
    yield toeplitz(draw, params, value, heads)
    q, k = pair_of(draw)
    q = [p if abs(p) < 2 ** 52 else p // 2 for p in q]
    asked = dict(params, q=q, k=k)
    rows = future(draw, asked, q, k, value, heads)
    yield Case("bias", asked, rows)


ROWS = {
    "alibi": alibi,
    "kerple": kerple,
    "llama4-temperature": llama4_temperature,
    "logn": logn,
    "proximal": proximal,
    "retnet-decay": retnet_decay,
    "sandwich": sandwich,
    "sink-softmax": sink_softmax,
    "softcap": softcap,
    "softmax-scale": softmax_scale,
    "t5": t5,
    "wavlm-bias": wavlm_bias,
}
