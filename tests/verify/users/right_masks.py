# SPDX-License-Identifier: Apache-2.0
"""right_masks.py - masks that are right, in the forms of PyTorch, transformers and others."""

import numpy as np

import mask_code as m
from case import Case, RIGHT, case

KIND = "right-mask"


def right(draw, seen, words):
    return Case(draw.named("mask", m.form(draw, seen)), words, RIGHT)


@case(KIND)
def causal(draw):
    n = draw.integer(5, 64)
    return right(draw, m.causal(n), ["encoding=causal-mask"] +
                 (["len=%d" % n] if draw.is_plain or draw.coin() else []))


@case(KIND)
def window_of_mistral(draw):
    n, w = draw.integer(12, 48), draw.integer(3, 9)
    return right(draw, m.window(n, w), ["encoding=sliding-window-mask", "window=%d" % w,
                                        "len=%d" % n])


@case(KIND)
def prefix_of_a_picture(draw):
    n, p = draw.integer(12, 40), draw.integer(3, 9)
    return right(draw, m.prefix(n, p), ["encoding=prefix-lm-mask", "prefix_len=%d" % p,
                                        "len=%d" % n])


@case(KIND, "lengths", "cu-seqlens", "document-ids")
def packed_documents(draw, way):
    lengths, labels = m.documents(draw)
    seen = m.same(labels) & m.causal(len(labels))
    said = {"lengths": "lengths=" + m.commas(lengths),
            "cu-seqlens": "cu_seqlens=" + m.commas([0, *np.cumsum(lengths)]),
            "document-ids": "document_ids=" + m.commas(labels)}[way]
    return right(draw, seen, ["encoding=document-mask", said])


@case(KIND)
def packed_documents_by_attention_mask(draw):
    """attention_mask 1,1,1,2,2,0: documents are numbered, padding is 0."""
    lengths, labels = m.documents(draw)
    flags = np.concatenate([labels + 1, np.zeros(3, int)])
    seen = m.same(flags) & (flags > 0)[None] & m.causal(len(flags))
    return right(draw, seen, ["encoding=document-mask", "attention_mask=" + m.commas(flags)])


@case(KIND, "left", "right")
def padded_batch(draw, side):
    n, pad = draw.integer(8, 20), draw.integer(1, 4)
    flags = np.ones(n, int)
    if side == "left":
        flags[:pad] = 0
    else:
        flags[n - pad:] = 0
    return right(draw, m.causal(n) & m.keys_of(flags),
                 ["encoding=causal-mask", "len=%d" % n, "attention_mask=" + m.commas(flags)])


@case(KIND)
def padding_of_an_encoder(draw):
    n, pad = draw.integer(8, 20), draw.integer(1, 4)
    flags = np.array([1] * (n - pad) + [0] * pad)
    return right(draw, m.keys_of(flags), ["encoding=padding-mask", "causal=0",
                                          "attention_mask=" + m.commas(flags)])


@case(KIND)
def padding_by_lengths(draw):
    n, length = 12, draw.integer(5, 11)
    return right(draw, m.causal(n) & m.keys_of(np.arange(n) < length),
                 ["encoding=padding-mask", "lengths=%d" % length])


@case(KIND)
def chunks_of_llama4(draw):
    chunk, n = draw.choice([4, 8]), draw.integer(18, 40)
    return right(draw, m.causal(n) & m.same(np.arange(n) // chunk),
                 ["encoding=chunked-mask", "chunk=%d" % chunk, "len=%d" % n])


@case(KIND)
def picture_of_gemma3(draw):
    labels = m.pictures(draw)
    return right(draw, m.causal(len(labels)) | m.blocks(labels),
                 ["encoding=blockwise-or-causal-mask", "block_ids=" + m.commas(labels)])


@case(KIND)
def picture_within_a_window_of_gemma3(draw):
    """(causal or one picture) and q - k < window: its sliding layers."""
    labels, w = m.pictures(draw), draw.choice([8, 12])
    i, j = m.grid(len(labels))
    seen = (m.causal(len(labels)) | m.blocks(labels)) & (i - j < w)
    return right(draw, seen, ["encoding=blockwise-or-causal-mask", "window=%d" % w,
                              "block_ids=" + m.commas(labels)])


@case(KIND)
def decode_step_of_a_cache(draw):
    queries, keys = draw.choice([1, 3]), draw.integer(12, 30)
    i, j = m.grid(queries, keys)
    return right(draw, j <= i + keys - queries,
                 ["encoding=causal-mask", "q_len=%d" % queries, "k_len=%d" % keys])


@case(KIND)
def window_of_both_sides(draw):
    n, w = draw.integer(14, 30), draw.integer(2, 5)
    i, j = m.grid(n)
    return right(draw, abs(i - j) <= w, ["encoding=sliding-window-bidirectional-mask",
                                         "window=%d" % w, "len=%d" % n])


@case(KIND)
def sinks_and_window(draw):
    n, w, sinks = draw.integer(16, 32), draw.integer(4, 8), draw.choice([1, 2, 4])
    _, j = m.grid(n)
    return right(draw, (m.window(n, w) | (j < sinks)) & m.causal(n),
                 ["encoding=attention-sink-window-mask", "window=%d" % w, "sink_tokens=%d" % sinks,
                  "len=%d" % n])


@case(KIND)
def longformer(draw):
    n, w = draw.integer(16, 30), draw.integer(2, 4)
    i, j = m.grid(n)
    return right(draw, (abs(i - j) <= w) | (i == 0) | (j == 0),
                 ["encoding=global-local-mask", "half_window=%d" % w, "global_tokens=0",
                  "len=%d" % n])


@case(KIND)
def hidden_keys_are_true(draw):
    """key_padding_mask and attn_mask of nn.MultiheadAttention: true is hidden."""
    n = draw.integer(6, 30)
    return Case(draw.named("mask", ~m.causal(n)),
                ["encoding=causal-mask", "len=%d" % n, "true_means=masked"], RIGHT)


@case(KIND)
def batch_of_four_axes(draw):
    """[B, 1, T, T] of two left-padded sequences."""
    n = draw.integer(6, 14)
    flags = np.ones((2, n), int)
    flags[1, :draw.integer(1, 4)] = 0
    seen = np.stack([m.causal(n) & m.keys_of(row) for row in flags])[:, None]
    return Case(draw.named("mask", seen),
                ["encoding=causal-mask", "len=%d" % n, "attention_mask=" +
                 ";".join(m.commas(row) for row in flags)], RIGHT)


@case(KIND)
def shifted_windows_of_swin(draw):
    size, shift, grid = 4, 2, draw.choice([8, 12])
    label = np.zeros((grid, grid), int)
    cuts = (slice(0, -size), slice(-size, -shift), slice(-shift, None))
    for number, (a, b) in enumerate((a, b) for a in cuts for b in cuts):
        label[a, b] = number
    parts = label.reshape(grid // size, size, grid // size, size).transpose(0, 2, 1, 3)
    parts = parts.reshape(-1, size * size)
    mask = np.where(parts[:, None, :] == parts[:, :, None], np.float32(0), np.float32(-100))
    return Case(draw.named("mask", mask),
                ["encoding=swin-shift-mask", "grid=%dx%d" % (grid, grid), "window_size=4",
                 "shift=2", "mask_value=-100"], RIGHT)
