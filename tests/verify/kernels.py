# SPDX-License-Identifier: Apache-2.0
"""kernels.py - cases of biases by kernels of the distance, and of factors on scores and queries."""

import numpy as np

from case import Case, RIGHT, f32, narrowed
from formulas import biases
from formulas.numbers import DOUBLE
from kinds import Kind, said, single


def noisy(random, values):
    return narrowed(values, random.choice(["f32"] * 4 + ["f64", "bf16"]))


def formula_of(kernel):
    """The bias of a kernel; a mistake turns its sign, or its heads, or its pairs."""
    def values(p):
        made = p.get("sign", 1) * biases.bias(DOUBLE, p, kernel)
        return made[::-1] if p.get("reversed") else made
    return values


def decay(p):
    made = biases.retention(DOUBLE, p)
    return made[::-1] if p.get("reversed") else made.transpose(0, 2, 1) if p.get("turned") else made


def kerple_drawn(random, p):
    a, each = random.choice([("0.5,1,0.25", "1,0.5,2"), ("0.1,0.75", "0.5,1.5")])
    return {"encoding": "kerple", "len": random.choice([12, 24]),
            "kernel": random.choice(["log", "power"]), "a": a, "p": each, **p}


KERPLE = Kind("kernels", "bias", formula_of(biases.kerple), noisy, kerple_drawn)
SANDWICH, PROXIMAL = (Kind("kernels", "bias", formula_of(kernel), noisy)
                      for kernel in (biases.sandwich, biases.proximal))
DECAY = Kind("kernels", "decay", decay, single)
FIRE = Kind("kernels", "psi", lambda p: biases.fire_share(DOUBLE, p), single)
TEMPERATURE, LOGN = (Kind("kernels", "factor", lambda p, formula=formula: formula(DOUBLE, p), single)
                     for formula in (biases.temperature, biases.logn))


def right_fire(random):
    """Li et al. 2023: the share of the context, or a network of it."""
    claim = said(random, encoding="fire", len=[12, 40], c=[0.1, 1], l=[4, 512])
    values = FIRE.values(claim)
    if random.choice([False, True]):
        return FIRE.case(random, "right-fire-psi", claim, values, RIGHT)
    w1, b1, w2 = np.array([1, -2, .5]), np.array([0, .25, .5]), np.array([[1, -1, 2], [.5, 3, 1]])
    hidden = np.maximum(values[..., None] * w1 + b1, 0)
    claim.update(w1="1,-2,0.5", b1="0,0.25,0.5", w2="1,-1,2;0.5,3,1")
    return Case("kernels/right-fire", claim, {"bias": f32(np.moveaxis(hidden @ w2.T, -1, 0))},
                RIGHT)


def right_factor(random):
    """Llama 4's temperature, and logn of Qwen."""
    if random.choice([False, True]):
        claim = {"encoding": "llama4-temperature", "pos": "8180:8210"}
        return TEMPERATURE.case(random, "right-temperature", claim, TEMPERATURE.values(claim), RIGHT)
    length = random.choice([512, 2048])
    claim = {"encoding": "logn", "train_len": length, "pos": "%d:%d" % (length - 4, length + 60)}
    return LOGN.case(random, "right-logn", claim, LOGN.values(claim), RIGHT)


def factor_wrong(random):
    if random.choice([False, True]):
        claim = {"encoding": "llama4-temperature", "pos": "8180:8210"}
        return TEMPERATURE.case(random, "temperature-offset", claim, TEMPERATURE.values(
            {**claim, "offset": 0}), {"offset", "floor_scale", "position-offset", "pos"})
    claim = {"encoding": "logn", "train_len": 512, "pos": "400:600"}
    return LOGN.case(random, "logn-length", claim, LOGN.values({**claim, "train_len": 256}),
                     {"train_len", "kappa"})


HEADS = {"encoding": "sandwich", "heads": [2, 8], "len": [12, 30]}
PROXIMATE = {"encoding": "proximal", "len": [8, 32]}
RETENTION = {"encoding": "retnet-decay", "heads": [2, 4], "len": [8, 20]}
RIGHT_KERPLE = KERPLE.right("kerple")
ROWS = [RIGHT_KERPLE, RIGHT_KERPLE,
        SANDWICH.right("sandwich", **HEADS, score_form=["nemo", "paper"], dim=64), right_fire,
        PROXIMAL.right("proximal", **PROXIMATE), DECAY.right("decay", **RETENTION), right_factor,
        right_fire,
        KERPLE.wrong("kerple-kernel", ("", "kernel", {
            "kernel": lambda p: "power" if p["kernel"] == "log" else "log"}), repair=["kernel"]),
        KERPLE.wrong("kerple-sign", ("", "sign", {"sign": -1}), write=single),
        SANDWICH.wrong("sandwich-", ("score-form", {"score_form"}, {"score_form": "paper"}),
                       ("dim", {"dim", "base"}, {"dim": 64}),  # nearly base 1e8
                       ("base", {"base"}, {"base": 500000}), ("base", {"base"}, {"base": 1000}),
                       write=single, **HEADS),
        SANDWICH.wrong("sandwich-reversed", ("", "slopes-reversed", {"reversed": 1}), write=single,
                       **dict(HEADS, heads=[4, 8])),
        FIRE.wrong("fire-", ("c", {"c"}, {"c": 1.0}), ("l", {"l", "l_multiplier"}, {"l": 16}),
                   ("l", {"l", "l_multiplier"}, {"l": 512}), encoding="fire", len=[24, 40], l=8),
        PROXIMAL.wrong("proximal-sign", ("", "sign", {"sign": -1}), **PROXIMATE),
        DECAY.wrong("decay-", ("reversed", "slopes-reversed", {"reversed": 1}),
                    ("transposed", "transposed", {"turned": 1}), **RETENTION), factor_wrong]
