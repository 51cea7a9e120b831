# SPDX-License-Identifier: Apache-2.0
"""vectors.py - cases of vectors before and after: x and y, q and q_rot, k and k_rot."""

import numpy as np

import mistakes
import parameters
import precision
from case import Case, RIGHT, UNEXPLAINED, f32, narrowed
from frequencies import amplitude, chosen, claim, tables, width
from port import Port, differs, named, span

# Axes before the columns, and the number of the one along which positions run.
SHAPES = [(("seq",), None), (("seq", "heads"), 0), (("heads", "seq"), 1),
          (("batch", "seq", "heads"), 1), (("batch", "heads", "seq"), 2)]
NAMES = [("x", "y"), ("q", "q_rot"), ("k", "k_rot")]
PLAIN = ("none", "llama3", "linear")
BACK = {"inverse", "sign", "transposed", "position-scale", "pos"}


def paired(x, pairing):
    """The first and the second entries of the pairs."""
    return (x[..., 0::2], x[..., 1::2]) if pairing == "adjacent" else np.split(x, 2, -1)


def joined(one, other, pairing):
    if pairing == "adjacent":
        return np.stack([one, other], -1).reshape(one.shape[:-1] + (2 * one.shape[-1],))
    return np.concatenate([one, other], -1)


def along(cos, ndim, axis):
    """The shape of a table beside vectors whose positions run along an axis."""
    shape = [1] * (ndim - 1) + [cos.shape[1]]
    shape[axis or 0] = cos.shape[0]
    return shape


def turned(x, cos, sin, pairing, axis=None, start=0, out=None):
    """x with the columns from start on turned: x cos + rotate(x) sin, positions along an axis."""
    x = np.asarray(x, np.float64)
    shape = along(cos, x.ndim, axis)
    cos, sin = cos.reshape(shape), sin.reshape(shape)
    end = start + 2 * cos.shape[-1]
    a, b = paired(x[..., start:end], pairing)
    done = joined(a * cos - b * sin, a * sin + b * cos, out or pairing)
    return np.concatenate([x[..., :start], done, x[..., end:]], -1)


class Drawn:
    """Parameters, positions and pairing, and the axes of a tensor."""

    def __init__(self, random, *kinds, counts=(16, 24, 48), firsts=(0, 0, 1, 100)):
        while True:
            self.name, self.p = chosen(random, *kinds)
            if self.p["dim"] <= 128:
                break
        self.words, self.positions = span(random, counts, firsts)
        self.pairing, (self.axes, self.axis) = random.choice(["half", "adjacent"]), random.choice(
            SHAPES)

    def vectors(self, random, dtype="f32"):
        """Random vectors of a few heads and of two sequences."""
        lengths = {"seq": len(self.positions), "heads": random.choice([2, 3, 4]), "batch": 2}
        shape = [lengths[axis] for axis in self.axes] + [self.p["dim"]]
        return narrowed(random.random.standard_normal(shape), dtype)

    def named_vectors(self, random, dtype="f32"):
        """Vectors, and the names of them before and after."""
        before, after = random.choice(NAMES)
        return self.vectors(random, dtype), before, after

    def turned(self, x, p=None, pairing=None, by=0, sign=1, **how):
        """Vectors turned as the parameters say, or as others or another pairing do; by other
        positions; or back."""
        cos, sin = tables(p or self.p, self.positions + by)
        return turned(x, cos, sign * sin, pairing or self.pairing, self.axis, **how)

    def claim(self, p=None, pairing=None, **more):
        """A claim of rope/apply, which reads dim from the vectors."""
        said = {name: value for name, value in (p or self.p).items() if name != "dim"}
        if self.axis is not None:
            more["seq_axis"] = self.axis
        return claim("rope/apply", said, pos=self.words, pairing=pairing or self.pairing, **more)

    def case(self, name, tensors, found, repair=None, **said):
        return Case("vectors/" + name, self.claim(**said), tensors, found, repair)


def other_pairing(pairing):
    return "half" if pairing == "adjacent" else "adjacent"


def row(name, sign, *kinds, **said):
    """Vectors of one of three names that are turned back, or forth where a claim says back."""
    def make(random):
        d = Drawn(random, *kinds)
        x, before, after = d.named_vectors(random)
        return d.case(name, {before: x, after: f32(d.turned(x, sign=sign))}, BACK, **said)
    return make


# ---- right -----------------------------------------------------------------------------------


