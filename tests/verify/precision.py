# SPDX-License-Identifier: Apache-2.0
"""precision.py - cases of rounding: float32 as frameworks compute it, which is right, and
positions, frequencies or angles that were held in 16 bits, which is not."""

import numpy as np

from case import Case, RIGHT, f32, narrowed
from frequencies import amplitude, chosen, claim, frequencies, tables, width
from port import drawn_of, explained, named, of_frequencies, of_tables, span

FLOAT = np.float32
FIRSTS = (0, 0, 1, 1000, 30000, 131000, 500000, 999900)


# ---- right: every step in float32 ------------------------------------------------------------


def f32_frequencies(p):
    """Hugging Face: 1 / base^(2i/r), then the rule, each operation in float32."""
    r, kind, s = width(p), p.get("scaling", "none"), FLOAT(p.get("factor", 1))
    steps = np.arange(0, r, 2).astype(FLOAT) / FLOAT(r)
    base = p["base"]
    if kind == "ntk":
        base = base * p["factor"] ** (r / (r - 2))
    w = FLOAT(1) / FLOAT(base) ** steps
    if kind == "linear":
        w = w / s
    if kind == "llama3":
        w = f32_llama3(w, p)
    return w


def f32_llama3(w, p):
    """The three branches of Llama 3.1's apply_scaling."""
    length, low, high = (FLOAT(p[name]) for name in (
        "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"))
    wavelengths = FLOAT(2 * np.pi) / w
    smooth = (length / wavelengths - low) / (high - low)
    blended = (FLOAT(1) - smooth) * w / FLOAT(p["factor"]) + smooth * w
    divided = np.where(wavelengths > length / low, w / FLOAT(p["factor"]), w)
    between = (wavelengths >= length / high) & (wavelengths <= length / low)
    return np.where(between, blended, divided).astype(FLOAT)


def waves(angles, a=FLOAT(1)):
    return np.cos(angles) * a, np.sin(angles) * a


def times(positions):
    """Positions in float32, as a column."""
    return np.asarray(positions).astype(FLOAT)[:, None]


def f32_tables(p, positions):
    return waves(times(positions) * f32_frequencies(p)[None, :])


def f32_yarn(p, positions):
    """The blend in float32, and cos and sin times the attention factor in float32."""
    return waves(times(positions) * f32(frequencies(p))[None, :], FLOAT(amplitude(p)))


def by_exp(p, positions):
    """exp(-2i ln(base) / d), as in the PyTorch tutorial and tensor2tensor."""
    step = FLOAT(-np.log(p["base"]) / width(p))
    return waves(times(positions) * np.exp(np.arange(0, width(p), 2).astype(FLOAT) * step)[None, :])


def by_division(p, positions):
    """position / base^(2i/d): Gemma in JAX."""
    r = width(p)
    scale = FLOAT(p["base"]) ** (np.arange(0, r, 2).astype(FLOAT) / FLOAT(r))
    return waves(times(positions) / scale[None, :])


