# SPDX-License-Identifier: Apache-2.0
"""axes.py - cases of rotary tables of images: rows, columns, and the order of both."""

import numpy as np

from case import Case, RIGHT, UNEXPLAINED, f32
from formulas.grids import sides
from frequencies import claim, text
from kinds import Kind, said
from vectors import turned


def ladder(columns, base):
    return float(base) ** -(np.arange(0, columns, 2) / columns)


def patches(height, width, length=None):
    """Row and column of each patch, row by row, or as rows of another length number them."""
    number = np.arange(height * width)
    return number // (length or width), number % (length or width)


def blocks(height, width, merge):
    """Row and column of each patch, block by block of merge x merge."""
    shape = height // merge, merge, width // merge, merge
    return tuple(at.reshape(shape).swapaxes(1, 2).ravel() for at in patches(height, width))


def outer(*parts):
    """Angles whose pairs are those of one axis after the other: (coordinates, frequencies) each."""
    return np.concatenate([np.outer(at, w) for at, w in parts], -1)


# ---- the ports of images, each by its formula ------------------------------------------------


def axial(rows, columns, p):
    """rope-vit and SAM 2: columns first, then rows."""
    w = ladder(p["dim"] // 2, p["base"])
    return outer((columns, w), (rows, w))


def alternating(rows, columns, p):
    """MoonViT: column and row by turns for each frequency."""
    w = ladder(p["dim"] // 2, p["base"])
    pairs = np.stack([np.outer(columns, w), np.outer(rows, w)], -1)
    return pairs.reshape(len(pairs), -1)


def one_ladder(rows, columns, p):
    """Pixtral: the even frequencies of one ladder turn by rows, the odd ones by columns."""
    w = ladder(p["dim"], p["base"])
    return outer((rows, w[0::2]), (columns, w[1::2]))


def centred(rows, columns, p):
    """DINOv3: coordinates from -1 to 1, of each axis or of the longer side, and periods."""
    height, width = sides(p["grid"])
    if p.get("normalize_coords") == "max":
        height = width = max(height, width)
    w = 2 * np.pi / 100.0 ** (np.arange(p["dim"] // 4) / (p["dim"] / 4))
    return outer((2 * (rows + 0.5) / height - 1, w), (2 * (columns + 0.5) / width - 1, w))


def rows_first(rows, columns, p):
    """Qwen2-VL: rows first, then columns."""
    return axial(columns, rows, {"base": 10000, **p})


def one_axis(rows, columns, p):
    """Patches turned by their number, as text is."""
    return np.outer(np.arange(len(rows)), ladder(p["dim"], p["base"]))


PORTS = {"rope2d-axial": axial, "rope2d-moonvit": alternating, "rope2d-pixtral": one_ladder,
         "rope2d-dinov3": centred, "rope2d-qwen-vit": rows_first, "text": one_axis}
IMAGES = ["rope2d-axial", "rope2d-moonvit", "rope2d-pixtral"]


def angles(p):
    """The angles of a claim's patches. Of a mistake they are listed column by column, numbered by
    rows of another length, counted from one, of exchanged axes, or moved by `moved`."""
    if "grid_thw" in p:
        frames, height, width = p["grid_thw"]
        places = blocks(height, width, p["spatial_merge_size"])
        return np.tile(rows_first(*places, p), (frames, 1))
    height, width = sides(p["grid"])
    rows, columns = patches(height, width, p.get("length"))
    if p.get("by_column"):
        columns, rows = patches(width, height)
    rows, columns = rows + p.get("from", 0), columns + p.get("from", 0)
    rows = rows + p.get("moved", 0)
    places = (columns, rows) if p.get("swapped") else (rows, columns)
    return np.pad(PORTS[p["encoding"]](*places, p), ((p.get("prefix_tokens", 0), 0), (0, 0)))


class Axes(Kind):
    def case(self, random, name, p, turns, found, repair=None, write=None):
        """cos and sin of angles; Pixtral's and Qwen's tables have a column an entry unless a claim
        says otherwise."""
        if p["encoding"] in ("rope2d-pixtral", "rope2d-qwen-vit"):
            turns = np.concatenate([turns] * 2, -1)
        repair = {key: tuple(map(text, values)) for key, values in (repair or {}).items()}
        return Case("axes/" + name, claimed(p), {"cos": f32(np.cos(turns)),
                                                 "sin": f32(np.sin(turns))}, found, repair)


def claimed(p):
    return claim(p["encoding"], {key: value for key, value in p.items() if key != "encoding"})


def drawn(random, p):
    """A grid that is not square, or only where a row says so."""
    height = random.choice([6, 8, 12])
    width = height if p.get("square") == 1 else random.choice(
        [n for n in (5, 7, 9, 10, 14, 16) if n != height])
    dim, base = random.choice([32, 64, 80, 128]), random.choice([100, 10000])
    width = height if p.pop("square", 0) else width
    given = {"grid": "%dx%d" % (height, width), "dim": dim, "base": base}
    if p["encoding"] == "rope2d-dinov3":
        del given["base"]
    return {"encoding": p.pop("encoding"), **given, **p}


KIND = Axes("axes", "cos", angles, more=drawn)
right, wrong, case = KIND.right, KIND.wrong, KIND.case
AXIAL, ANY = {"encoding": "rope2d-axial"}, {"encoding": IMAGES}
SWAPPED, MOVED = {"axes-swapped", "encoding"}, {"order", "transposed", "stride", "rows-shuffled"}


# ---- images: right ---------------------------------------------------------------------------


def right_f32(random):
    """The tables of rope-vit in float32, from frequencies in float32."""
    p = drawn(random, dict(AXIAL))
    dim, base = np.float32(p["dim"]), np.float32(p["base"])
    w = f32(1) / base ** (np.arange(0, p["dim"], 4).astype(np.float32) / dim)
    rows, columns = (at.astype(np.float32) for at in patches(*sides(p["grid"])))
    return case(random, "right-f32", p, outer((columns, w), (rows, w)), RIGHT)


def right_prefix(random):
    p = drawn(random, dict(AXIAL))
    p["prefix_tokens"] = random.choice([1, 5])
    return case(random, "right-prefix", p, angles(p), RIGHT)


def right_qwen(random):
    p = {"encoding": "rope2d-qwen-vit", "grid_thw": [2, random.choice([4, 8]),
                                                    random.choice([6, 10])], "dim": 80,
         "spatial_merge_size": random.choice([1, 2])}
    return case(random, "right-qwen-vit", p, angles(p), RIGHT)


def right_llama4(random):
    side, dim = random.choice([6, 8, 12]), random.choice([32, 88])
    turns = angles({**AXIAL, "grid": (side, side), "dim": dim, "base": 10000, "from": 1})
    p = {"encoding": "rope-vision-llama4", "image_size": side * 14, "patch_size": 14, "dim": dim}
    return case(random, "right-llama4", p, np.pad(turns, ((0, 1), (0, 0))), RIGHT)


# ---- images: wrong ---------------------------------------------------------------------------


def is_square(p):
    return len(set(sides(p["grid"]))) == 1


def other_length(p):
    """Lengths of rows of other images of as many patches."""
    height, width = sides(p["grid"])
    return [n for n in range(3, 33) if height * width % n == 0 and n != width]


def prefix_forgotten(random):
    """A class token that the table has and the claim has not, or the reverse."""
    p = drawn(random, dict(AXIAL))
    has = random.choice([True, False])
    turns = angles(p if has else {**p, "prefix_tokens": 1})
    return case(random, "prefix-forgotten", {**p, "prefix_tokens": 1} if has else p, turns,
                "prefix_tokens")


def another_port(random):
    """The order of pairs of one port under the name of another."""
    p = drawn(random, dict(AXIAL))
    p["encoding"], done = random.choice([
        ("rope2d-axial", alternating), ("rope2d-moonvit", axial), ("rope2d-axial", one_ladder),
        ("rope2d-moonvit", one_ladder)])
    found = {"encoding"} if done is one_ladder else {"encoding", "columns-shuffled"}
    return case(random, "another-port", p, done(*patches(*sides(p["grid"])), p), found)


def blocks_ignored(random):
    """Patches row by row where Qwen2-VL has blocks of two by two, or the reverse."""
    grid = [1, random.choice([4, 8]), random.choice([6, 10])]
    meant, done = random.choice([(1, 2), (2, 1)])
    p = {"encoding": "rope2d-qwen-vit", "grid_thw": grid, "dim": 80, "spatial_merge_size": meant}
    return case(random, "blocks-ignored", p, angles({**p, "spatial_merge_size": done}),
                {"spatial_merge_size", "rows-shuffled"}, {"spatial_merge_size": (done, meant)})


def unexplained(random):
    """A third of the patches has coordinates of its own."""
    p = drawn(random, said(random, **ANY))
    rows, _ = (at.astype(float) for at in patches(*sides(p["grid"])))
    moved = np.zeros(len(rows))
    moved[::3] = random.random.normal(size=len(rows[::3]))
    return case(random, "unexplained-patches", p, angles({**p, "moved": moved}), UNEXPLAINED)


def vectors(way):
    """Vectors of patches, as rope-vit turns them: columns of the picture first, adjacent pairs."""
    def make(random):
        p = drawn(random, dict(AXIAL))
        swapped = way == "axes-swapped"
        turns = angles({**p, "swapped": swapped})
        q = f32(random.random.standard_normal((random.choice([2, 4]), len(turns), p["dim"])))
        y = f32(turned(q, np.cos(turns), np.sin(turns), "half" if way == "pairing" else "adjacent",
                       1))
        return Case("axes/vectors-" + way, claim("rope2d-axial/apply", {
            "grid": p["grid"], "base": p["base"], "seq_axis": 1}),
            {"q": q, "q_rot": y}, SWAPPED if swapped else way)
    return make


# ---- diffusion models: an axis after the other -----------------------------------------------


def flux(height, width, sections, base):
    rows, columns = patches(height, width)
    return outer(*[(at, ladder(n, base)) for at, n in zip((0 * rows, rows, columns), sections)])


def flux_ids(height, width):
    return ";".join("0,%d,%d" % pair for pair in zip(*patches(height, width)))


def axes_case(way):
    """Flux: 16, 56 and 56 columns of time, rows and columns."""
    def make(random):
        height, width = 6, random.choice([7, 9])
        sections, base = [16, 56, 56], 10000
        claimed = claim("rope-axes", {"axes_dim": sections, "ids": flux_ids(height, width)})
        found = RIGHT
        if way == "sections":
            sections, found = random.choice([[32, 48, 48], [44, 42, 42]]), {"axes_dim", "split"}
        if way == "base":
            base, found = random.choice([256, 2000]), {"base", "axes_base"}
        turns = flux(height, width, sections, base)
        if way == "swapped":
            rows, columns = patches(height, width)
            turns = outer((0 * rows, ladder(16, base)), (columns, ladder(56, base)),
                          (rows, ladder(56, base)))
            found = {"axes-swapped", "ids"}
        return Case("axes/flux-" + (way or "right"), claimed,
                    {"cos": f32(np.cos(turns)), "sin": f32(np.sin(turns))}, found)
    return make


RIGHT_IMAGE = right("{encoding}", **ANY)
RIGHT_DINOV3 = right("dinov3", encoding="rope2d-dinov3")
# Rows where the port has columns; another port has just these numbers.
AXES_SWAPPED = wrong("axes-swapped", ("", lambda p, done: SWAPPED | (
    {"order", "transposed"} if is_square(p) else set()), {"swapped": 1}), square=[1, ()], **AXIAL)
# Patches numbered with the row length of another image of as many patches.
STRIDE = wrong("stride", ("", {"stride", "grid"}, {"length": other_length}), **ANY)
ROWS = ([RIGHT_IMAGE] * 6 + [right_f32, right_prefix, right_llama4, axes_case(None)] +
        [RIGHT_DINOV3, right_qwen] * 2 + [
    AXES_SWAPPED, AXES_SWAPPED,
    # Patches listed column by column; of a square grid the same as axes that are swapped.
    wrong("column-by-column", ("", lambda p, done: MOVED | (SWAPPED if is_square(p) else set()),
                               {"by_column": 1}), square=[2, ()], **ANY),
    # Height for width: rows and columns of another grid.
    wrong("sides-exchanged", ("", {"grid", "stride"}, {
        "grid": lambda p: "%dx%d" % sides(p["grid"])[::-1]}), repair=["grid"], **ANY),
    STRIDE, STRIDE,
    wrong("base", ("", "base", {"base": lambda p: [
        b for b in (10, 100, 10000, 1000) if b != p["base"]]}), repair=["base"], **ANY),
    wrong("counted-from-one", ("", "position-offset", {"from": 1}), **ANY),
    prefix_forgotten,
    wrong("one-axis", ("", {"encoding", "text-positions"}, {"encoding": "text"}), **AXIAL),
    another_port, another_port,
    # Both axes over the longer side where each has its own.
    wrong("dinov3-normalized", ("", "normalize_coords", {"normalize_coords": "max"}),
          repair={"normalize_coords": "separate"}, encoding="rope2d-dinov3"),
    blocks_ignored, unexplained, vectors(RIGHT), vectors("axes-swapped"), vectors("pairing"),
    axes_case("sections"), axes_case("base"), axes_case("swapped"),
])
