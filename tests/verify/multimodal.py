# SPDX-License-Identifier: Apache-2.0
"""multimodal.py - cases of M-RoPE, whose pairs turn by time, row and column, and of xPos."""

import numpy as np

from case import Case, RIGHT, UNEXPLAINED, f32
from formulas.numbers import DOUBLE, positions
from formulas.rotary import LAYOUTS, xpos_scale
from frequencies import claim, frequencies, text
from kinds import Kind
from vectors import turned

# Head width, base, sections of time, height and width, and how they are dealt to the pairs.
MODELS = [("qwen2-vl", 128, 1000000, (16, 24, 24), "chunked"),
          ("glm-4.1v", 64, 10000, (8, 12, 12), "chunked"),
          ("qwen3-vl", 128, 5000000, (24, 20, 20), "interleaved"),
          ("qwen3.5", 64, 10000000, (11, 11, 10), "interleaved")]


def angles(p):
    """Each pair turns by the coordinate of its axis; ids has a row a token."""
    axis = LAYOUTS[p.get("section_layout", "chunked")](p["mrope_section"])
    return np.asarray(p["ids"], np.float64)[:, axis] * frequencies({"dim": p["dim"],
                                                                    "base": p["base"]})


def picture(random, height=None):
    """Ids of text, a picture of height x width tokens, and text again: Qwen2-VL."""
    before, after = random.choice([3, 8, 15]), random.choice([4, 9])
    height = height or random.choice([4, 5, 6])
    width = random.choice([n for n in (4, 5, 7, 8) if n != height])
    number = np.arange(height * width)
    ids = [(n, n, n) for n in range(before)]
    ids += [(before, before + n // width, before + n % width) for n in number]
    start = before + max(height, width)
    ids += [(start + n,) * 3 for n in range(after)]
    return np.array(ids)


def claim_of(p, encoding="mrope"):
    """A claim of what was drawn, whose ids stand by axis."""
    said = {key: value for key, value in p.items() if key not in ("ids", "name")}
    if encoding == "mrope/apply":
        del said["dim"]
    if said.get("section_layout") == "chunked":
        del said["section_layout"]
    t, h, w = ([int(number) for number in axis] for axis in p["ids"].T)
    return claim(encoding, said, **{"pos.t": t, "pos.h": h, "pos.w": w})


def model(random):
    name, dim, base, sections, layout = random.choice(MODELS)
    return {"name": name, "dim": dim, "base": base, "mrope_section": list(sections),
            "section_layout": layout}


def drawn(random, p=None):
    return {**model(random), "ids": picture(random)}


class Mrope(Kind):
    def case(self, random, name, p, turns, found, repair=None, both=None, write=None):
        repair = {key: tuple(map(text, pair)) for key, pair in (repair or {}).items()}
        cos, sin = f32(np.cos(turns)), f32(np.sin(turns))
        return Case("multimodal/" + name.format(**p), claim_of(p), {"cos": cos, "sin": sin}, found,
                    repair)


MROPE = Mrope("multimodal", "cos", angles, more=drawn)
TEXT = {"text-positions", "pos", "ids", "encoding"}


def text_ids(p):
    """The ids of as many tokens of text."""
    return np.repeat(np.arange(len(p["ids"]))[:, None], 3, 1)


# ---- M-RoPE ----------------------------------------------------------------------------------


def right_text(random):
    """Text alone turns as by plain RoPE."""
    p = {**model(random), "ids": np.repeat(np.arange(64)[:, None], 3, 1)}
    said = {name: value for name, value in claim_of(p).items() if not name.startswith("pos.")}
    turns = angles(p)
    return Case("multimodal/right-text-" + p["name"], {**said, "pos": "0:64"},
                {"cos": f32(np.cos(turns)), "sin": f32(np.sin(turns))}, RIGHT)


def of_vectors(name, before, found, turns_of):
    """Vectors that turn as turns_of says of what was drawn."""
    def make(random):
        p = drawn(random)
        turns, x = turns_of(p), f32(random.normal(len(p["ids"]), p["dim"]))
        return Case("multimodal/" + name.format(**p), claim_of(p, "mrope/apply"), {
            before: x, before + "_rot": f32(turned(x, np.cos(turns), np.sin(turns), "half"))}, found)
    return make


def leftover(random):
    """llama.cpp turns the pairs that interleaved sections leave over by a fourth axis, of zeros."""
    p = {"dim": 128, "base": 5000000, "mrope_section": [24, 20, 20],
         "section_layout": "interleaved", "ids": picture(random) + 1000}
    turns = angles(p)
    turns[:, [61, 62]] = 0
    return MROPE.case(random, "leftover", p, turns, "leftover", {"leftover": ("extra", "t")})


def swapped(random):
    p = drawn(random)
    turns = angles(p)
    return Case("multimodal/sin-cos-swapped", claim_of(p),
                {"cos": f32(np.sin(turns)), "sin": f32(np.cos(turns))}, "sin-cos-swapped")


def unexplained(random):
    """A third of the tokens has ids that no rule gives."""
    p = drawn(random)
    other = p["ids"].astype(float)
    other[::3, 1:] += random.normal(len(other[::3]), 2)
    return MROPE.case(random, "unexplained", p, angles({**p, "ids": other}), UNEXPLAINED)


# ---- xPos ------------------------------------------------------------------------------------


def xpos(p):
    """Sun et al. 2022: cos and sin times the scale; with no scale, RoPE under the name of xPos."""
    turns = np.outer(positions(p["pos"]), frequencies({"dim": p["dim"],
                                                       "base": p.get("base", 10000)}))
    scale = xpos_scale(DOUBLE, p)
    return (np.cos(turns), np.sin(turns), None) if p.get("plain") else (
        scale * np.cos(turns), scale * np.sin(turns), scale)


def drawn_xpos(random, p=None):
    said = {"dim": random.choice([32, 64, 128])}
    if random.choice([True, False]):
        said["centre"] = random.choice(["floor_half", "torchscale"])
    if random.choice([True, False]):
        said["downscale"] = 1
    return {**said, "pos": "0:%d" % random.choice([65, 129, 257])}


class Xpos(Kind):
    def case(self, random, name, p, values, found, repair=None, both=None, write=None):
        names = ("cos", "sin", "scale") if found == RIGHT else ("cos", "sin")
        return Case("multimodal/xpos-" + name, claim("xpos", p),
                    dict(zip(names, map(f32, values[:len(names)]))), found)


XPOS = Xpos("multimodal", "cos", xpos, more=drawn_xpos)


def xpos_centre(random):
    """flash-attention's centre or none where torchscale's is claimed, of an odd length."""
    p = drawn_xpos(random)
    meant, done = random.choice([("torchscale", "none"), ("none", "torchscale"),
                                 ("none", "floor_half"), ("floor_half", "none"),
                                 ("torchscale", "floor_half")])
    found = {"centre"} if meant == "none" else {"centre", "centre_len"}
    pos = p.pop("pos")
    p = {"dim": p.pop("dim"), **p, "centre": meant, "pos": pos}
    return XPOS.case(random, "centre", p, xpos({**p, "centre": done}), found)


def xpos_vectors(way):
    """Queries times the scale and keys over it, the default pairing being adjacent."""
    def make(random):
        dim, count = random.choice([32, 64]), random.choice([33, 48])
        x, pos = f32(random.normal(count, dim)), "0:%d" % count
        cos, sin, _ = xpos({"dim": dim, "pos": pos, "downscale": way == "downscale"})
        y = f32(turned(x, cos, sin, "half" if way == "pairing" else "adjacent"))
        before, after = random.choice([("x", "y"), ("q", "q_rot")]) if way != "downscale" else (
            "x", "y")
        return Case("multimodal/xpos-vectors-" + way, claim("xpos/apply", {}, pos=pos),
                    {before: x, after: y}, RIGHT if way == "right" else way)
    return make


# The tokens of a picture are counted as text: the ids were not passed on.
TEXT_POSITIONS = MROPE.wrong("text-positions", ("", TEXT, {"ids": text_ids}))
# Rows and columns exchanged, which changes each picture that is not square.
AXES_SWAPPED = MROPE.wrong("axes-swapped", ("", {"axes-swapped", "pos.h", "pos.w", "ids"}, {
    "ids": lambda p: p["ids"][:, [0, 2, 1]]}))
# The pairs of another model's config.
SECTIONS = {64: [(32, 16, 16), (40, 12, 12)], 32: [(16, 8, 8), (20, 6, 6)]}
RIGHT_VECTORS = of_vectors("right-vectors-{name}", "q", RIGHT, angles)
ROWS = ([MROPE.right("{name}")] * 5 + [right_text, RIGHT_VECTORS, RIGHT_VECTORS] + [
    XPOS.wrong("right", ("", RIGHT, {}))] * 3 + [
    TEXT_POSITIONS, TEXT_POSITIONS,
    of_vectors("text-positions-of-vectors", "k", TEXT, lambda p: angles({**p, "ids": text_ids(p)})),
    AXES_SWAPPED, AXES_SWAPPED,
    MROPE.wrong("sections", ("", "mrope_section", {
        "mrope_section": lambda p: SECTIONS[p["dim"] // 2]})),
    # Sections one after the other where they are interleaved, or the reverse.
    MROPE.wrong("layout", ("", "section_layout", {"section_layout": lambda p: [
        name for name in ("chunked", "interleaved", "videorope") if name != p["section_layout"]
        and len(LAYOUTS[name](p["mrope_section"])) == p["dim"] // 2]}),
                repair=["section_layout"]),
    leftover,
    MROPE.wrong("base", ("", "base", {"base": lambda p: [
        b for b in (10000, 500000, 1000000) if b != p["base"]]}), repair=["base"]),
    # All ids count from 1, as after a token that was put before them.
    MROPE.wrong("offset", ("", {"position-offset", "pos", "ids"}, {
        "ids": lambda p: [p["ids"] + by for by in (1, 2)]})), swapped, unexplained,
    xpos_vectors("right"), xpos_vectors("pairing"), xpos_vectors("downscale"),
    # The scale of keys for queries, or the reverse.
    XPOS.wrong("inverse", ("", "downscale", {"downscale": lambda p: not p.get("downscale")})),
    xpos_centre, XPOS.wrong("scale-base", ("", "scale_base", {"scale_base": [2048, 256, 1024]})),
    XPOS.wrong("gamma", ("", "zeta_gamma", {"zeta_gamma": [0.2, 0.5, 1]})),
    # The rotation alone: RoPE under the name of xPos.
    XPOS.wrong("without-scale", ("", {"encoding", "scale_base"}, {"plain": 1, "base": 10000})),
    XPOS.wrong("base", ("", "base", {"base": [500000, 100000]})),
])
