# SPDX-License-Identifier: Apache-2.0
"""ids.py - cases of position ids: of padded batches, packed documents, pictures and grids."""

import numpy as np

from axes import blocks, patches
from case import Case, RIGHT, UNEXPLAINED, f32, narrowed
from formulas import ids
from formulas.ids import RANGES, packed
from formulas.numbers import DOUBLE
from frequencies import claim, text
from kinds import Kind, said


def written(rows):
    return ";".join(",".join(str(one) for one in row) for row in rows)


def told(segments, seconds=""):
    return ",".join("text:%d" % one if isinstance(one, int) else
                    "%s:%dx%dx%d%s" % (("image" if one[0] == 1 else "video",) + one +
                                       (seconds if one[0] > 1 else "",)) for one in segments)


WORDS = {"attention_mask": written, "segments": told}


class Ids(Kind):
    def case(self, random, name, p, values, found, repair=None, both=None, write=None, **tensors):
        """Whole numbers of 64 bits, or float32; a mask and segments as their words."""
        words = {key: value if isinstance(value, str) else WORDS.get(key, text)(value)
                 for key, value in p.items()}
        tensors = {**({} if values is None else {self.out: values}), **tensors}
        repair = {key: tuple(map(text, pair)) for key, pair in (repair or {}).items()}
        return Case("ids/" + name, claim(words.pop("encoding"), words), {
            key: np.asarray(one) if np.asarray(one).dtype == np.float32
            else np.asarray(one, np.int64) for key, one in tensors.items()}, found, repair)


# ---- padded batches --------------------------------------------------------------------------


def mask(side):
    """Rows of ones with padding on a side, or on a drawn one, of which one row has none."""
    def draw(random):
        on = side or random.choice(["left", "right"])
        length = random.choice([12, 16, 24])
        rows = np.ones((random.choice([3, 4]), length), np.int64)
        for row in rows[1:]:
            pads = random.choice([2, 3, 5, 7])
            row[slice(0, pads) if on == "left" else slice(length - pads, length)] = 0
        return rows
    return draw


MASKS = Ids("ids", "position_ids", ids.from_mask)


def masked(side, **more):
    return {"encoding": "ids-from-mask", "attention_mask": mask(side), **more}


def right_masks(random):
    convention = random.choice(list(ids.CONVENTIONS))
    p = said(random, **masked(None, convention=convention))
    return MASKS.case(random, "right-" + convention.replace("_", "-"), p, ids.from_mask(p), RIGHT)


def sixteen_bits(random):
    """arange in bfloat16, cast to whole numbers later."""
    values = narrowed(np.arange(1024), "bf16").astype(np.int64)
    return MASKS.case(random, "positions-bf16", {
        "encoding": "ids-from-mask", "convention": "arange", "len": 1024}, values[None],
        "positions-bf16")


def wrong_ids(random):
    p = said(random, **masked("left"))
    return MASKS.case(random, "unexplained", p, np.asarray(
        random.random.integers(0, 50, p["attention_mask"].shape)), UNEXPLAINED)


# ---- packed documents ------------------------------------------------------------------------


def lengths(random):
    return tuple(random.choice([3, 5, 8, 13]) for _ in range(random.choice([2, 3, 4])))


def positions(p):
    """Positions of documents, or of one that runs on, or that count from one."""
    return packed(p.get("read", p["lengths"]))["positions"] + p.get("from", 0)


PACKED = Ids("ids", "positions", positions)
DOCUMENTS = {"encoding": "ids-packed", "lengths": lengths}


def right_packed(random):
    counts = lengths(random)
    tensors = packed(counts)
    del tensors["max_seqlen"]
    how = {"lengths": counts}
    if random.choice([True, False]):
        how = {"cu_seqlens": [int(end) for end in tensors["cu_seqlens"]]}
    return PACKED.case(random, "right-packed", {"encoding": "ids-packed", **how}, None, RIGHT,
                       **tensors)


# ---- M-RoPE ----------------------------------------------------------------------------------


