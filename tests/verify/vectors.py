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


def drawn_vectors(random, axes, positions, dim, dtype="f32"):
    """Random vectors of a few heads and of two sequences."""
    lengths = {"seq": len(positions), "heads": random.choice([2, 3, 4]), "batch": 2}
    shape = [lengths[axis] for axis in axes] + [dim]
    return narrowed(random.random.standard_normal(shape), dtype)


def paired(x, pairing):
    """The first and the second entries of the pairs."""
    return (x[..., 0::2], x[..., 1::2]) if pairing == "adjacent" else np.split(x, 2, -1)


def joined(one, other, pairing):
    if pairing == "adjacent":
        return np.stack([one, other], -1).reshape(one.shape[:-1] + (2 * one.shape[-1],))
    return np.concatenate([one, other], -1)


def turned(x, cos, sin, pairing, axis=None, start=0, out=None):
    """x with the columns from start on turned: x cos + rotate(x) sin, positions along an axis."""
    x = np.asarray(x, np.float64)
    along = [1] * (x.ndim - 1) + [cos.shape[1]]
    along[axis or 0] = cos.shape[0]
    cos, sin = cos.reshape(along), sin.reshape(along)
    end = start + 2 * cos.shape[-1]
    a, b = paired(x[..., start:end], pairing)
    done = joined(a * cos - b * sin, a * sin + b * cos, out or pairing)
    return np.concatenate([x[..., :start], done, x[..., end:]], -1)



def claim_of(p, words, pairing, axis, **more):
    """A claim of rope/apply, which reads dim from the vectors."""
    said = {name: value for name, value in p.items() if name != "dim"}
    if axis is not None:
        more["seq_axis"] = axis
    return claim("rope/apply", said, pos=words, pairing=pairing, **more)


def drawn(random, *kinds, counts=(16, 24, 48), firsts=(0, 0, 1, 100)):
    """Parameters, positions, pairing, and the axes of a tensor."""
    while True:
        name, p = chosen(random, *kinds)
        if p["dim"] <= 128:
            break
    words, positions = span(random, counts, firsts)
    return name, p, words, positions, random.choice(["half", "adjacent"]), random.choice(SHAPES)


# ---- right -----------------------------------------------------------------------------------


def right_vectors(random):
    name, p, words, positions, pairing, (axes, axis) = drawn(random, firsts=(0, 1, 100, 5000))
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    x = drawn_vectors(random, axes, positions, p["dim"], dtype)
    y = narrowed(turned(x, *tables(p, positions), pairing, axis), dtype)
    return Case("vectors/right-%s-%s" % (dtype, name), claim_of(p, words, pairing, axis),
                {"x": x, "y": y}, RIGHT)


def right_heads(random):
    """Queries and keys, of which keys have fewer heads."""
    name, p, words, positions, pairing, (axes, axis) = drawn(random)
    q, k = (drawn_vectors(random, axes, positions, p["dim"]) for _ in range(2))
    cos, sin = tables(p, positions)
    return Case("vectors/right-heads-" + name, claim_of(p, words, pairing, axis),
                {"q": q, "q_rot": f32(turned(q, cos, sin, pairing, axis)),
                 "k": k, "k_rot": f32(turned(k, cos, sin, pairing, axis))}, RIGHT)


def right_f32(random):
    """Tables and products in float32, as an eager framework multiplies them."""
    name, p, words, positions, pairing, (axes, axis) = drawn(random, "none", "llama3", "linear")
    x = drawn_vectors(random, axes, positions, p["dim"])
    cos, sin = precision.f32_tables(p, positions)
    along = [1] * (x.ndim - 1) + [cos.shape[1]]
    along[axis or 0] = cos.shape[0]
    cos, sin, r = cos.reshape(along), sin.reshape(along), width(p)
    a, b = paired(x[..., :r], pairing)
    done = joined(a * cos - b * sin, b * cos + a * sin, pairing)
    return Case("vectors/right-f32-" + name, claim_of(p, words, pairing, axis),
                {"x": x, "y": np.concatenate([done, x[..., r:]], -1)}, RIGHT)


def right_options(random):
    """The options of rope/apply, each as its paper or port has it."""
    _, p, words, positions, pairing, (axes, axis) = drawn(random, "none", "llama3")
    p = {key: value for key, value in p.items() if "rotary" not in key}
    x = drawn_vectors(random, axes, positions, p["dim"])
    cos, sin = tables(p, positions)
    way = random.choice(["inverse", "offset_dims", "pairing_out"])
    if way == "inverse":
        y, more = turned(x, cos, -sin, pairing, axis), {"inverse": 1}
    elif way == "offset_dims":
        half = p["dim"] // 2
        cos, sin = tables(dict(p, rotary_dim=half), positions)
        y = turned(x, cos, sin, pairing, axis, start=half)
        more = {"offset_dims": half, "rotary_dim": half}
    else:
        y = turned(x, cos, sin, "adjacent", axis, out="half")
        pairing, more = "adjacent", {"pairing_out": "half"}
    return Case("vectors/right-" + way.replace("_", "-"),
                claim_of(p, words, pairing, axis, **more), {"x": x, "y": f32(y)}, RIGHT)