def right_vectors(random):
    d = Drawn(random, firsts=(0, 1, 100, 5000))
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    x = d.vectors(random, dtype)
    return d.case("right-%s-%s" % (dtype, d.name), {"x": x, "y": narrowed(d.turned(x), dtype)},
                  RIGHT)


def right_heads(random):
    """Queries and keys, of which keys have fewer heads."""
    d = Drawn(random)
    q, k = (d.vectors(random) for _ in range(2))
    return d.case("right-heads-" + d.name, {"q": q, "q_rot": f32(d.turned(q)),
                                            "k": k, "k_rot": f32(d.turned(k))}, RIGHT)


def right_f32(random):
    """Tables and products in float32, as an eager framework multiplies them."""
    d = Drawn(random, *PLAIN)
    x = d.vectors(random)
    cos, sin = precision.f32_tables(d.p, d.positions)
    shape, r = along(cos, x.ndim, d.axis), width(d.p)
    cos, sin = cos.reshape(shape), sin.reshape(shape)
    a, b = paired(x[..., :r], d.pairing)
    done = joined(a * cos - b * sin, b * cos + a * sin, d.pairing)
    return d.case("right-f32-" + d.name, {"x": x, "y": np.concatenate([done, x[..., r:]], -1)},
                  RIGHT)


def right_options(random):
    """The options of rope/apply, each as its paper or port has it."""
    d = Drawn(random, "none", "llama3")
    d.p = {key: value for key, value in d.p.items() if "rotary" not in key}
    x, half = d.vectors(random), d.p["dim"] // 2
    way = random.choice(["inverse", "offset_dims", "pairing_out"])
    if way == "inverse":
        y, more = d.turned(x, sign=-1), {"inverse": 1}
    elif way == "offset_dims":
        y = d.turned(x, dict(d.p, rotary_dim=half), start=half)
        more = {"offset_dims": half, "rotary_dim": half}
    else:
        d.pairing, more = "adjacent", {"pairing_out": "half"}
        y = d.turned(x, out="half")
    return d.case("right-" + way.replace("_", "-"), {"x": x, "y": f32(y)}, RIGHT, **more)


# ---- mistakes of tables, seen in vectors -----------------------------------------------------


def mistaken(random, mistake, *kinds, **spans):
    """What was drawn, the tables of a mistake that changes them, and its slugs."""
    while True:
        d = Drawn(random, *kinds, **spans)
        port, right = Port(d.p, d.positions), Port(d.p, d.positions)
        found = mistake(random, port)
        if found and port.tables()[0].shape == right.tables()[0].shape and differs(
                port.tables(), right.tables(), right.angles(), "f32"):
            return d, port.tables(), found


def wrong(mistake, *kinds, firsts=(0, 1, 100), counts=(24, 48)):
    """A mistake of a Port's tables, with which vectors are then turned."""
    def make(random):
        d, made, found = mistaken(random, mistake, *kinds, counts=counts, firsts=firsts)
        x, before, after = d.named_vectors(random)
        return d.case(named(mistake), {before: x, after: f32(turned(x, *made, d.pairing, d.axis))},
                      found)
    return make


# ---- mistakes of the rotation ----------------------------------------------------------------


def partner(random):
    """Right frequencies, and partners half a head away where half of the turned columns is right."""
    d = Drawn(random)
    d.p, d.pairing = {"dim": 128, "base": 10000, "rotary_dim": random.choice([16, 32])}, "half"
    x, before, after = d.named_vectors(random)
    cos, sin = tables(d.p, d.positions)
    pairs, half = cos.shape[-1], d.p["dim"] // 2
    columns = np.r_[0:pairs, half:half + pairs]
    y = np.array(x, np.float64)
    y[..., columns] = turned(x[..., columns], cos, sin, "half", d.axis)
    return d.case("partner", {before: x, after: f32(y)}, "partner")


def other_partner(random):
    """Right frequencies in columns that no layout has."""
    d = Drawn(random)
    d.p, d.pairing = {"dim": 128, "base": 10000, "rotary_dim": random.choice([16, 32])}, "half"
    x, before, after = d.named_vectors(random)
    cos, sin = tables(d.p, d.positions)
    pairs = cos.shape[-1]
    first, step, apart = random.choice([(0, 1, 100), (3, 1, pairs), (0, 2, 2 * pairs + 1)])
    one = first + step * np.arange(pairs)
    columns = np.concatenate([one, one + apart])
    y = np.array(x, np.float64)
    y[..., columns] = turned(x[..., columns], cos, sin, "half", d.axis)
    return d.case("other-partner", {before: x, after: f32(y)}, {"other-columns", "offset_dims"})