def segments_of(random, frames=1):
    height = random.choice([4, 6, 8])
    width = random.choice([n for n in (4, 6, 8, 10) if n != height])
    return random.choice([2, 5, 9]), (frames, height, width), random.choice([3, 6])


def mrope(p):
    """Ids of a claim's segments; of a mistake of text alone, of other axes, a row a token, or
    counted from one."""
    made = ids.mrope(p["segments"], p.get("advance", "max_id"), p.get("tokens_per_second", 1))
    made = np.tile(np.arange(made.shape[1]), (3, 1)) if p.get("text") else made
    made = made[[0, 2, 1]] if p.get("swapped") else made
    return np.ascontiguousarray(made.T) if p.get("turned") else made + p.get("from", 0)


MROPE = Ids("ids", "ids", mrope)
PROMPT = {"encoding": "ids-mrope", "segments": segments_of}


def right_mrope(random):
    p = {"encoding": "ids-mrope", "segments": segments_of(random, random.choice([1, 1, 4]))}
    made = mrope(p)
    return MROPE.case(random, "right-mrope", p, made, RIGHT,
                      rope_delta=made.max() + 1 - made.shape[1])


def of_seconds(name, draw, found, seconds=2):
    """Qwen2.5-VL: two ids for a second of video, or one where that is ignored."""
    def make(random):
        p = {"encoding": "ids-mrope", "segments": draw(random), "tokens_per_second": 2}
        made = mrope({**p, "tokens_per_second": seconds})
        return MROPE.case(random, name, {**p, "segments": told(p["segments"], "@1")}, made, found)
    return make


def advance(random):
    """Text after a video that is longer than it is wide goes on from its sides, not its time."""
    p = {"encoding": "ids-mrope", "segments": (4, (random.choice([8, 12]), 4, 6), 6)}
    p["advance"], done = random.choice([("max_id", "max_hw"), ("max_hw", "max_id")])
    return MROPE.case(random, "advance", p, mrope({**p, "advance": done}), "advance",
                      {"advance": (done, p["advance"])})


# ---- grids -----------------------------------------------------------------------------------


def sides(random):
    height = random.choice([4, 6, 8])
    return height, random.choice([n for n in (4, 6, 10, 12) if n != height])


def grid(random):
    return "%dx%d" % sides(random)


def cells(p):
    """Row and column of each cell, in blocks of merge x merge, or column and row."""
    made = np.stack(blocks(*ids.sides(p["grid"]), p.get("merge", 1)), 1)
    made = made[:, ::-1].copy() if p.get("axis_order") == "xy" else made
    return np.pad(made, ((p.get("prefix_tokens", 0), 0), (0, 0)))


CELLS, GRID = Ids("ids", "ids", cells), {"encoding": "ids-grid", "grid": grid}
COORDS = Ids("ids", "coords", lambda p: f32(ids.coordinates(DOUBLE, p)))


def grid_prefix(random):
    p, has = said(random, **GRID), random.choice([True, False])
    return CELLS.case(random, "prefix", {**p, "prefix_tokens": 1} if has else p,
                      cells(p if has else {**p, "prefix_tokens": 1}), "prefix_tokens")


def pixtral_stride(random):
    """Rows of Pixtral's table numbered by this picture's width, not the widest picture's."""
    height, width = sides(random)
    rows, columns = patches(height, width)
    right = random.choice([True, False])
    return Ids("ids", "position_ids", None).case(
        random, "right-pixtral" if right else "stride",
        {"encoding": "rope2d-pixtral", "grid": "%dx%d" % (height, width)},
        rows * (64 if right else width) + columns,
        RIGHT if right else {"stride", "image_size", "patch_size"})


def coord_range(meant, done, *also):
    return "", {"coord_range", *also}, {"coord_range": done}, {"coord_range": meant}


# 0, 1, 2 ... whatever the mask: Unsloth #3699.
LEFT_PADDING = MASKS.wrong("left-padding", ("", {"left-padding", "convention"}, {
    "convention": "arange"}), **masked("left"))
