# SPDX-License-Identifier: Apache-2.0
"""additive.py - cases of sinusoidal rows, in the layouts, ladders and conventions of libraries.

A setting is a dict of what a table is made of; each case is the table of a setting, or of one with
something changed."""

import numpy as np

from case import Case, RIGHT, f32, narrowed

LAYOUTS = ["interleaved", "interleaved-cs", "concat", "concat-cs"]
SWAPPED = [{"interleaved", "interleaved-cs"}, {"concat", "concat-cs"}]  # sines and cosines


def frequencies(s):
    """Vaswani et al. 2017 (open), tensor2tensor and fairseq (closed). An odd width has the
    exponents of dim, of dim - 1 or of dim + 1, as its policy says."""
    dim, odd = s["dim"], s.get("odd")
    width = {"zero-pad": dim - 1, "ceil-truncate": dim + 1}.get(odd, dim)
    count = width // 2 if odd in (None, "zero-pad", "zero-last") else (width + 1) // 2
    if s["ladder"] == "geometric-closed":
        return s["base"] ** -(np.arange(count) / (count - 1))
    return s["base"] ** -(2 * np.arange(count) / width)


def arranged(sin, cos, layout):
    if layout.startswith("interleaved"):
        pair = [sin, cos] if layout == "interleaved" else [cos, sin]
        return np.stack(pair, -1).reshape(len(sin), -1)
    return np.concatenate([sin, cos] if layout == "concat" else [cos, sin], -1)


def rows(s, **changes):
    """The table of a setting with changes, in double."""
    s = {**s, **changes}
    w = s["w"] if "w" in s else frequencies(s)
    angles = np.asarray(s["positions"], np.float64)[:, None] * w * s.get("scale", 1)
    if "angles" in s:
        angles = s["angles"](angles)
    sin, cos = np.sin(angles), np.cos(angles)
    if "w_cos" in s:
        cos = np.cos(np.asarray(s["positions"], np.float64)[:, None] * s["w_cos"])
    table = arranged(s.get("sign", 1) * sin, cos, s["layout"])
    if s.get("odd") in ("zero-pad", "zero-last"):
        table = np.concatenate([table, np.zeros((len(table), 1))], -1)
    if s.get("odd") in ("extra-sin", "ceil-truncate"):
        table = table[:, :-1]
    table = s.get("amplitude", 1) * table
    for position in s.get("zeros", ()):
        table[np.asarray(s["positions"]) == position] = 0
    return table


def claim_of(s, **more):
    claim = {"encoding": "sinusoidal", "dim": s["dim"], "pos": s["pos"], "ladder": s["ladder"],
             "layout": s["layout"], **more}
    if s["base"] != 1e4:
        claim["base"] = "%g" % s["base"]
    if "odd" in s:
        claim["odd"] = s["odd"]
    return claim


def span(random, counts=(16, 33, 64, 128, 300), firsts=(0, 0, 0, 1, 2, 1000)):
    """Positions and their slice."""
    count, first = random.choice(counts), random.choice(firsts)
    return {"positions": list(range(first, first + count)), "pos": "%d:%d" % (first, first + count)}


def drawn(random, **more):
    return {"dim": random.choice([16, 64, 128, 256, 512, 768]), **span(random),
            "base": random.choice([1e4, 1e4, 1e4, 1e3, 1e5]),
            "ladder": random.choice(["geometric-open", "geometric-closed"]),
            "layout": random.choice(LAYOUTS), **more}


def noisy(random, values):
    return narrowed(values, random.choice(["f32"] * 4 + ["f64", "f16", "bf16"]))


def wrong(name, random, s, found, repair=None, claim=None, **changes):
    return Case("additive/" + name, claim or claim_of(s),
                {"rows": noisy(random, rows(s, **changes))}, found, repair)


# ---- right tables --------------------------------------------------------------------------


def right(random):
    s, dtype = drawn(random), random.choice(["f32", "f64", "f16", "bf16"])
    return Case("additive/right-" + dtype, claim_of(s), {"rows": narrowed(rows(s), dtype)}, RIGHT)


def right_shaped(random):
    """The shapes in which tables of rows are stored: a batch of one, of equals, (N, 1, d)."""
    s = drawn(random, dim=random.choice([16, 64]))
    values = f32(rows(s))
    shaped = random.choice([values[None], values[:, None], values[None, None],
                            np.stack([values] * 2)])
    return Case("additive/right-shaped", claim_of(s), {"rows": shaped}, RIGHT)


