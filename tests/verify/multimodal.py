# SPDX-License-Identifier: Apache-2.0
"""multimodal.py - cases of M-RoPE, whose pairs turn by time, row and column, and of xPos."""

import numpy as np

from case import Case, RIGHT, UNEXPLAINED, f32
from frequencies import claim, exponents, frequencies
from vectors import turned

# Head width, base, sections of time, height and width, and how they are dealt to the pairs.
MODELS = [("qwen2-vl", 128, 1000000, (16, 24, 24), "chunked"),
          ("glm-4.1v", 64, 10000, (8, 12, 12), "chunked"),
          ("qwen3-vl", 128, 5000000, (24, 20, 20), "interleaved"),
          ("qwen3.5", 64, 10000000, (11, 11, 10), "interleaved")]


def axis_of_pairs(sections, layout):
    """Number of the axis of each pair: 0 time, 1 height, 2 width."""
    t, h, w = sections
    if layout == "chunked":
        return np.repeat([0, 1, 2], sections)
    if layout == "videorope":
        return np.concatenate([np.arange(h + w) % 2 + 1, np.zeros(t, int)])
    pair = np.arange(t + h + w)
    return np.where((pair % 3 == 1) & (pair < 3 * h), 1, np.where((pair % 3 == 2) & (pair < 3 * w),
                                                                  2, 0))


def angles(ids, dim, base, sections, layout):
    """ids has a row a token; each pair turns by the coordinate of its axis."""
    w = frequencies({"dim": dim, "base": base})
    return np.asarray(ids, np.float64)[:, axis_of_pairs(sections, layout)] * w


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


def listed(numbers):
    return [int(number) for number in numbers]


def claim_of(ids, dim, base, sections, layout, encoding="mrope"):
    said = {"dim": dim, "base": base, "mrope_section": list(sections)}
    if encoding == "mrope/apply":
        del said["dim"]
    if layout != "chunked":
        said["section_layout"] = layout
    t, h, w = ids.T
    return claim(encoding, said, **{"pos.t": listed(t), "pos.h": listed(h), "pos.w": listed(w)})


def drawn(random):
    name, dim, base, sections, layout = random.choice(MODELS)
    return name, picture(random), dim, base, sections, layout


def made(name, claimed, turns, found, repair=None):
    return Case("multimodal/" + name, claimed,
                {"cos": f32(np.cos(turns)), "sin": f32(np.sin(turns))}, found, repair=repair)


# ---- M-RoPE ----------------------------------------------------------------------------------


def right_mrope(random):
    name, *rest = drawn(random)
    return made("right-" + name, claim_of(*rest), angles(*rest), RIGHT)


def right_text(random):
    """Text alone turns as by plain RoPE."""
    name, dim, base, sections, layout = random.choice(MODELS)
    ids = np.repeat(np.arange(64)[:, None], 3, 1)
    said = {"dim": dim, "base": base, "mrope_section": list(sections)}
    if layout != "chunked":
        said["section_layout"] = layout
    return made("right-text-" + name, claim("mrope", said, pos="0:64"),
                angles(ids, dim, base, sections, layout), RIGHT)


def right_vectors(random):
    name, *rest = drawn(random)
    ids, dim = rest[0], rest[1]
    turns = angles(*rest)
    q = f32(random.normal(len(ids), dim))
    return Case("multimodal/right-vectors-" + name, claim_of(*rest, encoding="mrope/apply"),
                {"q": q, "q_rot": f32(turned(q, np.cos(turns), np.sin(turns), "half"))}, RIGHT)


def text_positions(random):
    """The tokens of a picture are counted as text: the ids were not passed on."""
    _, *rest = drawn(random)
    count = len(rest[0])
    turns = angles(np.repeat(np.arange(count)[:, None], 3, 1), *rest[1:])
    return made("text-positions", claim_of(*rest), turns,
                {"text-positions", "pos", "ids", "encoding"})


