# SPDX-License-Identifier: Apache-2.0
"""additive.py - cases of sinusoidal rows, in the layouts, ladders and conventions of libraries."""

import numpy as np

from case import Case, RIGHT, f32, narrowed
from formulas import sinusoids
from formulas.numbers import DOUBLE, positions
from formulas.sinusoids import CLOSED, LAYOUTS, OPEN, arranged
from kinds import Kind, noisy, single, span

SWAPPED = [{"interleaved", "interleaved-cs"}, {"concat", "concat-cs"}]  # sines and cosines
ODD = ["extra-sin", "zero-pad", "zero-last", "ceil-truncate"]
ANY_COUNT, ANY_FIRST = (16, 33, 64, 128, 300), (0, 0, 0, 1, 2, 1000)


def frequencies(p):
    return sinusoids.frequencies(DOUBLE, p)


def rows(p):
    """The table of a claim in double. Mistakes are parameters too: w, w_cos and changed."""
    asked = dict(p)
    changes = {name: asked.pop(name) for name in ("w", "w_cos", "changed") if name in asked}
    return sinusoids.rows(DOUBLE, asked, **changes)


def with_more(claim, **more):
    """A claim that says more, in the order of claims."""
    p = {"encoding": "sinusoidal", **claim, **more}
    last = {name: p.pop(name) for name in ("base", "odd") if name in p}
    if float(last.get("base", 1e4)) == 1e4:
        last.pop("base", None)
    return {**p, **{key: value if key == "odd" else "%g" % float(value)
                    for key, value in last.items()}}


def drawn(random, p):
    """A claim of what a row says and of what is drawn for the rest."""
    return with_more({
        "dim": random.choice([16, 64, 128, 256, 512, 768]),
        "pos": span(ANY_COUNT, ANY_FIRST)(random), "base": random.choice([1e4] * 3 + [1e3, 1e5]),
        "ladder": random.choice([OPEN, CLOSED]), "layout": random.choice(LAYOUTS)}, **p)


KIND = Kind("additive", "rows", rows, noisy, drawn)
right, wrong, case = KIND.right, KIND.wrong, KIND.case


SCALES = {"scale", "granularity", "position-scale", "pos"}
OFFSET = {"position-offset", "pos"}


def base_of(p):
    return float(p.get("base", 1e4))


def at_of(p):
    """The positions of a claim."""
    return np.array(positions(p["pos"]), np.float64)


# ---- right tables --------------------------------------------------------------------------


def right_dtype(random):
    claim, dtype = drawn(random, {}), random.choice(["f32", "f64", "f16", "bf16"])
    return Case("additive/right-" + dtype, claim, {"rows": narrowed(rows(claim), dtype)}, RIGHT)


def shaped(random, values):
    """The shapes in which tables of rows are stored: a batch of one, of equals, (N, 1, d)."""
    values = f32(values)
    return random.choice([values[None], values[:, None], values[None, None],
                          np.stack([values] * 2)])


def right_float32(random):
    """The PyTorch tutorial, whose steps are all in float32."""
    claim = drawn(random, {"pos": span(ANY_COUNT, (0, 0, 1000, 5000, 100000))(random),
                           "ladder": OPEN, "layout": "interleaved", "base": 1e4})
    steps = np.arange(0, claim["dim"], 2, dtype=np.float32)
    w = np.exp(steps * np.float32(-np.log(1e4) / claim["dim"]))
    angles = at_of(claim).astype(np.float32)[:, None] * w
    values = arranged(np.sin(angles), np.cos(angles), claim["layout"])
    return Case("additive/right-float32", claim, {"rows": values}, RIGHT)


def gaps(random):
    """Positions in no order, with gaps and fractions, some far out."""
    return ",".join("%g" % (random.choice([0, 1, 2.5, 9, 31.25, 500, 4095, 100000]) + 3 * at)
                    for at in range(24))


def right_preset(random):
    """Conventions of libraries, as their code has them."""
    p = drawn(random, {"base": 1e4})
    name = random.choice(["tensor2tensor", "whisper", "musicgen", "marian", "distilbert",
                          "transformer-xl", "mlx", "x-transformers", "pyg", "fairseq"])
    claim = {"encoding": "sinusoidal", "dim": p["dim"], "pos": p["pos"], "preset": name}
    if name == "fairseq":
        claim.update(pos="1:40", padding_idx=1)
    if name == "pyg":
        claim["granularity"] = 100
    return Case("additive/right-preset-" + name, claim, {"rows": f32(rows(claim))}, RIGHT)


def right_inv_freq(random):
    claim = drawn(random, {})
    del claim["pos"], claim["layout"]
    return Case("additive/right-inv-freq", claim, {"inv_freq": f32(frequencies(claim))}, RIGHT)


