# SPDX-License-Identifier: Apache-2.0
"""kernels.py - cases of biases by kernels of the distance, and of factors on scores and queries."""

import numpy as np

from alibi import distances
from case import Case, RIGHT, f32, narrowed


def noisy(random, values):
    return narrowed(values, random.choice(["f32"] * 4 + ["f64", "bf16"]))


def listed(values):
    return ",".join("%g" % v for v in values)


# ---- KERPLE (Chi et al. 2022) --------------------------------------------------------------


def kerple(a, p, count, kernel="log"):
    a, p = (np.asarray(v, np.float64)[:, None, None] for v in (a, p))
    d = abs(distances(count))[None]
    return -p * np.log1p(a * d) if kernel == "log" else -a * d ** p


def kerple_drawn(random):
    a, p = random.choice([([0.5, 1, 0.25], [1, 0.5, 2]), ([0.1, 0.75], [0.5, 1.5])])
    count, kernel = random.choice([12, 24]), random.choice(["log", "power"])
    return a, p, count, kernel, {"encoding": "kerple", "len": count, "kernel": kernel,
                                 "a": listed(a), "p": listed(p)}


def right_kerple(random):
    a, p, count, kernel, claim = kerple_drawn(random)
    return Case("kernels/right-kerple", claim, {"bias": noisy(random, kerple(a, p, count, kernel))},
                RIGHT)


def kerple_kernel(random):
    a, p, count, kernel, claim = kerple_drawn(random)
    done = "power" if kernel == "log" else "log"
    return Case("kernels/kerple-kernel", claim, {"bias": noisy(random, kerple(a, p, count, done))},
                "kernel", {"kernel": (done, kernel)})


def kerple_sign(random):
    a, p, count, kernel, claim = kerple_drawn(random)
    return Case("kernels/kerple-sign", claim, {"bias": f32(-kerple(a, p, count, kernel))}, "sign")


# ---- Sandwich (Chi et al. 2022) ------------------------------------------------------------