def by_product(p, positions):
    """Each angle is the one before times a constant: ggml."""
    ratio = FLOAT(p["base"]) ** FLOAT(-2.0 / width(p))
    angles = [times(positions)[:, 0]]
    for _ in range(width(p) // 2 - 1):
        angles.append(angles[-1] * ratio)
    return waves(np.stack(angles, -1))


def right_divided_positions(random):
    """Linear scaling of positions or angles in place of frequencies."""
    name, p = chosen(random, "linear")
    words, positions = span(random, firsts=FIRSTS)
    w = f32_frequencies(dict(p, scaling="none"))
    t, s = times(positions), FLOAT(p["factor"])
    cos, sin = waves(t / s * w if random.choice([True, False]) else t * w / s)
    return Case("precision/right-divided-" + name, claim("rope", p, pos=words),
                {"cos": cos, "sin": sin}, RIGHT)


def right_cast(random):
    """Tables in float32 that are then cast to the model's 16 bits."""
    name, p = chosen(random, "none", "linear", "ntk", "llama3")
    words, positions = span(random, firsts=NEAR)
    dtype = random.choice(["bf16", "f16"])
    cos, sin = (narrowed(values, dtype) for values in f32_tables(p, positions))
    return Case("precision/right-cast-%s-%s" % (dtype, name), claim("rope", p, pos=words),
                {"cos": cos, "sin": sin}, RIGHT)


# ---- wrong: 16 bits --------------------------------------------------------------------------


def rounded(dtype):
    return lambda values: narrowed(values, dtype).astype(np.float64)


def held(what, dtype, *also):
    """A mistake: positions, frequencies or angles that were held in 16 bits, and what else was."""
    def change(random, port):
        if what == "positions":
            port.positions = rounded(dtype)(port.positions)
        else:
            getattr(port, ON[what]).append(rounded(dtype))
        for other, kept in also:
            getattr(port, ON[other]).append(rounded(kept))
        return {"%s-%s" % (what.replace("_", "-"), dtype)}
    change.__name__ = "_".join([what, dtype, *("in_" + kept for _, kept in also)])
    return change


ON = {"inv_freq": "on_frequencies", "angles": "on_angles"}
positions_bf16, positions_f16 = held("positions", "bf16"), held("positions", "f16")
inv_freq_bf16, inv_freq_f16 = held("inv_freq", "bf16"), held("inv_freq", "f16")
angles_bf16, angles_f16 = held("angles", "bf16"), held("angles", "f16")
# Frequencies of model.bfloat16(), the rest in float32: transformers #29285.
inv_freq_bf16_in_f32 = held("inv_freq", "bf16", ("angles", "f32"))


def near(*firsts):
    return drawn_of(counts=(64, 128, 256), firsts=firsts)


def positions_f32(random):
    """Positions past 2^24, of which float32 has every second or fourth."""
    _, p = chosen(random, "none", "llama3", "linear")
    first = random.choice([16777217, 33554433, 50000001])
    positions = np.arange(first, first + 64)
    cos, sin = tables(p, positions.astype(FLOAT).astype(np.float64))
    dtype, found = random.choice([("f64", {"positions-f32"}), ("f32", {"positions-f32", RIGHT})])
    return Case("precision/positions-f32-" + dtype,
                claim("rope", p, pos="%d:%d" % (first, first + 64)),
                {"cos": narrowed(cos, dtype), "sin": narrowed(sin, dtype)}, found)


def f32_angle(random):
    """Exact frequencies, but the angle in float32: at these positions it costs 1e-2."""
    _, p = chosen(random, "none", "llama3", "linear")
    words, positions = span(random, counts=(48, 64), firsts=(500000, 1000000, 3000000))
    angles = f32(np.asarray(positions)[:, None] * frequencies(p)[None, :]).astype(np.float64)
    dtype = random.choice(["f32", "f64"])
    return Case("precision/f32-angle", claim("rope", p, pos=words),
                {"cos": narrowed(np.cos(angles), dtype), "sin": narrowed(np.sin(angles), dtype)},
                {"f32-angle", RIGHT})


def inv_freq_of_16_bits(random):
    """inv_freq in float32 whose numbers are those of 16 bits."""
    _, p = chosen(random, "none", "llama3", "linear", "ntk")
    dtype = random.choice(["bf16", "f16"])
    return Case("precision/inv-freq-" + dtype, claim("rope", p),
                {"inv_freq": f32(narrowed(frequencies(p), dtype))}, "inv-freq-" + dtype)


def wrong(mistake, draw, dtypes=("f32", "f32", "f64")):
    return explained("precision/" + named(mistake), [mistake], draw, dtypes)


def right(name, made, *kinds, firsts=FIRSTS):
    return of_tables("precision/right-" + name + "-{}", *kinds, made=made, firsts=firsts,
                     write=lambda values: values)


NEAR = (0, 1, 1000, 30000)
ROWS = ([right("pow", f32_tables, "none", "linear", "ntk", "llama3")] * 6 + [
    right("exp", by_exp, "none"), right_cast, right("division", by_division, "none"),
    right("double", tables)] * 2 + [
    right("yarn", f32_yarn, "yarn", firsts=NEAR), right("product", by_product, "none", firsts=NEAR),
    right_divided_positions, right_cast,
    of_frequencies("precision/right-f32-inv-freq-{}", "none", "linear", "ntk", "llama3",
                   made=f32_frequencies)] + [
    wrong(positions_bf16, near(300, 700, 1000, 3000)),
    wrong(positions_f16, near(3000, 5000, 20000)), wrong(positions_f16, near(2500)),
    wrong(positions_f16, near(9000, 40000)),
    wrong(inv_freq_bf16, near(0, 1, 100)), wrong(inv_freq_f16, near(0, 1, 100)),
    wrong(inv_freq_bf16_in_f32, near(0, 1, 100)),
    wrong(angles_bf16, near(0, 1, 100, 1000)), wrong(angles_f16, near(0, 1, 100, 1000)),
    wrong(angles_bf16, near(0)), wrong(angles_f16, near(0)),
    wrong(angles_bf16, near(50, 300)), wrong(angles_f16, near(500, 2500)),
    positions_f32, positions_f32, positions_f32, f32_angle, f32_angle, f32_angle,
    inv_freq_of_16_bits, inv_freq_of_16_bits,
    # inv_freq as a float16 tensor: each number is right for its dtype, and too coarse to use.
    of_frequencies("precision/inv-freq-cast", "none", "llama3", "linear",
                   made=lambda p: narrowed(frequencies(p), "f16"), found={RIGHT, "inv-freq-f16"}),
])