def text_positions_of_vectors(random):
    _, *rest = drawn(random)
    ids, dim = rest[0], rest[1]
    turns = np.outer(np.arange(len(ids)), frequencies({"dim": dim, "base": rest[2]}))
    k = f32(random.normal(len(ids), dim))
    return Case("multimodal/text-positions-of-vectors", claim_of(*rest, encoding="mrope/apply"),
                {"k": k, "k_rot": f32(turned(k, np.cos(turns), np.sin(turns), "half"))},
                {"text-positions", "pos", "ids", "encoding"})


def axes_swapped(random):
    """Rows and columns exchanged, which changes each picture that is not square."""
    _, *rest = drawn(random)
    turns = angles(rest[0][:, [0, 2, 1]], *rest[1:])
    return made("axes-swapped", claim_of(*rest), turns, {"axes-swapped", "pos.h", "pos.w", "ids"})


def sections(random):
    """The pairs of another model's config."""
    _, ids, dim, base, meant, layout = drawn(random)
    other = random.choice({64: [(32, 16, 16), (40, 12, 12)],
                           32: [(16, 8, 8), (20, 6, 6)]}[dim // 2])
    return made("sections", claim_of(ids, dim, base, meant, layout),
                angles(ids, dim, base, other, layout), "mrope_section")


def layout(random):
    """Sections one after the other where they are interleaved, or the reverse."""
    _, ids, dim, base, meant, claimed = drawn(random)
    done = random.choice([name for name in ("chunked", "interleaved", "videorope")
                          if name != claimed])
    return made("layout", claim_of(ids, dim, base, meant, claimed),
                angles(ids, dim, base, meant, done), "section_layout",
                repair={"section_layout": (done, claimed)})


def leftover(random):
    """llama.cpp turns the pairs that interleaved sections leave over by a fourth axis, of zeros."""
    ids, meant = picture(random) + 1000, (24, 20, 20)
    turns = angles(ids, 128, 5000000, meant, "interleaved")
    turns[:, [61, 62]] = 0
    return made("leftover", claim_of(ids, 128, 5000000, meant, "interleaved"), turns, "leftover",
                repair={"leftover": ("extra", "t")})


def base(random):
    _, ids, dim, meant, *rest = drawn(random)
    other = random.choice([b for b in (10000, 500000, 1000000) if b != meant])
    return made("base", claim_of(ids, dim, meant, *rest), angles(ids, dim, other, *rest), "base",
                repair={"base": (str(other), str(meant))})


def offset(random):
    """All ids count from 1, as after a token that was put before them."""
    _, ids, *rest = drawn(random)
    return made("offset", claim_of(ids, *rest), angles(ids + random.choice([1, 2]), *rest),
                {"position-offset", "pos", "ids"})


def swapped(random):
    _, *rest = drawn(random)
    turns = angles(*rest)
    return Case("multimodal/sin-cos-swapped", claim_of(*rest),
                {"cos": f32(np.sin(turns)), "sin": f32(np.cos(turns))}, "sin-cos-swapped")


def unexplained(random):
    """A third of the tokens has ids that no rule gives."""
    _, ids, *rest = drawn(random)
    other = ids.astype(float)
    other[::3, 1:] += random.normal(len(other[::3]), 2)
    return made("unexplained", claim_of(ids, *rest), angles(other, *rest), UNEXPLAINED)


# ---- xPos ------------------------------------------------------------------------------------


def xpos(positions, p):
    """Sun et al. 2022: cos and sin times zeta^((p - centre) / scale_base)."""
    positions, dim = np.asarray(positions, np.float64), p["dim"]
    gamma = p.get("zeta_gamma", 0.4)
    zeta = (exponents(dim) + gamma) / (1 + gamma)
    length = positions.max() + 1
    centre = {"none": 0, "floor_half": length // 2, "torchscale": -(-length // 2)}[
        p.get("centre", "none")]
    power = (positions - centre) / p.get("scale_base", 512)
    scale = zeta[None, :] ** (-power if p.get("downscale") else power)[:, None]
    turns = np.outer(positions, frequencies({"dim": dim, "base": p.get("base", 10000)}))
    return scale * np.cos(turns), scale * np.sin(turns), scale


def drawn_xpos(random):
    p = {"dim": random.choice([32, 64, 128])}
    if random.choice([True, False]):
        p["centre"] = random.choice(["floor_half", "torchscale"])
    if random.choice([True, False]):
        p["downscale"] = 1
    return p, random.choice([65, 129, 257])


def xpos_case(name, claimed, positions, tables, found):
    cos, sin, scale = (f32(values) for values in tables)
    tensors = {"cos": cos, "sin": sin}
    if found == RIGHT:
        tensors["scale"] = scale
    return Case("multimodal/xpos-" + name, claim("xpos", claimed, pos="0:%d" % positions),
                tensors, found)


def right_xpos(random):
    p, count = drawn_xpos(random)
    return xpos_case("right", p, count, xpos(range(count), p), RIGHT)


def xpos_inverse(random):
    """The scale of keys for queries, or the reverse."""
    p, count = drawn_xpos(random)
    done = dict(p, downscale=0 if p.get("downscale") else 1)
    return xpos_case("inverse", p, count, xpos(range(count), done), "downscale")


def xpos_centre(random):
    """flash-attention's centre or none where torchscale's is claimed, of an odd length."""
    p, count = drawn_xpos(random)
    meant, done = random.choice([("torchscale", "none"), ("none", "torchscale"),
                                 ("none", "floor_half"), ("floor_half", "none"),
                                 ("torchscale", "floor_half")])
    found = {"centre"} if meant == "none" else {"centre", "centre_len"}
    return xpos_case("centre", dict(p, centre=meant), count,
                     xpos(range(count), dict(p, centre=done)), found)


def xpos_scale_base(random):
    p, count = drawn_xpos(random)
    return xpos_case("scale-base", p, count, xpos(range(count), dict(p, scale_base=random.choice(
        [2048, 256, 1024]))), "scale_base")


def xpos_gamma(random):
    p, count = drawn_xpos(random)
    return xpos_case("gamma", p, count, xpos(range(count), dict(p, zeta_gamma=random.choice(
        [0.2, 0.5, 1]))), "zeta_gamma")


def xpos_without_scale(random):
    """The rotation alone: RoPE under the name of xPos."""
    p, count = drawn_xpos(random)
    turns = np.outer(np.arange(count), frequencies({"dim": p["dim"], "base": 10000}))
    return Case("multimodal/xpos-without-scale", claim("xpos", p, pos="0:%d" % count),
                {"cos": f32(np.cos(turns)), "sin": f32(np.sin(turns))},
                {"encoding", "scale_base"})


def xpos_vectors(way):
    """Queries times the scale and keys over it, the default pairing being adjacent."""
    def make(random):
        p, count = {"dim": random.choice([32, 64])}, random.choice([33, 48])
        x = f32(random.normal(count, p["dim"]))
        cos, sin, _ = xpos(range(count), dict(p, downscale=int(way == "downscale")))
        y = f32(turned(x, cos, sin, "half" if way == "pairing" else "adjacent"))
        before, after = random.choice([("x", "y"), ("q", "q_rot")]) if way != "downscale" else (
            "x", "y")
        return Case("multimodal/xpos-vectors-" + way, claim("xpos/apply", {}, pos="0:%d" % count),
                    {before: x, after: y}, RIGHT if way == "right" else way)
    return make


def xpos_base(random):
    p, count = drawn_xpos(random)
    return xpos_case("base", p, count, xpos(range(count), dict(p, base=random.choice(
        [500000, 100000]))), "base")


ROWS = ([right_mrope] * 5 + [right_text, right_vectors, right_vectors] + [right_xpos] * 3 + [
    text_positions, text_positions, text_positions_of_vectors, axes_swapped, axes_swapped,
    sections, layout, leftover, base, offset, swapped, unexplained,
    xpos_vectors("right"), xpos_vectors("pairing"), xpos_vectors("downscale"),
    xpos_inverse, xpos_centre, xpos_scale_base, xpos_gamma, xpos_without_scale, xpos_base,
])