# ---- mistakes of tables, seen in vectors -----------------------------------------------------


def wrong(mistake, *kinds, firsts=(0, 1, 100), counts=(24, 48)):
    """A mistake of a Port's tables, with which vectors are then turned."""
    def make(random):
        while True:
            _, p, words, positions, pairing, (axes, axis) = drawn(
                random, *kinds, counts=counts, firsts=firsts)
            port = Port(p, positions)
            found = mistake(random, port)
            if found is None:
                continue
            cos, sin = port.tables()
            right = Port(p, positions)
            if cos.shape == right.tables()[0].shape and differs(
                    (cos, sin), right.tables(), right.angles(), "f32"):
                break
        x, before, after = pair_of_names(random, axes, positions, p["dim"])
        tensors = {before: x, after: f32(turned(x, cos, sin, pairing, axis))}
        return Case("vectors/" + named(mistake), claim_of(p, words, pairing, axis), tensors, found)
    return make


def pair_of_names(random, axes, positions, dim, dtype="f32"):
    before, after = random.choice([("x", "y"), ("q", "q_rot"), ("k", "k_rot")])
    return drawn_vectors(random, axes, positions, dim, dtype), before, after


# ---- mistakes of the rotation ----------------------------------------------------------------


def pairing_wrong(random):
    """The silent bug of ports: weights of one pairing, rotation of the other."""
    _, p, words, positions, meant, (axes, axis) = drawn(random)
    done = "half" if meant == "adjacent" else "adjacent"
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    x, before, after = pair_of_names(random, axes, positions, p["dim"], dtype)
    y = narrowed(turned(x, *tables(p, positions), done, axis), dtype)
    return Case("vectors/pairing", claim_of(p, words, meant, axis), {before: x, after: y},
                "pairing", repair={"pairing": (done, meant)})


def tiled_mismatch(random):
    """Tables that repeat by halves over a rotation by twos, or the reverse: V-JEPA 2."""
    _, p, words, positions, pairing, (axes, axis) = drawn(random, "none", "llama3", "linear")
    r, x = width(p), drawn_vectors(random, axes, positions, p["dim"])
    along = [1] * (x.ndim - 1) + [r]
    along[axis or 0] = len(positions)
    tile, turn = random.choice([("half", "adjacent"), ("adjacent", "half")])
    cos, sin = (joined(v, v, tile).reshape(along) for v in tables(p, positions))
    part = np.asarray(x[..., :r], np.float64)
    a, b = paired(part, turn)
    y = part * cos + joined(-b, a, turn) * sin
    return Case("vectors/tiled-mismatch", claim_of(p, words, pairing, axis),
                {"x": x, "y": f32(np.concatenate([y, x[..., r:]], -1))}, "tiled-mismatch")


def not_rotated(random):
    """The vectors come back as they were; of q and k it may be the keys alone."""
    _, p, words, positions, pairing, (axes, axis) = drawn(random, "none", "llama3", "linear")
    q, k = (drawn_vectors(random, axes, positions, p["dim"]) for _ in range(2))
    tensors = {"k": k, "k_rot": k.copy()}
    if random.choice([True, False]):
        tensors.update(q=q, q_rot=f32(turned(q, *tables(p, positions), pairing, axis)))
    return Case("vectors/not-rotated", claim_of(p, words, pairing, axis), tensors, "not-rotated")


def inverse(random):
    _, p, words, positions, pairing, (axes, axis) = drawn(random, "none", "llama3", "linear")
    cos, sin = tables(p, positions)
    x, before, after = pair_of_names(random, axes, positions, p["dim"])
    return Case("vectors/inverse", claim_of(p, words, pairing, axis),
                {before: x, after: f32(turned(x, cos, -sin, pairing, axis))},
                {"inverse", "sign", "transposed", "position-scale", "pos"})


def inverse_forgotten(random):
    _, p, words, positions, pairing, (axes, axis) = drawn(random, "none", "llama3", "linear")
    x, before, after = pair_of_names(random, axes, positions, p["dim"])
    return Case("vectors/inverse-forgotten", claim_of(p, words, pairing, axis, inverse=1),
                {before: x, after: f32(turned(x, *tables(p, positions), pairing, axis))},
                {"inverse", "sign", "transposed", "position-scale", "pos"})


def rotated_twice(random):
    """By the attention and again by the cache, with any attention factor twice."""
    _, p, words, positions, pairing, (axes, axis) = drawn(random)
    cos, sin = tables(p, positions)
    x, before, after = pair_of_names(random, axes, positions, p["dim"])
    once = turned(x, cos, sin, pairing, axis)
    stretched = mistakes.stretched(p, "rotated-twice") or set()
    found = stretched if abs(amplitude(p) - 1) < 1e-9 else {"rotated-twice"}
    if p.get("scaling") in ("ntk", "dynamic", "ntk-by-parts", "proportional", "factors"):
        found = {"rotated-twice", "position-scale", "pos"}
    return Case("vectors/rotated-twice", claim_of(p, words, pairing, axis),
                {before: x, after: f32(turned(once, cos, sin, pairing, axis))}, found)


