# SPDX-License-Identifier: Apache-2.0
"""doubtful.py - numbers that can be read in two ways, of which people mean one: a sign that is
no reversed position, ids that are no bias, an axis of as many heads as another has tokens."""

import numpy as np

import rope
from case import Case, FOUND, MISTAKE, NOTHING, REFUSED, RIGHT, case
import heads
import mask_code as m

F = np.float32
KIND = "doubtful"
HALVES = [rope.half, lambda a: a]
IDS = '"encoding": "(ids-from-mask|ids-packed|integer)"'


def plain(draw, positions, dim=64, base=1e4):
    return rope.tables(rope.inv_freq(dim, base), positions, 1.0, draw.choice(HALVES))


@case(KIND, "tables", "freqs-cis", "claimed")
def sines_negated_or_positions_reversed(draw, way):
    """Nobody counts 0, -1, -2: sines have the other sign, by mistake or by convention."""
    first = draw.choice([0, 0, 5])
    cos, sin = rope.tables(rope.inv_freq(64, 1e4), np.arange(first, first + 48), 1.0,
                           (lambda a: a) if way == "freqs-cis" else draw.choice(HALVES))
    said = [r"sines have the other sign", r"convention"]
    if way == "freqs-cis":
        return Case({"freqs_cis": (cos - 1j * sin).astype(np.complex64)}, [], MISTAKE, said)
    return Case({"cos": cos, "sin": -sin},
                ["encoding=rope", "dim=64"] if way == "claimed" else [], MISTAKE, said)


@case(KIND, "unclaimed", "claimed")
def positions_that_fall_to_zero(draw, way):
    """positions.flip(0): right sines of positions that do fall."""
    cos, sin = plain(draw, np.arange(draw.integer(40, 60))[::-1])
    if way == "claimed":
        return Case({"cos": cos, "sin": sin}, ["encoding=rope", "dim=64"], RIGHT)
    return Case({"cos": cos, "sin": sin}, [], FOUND, [r'"encoding": "(rope|mrope)"'])


def turned(draw, shape, axis, positions):
    x = draw.normal(*shape)
    cos, sin = rope.tables(rope.inv_freq(shape[-1], 1e4), positions)
    spread = [1] * len(shape)
    spread[axis], spread[-1] = shape[axis], shape[-1]
    return x, rope.turn_half(x, cos.reshape(spread), sin.reshape(spread))


SHAPES = {"heads-first": ((2, 4, 8, 16), 2), "heads-last": ((2, 4, 8, 16), 1),
          "more-heads": ((2, 8, 4, 16), 2), "more-tokens": ((2, 8, 4, 16), 1),
          "tokens-first": ((4, 8, 16), 0), "tokens-second": ((4, 8, 16), 1),
          "square": ((1, 6, 6, 16), 2)}


@case(KIND, *SHAPES)
def axis_of_the_tokens(draw, name):
    """[B, H, T, D] or [B, T, H, D], of positions that need not begin at 0."""
    shape, axis = SHAPES[name]
    first = draw.choice([0, 3, 40])
    x, y = turned(draw, shape, axis, np.arange(first, first + shape[axis]))
    return Case({"x": x, "y": y}, ["encoding=rope/apply"], RIGHT)


@case(KIND, *SHAPES)
def axis_of_tokens_turned_backwards(draw, name):
    shape, axis = SHAPES[name]
    x, y = turned(draw, shape, axis, -np.arange(shape[axis]))
    return Case({"x": x, "y": y}, ["encoding=rope/apply"], MISTAKE, [r"backward|back|sign"])


@case(KIND, "rows", "one-row", "list")
def ids_repeated_for_a_batch(draw, way):
    """arange(n).expand(batch, n): no table of distances."""
    n, batch = draw.integer(4, 9), draw.integer(2, 6)
    ids = np.tile(np.arange(n), (1 if way == "one-row" else batch, 1))
    if way == "list":
        return Case({"arr_0": ids.reshape(-1)}, [], FOUND, [IDS])
    return Case({draw.choice(["position_ids", "pos_ids"]): ids}, [], FOUND, [IDS])


@case(KIND, "1", "2")
def row_of_zeros_and_ones_by_turns(draw, rank):
    """No mask of padding has padding in its middle twice: two documents of two tokens."""
    row = np.tile([0, 1], draw.integer(2, 5))
    return Case({"arr_0": row if rank == "1" else row[None]}, [], FOUND, [IDS], form="npz")


@case(KIND)
def row_of_zeros_and_ones_at_random(draw):
    row = np.concatenate([[1, 0, 1, 1, 0, 0, 1, 0], draw.random.integers(0, 2, 6)])
    return Case({"arr_0": row if draw.coin() else row[None]}, [], NOTHING)


@case(KIND, "seven", "twenty")
def truth_at_random(draw, name):
    n = {"seven": 7, "twenty": 20}[name]
    return Case({"mask": draw.random.integers(0, 2, (n, n)).astype(bool)}, [], NOTHING)