def tables_held(dtype):
    """Cached tables in the model's 16 bits turn vectors of float32."""
    def make(random):
        d = Drawn(random, *PLAIN, firsts=(0, 1, 100))
        x, before, after = d.named_vectors(random)
        cos, sin = (narrowed(f32(values), dtype).astype(np.float64)
                    for values in tables(d.p, d.positions))
        return d.case("tables-" + dtype, {before: x, after: f32(turned(x, cos, sin, d.pairing, d.axis))},
                      "tables-" + dtype)
    return make


FORMULAS = [lambda a, b, c, s: (a * c + b * s, b * c + a * s),
            lambda a, b, c, s: (a * c - b * s, b * c - a * s),
            lambda a, b, c, s: (a * c - b * s, b * c + (a * c - b * s) * s),
            lambda a, b, c, s: (a * c - (b * c + a * s) * s, b * c + a * s),
            lambda a, b, c, s: (a * c - b * s, b),
            lambda a, b, c, s: (a, b * c + a * s),
            lambda a, b, c, s: (a * c, b * c),
            lambda a, b, c, s: (a * c - a * s, b * c + b * s)]


def turn_formula(random):
    """One formula of ports, such as rotate_half without its minus, for all pairs."""
    d = Drawn(random, *PLAIN)
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    x, before, after = d.named_vectors(random, dtype)
    cos, sin = tables(d.p, d.positions)
    shape = along(cos, x.ndim, d.axis)
    part = np.asarray(x[..., :width(d.p)], np.float64)
    done = joined(*random.choice(FORMULAS)(*paired(part, d.pairing), cos.reshape(shape),
                                           sin.reshape(shape)), d.pairing)
    y = np.concatenate([done, x[..., width(d.p):]], -1)
    return d.case("turn-formula", {before: x, after: narrowed(y, dtype)}, "turn-formula")


def pairing_wrong(random):
    """The silent bug of ports: weights of one pairing, rotation of the other."""
    d = Drawn(random)
    done = other_pairing(d.pairing)
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    x, before, after = d.named_vectors(random, dtype)
    return d.case("pairing", {before: x, after: narrowed(d.turned(x, pairing=done), dtype)},
                  "pairing", {"pairing": (done, d.pairing)})


def tiled_mismatch(random):
    """Tables that repeat by halves over a rotation by twos, or the reverse: V-JEPA 2."""
    d = Drawn(random, *PLAIN)
    r, x = width(d.p), d.vectors(random)
    tile, turn = random.choice([("half", "adjacent"), ("adjacent", "half")])
    cos, sin = (joined(v, v, tile) for v in tables(d.p, d.positions))
    shape = along(cos, x.ndim, d.axis)
    part = np.asarray(x[..., :r], np.float64)
    a, b = paired(part, turn)
    y = part * cos.reshape(shape) + joined(-b, a, turn) * sin.reshape(shape)
    return d.case("tiled-mismatch", {"x": x, "y": f32(np.concatenate([y, x[..., r:]], -1))},
                  "tiled-mismatch")


def not_rotated(random):
    """The vectors come back as they were; of q and k it may be the keys alone."""
    d = Drawn(random, *PLAIN)
    q, k = (d.vectors(random) for _ in range(2))
    tensors = {"k": k, "k_rot": k.copy()}
    if random.choice([True, False]):
        tensors.update(q=q, q_rot=f32(d.turned(q)))
    return d.case("not-rotated", tensors, "not-rotated")


def rotated_twice(random):
    """By the attention and again by the cache, with any attention factor twice."""
    d = Drawn(random)
    x, before, after = d.named_vectors(random)
    stretched = mistakes.stretched(d.p, "rotated-twice") or set()
    found = stretched if abs(amplitude(d.p) - 1) < 1e-9 else {"rotated-twice"}
    if d.p.get("scaling") in ("ntk", "dynamic", "ntk-by-parts", "proportional", "factors"):
        found = {"rotated-twice", "position-scale", "pos"}
    return d.case("rotated-twice", {before: x, after: f32(d.turned(d.turned(x)))}, found)


def keys_offset(random):
    """Queries are right, keys count from another position, as a cache does after a shift."""
    d = Drawn(random)
    q, k = (d.vectors(random) for _ in range(2))
    by = random.choice([1, -1, 4])
    return d.case("keys-offset", {"q": q, "q_rot": f32(d.turned(q)),
                                  "k": k, "k_rot": f32(d.turned(k, by=by))},
                  {"position-offset", "pos"})


# ---- mistakes of axes and columns ------------------------------------------------------------