def right_float32(random):
    """The PyTorch tutorial, whose steps are all in float32."""
    s = drawn(random, ladder="geometric-open", layout="interleaved", base=1e4,
              **span(random, firsts=(0, 0, 1000, 5000, 100000)))
    steps = np.arange(0, s["dim"], 2, dtype=np.float32)
    w = np.exp(steps * np.float32(-np.log(1e4) / s["dim"]))
    angles = np.array(s["positions"], np.float32)[:, None] * w
    values = arranged(np.sin(angles), np.cos(angles), s["layout"])
    return Case("additive/right-float32", claim_of(s), {"rows": values}, RIGHT)


def right_list(random):
    """Positions in no order, with gaps and fractions, some far out."""
    positions = [random.choice([0, 1, 2.5, 9, 31.25, 500, 4095, 100000]) + 3 * at
                 for at in range(24)]
    s = drawn(random, positions=positions, pos=",".join("%g" % p for p in positions))
    return Case("additive/right-list", claim_of(s), {"rows": noisy(random, rows(s))}, RIGHT)


def right_preset(random):
    """Conventions of libraries, as their code has them."""
    s, more = drawn(random, base=1e4), {}
    name, ladder, layout = random.choice([
        ("tensor2tensor", "geometric-closed", "concat"), ("whisper", "geometric-closed", "concat"),
        ("musicgen", "geometric-closed", "concat-cs"), ("marian", "geometric-open", "concat"),
        ("distilbert", "geometric-open", "interleaved"),
        ("transformer-xl", "geometric-open", "concat"), ("mlx", "geometric-closed", "concat"),
        ("x-transformers", "geometric-open", "concat"), ("pyg", "geometric-closed", "concat"),
        ("fairseq", "geometric-closed", "concat")])
    s.update(ladder=ladder, layout=layout)
    changes = {"mlx": {"amplitude": np.sqrt(2 / s["dim"])},
               "x-transformers": {"amplitude": s["dim"] ** -0.5}}.get(name, {})
    if name == "fairseq":
        s.update(positions=list(range(1, 40)), pos="1:40")
        changes, more = {"zeros": [1]}, {"padding_idx": 1}
    if name == "pyg":
        changes, more = {"scale": 1 / 100}, {"granularity": 100}
    claim = {"encoding": "sinusoidal", "dim": s["dim"], "pos": s["pos"], "preset": name, **more}
    return Case("additive/right-preset-" + name, claim, {"rows": f32(rows(s, **changes))}, RIGHT)


def right_odd(random):
    s = odd_setting(random)
    return Case("additive/right-odd-" + s["odd"], claim_of(s), {"rows": noisy(random, rows(s))},
                RIGHT)


def right_inv_freq(random):
    s = drawn(random)
    claim = claim_of(s)
    del claim["pos"], claim["layout"]
    return Case("additive/right-inv-freq", claim, {"inv_freq": f32(frequencies(s))}, RIGHT)


# ---- a parameter with another value --------------------------------------------------------


def other_layout(random):
    s = drawn(random)
    done = random.choice([o for o in LAYOUTS if o != s["layout"]])
    found = {"layout"} | ({"sin-cos-swapped"} if {done, s["layout"]} in SWAPPED else set())
    return wrong("other-layout", random, s, found, {"layout": (done, s["layout"])}, layout=done)


def other_ladder(random):
    """The same numbers come from another base: base^(m/(m-1)) or its inverse."""
    s = drawn(random)
    done = "geometric-open" if s["ladder"] == "geometric-closed" else "geometric-closed"
    return wrong("other-ladder", random, s, {"ladder", "base"}, {"ladder": (done, s["ladder"])},
                 ladder=done)


def other_base(random):
    s = drawn(random)
    done = random.choice([b for b in (100.0, 1e3, 5e3, 1e4, 2e4, 1e5, 5e5) if b != s["base"]])
    return wrong("other-base", random, s, "base", {"base": (done, s["base"])}, base=done)


def logarithm_of_ten(random):
    """exp(-2i/d log10(10000)): base e^4."""
    s = drawn(random, base=1e4)
    return wrong("log10", random, s, "base", {"base": (float(np.exp(4)), 1e4)}, base=np.exp(4.0))


def exponent_of_base(random):
    """2 (2i) / d, which squares the base, or i / d, which takes its root."""
    s, power = drawn(random, base=1e4), random.choice([2.0, 0.5])
    return wrong("exponent-doubled", random, s, {"base", "exponent-dim"}, base=s["base"] ** power)