def sandwich(heads, count, dim=128, form="nemo", base=1e4):
    first = 1 if form == "nemo" else 0
    i = np.arange(first, dim // 2 + first)
    w = base ** -(2 * i / dim)
    total = np.cos(abs(distances(count))[..., None] * w).sum(-1)
    if form == "nemo":
        total -= dim // 2
    return total[None] / ((np.arange(heads) + 1) * 8 / heads)[:, None, None]


def right_sandwich(random):
    heads, count, form = random.choice([2, 8]), random.choice([12, 30]), random.choice(
        ["nemo", "paper"])
    claim = {"encoding": "sandwich", "heads": heads, "len": count, "score_form": form, "dim": 64}
    return Case("kernels/right-sandwich", claim,
                {"bias": noisy(random, sandwich(heads, count, 64, form))}, RIGHT)


def sandwich_other(random):
    heads, count = random.choice([2, 8]), random.choice([12, 30])
    claim = {"encoding": "sandwich", "heads": heads, "len": count}
    found, change = random.choice([({"score_form"}, {"form": "paper"}),
                                   ({"dim", "base"}, {"dim": 64}),  # nearly base 1e8
                                   ({"base"}, {"base": 500000.0}), ({"base"}, {"base": 1000.0})])
    return Case("kernels/sandwich-" + max(found).replace("_", "-"), claim,
                {"bias": f32(sandwich(heads, count, **change))}, found)


def sandwich_heads_reversed(random):
    heads, count = random.choice([4, 8]), random.choice([12, 30])
    claim = {"encoding": "sandwich", "heads": heads, "len": count}
    return Case("kernels/sandwich-reversed", claim,
                {"bias": f32(sandwich(heads, count)[::-1])}, "slopes-reversed")


# ---- FIRE (Li et al. 2023) -----------------------------------------------------------------


def psi(count, c=0.1, threshold=512.0, eps=1e-6):
    d, i = abs(distances(count)), np.arange(count)[:, None]
    return np.log(c * d + 1) / (np.log(c * np.maximum(i, threshold) + 1) + eps)


def right_fire(random):
    count, c, threshold = random.choice([12, 40]), random.choice([0.1, 1]), random.choice([4, 512])
    claim = {"encoding": "fire", "len": count, "c": c, "l": threshold}
    values = psi(count, c, threshold)
    if random.choice([False, True]):
        return Case("kernels/right-fire-psi", claim, {"psi": f32(values)}, RIGHT)
    w1, b1, w2 = np.array([1, -2, .5]), np.array([0, .25, .5]), np.array([[1, -1, 2], [.5, 3, 1]])
    hidden = np.maximum(values[..., None] * w1 + b1, 0)
    claim.update(w1="1,-2,0.5", b1="0,0.25,0.5", w2="1,-1,2;0.5,3,1")
    return Case("kernels/right-fire", claim,
                {"bias": f32(np.moveaxis(hidden @ w2.T, -1, 0))}, RIGHT)


def fire_other(random):
    count = random.choice([24, 40])
    claim = {"encoding": "fire", "len": count, "l": 8}
    found, change = random.choice([({"c"}, {"threshold": 8.0, "c": 1.0}),
                                   ({"l", "l_multiplier"}, {"threshold": 16.0}),
                                   ({"l", "l_multiplier"}, {"threshold": 512.0})])
    return Case("kernels/fire-" + min(found), claim, {"psi": f32(psi(count, **change))}, found)


# ---- the distance's logarithm, decay, factors ----------------------------------------------


def right_proximal(random):
    count = random.choice([8, 32])
    return Case("kernels/right-proximal", {"encoding": "proximal", "len": count},
                {"bias": noisy(random, -np.log1p(abs(distances(count))))}, RIGHT)


def proximal_sign(random):
    count = random.choice([8, 32])
    return Case("kernels/proximal-sign", {"encoding": "proximal", "len": count},
                {"bias": noisy(random, np.log1p(abs(distances(count))))}, "sign")


def decay(heads, count):
    """RetNet (Sun et al. 2023): gamma to the distance, 0 for keys after the query."""
    gamma = 1 - 2.0 ** (-5 - np.arange(heads))
    d = distances(count)
    return np.where(d < 0, 0.0, gamma[:, None, None] ** np.maximum(d, 0))


def right_decay(random):
    heads, count = random.choice([2, 4]), random.choice([8, 20])
    return Case("kernels/right-decay", {"encoding": "retnet-decay", "heads": heads, "len": count},
                {"decay": f32(decay(heads, count))}, RIGHT)


def decay_wrong(random):
    heads, count = random.choice([2, 4]), random.choice([8, 20])
    claim = {"encoding": "retnet-decay", "heads": heads, "len": count}
    values = decay(heads, count)
    if random.choice([False, True]):
        return Case("kernels/decay-transposed", claim, {"decay": f32(values.transpose(0, 2, 1))},
                    "transposed")
    return Case("kernels/decay-reversed", claim, {"decay": f32(values[::-1])}, "slopes-reversed")


def right_factor(random):
    """Llama 4's temperature, and logn of Qwen."""
    if random.choice([False, True]):
        p = np.arange(8180, 8210)
        values = 0.1 * np.log(np.floor((p + 1) / 8192) + 1) + 1
        return Case("kernels/right-temperature", {"encoding": "llama4-temperature",
                                                  "pos": "8180:8210"}, {"factor": f32(values)},
                    RIGHT)
    length = random.choice([512, 2048])
    p = np.arange(length - 4, length + 60)
    values = np.maximum(1, np.log(p + 1) / np.log(length))
    return Case("kernels/right-logn", {"encoding": "logn", "train_len": length, "pos": "%d:%d" % (
        p[0], p[-1] + 1)}, {"factor": f32(values)}, RIGHT)


def factor_wrong(random):
    if random.choice([False, True]):
        p = np.arange(8180, 8210)
        values = 0.1 * np.log(np.floor(p / 8192) + 1) + 1
        return Case("kernels/temperature-offset", {"encoding": "llama4-temperature",
                                                   "pos": "8180:8210"}, {"factor": f32(values)},
                    {"offset", "floor_scale", "position-offset", "pos"})
    p = np.arange(400, 600)
    return Case("kernels/logn-length", {"encoding": "logn", "train_len": 512, "pos": "400:600"},
                {"factor": f32(np.maximum(1, np.log(p + 1) / np.log(256)))},
                {"train_len", "kappa"})


ROWS = [right_kerple, right_kerple, right_sandwich, right_fire, right_proximal, right_decay,
        right_factor, right_fire, kerple_kernel, kerple_sign, sandwich_other,
        sandwich_heads_reversed, fire_other, proximal_sign, decay_wrong, factor_wrong]
