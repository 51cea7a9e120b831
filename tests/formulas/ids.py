# SPDX-License-Identifier: Apache-2.0
"""ids.py - position ids of padded batches, packed documents, prompts with pictures, and grids."""

import numpy as np

from formulas.grids import raster, sides

CONVENTIONS = {  # of a mask's rows, the sums along them, and the parameters
    "left_pad": lambda keep, sums, p: np.where(keep == 1, sums - 1, p.get("pad_value", 1)),
    "roberta": lambda keep, sums, p: (sums + p.get("past_len", 0)) * keep + p.get("padding_idx", 1),
    "opt": lambda keep, sums, p: sums * keep - 1 + p.get("offset", 2),
    "bloom_alibi": lambda keep, sums, p: (sums - 1) * keep,
    "arange": lambda keep, sums, p: np.ones_like(keep).cumsum(-1) - 1 + p.get("offset", 0)}


def from_mask(p):
    keep = np.array(p["attention_mask"])
    return CONVENTIONS[p.get("convention", "left_pad")](keep, keep.cumsum(-1), p)


def packed(lengths):
    """The outputs of ids-packed, by name."""
    return {"positions": np.concatenate([np.arange(n) for n in lengths]),
            "documents": np.repeat(np.arange(len(lengths)), lengths),
            "cu_seqlens": np.cumsum([0, *lengths]), "max_seqlen": max(lengths)}


def mrope(segments, advance="max_id", interval=1, merge=2):
    """Ids of Qwen2-VL, a row an axis, of tokens of text and of (frames, rows, columns)."""
    ids, start = [], 0
    for segment in segments:
        if isinstance(segment, int):
            ids += [(start + n,) * 3 for n in range(segment)]
            start += segment
            continue
        frames, rows, columns = segment[0], segment[1] // merge, segment[2] // merge
        part = [(start + int(t * interval), start + r, start + c)
                for t, r, c in raster(frames, rows, columns).T]
        ids += part
        start = np.max(part) + 1 if advance == "max_id" else start + max(rows, columns)
    return np.array(ids).T


RANGES = {"index": lambda k, n: k, "centred": lambda k, n: k - (n - n // 2),
          "pixel_centre": lambda k, n: k + 0.5, "unit": lambda k, n: (k + 0.5) / n,
          "signed": lambda k, n: 2 * (k + 0.5) / n - 1,
          "endpoints": lambda k, n: 2 * k / max(n - 1, 1) - 1}


def coordinates(xp, p):
    """Coordinates of a grid's cells, row and column of each."""
    (h, w), move = sides(p["grid"]), RANGES[p.get("coord_range", "index")]
    rows, columns = xp.real(raster(h, w))
    return np.stack([move(rows, h), move(columns, w)][::-1 if p.get("axis_order") == "xy" else 1],
                    -1)


def window_order(grids, merge=2, size=(4, 4)):
    """get_vision_window_index of transformers: tokens by image, frame, window and row; and the
    first patch of each window."""
    order, bounds, first = [], [0], 0
    for frames, height, width in grids:
        h, w = height // merge, width // merge
        tokens = first + np.arange(frames * h * w).reshape(frames, h, w)
        for frame in tokens:
            for top in range(0, h, size[0]):
                for left in range(0, w, size[1]):
                    window = frame[top:top + size[0], left:left + size[1]].ravel()
                    order.append(window)
                    bounds.append(bounds[-1] + window.size * merge * merge)
        first += tokens.size
    return np.concatenate(order), np.array(bounds)