@case(KIND, "claimed", "positions")
def one_row_that_is_no_column(draw, way):
    """One position of 32 pairs under a claim of one pair: the width is wrong, not the angles."""
    a = draw.integer(1, 9) * rope.inv_freq(64, 1e4)[None]
    words = ["encoding=rope", "dim=2"] + (["pos=0:32"] if way == "positions" else [])
    return Case({"cos": np.cos(a), "sin": np.sin(a)}, words, REFUSED, [r"\[1,32\]", r"dim=64"])


@case(KIND)
def wide_heads_of_few_positions(draw):
    first = draw.choice([0, 7])
    cos, sin = rope.tables(rope.inv_freq(65536, 1e4), np.arange(first, first + 16), 1.0,
                           lambda a: a)
    return Case({"cos": cos, "sin": sin}, ["encoding=rope", "dim=65536"], RIGHT)


@case(KIND, "claimed", "unclaimed")
def cache_of_sines_before_cosines(draw, way):
    """cos_sin_cache says its order: chunk(2, -1) gives cosines first."""
    cos, sin = rope.tables(rope.inv_freq(64, 1e4), np.arange(48), 1.0, lambda a: a)
    return Case({draw.choice(["cos_sin_cache", "rotary_emb.cos_sin_cache"]):
                 np.concatenate([sin, cos], -1)},
                ["encoding=rope", "dim=64"] if way == "claimed" else [], MISTAKE,
                [r"sines stand where cosines"], form="npz")


@case(KIND)
def names_exchanged_unasked(draw):
    cos, sin = plain(draw, np.arange(draw.choice([0, 9]), 60))
    return Case({"cos": sin, "sin": cos}, [], MISTAKE, [r"sines stand where cosines"])


@case(KIND, "claimed", "unclaimed")
def later_keys_of_alibi_are_hidden(draw, way):
    """The mask of the future is added to the bias."""
    n, count = draw.integer(8, 20), draw.choice([8, 16])
    i, j = np.indices((n, n))
    bias = -heads.slopes(count)[:, None, None] * (i - j)
    bias = np.where(j > i, draw.choice([-np.inf, np.finfo(F).min]), bias).astype(F)
    if way == "claimed":
        return Case(draw.named("bias", bias), heads.words(count, n), RIGHT)
    return Case(draw.named("bias", bias), [], FOUND, [r'"encoding": "alibi"'])


@case(KIND, "filled", "half")
def decode_step_of_a_cache_of_fixed_length(draw, name):
    """Keys of a static cache that are not written yet are hidden: 0 is seen."""
    n = draw.choice([16, 32])
    seen = np.arange(n) <= (n // 2 if name == "half" else n - 3)
    mask = np.where(seen, F(0), np.finfo(F).min)[None, None, None]
    return Case({"attention_mask": mask}, [], FOUND, [r'"encoding": ".*mask"'])


@case(KIND, "left", "right")
def flags_of_a_batch(draw, side):
    """attention_mask of a tokenizer: 1 is a token, 0 is padding."""
    n = draw.integer(6, 12)
    lengths = [n, draw.integer(2, n - 1), draw.integer(2, n - 1)]
    flags = np.stack([np.arange(n) < k for k in lengths]).astype(np.int64)
    return Case({"attention_mask": flags[:, ::-1] if side == "left" else flags}, [], FOUND,
                [r'"encoding": "padding-mask"'], form="npz")


@case(KIND)
def ids_of_roberta_unasked(draw):
    flags = np.stack([np.arange(9) < k for k in (9, draw.integer(3, 8))]).astype(int)
    return Case({"position_ids": np.cumsum(flags, 1) * flags + 1}, [], FOUND,
                [r'"encoding": "ids-from-mask"', r"roberta"])


@case(KIND)
def padding_row_of_fairseq(draw):
    """weights[padding_idx] = 0: the table is right, and a row is zero by design."""
    rows = np.zeros((40, 64), F)
    w = np.exp(np.arange(32, dtype=F) * F(-np.log(1e4) / 31))
    a = np.arange(40, dtype=F)[:, None] * w
    rows[:] = np.concatenate([np.sin(a), np.cos(a)], 1)
    rows[1] = 0
    return Case({"embed_positions.weights": rows}, [], FOUND,
                [r'"encoding": "sinusoidal"', r"padding_idx"])


@case(KIND)
def vectors_scaled_besides(draw):
    """q * head_dim ** -0.5 in the function that turns q."""
    q = draw.normal(1, 4, 20, 64)
    cos, sin = rope.tables(rope.inv_freq(64, 1e4), np.arange(20))
    return Case(draw.vectors(q, (rope.turn_half(q, cos, sin) * F(0.125)).astype(F)),
                ["encoding=rope/apply", "dim=64"], MISTAKE, [r"0\.125"])


@case(KIND, "not-turned", "of-one-position")
def all_tokens_alike_in_a_batch_of_one(draw, way):
    """The axis of one sequence is none of tokens, which all would have its position."""
    q = draw.normal(1, 4, 8, 64)
    at = 0 if way == "not-turned" else draw.integer(3, 90)
    cos, sin = rope.tables(rope.inv_freq(64, 1e4), [at] * 8)
    return Case(draw.vectors(q, rope.turn_half(q, cos, sin)), ["encoding=rope/apply"], MISTAKE,
                [r"position|row"] if at else [r"not turned|position 0|not rotated"],
                [at] if at else [])
