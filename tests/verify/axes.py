# SPDX-License-Identifier: Apache-2.0
"""axes.py - cases of rotary tables of images: rows, columns, and the order of both."""

import numpy as np

from case import Case, RIGHT, UNEXPLAINED, f32
from frequencies import claim
from vectors import turned


def ladder(columns, base):
    return float(base) ** -(np.arange(0, columns, 2) / columns)


def patches(height, width):
    """Row and column of each patch, row by row."""
    number = np.arange(height * width)
    return number // width, number % width


def outer(*parts):
    """Angles whose pairs are those of one axis after the other: (coordinates, frequencies) each."""
    return np.concatenate([np.outer(at, w) for at, w in parts], -1)


def made(name, claimed, angles, found, full=None, repair=None):
    """A case of cos and sin of angles; full repeats them as a pairing has it."""
    if full == "half":
        angles = np.concatenate([angles] * 2, -1)
    if full == "adjacent":
        angles = np.repeat(angles, 2, -1)
    return Case("axes/" + name, claimed, {"cos": f32(np.cos(angles)), "sin": f32(np.sin(angles))},
                found, repair=repair)


# ---- the ports of images, each by its formula ------------------------------------------------


def axial(rows, columns, dim, base):
    """rope-vit and SAM 2: columns first, then rows."""
    w = ladder(dim // 2, base)
    return outer((columns, w), (rows, w))


def rows_first(rows, columns, dim, base):
    """Qwen2-VL: rows first, then columns."""
    w = ladder(dim // 2, base)
    return outer((rows, w), (columns, w))


def alternating(rows, columns, dim, base):
    """MoonViT: column and row by turns for each frequency."""
    w = ladder(dim // 2, base)
    pairs = np.stack([np.outer(columns, w), np.outer(rows, w)], -1)
    return pairs.reshape(len(pairs), -1)


def one_ladder(rows, columns, dim, base):
    """Pixtral: the even frequencies of one ladder turn by rows, the odd ones by columns."""
    w = ladder(dim, base)
    return outer((rows, w[0::2]), (columns, w[1::2]))


def centred(rows, columns, height, width, dim, base):
    """DINOv3: coordinates from -1 to 1, and periods."""
    w = 2 * np.pi / float(base) ** (np.arange(dim // 4) / (dim / 4))
    return outer((2 * (rows + 0.5) / height - 1, w), (2 * (columns + 0.5) / width - 1, w))


PORTS = {"rope2d-axial": axial, "rope2d-moonvit": alternating, "rope2d-pixtral": one_ladder}


def drawn(random, square=False):
    height = random.choice([6, 8, 12])
    width = height if square else random.choice([n for n in (5, 7, 9, 10, 14, 16) if n != height])
    return height, width, random.choice([32, 64, 80, 128]), random.choice([100, 10000])


def drawn_image(random):
    """A port of images, its claim, and the arguments of its formula."""
    name = random.choice(list(PORTS))
    height, width, dim, base = drawn(random)
    claimed = claim(name, {"grid": "%dx%d" % (height, width), "dim": dim, "base": base})
    return name, claimed, height, width, dim, base


def full_of(name):
    """Pixtral's tables have a column an entry unless the claim says otherwise."""
    return "half" if name == "rope2d-pixtral" else None


# ---- images: right ---------------------------------------------------------------------------


def right_images(random):
    name, claimed, height, width, dim, base = drawn_image(random)
    angles = PORTS[name](*patches(height, width), dim, base)
    return made("right-" + name, claimed, angles, RIGHT, full_of(name))


def right_f32(random):
    """The tables of rope-vit in float32, from frequencies in float32."""
    height, width, dim, base = drawn(random)
    w = f32(1) / np.float32(base) ** (np.arange(0, dim, 4).astype(np.float32) / np.float32(dim))
    rows, columns = (at.astype(np.float32) for at in patches(height, width))
    return made("right-f32", claim("rope2d-axial", {
        "grid": "%dx%d" % (height, width), "dim": dim, "base": base}),
        outer((columns, w), (rows, w)), RIGHT)


def right_prefix(random):
    height, width, dim, base = drawn(random)
    count = random.choice([1, 5])
    angles = np.pad(axial(*patches(height, width), dim, base), ((count, 0), (0, 0)))
    return made("right-prefix", claim("rope2d-axial", {
        "grid": "%dx%d" % (height, width), "dim": dim, "base": base, "prefix_tokens": count}),
        angles, RIGHT)


def right_dinov3(random):
    height, width, dim, _ = drawn(random)
    angles = centred(*patches(height, width), height, width, dim, 100)
    return made("right-dinov3", claim("rope2d-dinov3", {"grid": "%dx%d" % (height, width),
                                                        "dim": dim}), angles, RIGHT)


def blocks(height, width, merge):
    """Row and column of each patch, block by block of merge x merge."""
    shape = height // merge, merge, width // merge, merge
    return tuple(at.reshape(shape).swapaxes(1, 2).ravel() for at in patches(height, width))


def right_qwen(random):
    height, width, merge = random.choice([4, 8]), random.choice([6, 10]), random.choice([1, 2])
    angles = np.tile(rows_first(*blocks(height, width, merge), 80, 10000), (2, 1))
    return made("right-qwen-vit", claim("rope2d-qwen-vit", {
        "grid_thw": [2, height, width], "dim": 80, "spatial_merge_size": merge}), angles, RIGHT,
        "half")


def right_llama4(random):
    side, dim = random.choice([6, 8, 12]), random.choice([32, 88])
    rows, columns = patches(side, side)
    angles = np.pad(axial(rows + 1, columns + 1, dim, 10000), ((0, 1), (0, 0)))
    return made("right-llama4", claim("rope-vision-llama4", {
        "image_size": side * 14, "patch_size": 14, "dim": dim}), angles, RIGHT)


# ---- images: wrong ---------------------------------------------------------------------------


def axes_swapped(random):
    """Rows where the port has columns; another port has just these numbers."""
    square = random.choice([True, False])
    height, width, dim, base = drawn(random, square)
    rows, columns = patches(height, width)
    found = {"axes-swapped", "encoding"} | ({"order", "transposed"} if square else set())
    return made("axes-swapped", claim("rope2d-axial", {
        "grid": "%dx%d" % (height, width), "dim": dim, "base": base}),
        axial(columns, rows, dim, base), found)


def column_by_column(random):
    """Patches listed column by column; of a square grid the same as axes that are swapped."""
    square = random.choice([True, False])
    name, claimed, height, width, dim, base = drawn_image(random)
    if square:
        width, claimed = height, dict(claimed, grid="%dx%d" % (height, height))
    number = np.arange(height * width)
    angles = PORTS[name](number % height, number // height, dim, base)
    found = {"order", "transposed", "stride", "rows-shuffled"}
    if square:
        found |= {"axes-swapped", "encoding"}
    return made("column-by-column", claimed, angles, found, full_of(name))


def sides_exchanged(random):
    """Height for width: rows and columns of another grid."""
    name, claimed, height, width, dim, base = drawn_image(random)
    angles = PORTS[name](*patches(width, height), dim, base)
    return made("sides-exchanged", claimed, angles, {"grid", "stride"}, full_of(name),
                repair={"grid": ("%dx%d" % (width, height), claimed["grid"])})


def stride(random):
    """Patches numbered with the row length of another image of as many patches."""
    name, claimed, height, width, dim, base = drawn_image(random)
    number = np.arange(height * width)
    length = random.choice([n for n in range(3, 33) if number.size % n == 0 and n != width])
    angles = PORTS[name](number // length, number % length, dim, base)
    return made("stride", claimed, angles, {"stride", "grid"}, full_of(name))


def base(random):
    name, claimed, height, width, dim, right = drawn_image(random)
    other = random.choice([b for b in (10, 100, 10000, 1000) if b != right])
    return made("base", claimed, PORTS[name](*patches(height, width), dim, other), "base",
                full_of(name), repair={"base": (str(other), str(right))})


def counted_from_one(random):
    name, claimed, height, width, dim, right = drawn_image(random)
    rows, columns = patches(height, width)
    return made("counted-from-one", claimed, PORTS[name](rows + 1, columns + 1, dim, right),
                "position-offset", full_of(name))


def prefix_forgotten(random):
    """A class token that the table has and the claim has not, or the reverse."""
    height, width, dim, base = drawn(random)
    angles = axial(*patches(height, width), dim, base)
    said = {"grid": "%dx%d" % (height, width), "dim": dim, "base": base}
    if random.choice([True, False]):
        said["prefix_tokens"] = 1
    else:
        angles = np.pad(angles, ((1, 0), (0, 0)))
    return made("prefix-forgotten", claim("rope2d-axial", said), angles, "prefix_tokens")


def one_axis(random):
    """Patches turned by their number, as text is."""
    height, width, dim, base = drawn(random)
    angles = np.outer(np.arange(height * width), ladder(dim, base))
    return made("one-axis", claim("rope2d-axial", {
        "grid": "%dx%d" % (height, width), "dim": dim, "base": base}), angles,
        {"encoding", "text-positions"})


def another_port(random):
    """The order of pairs of one port under the name of another."""
    height, width, dim, base = drawn(random)
    meant, done = random.choice([("rope2d-axial", alternating), ("rope2d-moonvit", axial),
                                 ("rope2d-axial", one_ladder), ("rope2d-moonvit", one_ladder)])
    found = {"encoding"} if done is one_ladder else {"encoding", "columns-shuffled"}
    return made("another-port", claim(meant, {"grid": "%dx%d" % (height, width), "dim": dim,
                                              "base": base}),
                done(*patches(height, width), dim, base), found)


def dinov3_normalized(random):
    """Both axes over the longer side where each has its own."""
    height, width, dim, _ = drawn(random)
    side = max(height, width)
    angles = centred(*patches(height, width), side, side, dim, 100)
    return made("dinov3-normalized", claim("rope2d-dinov3", {"grid": "%dx%d" % (height, width),
                                                             "dim": dim}),
                angles, "normalize_coords", repair={"normalize_coords": ("max", "separate")})


def blocks_ignored(random):
    """Patches row by row where Qwen2-VL has blocks of two by two, or the reverse."""
    height, width = random.choice([4, 8]), random.choice([6, 10])
    meant, done = random.choice([(1, 2), (2, 1)])
    angles = rows_first(*blocks(height, width, done), 80, 10000)
    return made("blocks-ignored", claim("rope2d-qwen-vit", {
        "grid_thw": [1, height, width], "dim": 80, "spatial_merge_size": meant}), angles,
        {"spatial_merge_size", "rows-shuffled"}, "half",
        repair={"spatial_merge_size": (str(done), str(meant))})


def unexplained(random):
    """A third of the patches has coordinates of its own."""
    name, claimed, height, width, dim, base = drawn_image(random)
    rows, columns = (at.astype(float) for at in patches(height, width))
    rows[::3] += random.random.normal(size=len(rows[::3]))
    return made("unexplained-patches", claimed, PORTS[name](rows, columns, dim, base),
                UNEXPLAINED, full_of(name))


def vectors(way):
    """Vectors of patches, as rope-vit turns them: columns of the picture first, adjacent pairs."""
    def make(random):
        height, width, dim, base = drawn(random)
        rows, columns = patches(height, width)
        swapped = way == "axes-swapped"
        angles = axial(columns, rows, dim, base) if swapped else axial(rows, columns, dim, base)
        q = f32(random.random.standard_normal((random.choice([2, 4]), height * width, dim)))
        pairing = "half" if way == "pairing" else "adjacent"
        y = f32(turned(q, np.cos(angles), np.sin(angles), pairing, 1))
        return Case("axes/vectors-" + way, claim("rope2d-axial/apply", {
            "grid": "%dx%d" % (height, width), "base": base, "seq_axis": 1}),
            {"q": q, "q_rot": y}, {"axes-swapped", "encoding"} if swapped else way)
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
        angles = flux(height, width, sections, base)
        if way == "swapped":
            rows, columns = patches(height, width)
            angles = outer((0 * rows, ladder(16, base)), (columns, ladder(56, base)),
                           (rows, ladder(56, base)))
            found = {"axes-swapped", "ids"}
        return made("flux-" + (way or "right"), claimed, angles, found)
    return make


ROWS = ([right_images] * 6 + [right_f32, right_prefix, right_llama4, axes_case(None)] +
        [right_dinov3, right_qwen] * 2 + [
    axes_swapped, axes_swapped, column_by_column, sides_exchanged, stride, stride, base,
    counted_from_one, prefix_forgotten, one_axis, another_port, another_port, dinov3_normalized,
    blocks_ignored, unexplained, vectors(RIGHT), vectors("axes-swapped"), vectors("pairing"),
    axes_case("sections"), axes_case("base"), axes_case("swapped"),
])
