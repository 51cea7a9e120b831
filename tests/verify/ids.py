# SPDX-License-Identifier: Apache-2.0
"""ids.py - cases of position ids: of padded batches, packed documents, pictures and grids."""

import numpy as np

from axes import blocks, patches
from case import Case, RIGHT, UNEXPLAINED, f32, narrowed
from frequencies import claim


def made(name, encoding, claimed, tensors, found, repair=None):
    return Case("ids/" + name, claim(encoding, claimed),
                {key: np.asarray(values) if np.asarray(values).dtype == np.float32
                 else np.asarray(values, np.int64) for key, values in tensors.items()},
                found, repair=repair)


# ---- padded batches --------------------------------------------------------------------------


def mask(random, side):
    """Rows of ones with padding on a side, of which one row has none."""
    length = random.choice([12, 16, 24])
    rows = np.ones((random.choice([3, 4]), length), np.int64)
    for row in rows[1:]:
        pads = random.choice([2, 3, 5, 7])
        row[slice(0, pads) if side == "left" else slice(length - pads, length)] = 0
    return rows


def written(rows):
    return ";".join(",".join(str(one) for one in row) for row in rows)


def left_pad(rows, pad_value=1):
    return np.where(rows == 1, rows.cumsum(1) - 1, pad_value)


def roberta(rows, padding_idx=1, past_len=0):
    return (rows.cumsum(1) + past_len) * rows + padding_idx


def opt(rows, offset=2):
    return rows.cumsum(1) * rows - 1 + offset


def bloom(rows):
    return (rows.cumsum(1) - 1) * rows


def arange(rows, offset=0):
    return np.tile(np.arange(rows.shape[1]) + offset, (len(rows), 1))


CONVENTIONS = {"left_pad": left_pad, "roberta": roberta, "opt": opt, "bloom_alibi": bloom,
               "arange": arange}


def from_mask(name, rows, ids, found, repair=None, **more):
    return made(name, "ids-from-mask", dict({"attention_mask": written(rows)}, **more),
                {"position_ids": ids}, found, repair)


def right_masks(random):
    convention = random.choice(list(CONVENTIONS))
    rows = mask(random, random.choice(["left", "right"]))
    return from_mask("right-" + convention.replace("_", "-"), rows, CONVENTIONS[convention](rows),
                     RIGHT, convention=convention)


def padding_ignored(random):
    """0, 1, 2 ... whatever the mask: Unsloth #3699."""
    rows = mask(random, "left")
    return from_mask("left-padding", rows, arange(rows), {"left-padding", "convention"})


def pad_value(random):
    """Padding has 0 where generate() of transformers has 1."""
    rows = mask(random, "left")
    meant, done = random.choice([(1, 0), (0, 1)])
    found = {"pad_value"} | ({"convention"} if done == 0 else set())
    return from_mask("pad-value", rows, left_pad(rows, done), found, pad_value=meant,
                     repair={"pad_value": (str(done), str(meant))})


def roberta_forgotten(random):
    """Ids from 0 for a table whose first two rows are no positions."""
    rows = mask(random, "right")
    return from_mask("roberta-forgotten", rows, arange(rows), {"convention"},
                     convention="roberta")


def roberta_index(random):
    """The padding index 0 in place of 1: off by one."""
    rows = mask(random, "right")
    meant, done = random.choice([(1, 0), (1, 2), (0, 1)])
    found = {"padding_idx", "position-offset"} | ({"convention"} if done == 1 else set())
    return from_mask("roberta-index", rows, roberta(rows, done), found, convention="roberta",
                     padding_idx=meant)


def opt_offset(random):
    """The two rows before the first position of OPT and BART are forgotten, or are three."""
    rows = mask(random, random.choice(["left", "right"]))
    return from_mask("opt-offset", rows, opt(rows, random.choice([0, 1, 3])),
                     {"offset", "position-offset"}, convention="opt")


def cache_ignored(random):
    """New tokens are counted from 0 although a cache comes before them."""
    rows, past = mask(random, "right"), random.choice([5, 10, 100])
    return from_mask("cache-ignored", rows, roberta(rows), {"past_len"}, convention="roberta",
                     past_len=past)


def bart_offset(random):
    rows = mask(random, "right")
    return from_mask("bart-offset", rows, arange(rows), {"offset", "position-offset", "past_len"},
                     convention="arange", offset=2)


def sixteen_bits(random):
    """arange in bfloat16, cast to whole numbers later."""
    ids = narrowed(np.arange(1024), "bf16").astype(np.int64)
    return made("positions-bf16", "ids-from-mask", {"convention": "arange", "len": 1024},
                {"position_ids": ids[None]}, "positions-bf16")