def amplified(random):
    """Rows times sqrt(d), its inverse, or a number: the embeddings' factor on the wrong side."""
    s = drawn(random, dim=random.choice([64, 256]))
    done = random.choice([2.0, 0.5, s["dim"] ** -0.5, s["dim"] ** 0.5])
    word = "inverse-sqrt-dim" if done == s["dim"] ** -0.5 else done  # the same number
    return wrong("amplified", random, s, "amplitude", {"amplitude": (word, 1)}, amplitude=done)


def amplitude_forgotten(random):
    s = drawn(random, dim=random.choice([64, 256]))
    claim = claim_of(s, amplitude="inverse-sqrt-dim")
    return wrong("amplitude-forgotten", random, s, "amplitude", claim=claim)


def scaled(random):
    """Positions multiplied or divided where the claim has them as they are, or the reverse."""
    s, by = drawn(random), random.choice([2.0, 0.5, 0.001, 1000.0])
    found = {"scale", "granularity", "position-scale", "pos"}
    if random.choice([False, True]):
        return wrong("scale-forgotten", random, s, found, claim=claim_of(s, scale="%g" % by))
    return wrong("scaled", random, s, found, scale=by)


def granularity_forgotten(random):
    s = drawn(random)
    return wrong("granularity-forgotten", random, s,
                 {"scale", "granularity", "position-scale", "pos"},
                 claim=claim_of(s, granularity=random.choice([10, 100, 1000])))


def odd_setting(random):
    return drawn(random, dim=random.choice([33, 65, 255]), ladder="geometric-open",
                 layout="interleaved",
                 odd=random.choice(["extra-sin", "zero-pad", "zero-last", "ceil-truncate"]))


def other_odd(random):
    """Two policies with a last column alike differ by the exponents' width, which a base says."""
    s = odd_setting(random)
    done = random.choice([o for o in ("extra-sin", "zero-pad", "zero-last", "ceil-truncate")
                          if o != s["odd"]])
    alike = [{"zero-pad", "zero-last"}, {"extra-sin", "ceil-truncate"}]
    found = {"odd"} | ({"base", "exponent-dim"} if {done, s["odd"]} in alike else set())
    return wrong("other-odd", random, s, found, {"odd": (done, s["odd"])}, odd=done)


def padding_row(random):
    """The row of the padding, zero in fairseq, has its sinusoid; or a row is zero that has one."""
    s = drawn(random, **span(random, firsts=(0,)))
    at = random.choice([0, 1])
    if random.choice([False, True]):
        return wrong("padding-row-filled", random, s, "padding_idx",
                     claim=claim_of(s, padding_idx=at))
    return wrong("padding-row", random, s, {"padding_idx", "unfilled-rows"}, zeros=[at])


# ---- other mistakes ------------------------------------------------------------------------


def shifted(random):
    """fairseq counts from padding_idx + 1, so its first row is that of position 2."""
    s, by = drawn(random), random.choice([1, 2, -1, 7])
    return wrong("shifted", random, s, {"position-offset", "pos"},
                 positions=np.array(s["positions"]) + by)


def reversed_positions(random):
    s = drawn(random)
    return wrong("positions-reversed", random, s, {"positions-reversed", "pos"},
                 positions=s["positions"][::-1])


def negated(random):
    """Sines with the other sign: positions with the other sign."""
    s = drawn(random)
    return wrong("sign", random, s, {"sign", "inverse", "scale", "position-scale", "pos"}, sign=-1)


