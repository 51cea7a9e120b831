# SPDX-License-Identifier: Apache-2.0
"""ids.py - numbers of positions that a batch, a picture or a video got wrong."""

import numpy as np

import mask_code as m
import pictures as p
from case import Case, MISTAKE, case

KIND = "ids"


def padded(draw, side="left"):
    n, pad = draw.integer(8, 16), draw.integer(2, 5)
    flags = np.array([0] * pad + [1] * n)
    return flags if side == "left" else flags[::-1].copy()


def batch(draw, made, flags, say, more=(), numbers=()):
    return Case(draw.named("ids", np.asarray(made)[None]),
                ["encoding=ids-from-mask", "attention_mask=" + m.commas(flags), *more], MISTAKE,
                say, numbers)


@case(KIND)
def padding_is_counted(draw):
    flags = padded(draw)
    return batch(draw, np.arange(len(flags)), flags, [r"pad|arange|counted"])


@case(KIND)
def zeros_at_the_padding(draw):
    flags = padded(draw)
    return batch(draw, np.maximum(np.cumsum(flags) - 1, 0), flags, [r"pad_value|padding|bloom"])


@case(KIND)
def counted_from_one(draw):
    flags = padded(draw)
    ids = np.where(flags == 1, np.cumsum(flags), 1)
    return batch(draw, ids, flags, [r"offset|from 1|one|shift|\b1\b"])


@case(KIND)
def roberta_without_its_offset(draw):
    flags = padded(draw, "right")
    return batch(draw, np.where(flags == 1, np.cumsum(flags) - 1, 1), flags,
                 [r"roberta|left_pad|offset|padding_idx"], ["convention=roberta"])


@case(KIND)
def opt_without_its_offset(draw):
    flags = padded(draw)
    return batch(draw, np.cumsum(flags) * flags - 1, flags, [r"offset|opt"], ["convention=opt"],
                 [0, 2])


@case(KIND)
def past_is_not_counted(draw):
    n = draw.integer(3, 8)
    past = draw.integer(5, 20)
    return Case(draw.named("ids", np.arange(n)[None]),
                ["encoding=ids-from-mask", "convention=arange", "len=%d" % n, "past_len=%d" % past],
                MISTAKE, [r"past_len|offset|cache"], [past])


def packed(draw):
    lengths, labels = m.documents(draw)
    return lengths, labels, np.concatenate([np.arange(n) for n in lengths])


@case(KIND)
def packed_documents_run_on(draw):
    lengths, labels, right = packed(draw)
    return Case({"positions" if draw.is_plain else "position_ids": np.arange(len(right))},
                ["encoding=ids-packed", "lengths=" + m.commas(lengths)], MISTAKE,
                [r"document|pack|run|restart"])


@case(KIND)
def packed_documents_restart_one_late(draw):
    lengths, _, _ = packed(draw)
    made = [lengths[0] + 1, lengths[1] - 1, lengths[2]]
    return Case({"positions" if draw.is_plain else "position_ids":
                 np.concatenate([np.arange(n) for n in made])},
                ["encoding=ids-packed", "lengths=" + m.commas(lengths)], MISTAKE,
                [r"length|document|bound"], [made[0]])


def mrope(draw, made, parts, say, numbers=(), preset="qwen2-vl"):
    name = "ids" if draw.is_plain else draw.choice(["position_ids", "ids", "arr_0"])
    made = made[:, None] if not draw.is_plain and draw.coin() else made
    return Case({name: made}, ["encoding=ids-mrope", "preset=" + preset, p.segments(parts)],
                MISTAKE, say, numbers)


@case(KIND)
def picture_rows_and_columns_exchanged(draw):
    parts = [3, (1, 4, 8), 4]
    return mrope(draw, p.mrope_ids(parts)[[0, 2, 1]], parts,
                 [r"axis|axes|row|column|height|width|exchang|swap"])


@case(KIND)
def picture_as_text(draw):
    parts = p.drawn_parts(draw)
    n = p.mrope_ids(parts).shape[1]
    return mrope(draw, np.tile(np.arange(n), (3, 1)), parts, [r"text"])


@case(KIND)
def picture_not_merged(draw):
    """Patches are counted, not tokens of 2 x 2 of them: of the same number of tokens."""
    parts = [4, (1, 4, 4), 3]
    made = p.mrope_ids(parts)
    made[1:, 4:8] = 4 + (made[1:, 4:8] - 4) * 2
    return mrope(draw, made, parts, [r"merge|2|scale|row|column|step"])


@case(KIND)
def text_after_the_picture(draw):
    parts = p.drawn_parts(draw)
    made = p.mrope_ids(parts)
    first = made.shape[1] - parts[2]
    made[:, first:] = np.arange(first, made.shape[1])
    return mrope(draw, made, parts, [r"text|advance|next|after|token"], [first])


@case(KIND)
def time_of_stills_in_seconds(draw):
    """The start is multiplied by tokens_per_second: transformers#45325."""
    parts = [4, (1, 8, 8), 2, (1, 8, 8), 6]
    made = p.mrope_ids(parts)
    for first, count in ((4, 16), (22, 16)):
        made[0, first:first + count] *= 2
    return mrope(draw, made, parts, [r"tokens_per_second|time"], [2], "qwen2.5-vl")


@case(KIND)
def columns_of_a_grid_first(draw):
    h, w = 3, 5
    y, x = (g.reshape(-1) for g in np.indices((h, w)))
    return Case({"ids" if draw.is_plain else "pos_ids": np.stack([x, y], 1)},
                ["encoding=ids-grid", "grid=3x5"], MISTAKE, [r"xy|axis|axes|exchang|swap|order"])


@case(KIND)
def glm_block_positions(draw):
    """The second row of ids goes on in the context."""
    return Case({"position_ids": np.arange(12)},
                ["encoding=ids-chatglm2d", "len=12", "context=7", "mask_position=3"], MISTAKE,
                [r"two_d|mask|row|run"])