def axis_wrong(random):
    """Heads are counted as positions: (seq, heads, dim) where (heads, seq, dim) was meant."""
    d, count = Drawn(random, *PLAIN), random.choice([16, 24])
    heads = random.choice([count, 8])
    x = f32(random.random.standard_normal((count, heads, d.p["dim"])))
    y = turned(x, *tables(d.p, range(heads)), d.pairing, 1)
    d.words, d.axis = "0:%d" % count, 0
    return d.case("axis", {"x": x, "y": f32(y)}, {"axes", "seq_axis"})


def axes_of_result(random):
    """The rotation is right, and the result has heads and positions in the other order."""
    d = Drawn(random)
    d.axis = 0
    x = f32(random.random.standard_normal((len(d.positions), 4, d.p["dim"])))
    return d.case("axes-of-result", {"x": x, "y": np.ascontiguousarray(f32(
        d.turned(x).swapaxes(0, 1)))}, {"axes", "transposed"})


def partial(random):
    """All columns turn where a part should, or a part where all should."""
    d = Drawn(random)
    rules = [{"dim": 128, "base": 10000}, {"dim": 128, "base": 10000, "rotary_dim": 32}]
    d.p, done = random.choice([rules, rules[::-1]])
    x, before, after = d.named_vectors(random)
    return d.case("partial", {before: x, after: f32(d.turned(x, done))},
                  {"rotary_dim", "partial_rotary_factor"})


def columns_offset(random):
    """The first columns turn where DeepSeek has the rotary part last, or the reverse."""
    d = Drawn(random)
    d.p, half = {"dim": 128, "base": 10000, "rotary_dim": 64}, random.choice([True, False])
    x, before, after = d.named_vectors(random)
    y = d.turned(x, start=0 if half else 64)
    return d.case("columns-offset", {before: x, after: f32(y)}, "offset_dims",
                  **({"offset_dims": 64} if half else {}))


def pairing_out(random):
    """Pairs are read as twos and written as halves: DeepSeek-V3 in transformers."""
    d = Drawn(random, *PLAIN)
    d.p, d.pairing = {key: value for key, value in d.p.items() if "rotary" not in key}, "adjacent"
    x, before, after = d.named_vectors(random)
    return d.case("pairing-out", {before: x, after: f32(d.turned(x, out="half"))},
                  {"pairing_out", "columns-shuffled"})


# ---- what nothing explains -------------------------------------------------------------------


def unexplained(random):
    """Other vectors, a wrong row, or noise over the right result."""
    d = Drawn(random)
    x = d.vectors(random)
    y = f32(d.turned(x))
    way = random.choice(["others", "row", "noise"])
    if way == "others":
        y = f32(random.random.standard_normal(x.shape))
    elif way == "row":
        flat = y.reshape(-1, d.p["dim"])
        flat[random.choice(range(len(flat)))] = random.normal(1, d.p["dim"])[0]
    else:
        y = y + f32(0.02 * random.random.standard_normal(y.shape))
    return d.case("unexplained-" + way, {"x": x, "y": y}, UNEXPLAINED)


ROWS = ([right_vectors] * 6 + [right_heads] * 4 + [right_f32] * 2 + [right_options] * 3 + [
    partner, other_partner, wrong(mistakes.other_columns, "none"), tables_held("bf16"), tables_held("bf16"), tables_held("f16"), pairing_wrong, pairing_wrong,
    tiled_mismatch, tiled_mismatch, turn_formula, turn_formula, turn_formula, turn_formula, not_rotated,
    not_rotated, row("inverse", -1, *PLAIN),
    row("inverse-forgotten", 1, *PLAIN, inverse=1), rotated_twice, keys_offset, axis_wrong,
    axes_of_result, partial, columns_offset, pairing_out, unexplained,
    wrong(parameters.base), wrong(parameters.scaling_forgotten), wrong(parameters.factor),
    wrong(parameters.attention_forgotten, "yarn"), wrong(parameters.attention_twice, "yarn"),
    wrong(mistakes.position_offset), wrong(mistakes.positions_reversed),
    wrong(mistakes.position_scale), wrong(mistakes.left_padding, firsts=(0,)),
    wrong(mistakes.frequencies_reversed), wrong(mistakes.sin_cos_swapped),
    wrong(mistakes.exponent_offset, "none"), wrong(mistakes.exponent_dim, "none"),
    wrong(mistakes.ramp_inverted, "yarn", "llama3"),
    wrong(precision.positions_bf16, firsts=(700, 1000, 3000), counts=(48, 64)),
    wrong(precision.inv_freq_bf16),
])