def cosine_of_own_column(random):
    """Column 2i + 1 has the exponent (2i + 1) / d in place of 2i / d."""
    s = drawn(random, ladder="geometric-open", layout=random.choice(["interleaved", "concat"]))
    exponents = (2 * np.arange(s["dim"] // 2) + 1) / s["dim"]
    return wrong("cos-frequency", random, s, "cos-frequency", w_cos=s["base"] ** -exponents)


def degrees(random):
    s = drawn(random)
    return wrong("degrees", random, s,
                 {"degrees", "scale", "granularity", "position-scale", "pos"}, scale=np.pi / 180)


def exponent_offset(random):
    """The pairs are counted from 1."""
    s = drawn(random, ladder="geometric-open")
    w = s["base"] ** -((2 * np.arange(s["dim"] // 2) + 2) / s["dim"])
    return wrong("exponent-offset", random, s, {"exponent-offset", "scale", "granularity",
                                                "position-scale", "pos"}, w=w)


def frequencies_reversed(random):
    s = drawn(random)
    return wrong("frequencies-reversed", random, s, "frequencies-reversed",
                 w=frequencies(s)[::-1])


def rows_unfilled(random):
    """A buffer whose last rows were never written."""
    s = drawn(random)
    values = rows(s)
    values[-random.choice([2, 5, 8]):] = 0
    return Case("additive/unfilled-rows", claim_of(s), {"rows": noisy(random, values)},
                "unfilled-rows")


def rows_shuffled(random):
    s = drawn(random, **span(random, counts=(16, 33, 64)))
    values = rows(s)[random.order(len(s["positions"]))]
    return Case("additive/rows-shuffled", claim_of(s), {"rows": f32(values)},
                {"rows-shuffled", "pos"})


def columns_shuffled(random):
    s = drawn(random, dim=random.choice([16, 64, 128]))
    values = rows(s)[:, random.order(s["dim"])]
    return Case("additive/columns-shuffled", claim_of(s), {"rows": f32(values)},
                "columns-shuffled")


def rounded(values, dtype):
    return np.asarray(narrowed(values, dtype), np.float64)


def positions_rounded(random):
    """Positions counted in the dtype of the model."""
    dtype = random.choice(["bf16", "bf16", "f16"])
    s = drawn(random, **span(random, counts=(128, 300), firsts=(
        (1000, 4000) if dtype == "bf16" else (4000, 20000))))
    return Case("additive/positions-" + dtype, claim_of(s), {"rows": f32(rows(
        s, positions=rounded(s["positions"], dtype)))}, "positions-" + dtype)


def positions_float32(random):
    s = drawn(random, **span(random, counts=(64, 128), firsts=(2 ** 24, 10 ** 8)))
    values = rows(s, positions=np.array(s["positions"], np.float32).astype(np.float64))
    return Case("additive/positions-f32", claim_of(s), {"rows": f32(values)}, "positions-f32")


def frequencies_rounded(random):
    dtype = random.choice(["bf16", "f16"])
    s = drawn(random, **span(random, counts=(128, 300)), base=1e4)
    return Case("additive/inv-freq-" + dtype, claim_of(s), {"rows": f32(rows(
        s, w=rounded(frequencies(s), dtype)))}, "inv-freq-" + dtype)


def angles_rounded(random):
    dtype = random.choice(["bf16", "f16"])
    s = drawn(random, **span(random, counts=(64, 128, 300), firsts=(0, 100)))
    return Case("additive/angles-" + dtype, claim_of(s), {"rows": f32(rows(
        s, angles=lambda angles: rounded(angles, dtype)))}, "angles-" + dtype)


def angles_float32(random):
    """Angles rounded to float32 in a table of doubles: a profile, or the mistake of that name."""
    s = drawn(random, **span(random, counts=(64, 128), firsts=(100000, 1000000)), base=1e4)
    w = np.asarray(f32(frequencies(s)), np.float64)
    values = rows(s, w=w, angles=lambda angles: np.asarray(f32(angles), np.float64))
    return Case("additive/angles-f32", claim_of(s), {"rows": values},
                {RIGHT, "f32-angle", "positions-f32"})


# ---- two at once ---------------------------------------------------------------------------


def two(random):
    s = drawn(random, **span(random, counts=(33, 64, 128)), base=1e4)
    other = random.choice([o for o in ("interleaved", "concat") if o != s["layout"]])
    layout = {"layout"} | ({"sin-cos-swapped"} if {other, s["layout"]} in SWAPPED else set())
    offset = {"position-offset", "pos"}
    moved = np.array(s["positions"]) + random.choice([1, 2])
    name, changes, both = random.choice([
        ("layout-base", {"layout": other, "base": 1e5}, [layout, {"base"}]),
        ("layout-offset", {"layout": other, "positions": moved}, [layout, offset]),
        ("base-offset", {"base": 1e3, "positions": moved}, [{"base"}, offset]),
        ("layout-amplitude", {"layout": other, "amplitude": 2.0}, [layout, {"amplitude"}])])
    return Case("additive/two-" + name, claim_of(s), {"rows": f32(rows(s, **changes))}, (),
                found_both=both)


ROWS = [right, right, right, right, right_shaped, right_shaped, right_float32, right_list,
        right_preset, right_preset, right_odd, right_inv_freq, right, right, right_preset,
        right_float32, right_odd, other_layout, other_layout, other_ladder, other_base,
        logarithm_of_ten, exponent_of_base, amplified, amplitude_forgotten, scaled,
        granularity_forgotten, other_odd, padding_row, shifted, reversed_positions, negated,
        cosine_of_own_column, degrees, exponent_offset, frequencies_reversed, rows_unfilled,
        rows_shuffled, columns_shuffled, positions_rounded, positions_float32,
        frequencies_rounded, angles_rounded, angles_rounded, angles_float32, two, two]