COORD_RANGE = COORDS.wrong(
    "coord-range", coord_range("signed", "endpoints", "scale"),
    coord_range("endpoints", "signed", "scale"), coord_range("signed", "unit"),
    coord_range("index", "pixel_centre", "offset", "position-offset"),
    coord_range("unit", "signed"), coord_range("centred", "index", "offset"),
    coord_range("pixel_centre", "unit", "scale"), repair=["coord_range"], **GRID)
RIGHT_COORDS = COORDS.right("coordinates", **GRID, coord_range=list(RANGES))
ROWS = ([right_masks] * 6 + [right_packed] * 2 + [right_mrope] * 2 + [
    of_seconds("right-seconds", lambda random: segments_of(random, 4), RIGHT),
    CELLS.right("grid", **GRID, merge=[1, 2], axis_order=["hw", "xy"]), RIGHT_COORDS,
    RIGHT_COORDS, LEFT_PADDING, LEFT_PADDING,
    # Padding has 0 where generate() of transformers has 1.
    MASKS.wrong("pad-value", ("", {"pad_value", "convention"}, {"pad_value": 0}, {"pad_value": 1}),
                ("", {"pad_value"}, {"pad_value": 1}, {"pad_value": 0}), repair=["pad_value"],
                **masked("left")),
    # Ids from 0 for a table whose first two rows are no positions.
    MASKS.wrong("roberta-forgotten", ("", "convention", {"convention": "arange"}),
                **masked("right", convention="roberta")),
    # The padding index 0 in place of 1: off by one.
    MASKS.wrong("roberta-index", *[
        ("", {"padding_idx", "position-offset"} | ({"convention"} if done == 1 else set()),
         {"padding_idx": done}, {"padding_idx": meant}) for meant, done in ((1, 0), (1, 2), (0, 1))],
        **masked("right", convention="roberta")),
    # The two rows before the first position of OPT and BART are forgotten, or are three.
    MASKS.wrong("opt-offset", ("", {"offset", "position-offset"}, {"offset": [0, 1, 3]}),
                **masked(None, convention="opt")),
    # New tokens are counted from 0 although a cache comes before them.
    MASKS.wrong("cache-ignored", ("", "past_len", {"past_len": 0}),
                **masked("right", convention="roberta", past_len=[5, 10, 100])),
    MASKS.wrong("bart-offset", ("", {"offset", "position-offset", "past_len"}, {"offset": 0}),
                **masked("right", convention="arange", offset=2)),
    sixteen_bits, wrong_ids,
    PACKED.wrong("packing-ignored", ("", {"packing-ignored", "lengths"}, {
        "read": lambda p: (sum(p["lengths"]),)}), **DOCUMENTS),
    PACKED.wrong("packed-from-one", ("", "position-offset", {"from": 1}), **DOCUMENTS),
    # A picture counted as text.
    MROPE.wrong("text-positions", ("", {"text-positions", "segments"}, {"text": 1}), **PROMPT),
    MROPE.wrong("axes-swapped", ("", "axes-swapped", {"swapped": 1}), **PROMPT),
    # A row a token, as position_ids of some ports.
    MROPE.wrong("transposed", ("", {"transposed", "axes"}, {"turned": 1}), **PROMPT), advance,
    # Frames counted by one where a second has two ids.
    of_seconds("seconds-ignored", lambda random: (3, (6, 4, 6), 4),
               {"tokens_per_second", "segments"}, 1),
    MROPE.wrong("mrope-from-one", ("", "position-offset", {"from": 1}), **PROMPT), COORD_RANGE,
    COORD_RANGE, CELLS.wrong("axis-order", ("", {"axis_order", "axes-swapped"}, {
        "axis_order": "xy"}), **GRID),
    CELLS.wrong("grid-exchanged", ("", {"grid", "stride"}, {
        "grid": lambda p: "x".join(p["grid"].split("x")[::-1])}), **GRID),
    CELLS.wrong("merge", ("", {"merge", "rows-shuffled"}, {"merge": 2}, {"merge": 1}),
                ("", {"merge", "rows-shuffled"}, {"merge": 1}, {"merge": 2}), repair=["merge"],
                **GRID),
    grid_prefix, pixtral_stride, pixtral_stride,
])
