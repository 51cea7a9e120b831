# SPDX-License-Identifier: Apache-2.0
"""rotary.py - cases of rotary tables and vectors, made from the papers' formulas with NumPy."""

import numpy as np

from case import Case, RIGHT, f32, narrowed

# (name, dim, base, scaling) of configurations that are public; the scaling as a claim writes it.
MODELS = [
    ("llama-2", 128, 1e4, {}),
    ("llama-3", 128, 5e5, {}),
    ("llama-3.1", 128, 5e5, {"scaling": "llama3", "factor": 8, "low_freq_factor": 1,
                             "high_freq_factor": 4, "original_max_position_embeddings": 8192}),
    ("qwen2.5-yarn", 128, 1e6, {"scaling": "yarn", "factor": 4,
                                "original_max_position_embeddings": 32768}),
    ("gemma", 256, 1e4, {}),
    ("phi-2", 32, 1e4, {}),
    ("vicuna-16k", 128, 1e4, {"scaling": "linear", "factor": 4}),
    ("codellama", 128, 1e6, {}),
]


def exponents(dim):
    return np.arange(0, dim, 2, dtype=np.float64) / dim


def inverse_frequencies(dim, base, scaling=None):
    """Su et al. 2021; the scalings of Chen et al. 2023, Peng et al. 2023 and Llama 3.1."""
    w = base ** -exponents(dim)
    s = dict(scaling or {})
    kind = s.pop("scaling", "none")
    if kind == "linear":
        return w / s["factor"]
    if kind == "ntk":
        return (base * s["factor"] ** (dim / (dim - 2))) ** -exponents(dim)
    if kind == "llama3":
        return llama3(w, s)
    if kind == "yarn":
        return yarn(w, dim, base, s)
    return w


def llama3(w, s):
    turns = s["original_max_position_embeddings"] * w / (2 * np.pi)
    low, high = s["low_freq_factor"], s["high_freq_factor"]
    share = np.clip((turns - low) / (high - low), 0, 1)
    return (1 - share) * w / s["factor"] + share * w


