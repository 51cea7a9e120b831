# SPDX-License-Identifier: Apache-2.0
"""masks.py - masks with a term that is missing, added, shifted or transposed."""

import numpy as np

import mask_code as m
from case import Case, MISTAKE, TOLD, case

KIND = "masks"


def wrong(draw, seen, words, say, numbers=()):
    return Case(draw.named("mask", m.form(draw, seen)), words, MISTAKE, say, numbers)


def causal_words(n):
    return ["encoding=causal-mask", "len=%d" % n]


def wrong_window(draw, seen, window, say, numbers=()):
    """Where a window of that size is claimed."""
    words = ["encoding=sliding-window-mask", "window=%d" % window, "len=%d" % len(seen)]
    return wrong(draw, seen, words, say, numbers)


def wrong_prefix(draw, seen, prefix, say, numbers=()):
    """Where a prefix of that length is claimed."""
    words = ["encoding=prefix-lm-mask", "prefix_len=%d" % prefix, "len=%d" % len(seen)]
    return wrong(draw, seen, words, say, numbers)


@case(KIND)
def strictly_causal(draw):
    n = draw.integer(6, 40)
    i, j = m.grid(n)
    return wrong(draw, j < i, causal_words(n), [r"own|strict|itself|diagonal"])


@case(KIND)
def one_key_too_many(draw):
    n = draw.integer(6, 40)
    i, j = m.grid(n)
    return wrong(draw, j <= i + 1, causal_words(n), [r"next|one (key|position)|shift|offset|\+ ?1"])


@case(KIND)
def transposed(draw):
    n = draw.integer(6, 40)
    return wrong(draw, m.causal(n).T, causal_words(n), [r"transpos|exchang|future"])


@case(KIND)
def inverted(draw):
    n = draw.integer(6, 40)
    return Case(draw.named("mask", ~m.causal(n)), causal_words(n), MISTAKE,
                [r"true_means|invert|hidden|masked|polarity"])


@case(KIND)
def not_causal_at_all(draw):
    n = draw.integer(6, 40)
    return wrong(draw, np.ones((n, n), bool), causal_words(n),
                 [r"causal|every|future|after|hidden|masked|no key"])


@case(KIND)
def truth_added_to_the_scores(draw):
    n = draw.integer(6, 40)
    return Case({"attn_bias" if not draw.is_plain else "additive":
                 m.causal(n).astype(np.float32)}, causal_words(n), MISTAKE,
                [r"truth|bool|0 and 1|added"])


@case(KIND, "plus", "minus")
def window_off_by_one(draw, way):
    n, w = draw.integer(20, 48), draw.integer(4, 9)
    made = w + (1 if way == "plus" else -1)
    return wrong_window(draw, m.window(n, made), w, [r"window|inclusive"],
                        [made] if way == "minus" else ())