def wrong_ids(random):
    rows = mask(random, "left")
    ids = np.asarray(random.random.integers(0, 50, rows.shape))
    return from_mask("unexplained", rows, ids, UNEXPLAINED)


# ---- packed documents ------------------------------------------------------------------------


def lengths(random):
    return [random.choice([3, 5, 8, 13]) for _ in range(random.choice([2, 3, 4]))]


def packed(counts):
    ends = np.cumsum([0] + counts)
    return {"positions": np.concatenate([np.arange(n) for n in counts]),
            "documents": np.repeat(np.arange(len(counts)), counts), "cu_seqlens": ends}


def right_packed(random):
    counts = lengths(random)
    tensors = packed(counts)
    said = {"lengths": counts}
    if random.choice([True, False]):
        said = {"cu_seqlens": [int(end) for end in tensors["cu_seqlens"]]}
    return made("right-packed", "ids-packed", said, tensors, RIGHT)


def packing_ignored(random):
    counts = lengths(random)
    return made("packing-ignored", "ids-packed", {"lengths": counts},
                {"positions": np.arange(sum(counts))}, {"packing-ignored", "lengths"})


def packed_from_one(random):
    counts = lengths(random)
    return made("packed-from-one", "ids-packed", {"lengths": counts},
                {"positions": packed(counts)["positions"] + 1}, "position-offset")


# ---- M-RoPE ----------------------------------------------------------------------------------


def mrope(segments, advance="max_id", interval=1, merge=2):
    """Ids of Qwen2-VL, a row an axis, of tokens of text and of (frames, rows, columns)."""
    ids, start = [], 0
    for segment in segments:
        if isinstance(segment, int):
            ids += [(start + n,) * 3 for n in range(segment)]
            start += segment
            continue
        frames, rows, columns = segment[0], segment[1] // merge, segment[2] // merge
        part = [(start + int(t * interval), start + r, start + c) for t in range(frames)
                for r in range(rows) for c in range(columns)]
        ids += part
        start = np.max(part) + 1 if advance == "max_id" else start + max(rows, columns)
    return np.array(ids).T


def segments_of(random, frames=1):
    height = random.choice([4, 6, 8])
    width = random.choice([n for n in (4, 6, 8, 10) if n != height])
    return [random.choice([2, 5, 9]), (frames, height, width), random.choice([3, 6])]


def told(segments, seconds=""):
    return ",".join("text:%d" % one if isinstance(one, int) else
                    "%s:%dx%dx%d%s" % (("image" if one[0] == 1 else "video",) + one +
                                       (seconds if one[0] > 1 else "",)) for one in segments)


def delta(ids):
    return ids.max() + 1 - ids.shape[1]


def right_mrope(random):
    segments = segments_of(random, random.choice([1, 1, 4]))
    ids = mrope(segments)
    return made("right-mrope", "ids-mrope", {"segments": told(segments)},
                {"ids": ids, "rope_delta": delta(ids)}, RIGHT)


def right_seconds(random):
    """Qwen2.5-VL: two ids for a second of video."""
    segments = segments_of(random, 4)
    return made("right-seconds", "ids-mrope",
                {"segments": told(segments, "@1"), "tokens_per_second": 2},
                {"ids": mrope(segments, interval=2)}, RIGHT)


def text_ids(random):
    """A picture counted as text."""
    segments = segments_of(random)
    count = mrope(segments).shape[1]
    return made("text-positions", "ids-mrope", {"segments": told(segments)},
                {"ids": np.tile(np.arange(count), (3, 1))}, {"text-positions", "segments"})


def mrope_swapped(random):
    segments = segments_of(random)
    return made("axes-swapped", "ids-mrope", {"segments": told(segments)},
                {"ids": mrope(segments)[[0, 2, 1]]}, "axes-swapped")


def mrope_transposed(random):
    """A row a token, as position_ids of some ports."""
    segments = segments_of(random)
    return made("transposed", "ids-mrope", {"segments": told(segments)},
                {"ids": np.ascontiguousarray(mrope(segments).T)}, {"transposed", "axes"})


def advance(random):
    """Text after a video that is longer than it is wide goes on from its sides, not its time."""
    segments = [4, (random.choice([8, 12]), 4, 6), 6]
    meant, done = random.choice([("max_id", "max_hw"), ("max_hw", "max_id")])
    return made("advance", "ids-mrope", {"segments": told(segments), "advance": meant},
                {"ids": mrope(segments, done)}, "advance", repair={"advance": (done, meant)})


def seconds_ignored(random):
    """Frames counted by one where a second has two ids."""
    segments = [3, (6, 4, 6), 4]
    return made("seconds-ignored", "ids-mrope",
                {"segments": told(segments, "@1"), "tokens_per_second": 2},
                {"ids": mrope(segments)}, {"tokens_per_second", "segments"})