# ---- a parameter with another value --------------------------------------------------------


def others(name, values):
    """One of some values, but for the claim's."""
    return {name: lambda p: [value for value in values if value != p[name]]}


def layout_slugs(claim, done):
    """layout, or the other name of an exchange of sines and cosines."""
    return {"layout"} | ({"sin-cos-swapped"} if {done["layout"], claim["layout"]} in SWAPPED
                         else set())


def amplified(random):
    """Rows times sqrt(d), its inverse, or a number: the embeddings' factor on the wrong side."""
    claim = drawn(random, {"dim": random.choice([64, 256])})
    done = random.choice([2.0, 0.5, claim["dim"] ** -0.5, claim["dim"] ** 0.5])
    word = "inverse-sqrt-dim" if done == claim["dim"] ** -0.5 else done  # the same number
    return case(random, "amplified", claim, rows({**claim, "amplitude": done}), "amplitude",
                {"amplitude": (word, 1)})


def granularity_forgotten(random):
    claim = drawn(random, {})
    return case(random, "granularity-forgotten",
                with_more(claim, granularity=random.choice([10, 100, 1000])), rows(claim), SCALES)


def scaled(random):
    """Positions multiplied or divided where the claim has them as they are, or the reverse."""
    claim, by = drawn(random, {}), random.choice([2.0, 0.5, 0.001, 1000.0])
    if random.choice([False, True]):
        return case(random, "scale-forgotten", with_more(claim, scale="%g" % by), rows(claim),
                    SCALES)
    return case(random, "scaled", claim, rows({**claim, "scale": by}), SCALES)


ODD_SETTING = {"dim": [33, 65, 255], "odd": ODD, "ladder": OPEN, "layout": "interleaved"}


def odd_slugs(claim, done):
    """Two policies with a last column alike differ by the exponents' width, which a base says."""
    alike = [{"zero-pad", "zero-last"}, {"extra-sin", "ceil-truncate"}]
    return {"odd"} | ({"base", "exponent-dim"} if {done["odd"], claim["odd"]} in alike else set())


def padding_row(random):
    """The row of the padding, zero in fairseq, has its sinusoid; or a row is zero that has one."""
    p = {"pos": span(ANY_COUNT, (0,))(random)}
    claim, at = drawn(random, p), random.choice([0, 1])
    if random.choice([False, True]):
        return case(random, "padding-row-filled", with_more(claim, padding_idx=at), rows(claim),
                    "padding_idx")
    return case(random, "padding-row", claim, rows({**claim, "padding_idx": at}),
                {"padding_idx", "unfilled-rows"})


# ---- other mistakes ------------------------------------------------------------------------


def rows_unfilled(random):
    """A buffer whose last rows were never written."""
    claim = drawn(random, {})
    values = rows(claim)
    values[-random.choice([2, 5, 8]):] = 0
    return case(random, "unfilled-rows", claim, values, "unfilled-rows")


def rows_shuffled(random):
    claim = drawn(random, {"pos": span((16, 33, 64), ANY_FIRST)(random)})
    values = rows(claim)[random.order(len(positions(claim["pos"])))]
    return case(random, "rows-shuffled", claim, values, {"rows-shuffled", "pos"}, write=single)


def columns_shuffled(random):
    claim = drawn(random, {"dim": random.choice([16, 64, 128])})
    values = rows(claim)[:, random.order(claim["dim"])]
    return case(random, "columns-shuffled", claim, values, "columns-shuffled", write=single)