@case(KIND)
def window_of_half_the_size(draw):
    n, w = draw.integer(24, 48), draw.choice([6, 8, 10])
    return wrong_window(draw, m.window(n, w // 2), w, [r"window"], [w // 2, w])


@case(KIND)
def window_left_out(draw):
    n, w = draw.integer(20, 48), draw.integer(4, 9)
    return wrong_window(draw, m.causal(n), w, [
        r"window|causal", r"missing|left out|no window|without|ignored|0|causal"])


@case(KIND)
def window_where_none_is_meant(draw):
    """The sliding mask goes to a layer of full attention."""
    n, w = draw.integer(20, 48), draw.integer(4, 9)
    return wrong(draw, m.window(n, w), causal_words(n), [r"window"], [w])


@case(KIND)
def window_sees_the_future(draw):
    n, w = draw.integer(20, 40), draw.integer(4, 9)
    i, j = m.grid(n)
    return wrong_window(draw, abs(i - j) < w, w, [r"future|causal|after|right|both|bidirec"])


@case(KIND)
def prefix_left_out(draw):
    n, p = draw.integer(12, 40), draw.integer(4, 9)
    return wrong_prefix(draw, m.causal(n), p, [r"prefix", r"\b[01]\b|causal|missing|left"])


@case(KIND)
def prefix_of_another_length(draw):
    n, p = draw.integer(16, 40), draw.integer(4, 9)
    made = p + draw.choice([-1, 1, 3])
    return wrong_prefix(draw, m.prefix(n, made), p, [r"prefix"], [made, p])


@case(KIND)
def prefix_where_none_is_meant(draw):
    n, p = draw.integer(16, 40), draw.integer(4, 9)
    return wrong(draw, m.prefix(n, p), causal_words(n), [r"prefix"], [p])


@case(KIND)
def documents_see_each_other(draw):
    lengths, labels = m.documents(draw)
    return wrong(draw, m.causal(len(labels)), ["encoding=document-mask",
                                               "lengths=" + m.commas(lengths)], [r"document"])


@case(KIND)
def documents_are_not_causal(draw):
    lengths, labels = m.documents(draw)
    return wrong(draw, m.same(labels), ["encoding=document-mask", "lengths=" + m.commas(lengths)],
                 [r"causal|future|after|both ways"])


@case(KIND)
def documents_of_other_lengths(draw):
    """The first boundary is one token late."""
    lengths, _ = m.documents(draw)
    made = [lengths[0] + 1, lengths[1] - 1, lengths[2]]
    labels = np.repeat(np.arange(3), made)
    return wrong(draw, m.same(labels) & m.causal(len(labels)),
                 ["encoding=document-mask", "lengths=" + m.commas(lengths)],
                 [r"document|length|bound|begin"], [made[0]])


@case(KIND)
def two_documents_are_one(draw):
    lengths, labels = m.documents(draw)
    made = np.minimum(labels, 1)
    return wrong(draw, m.same(made) & m.causal(len(labels)),
                 ["encoding=document-mask", "lengths=" + m.commas(lengths)],
                 [r"document|length|bound"], [lengths[1] + lengths[2]])


@case(KIND)
def documents_where_none_are_meant(draw):
    lengths, labels = m.documents(draw)
    return wrong(draw, m.same(labels) & m.causal(len(labels)), causal_words(len(labels)),
                 [r"document|block|packed"], [lengths[0]])


def padded(draw, side, low=2):
    n, pad = draw.integer(8, 20), draw.integer(low, 5)
    flags = np.ones(n, int)
    flags[:pad] = 0
    return n, pad, flags if side == "left" else flags[::-1].copy()


@case(KIND, "left", "right")
def padding_is_seen(draw, side):
    n, pad, flags = padded(draw, side)
    return wrong(draw, m.causal(n), ["encoding=causal-mask", "len=%d" % n,
                                     "attention_mask=" + m.commas(flags)],
                 [r"padding|attention_mask"])


@case(KIND, "left", "right")
def padding_where_none_is_claimed(draw, side):
    """Keys 0 and 1 are hidden: unsloth#9848."""
    n, pad, flags = padded(draw, side)
    return wrong(draw, m.causal(n) & m.keys_of(flags), causal_words(n),
                 [r"padding|keys? (0|%d)|hidden" % (n - pad)], [pad - 1 if side == "left" else n - pad])


@case(KIND)
def padding_on_the_other_side(draw):
    n, pad, flags = padded(draw, "left")
    return wrong(draw, m.causal(n) & m.keys_of(flags[::-1]), ["encoding=causal-mask",
                 "len=%d" % n, "attention_mask=" + m.commas(flags)],
                 [r"padding|attention_mask", r"side|right|revers|order|end"])


@case(KIND)
def padding_sees_padding(draw):
    """flags[i] == flags[j]: Biohub/esm#299."""
    n, pad, flags = padded(draw, "right")
    return wrong(draw, m.same(flags), ["encoding=padding-mask", "causal=0",
                                       "attention_mask=" + m.commas(flags)],
                 [r"padding", r"see|attend|equal"])


@case(KIND)
def queries_of_padding_hidden(draw):
    """flags[i] & flags[j], where rows of padding are meant to see."""
    n, pad, flags = padded(draw, "right")
    seen = m.keys_of(flags) & m.keys_of(flags).T
    return wrong(draw, seen, ["encoding=padding-mask", "causal=0",
                              "attention_mask=" + m.commas(flags)], [r"row|quer|padding"],
                 [n - pad])


@case(KIND)
def padding_of_queries_in_place_of_keys(draw):
    n, pad, flags = padded(draw, "right")
    return wrong(draw, m.keys_of(flags).T, ["encoding=padding-mask", "causal=0",
                 "attention_mask=" + m.commas(flags)], [r"transpos|quer|row"])


@case(KIND, "top-left", "none")
def decode_step(draw, way):
    """Three queries of a cache, as if they were the first; or who see the future."""
    queries, keys = 3, draw.integer(10, 24)
    i, j = m.grid(queries, keys)
    seen = j <= i if way == "top-left" else np.ones((queries, keys), bool)
    say = [r"top-left|align|offset|position 0" if way == "top-left" else
           r"causal|future|after|offset|q="]
    return wrong(draw, seen, ["encoding=causal-mask", "q_len=3", "k_len=%d" % keys], say)


@case(KIND)
def chunks_of_another_size(draw):
    n, chunk = 40, draw.choice([4, 5])
    return wrong(draw, m.causal(n) & m.same(np.arange(n) // (2 * chunk)),
                 ["encoding=chunked-mask", "chunk=%d" % chunk, "len=40"], [r"chunk"],
                 [2 * chunk, chunk])


@case(KIND)
def window_in_place_of_chunks(draw):
    n, chunk = draw.integer(30, 44), draw.choice([4, 8])
    return wrong(draw, m.window(n, chunk), ["encoding=chunked-mask", "chunk=%d" % chunk,
                                            "len=%d" % n], [r"window", r"chunk"])


@case(KIND)
def chunks_are_shifted(draw):
    n, chunk = 40, 8
    shift = draw.integer(1, 6)
    return wrong(draw, m.causal(n) & m.same((np.arange(n) + chunk - shift) // chunk),
                 ["encoding=chunked-mask", "chunk=8", "len=40"], [r"chunk|shift|padding"], [shift])


@case(KIND)
def pictures_are_causal(draw):
    labels = m.pictures(draw)
    return wrong(draw, m.causal(len(labels)), ["encoding=blockwise-or-causal-mask",
                                               "block_ids=" + m.commas(labels)],
                 [r"picture|image|block"])


@case(KIND)
def picture_escapes_the_window(draw):
    """causal and window, or one picture: the window is meant to hold for pictures as well."""
    labels, w = m.pictures(draw), 8
    seen = m.window(len(labels), w) | m.blocks(labels)
    return wrong(draw, seen, ["encoding=blockwise-or-causal-mask", "window=8",
                              "block_ids=" + m.commas(labels)], [r"picture|image|block", r"window"])


@case(KIND)
def window_of_pictures_left_out(draw):
    labels = m.pictures(draw)
    return wrong(draw, m.causal(len(labels)) | m.blocks(labels),
                 ["encoding=blockwise-or-causal-mask", "window=8",
                  "block_ids=" + m.commas(labels)], [r"window"], [8])


@case(KIND)
def two_pictures_see_each_other(draw):
    labels = [-1] * 3 + [0] * 8 + [-1] * 2 + [1] * 8 + [-1] * 4
    joined = np.where(np.array(labels) >= 0, 0, -1)
    return wrong(draw, m.causal(len(labels)) | m.blocks(joined),
                 ["encoding=blockwise-or-causal-mask", "block_ids=" + m.commas(labels)],
                 [r"picture|image|block"])


@case(KIND)
def hidden_keys_have_a_small_number(draw):
    """-1 in place of -inf: the keys are not hidden."""
    n = draw.integer(6, 30)
    mask = np.where(m.causal(n), np.float32(0), np.float32(-1))
    return Case(draw.named("mask", mask), causal_words(n) + ["mask_value=-inf"], MISTAKE,
                [r"mask_value|hidden|-1"])


@case(KIND)
def one_hole(draw):
    """A causal mask in which one query lost one key: the place is told."""
    n = draw.integer(12, 30)
    seen = m.causal(n)
    row = draw.integer(6, n - 1)
    column = draw.integer(1, row - 1)
    seen[row, column] = False
    return Case(draw.named("mask", m.form(draw, seen)), causal_words(n), TOLD,
                [r"\[(0, ?)*%d, ?%d\]" % (row, column)])


@case(KIND)
def last_rows_never_written(draw):
    n = draw.choice([16, 24, 32])
    seen = m.causal(n)
    seen[n // 2:] = False
    return wrong(draw, seen, causal_words(n), [r"row", r"never|unfilled|zero|nothing|no key"],
                 [n // 2])