def mrope_from_one(random):
    segments = segments_of(random)
    return made("mrope-from-one", "ids-mrope", {"segments": told(segments)},
                {"ids": mrope(segments) + 1}, "position-offset")


# ---- grids -----------------------------------------------------------------------------------


def sides(random):
    height = random.choice([4, 6, 8])
    return height, random.choice([n for n in (4, 6, 10, 12) if n != height])


def grid_of(height, width):
    return {"grid": "%dx%d" % (height, width)}


def right_grid(random):
    height, width = sides(random)
    merge = random.choice([1, 2])
    rows, columns = blocks(height, width, merge)
    order = random.choice(["hw", "xy"])
    ids = np.stack([rows, columns] if order == "hw" else [columns, rows], 1)
    said = dict(grid_of(height, width), merge=merge, axis_order=order)
    return made("right-grid", "ids-grid", said, {"ids": ids}, RIGHT)


RANGES = {"index": lambda k, n: k, "centred": lambda k, n: k - (n - n // 2),
          "pixel_centre": lambda k, n: k + 0.5, "unit": lambda k, n: (k + 0.5) / n,
          "signed": lambda k, n: 2 * (k + 0.5) / n - 1,
          "endpoints": lambda k, n: 2 * k / (n - 1) - 1}


def coordinates(height, width, name):
    rows, columns = patches(height, width)
    return f32(np.stack([RANGES[name](rows, height), RANGES[name](columns, width)], 1))


def right_coordinates(random):
    (height, width), name = sides(random), random.choice(list(RANGES))
    return made("right-coordinates", "ids-grid", dict(grid_of(height, width), coord_range=name),
                {"coords": coordinates(height, width, name)}, RIGHT)


def coord_range(random):
    height, width = sides(random)
    meant, done, also = random.choice([
        ("signed", "endpoints", {"scale"}), ("endpoints", "signed", {"scale"}),
        ("signed", "unit", set()), ("index", "pixel_centre", {"offset", "position-offset"}),
        ("unit", "signed", set()), ("centred", "index", {"offset"}),
        ("pixel_centre", "unit", {"scale"})])
    return made("coord-range", "ids-grid", dict(grid_of(height, width), coord_range=meant),
                {"coords": coordinates(height, width, done)}, {"coord_range"} | also,
                repair={"coord_range": (done, meant)})


def grid_axis_order(random):
    height, width = sides(random)
    ids = np.stack(patches(height, width), 1)
    return made("axis-order", "ids-grid", grid_of(height, width), {"ids": ids[:, ::-1].copy()},
                {"axis_order", "axes-swapped"})


def grid_exchanged(random):
    height, width = sides(random)
    return made("grid-exchanged", "ids-grid", grid_of(height, width),
                {"ids": np.stack(patches(width, height), 1)}, {"grid", "stride"})


def grid_merge(random):
    height, width = sides(random)
    meant, done = random.choice([(1, 2), (2, 1)])
    return made("merge", "ids-grid", dict(grid_of(height, width), merge=meant),
                {"ids": np.stack(blocks(height, width, done), 1)}, {"merge", "rows-shuffled"},
                repair={"merge": (str(done), str(meant))})


def grid_prefix(random):
    height, width = sides(random)
    ids = np.stack(patches(height, width), 1)
    said = grid_of(height, width)
    if random.choice([True, False]):
        said["prefix_tokens"] = 1
    else:
        ids = np.pad(ids, ((1, 0), (0, 0)))
    return made("prefix", "ids-grid", said, {"ids": ids}, "prefix_tokens")


def pixtral_stride(random):
    """Rows of Pixtral's table numbered by this picture's width, not the widest picture's."""
    height, width = sides(random)
    rows, columns = patches(height, width)
    right = random.choice([True, False])
    ids = rows * (64 if right else width) + columns
    return made("right-pixtral" if right else "stride", "rope2d-pixtral", grid_of(height, width),
                {"position_ids": ids}, RIGHT if right else {"stride", "image_size", "patch_size"})


ROWS = ([right_masks] * 6 + [right_packed] * 2 + [right_mrope] * 2 +
        [right_seconds, right_grid, right_coordinates, right_coordinates] + [
    padding_ignored, padding_ignored, pad_value, roberta_forgotten, roberta_index, opt_offset,
    cache_ignored, bart_offset, sixteen_bits, wrong_ids, packing_ignored, packed_from_one,
    text_ids, mrope_swapped, mrope_transposed, advance, seconds_ignored, mrope_from_one,
    coord_range, coord_range, grid_axis_order, grid_exchanged, grid_merge, grid_prefix,
    pixtral_stride, pixtral_stride,
])