def exponent(p, offset):
    """Frequencies whose exponents are (2i + offset) / d in place of 2i / d."""
    return base_of(p) ** -((2 * np.arange(p["dim"] // 2) + offset) / p["dim"])


def rounded(values, dtype):
    return np.asarray(narrowed(values, dtype), np.float64)


def held(what, counts, firsts, change, **more):
    """What a model counts or holds in its own dtype; firsts are dtypes and their positions."""
    def make(random):
        dtype, first = random.choice(firsts)
        claim = drawn(random, {"pos": span(counts, first)(random), **more})
        values = rows({**claim, **change(claim, lambda values: rounded(values, dtype))})
        return case(random, "%s-%s" % (what, dtype), claim, values, "%s-%s" % (what, dtype),
                    write=single)
    return make


def angles_float32(random):
    """Angles rounded to float32 in a table of doubles: a profile, or the mistake of that name."""
    claim = drawn(random, {"pos": span((64, 128), (100000, 1000000))(random), "base": 1e4})
    values = rows({**claim, "w": rounded(frequencies(claim), "f32"),
                   "changed": lambda angles: rounded(angles, "f32")})
    return Case("additive/angles-f32", claim, {"rows": values},
                {RIGHT, "f32-angle", "positions-f32"})


# ---- two at once ---------------------------------------------------------------------------


def two(random):
    claim = drawn(random, {"pos": span((33, 64, 128), ANY_FIRST)(random), "base": 1e4})
    other = {"layout": random.choice([o for o in ("interleaved", "concat")
                                      if o != claim["layout"]])}
    moved, layout = {"pos": at_of(claim) + random.choice([1, 2])}, layout_slugs(claim, other)
    name, changes, both = random.choice([
        ("layout-base", {**other, "base": 1e5}, [layout, {"base"}]),
        ("layout-offset", {**other, **moved}, [layout, OFFSET]),
        ("base-offset", {"base": 1e3, **moved}, [{"base"}, OFFSET]),
        ("layout-amplitude", {**other, "amplitude": 2.0}, [layout, {"amplitude"}])])
    return case(random, "two-" + name, claim, rows({**claim, **changes}), (), both=both,
                write=single)


right_odd = right("odd-{odd}", **ODD_SETTING)
right_shaped = right("shaped", shaped, dim=[16, 64])
ROWS = [right_dtype, right_dtype, right_dtype, right_dtype, right_shaped, right_shaped,
        right_float32, right("list", pos=gaps), right_preset, right_preset, right_odd,
        right_inv_freq, right_dtype, right_dtype, right_preset, right_float32, right_odd] + [
    wrong("other-layout", ("", layout_slugs, others("layout", LAYOUTS)), repair=["layout"])] * 2 + [
    # The same numbers come from another base: base^(m/(m-1)) or its inverse.
    wrong("other-ladder", ("", {"ladder", "base"}, {
        "ladder": lambda p: OPEN if p["ladder"] == CLOSED else CLOSED}), repair=["ladder"]),
    wrong("other-base", ("", "base", {"base": lambda p: [
        b for b in (100.0, 1e3, 5e3, 1e4, 2e4, 1e5, 5e5) if b != base_of(p)]}),
          repair={"base": base_of}),
    # exp(-2i/d log10(10000)): base e^4.
    wrong("log10", ("", "base", {"base": float(np.exp(4.0))}), repair={"base": base_of}, base=1e4),
    # 2 (2i) / d, which squares the base, or i / d, which takes its root.
    wrong("exponent-doubled", ("", {"base", "exponent-dim"}, {"base": [1e4 ** 2.0, 1e4 ** 0.5]}),
          base=1e4),
    amplified,
    wrong("amplitude-forgotten", ("", "amplitude", {"amplitude": ()}), dim=[64, 256],
          amplitude="inverse-sqrt-dim"),
    scaled, granularity_forgotten,
    wrong("other-odd", ("", odd_slugs, others("odd", ODD)), repair=["odd"], **ODD_SETTING),
    padding_row,
    # fairseq counts from padding_idx + 1, so its first row is that of position 2.
    wrong("shifted", ("", OFFSET, {"pos": lambda p: [at_of(p) + by for by in (1, 2, -1, 7)]})),
    wrong("positions-reversed", ("", {"positions-reversed", "pos"}, {
        "pos": lambda p: at_of(p)[::-1]})),
    # Sines with the other sign: positions with the other sign.
    wrong("sign", ("", {"sign", "inverse", "scale", "position-scale", "pos"}, {"sign": -1})),
    # Column 2i + 1 has the exponent (2i + 1) / d in place of 2i / d.
    wrong("cos-frequency", ("", "cos-frequency", {"w_cos": lambda p: exponent(p, 1)}),
          layout=["interleaved", "concat"], ladder=OPEN),
    wrong("degrees", ("", {"degrees"} | SCALES, {"scale": np.pi / 180})),
    # The pairs are counted from 1.
    wrong("exponent-offset", ("", {"exponent-offset"} | SCALES, {"w": lambda p: exponent(p, 2)}),
          ladder=OPEN),
    wrong("frequencies-reversed", ("", "frequencies-reversed", {
        "w": lambda p: frequencies(p)[::-1]})),
    rows_unfilled, rows_shuffled, columns_shuffled,
    # Positions counted in the dtype of the model.
    held("positions", (128, 300), [("bf16", (1000, 4000))] * 2 + [("f16", (4000, 20000))],
         lambda claim, kept: {"pos": kept(at_of(claim))}),
    wrong("positions-f32", ("", "positions-f32", {"pos": lambda p: rounded(at_of(p), "f32")}),
          write=single, pos=span((64, 128), (2 ** 24, 10 ** 8))),
    held("inv-freq", (128, 300), [("bf16", ANY_FIRST), ("f16", ANY_FIRST)],
         lambda claim, kept: {"w": kept(frequencies(claim))}, base=1e4)] + [
    held("angles", (64, 128, 300), [("bf16", (0, 100)), ("f16", (0, 100))],
         lambda claim, kept: {"changed": kept})] * 2 + [angles_float32, two, two]