def keys_offset(random):
    """Queries are right, keys count from another position, as a cache does after a shift."""
    _, p, words, positions, pairing, (axes, axis) = drawn(random)
    q, k = (drawn_vectors(random, axes, positions, p["dim"]) for _ in range(2))
    by = random.choice([1, -1, 4])
    return Case("vectors/keys-offset", claim_of(p, words, pairing, axis),
                {"q": q, "q_rot": f32(turned(q, *tables(p, positions), pairing, axis)),
                 "k": k, "k_rot": f32(turned(k, *tables(p, positions + by), pairing, axis))},
                {"position-offset", "pos"})


# ---- mistakes of axes and columns ------------------------------------------------------------


def axis_wrong(random):
    """Heads are counted as positions: (seq, heads, dim) where (heads, seq, dim) was meant."""
    _, p, _, _, pairing, _ = drawn(random, "none", "llama3", "linear")
    count = random.choice([16, 24])
    heads = random.choice([count, 8])
    x = f32(random.random.standard_normal((count, heads, p["dim"])))
    y = turned(x, *tables(p, range(heads)), pairing, 1)
    return Case("vectors/axis", claim_of(p, "0:%d" % count, pairing, 0),
                {"x": x, "y": f32(y)}, {"axes", "seq_axis"})


def axes_of_result(random):
    """The rotation is right, and the result has heads and positions in the other order."""
    _, p, words, positions, pairing, _ = drawn(random)
    x = f32(random.random.standard_normal((len(positions), 4, p["dim"])))
    y = turned(x, *tables(p, positions), pairing, 0).swapaxes(0, 1)
    return Case("vectors/axes-of-result", claim_of(p, words, pairing, 0),
                {"x": x, "y": np.ascontiguousarray(f32(y))}, {"axes", "transposed"})


def partial(random):
    """All columns turn where a part should, or a part where all should."""
    _, _, words, positions, pairing, (axes, axis) = drawn(random)
    rules = [{"dim": 128, "base": 10000}, {"dim": 128, "base": 10000, "rotary_dim": 32}]
    claimed, done = random.choice([(0, 1), (1, 0)])
    x, before, after = pair_of_names(random, axes, positions, 128)
    return Case("vectors/partial", claim_of(rules[claimed], words, pairing, axis),
                {before: x, after: f32(turned(x, *tables(rules[done], positions), pairing, axis))},
                {"rotary_dim", "partial_rotary_factor"})


def columns_offset(random):
    """The first columns turn where DeepSeek has the rotary part last, or the reverse."""
    _, _, words, positions, pairing, (axes, axis) = drawn(random)
    p, half = {"dim": 128, "base": 10000, "rotary_dim": 64}, random.choice([True, False])
    x, before, after = pair_of_names(random, axes, positions, 128)
    y = turned(x, *tables(p, positions), pairing, axis, start=0 if half else 64)
    return Case("vectors/columns-offset",
                claim_of(p, words, pairing, axis, **({"offset_dims": 64} if half else {})),
                {before: x, after: f32(y)}, "offset_dims")


def pairing_out(random):
    """Pairs are read as twos and written as halves: DeepSeek-V3 in transformers."""
    _, p, words, positions, _, (axes, axis) = drawn(random, "none", "llama3", "linear")
    p = {key: value for key, value in p.items() if "rotary" not in key}
    x, before, after = pair_of_names(random, axes, positions, p["dim"])
    y = turned(x, *tables(p, positions), "adjacent", axis, out="half")
    return Case("vectors/pairing-out", claim_of(p, words, "adjacent", axis),
                {before: x, after: f32(y)}, {"pairing_out", "columns-shuffled"})


# ---- what nothing explains -------------------------------------------------------------------


def unexplained(random):
    """Other vectors, a wrong row, or noise over the right result."""
    _, p, words, positions, pairing, (axes, axis) = drawn(random)
    x = drawn_vectors(random, axes, positions, p["dim"])
    y = f32(turned(x, *tables(p, positions), pairing, axis))
    way = random.choice(["others", "row", "noise"])
    if way == "others":
        y = f32(random.random.standard_normal(x.shape))
    elif way == "row":
        flat = y.reshape(-1, p["dim"])
        flat[random.choice(range(len(flat)))] = random.normal(1, p["dim"])[0]
    else:
        y = y + f32(0.02 * random.random.standard_normal(y.shape))
    return Case("vectors/unexplained-" + way, claim_of(p, words, pairing, axis),
                {"x": x, "y": y}, UNEXPLAINED)


ROWS = ([right_vectors] * 6 + [right_heads] * 4 + [right_f32] * 2 + [right_options] * 3 + [
    pairing_wrong, pairing_wrong, tiled_mismatch, tiled_mismatch, not_rotated,
    not_rotated, inverse,
    inverse_forgotten, rotated_twice, keys_offset, axis_wrong, axes_of_result, partial,
    columns_offset, pairing_out, unexplained,
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