def yarn(w, dim, base, s, fast=32, slow=1):
    def pair(turns):
        length = s["original_max_position_embeddings"]
        return dim * np.log(length / (turns * 2 * np.pi)) / (2 * np.log(base))
    first, last = max(np.floor(pair(fast)), 0), min(np.ceil(pair(slow)), dim - 1)
    ramp = np.clip((np.arange(dim // 2) - first) / max(last - first, 0.001), 0, 1)
    return ramp * w / s["factor"] + (1 - ramp) * w


def attention_factor(scaling):
    if scaling.get("scaling") == "yarn":
        return 0.1 * np.log(scaling["factor"]) + 1
    return 1.0


def table(positions, w, amplitude=1.0):
    angles = np.asarray(positions, np.float64)[:, None] * w[None, :]
    return amplitude * np.cos(angles), amplitude * np.sin(angles)


def widened(values, pairing):
    return np.repeat(values, 2, -1) if pairing == "adjacent" else np.concatenate([values] * 2, -1)


def turned(x, cos, sin, pairing, inverse=False):
    """Turns the rows of x; cos and sin have a column a pair."""
    s = -sin if inverse else sin
    a, b = (x[..., 0::2], x[..., 1::2]) if pairing == "adjacent" else np.split(x, 2, -1)
    one, other = a * cos - b * s, a * s + b * cos
    if pairing == "adjacent":
        return np.stack([one, other], -1).reshape(x.shape)
    return np.concatenate([one, other], -1)


def claim_of(dim, base, scaling, positions, **more):
    claim = {"encoding": "rope", "dim": dim, "base": "%g" % base, "pos": positions}
    claim.update(scaling)
    claim.update(more)
    return claim


def drawn(random):
    """A model and the slice of positions of a case."""
    name, dim, base, scaling = random.choice(MODELS)
    count = random.choice([16, 48, 64, 128, 512])
    first = random.choice([0, 0, 0, 1, 100, 4096, 100000])
    return name, dim, base, dict(scaling), first, count


def right_tables(random):
    """Tables of a right port, rounded to a dtype: exact, or float32's arithmetic."""
    name, dim, base, scaling, first, count = drawn(random)
    w = inverse_frequencies(dim, base, scaling)
    a = attention_factor(scaling)
    claim = claim_of(dim, base, scaling, "%d:%d" % (first, first + count))
    way = random.choice(["f64", "f32", "bf16", "f16", "inv_freq"])
    if way == "inv_freq":
        del claim["pos"]
        return Case("rotary/right-" + name, claim, {"inv_freq": f32(w)}, RIGHT)
    if way == "f32":
        angles = np.arange(first, first + count, dtype=np.float32)[:, None] * f32(w)[None, :]
        cos, sin = f32(a) * np.cos(angles), f32(a) * np.sin(angles)
        return Case("rotary/right-f32-" + name, claim, {"cos": cos, "sin": sin}, RIGHT)
    cos, sin = table(range(first, first + count), w, a)
    return Case("rotary/right-%s-%s" % (way, name), claim,
                {"cos": narrowed(cos, way), "sin": narrowed(sin, way)}, RIGHT)


def right_vectors(random):
    _, dim, base, scaling, first, count = drawn(random)
    pairing, count = random.choice(["half", "adjacent"]), min(count, 64)
    cos, sin = table(range(first, first + count), inverse_frequencies(dim, base, scaling),
                     attention_factor(scaling))
    x = random.normal(count, dim)
    claim = claim_of(dim, base, scaling, "%d:%d" % (first, first + count), pairing=pairing)
    claim["encoding"] = "rope/apply"
    del claim["dim"]
    return Case("rotary/right-vectors", claim, {"x": f32(x), "y": f32(turned(f32(x).astype(
        np.float64), cos, sin, pairing))}, RIGHT)


# ---- mistakes: each has the slug that a diagnosis must name --------------------------------


def wrong_base(random, dim, base, scaling, positions):
    other = random.choice([b for b in (1e4, 5e5, 1e6, 1e5, 2e5) if b != base])
    return table(positions, inverse_frequencies(dim, other, scaling)), "base"


def forgotten_scaling(random, dim, base, scaling, positions):
    if not scaling:
        return None
    slugs = {"scaling", "factor"} if scaling["scaling"] == "linear" else {"scaling"}
    return table(positions, inverse_frequencies(dim, base)), slugs


def wrong_factor(random, dim, base, scaling, positions):
    if not scaling:
        return None
    other = dict(scaling, factor=scaling["factor"] * random.choice([2, 0.5]))
    return table(positions, inverse_frequencies(dim, base, other),
                 attention_factor(other)), {"factor", "position-scale"}


def swapped(random, dim, base, scaling, positions):
    cos, sin = table(positions, inverse_frequencies(dim, base, scaling), attention_factor(scaling))
    return (sin, cos), "sin-cos-swapped"


def negated(random, dim, base, scaling, positions):
    cos, sin = table(positions, inverse_frequencies(dim, base, scaling), attention_factor(scaling))
    return (cos, -sin), {"sign", "inverse"}


def shifted(random, dim, base, scaling, positions):
    by = random.choice([1, -1, 2, 7])
    return table(np.asarray(positions) + by, inverse_frequencies(dim, base, scaling),
                 attention_factor(scaling)), {"position-offset", "pos"}


def reversed_positions(random, dim, base, scaling, positions):
    return table(positions[::-1], inverse_frequencies(dim, base, scaling),
                 attention_factor(scaling)), {"positions-reversed", "rows-reversed"}


def reversed_frequencies(random, dim, base, scaling, positions):
    return table(positions, inverse_frequencies(dim, base, scaling)[::-1],
                 attention_factor(scaling)), "frequencies-reversed"


def exponent_offset(random, dim, base, scaling, positions):
    if scaling:
        return None
    return table(positions, base ** -(exponents(dim) + 2 / dim)), {"exponent-offset", "base"}


def closed_ladder(random, dim, base, scaling, positions):
    if scaling:
        return None
    w = base ** -(np.arange(dim // 2) / (dim // 2 - 1))
    return table(positions, w), {"ladder", "base", "exponent-dim"}


def degrees(random, dim, base, scaling, positions):
    w = inverse_frequencies(dim, base, scaling) * np.pi / 180
    return table(positions, w, attention_factor(scaling)), {"degrees", "factor",
                                                            "position-scale"}


def doubled(random, dim, base, scaling, positions):
    w = inverse_frequencies(dim, base, scaling) * 2
    return table(positions, w, attention_factor(scaling)), {"rotated-twice", "position-scale",
                                                            "factor"}


def bf16_positions(random, dim, base, scaling, positions):
    if max(positions) <= 512:
        return None
    p = narrowed(np.asarray(positions, np.float64), "bf16").astype(np.float64)
    return table(p, inverse_frequencies(dim, base, scaling),
                 attention_factor(scaling)), "positions-bf16"


def bf16_frequencies(random, dim, base, scaling, positions):
    w = narrowed(inverse_frequencies(dim, base, scaling), "bf16").astype(np.float64)
    return table(positions, w, attention_factor(scaling)), "inv-freq-bf16"


MISTAKES = [wrong_base, forgotten_scaling, wrong_factor, swapped, negated, shifted,
            reversed_positions, reversed_frequencies, exponent_offset, closed_ladder, degrees,
            doubled, bf16_positions, bf16_frequencies]


def wrong_tables(mistake):
    def make(random):
        made = None
        while made is None:
            _, dim, base, scaling, first, count = drawn(random)
            made = mistake(random, dim, base, scaling, list(range(first, first + count)))
        (cos, sin), slugs = made
        claim = claim_of(dim, base, scaling, "%d:%d" % (first, first + count))
        return Case("rotary/" + mistake.__name__.replace("_", "-"), claim,
                    {"cos": f32(cos), "sin": f32(sin)}, slugs)
    return make


def wrong_pairing(random):
    """The silent bug of ports: weights of one pairing, rotation of the other."""
    _, dim, base, scaling, first, count = drawn(random)
    cos, sin = table(range(first, first + min(count, 64)), inverse_frequencies(
        dim, base, scaling), attention_factor(scaling))
    x = f32(random.normal(len(cos), dim))
    done, meant = random.choice([("half", "adjacent"), ("adjacent", "half")])
    claim = claim_of(dim, base, scaling, "%d:%d" % (first, first + len(cos)), pairing=meant)
    claim["encoding"] = "rope/apply"
    del claim["dim"]
    return Case("rotary/wrong-pairing", claim,
                {"x": x, "y": f32(turned(x.astype(np.float64), cos, sin, done))}, "pairing",
                repair={"pairing": (done, meant)})


ROWS = ([right_tables] * 5 + [right_vectors] * 2 + [wrong_tables(m) for m in MISTAKES] +
        [wrong_pairing])
