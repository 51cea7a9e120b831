# SPDX-License-Identifier: Apache-2.0
"""turns.py - columns of vectors that a kernel turned by other partners, formulas or frequencies
than were meant, or not at all; and the same of tables, column by column."""

import numpy as np

import pictures
import rope
from case import Case, MISTAKE, TOLD, case

F = np.float32
KIND = "turns"


def vectors(draw, model, how, say, numbers=(), rows=24, want=MISTAKE, more=()):
    """Vectors by how(x, angles, model), angles having a column a pair."""
    first = draw.choice([0, 0, 5])
    lead = draw.choice([(), (1,), (1, 2)])
    angles = rope.angles(model.w(), np.arange(first, first + rows))
    q = draw.normal(*lead, rows, model.dim)
    axis = ["seq_axis=%d" % len(lead)] if lead else []
    words = ["encoding=rope/apply"] + model.claim()[1:]
    return Case(draw.vectors(q, how(q, angles, model).astype(F)),
                words + ["pos=%d:%d" % (first, first + rows), *axis, *more], want, say, numbers)


def turn(x, angles, first, partner):
    """Column first[i] turns with partner[i] by the angles of pair i."""
    out = x.copy()
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = x[..., first], x[..., partner]
    out[..., first], out[..., partner] = a * cos - b * sin, a * sin + b * cos
    return out


def halves(x):
    return x[..., :x.shape[-1] // 2], x[..., x.shape[-1] // 2:]


def formula(draw, how, say, numbers=()):
    """One formula for all pairs of halves: how(a, b, cos, sin) is both results."""
    def all_pairs(x, angles, _):
        return np.concatenate(how(*halves(x), np.cos(angles), np.sin(angles)), -1)
    return vectors(draw, draw.choice(rope.PLAIN[:5]), all_pairs, say, numbers)


@case(KIND)
def second_half_is_written_first_in_place(draw):
    """x2 = x2 cos + x1 sin; x1 = x1 cos - x2 sin: x2 is read after it was written."""
    def how(a, b, c, s):
        b = b * c + a * s
        return a * c - b * s, b
    return formula(draw, how, [r"in place|overwrit|written|already"])


@case(KIND)
def minus_on_both_halves(draw):
    return formula(draw, lambda a, b, c, s: (a * c - b * s, b * c - a * s), [r"minus|sign|negat"])


@case(KIND)
def sines_left_out(draw):
    """q * cos alone: the second term was lost."""
    return formula(draw, lambda a, b, c, s: (a * c, b * c), [r"sin"])


@case(KIND)
def only_the_first_half_is_written(draw):
    return formula(draw, lambda a, b, c, s: (a * c - b * s, b), [r"half|column|second|64"])


@case(KIND)
def partner_is_the_column_itself(draw):
    """rotate_half that does not exchange: x cos + cat(-x1, x2) sin."""
    return formula(draw, lambda a, b, c, s: (a * c - a * s, b * c + b * s),
                   [r"partner|itself|exchang|own"])


@case(KIND)
def loop_ends_early(draw):
    """A block of 32 threads serves the first pairs, the others pass."""
    first = draw.choice([16, 32, 48])

    def how(x, a, m):
        pairs = np.arange(first)
        return turn(x, a[:, :first], pairs, pairs + m.dim // 2)
    return vectors(draw, draw.choice(rope.PLAIN[:5]), how, [r"pair|column", r"not|stay|pass|still"],
                   [first])


@case(KIND)
def partner_at_the_end_of_the_head(draw):
    """The second half of a partial rotation is taken from the last columns of the head."""
    model = draw.choice(rope.PARTIAL)
    pairs = model.rotary // 2

    def how(x, a, m):
        return turn(x, a, np.arange(pairs), np.arange(pairs) + m.dim - pairs)
    return vectors(draw, model, how, [r"partner|i ?\+"], [model.dim - pairs, pairs])


@case(KIND)
def columns_in_the_middle_turn(draw):
    """The offset of the rotary part is its own width."""
    model = draw.choice(rope.PARTIAL)
    pairs = model.rotary // 2

    def how(x, a, m):
        return turn(x, a, np.arange(pairs) + m.rotary, np.arange(pairs) + m.rotary + pairs)
    return vectors(draw, model, how, [r"column|offset"], [model.rotary])


@case(KIND)
def every_second_column_with_a_far_partner(draw):
    """Strides of two of one layout, the distance of the other: 2i with 2i + r."""
    model = draw.choice(rope.PARTIAL)
    pairs = model.rotary // 2

    def how(x, a, m):
        return turn(x, a, 2 * np.arange(pairs), 2 * np.arange(pairs) + m.rotary + 1)
    return vectors(draw, model, how, [r"column|partner"], [model.rotary + 1], want=TOLD)


@case(KIND)
def last_pairs_of_vectors_are_not_scaled(draw):
    model = rope.LLAMA3[0]
    first = draw.integer(48, 58)

    def how(x, a, m):
        w = m.w().copy()
        w[first:] = rope.inv_freq(m.dim, m.base)[first:]
        at = np.arange(0, 24 * 64, 64)
        pairs = np.arange(64)
        return turn(x, rope.angles(w, at), pairs, pairs + 64)
    made = vectors(draw, model, how, [r"pair", r"frequenc"], [first])
    made.words = [word for word in made.words if not word.startswith("pos=")] + ["pos=0:1536:64"]
    return made


@case(KIND)
def columns_of_the_result_are_zero(draw):
    """The buffer of the result is zeros, and the part that passes is not copied."""
    model = draw.choice(rope.PARTIAL)
    pairs = model.rotary // 2

    def how(x, a, m):
        out = turn(x, a, np.arange(pairs), np.arange(pairs) + pairs)
        out[..., m.rotary:] = 0
        return out
    return vectors(draw, model, how, [r"column", r"zero|never"], [model.rotary])


# ---- tables ------------------------------------------------------------------------------------


def tables(draw, w, model, say, numbers=(), want=MISTAKE, widen=None, zero=None):
    first = draw.choice([0, 0, 7])
    at = np.arange(first, first + 48)
    widen = widen or draw.choice([rope.half, lambda a: a])
    cos, sin = rope.tables(w, at, 1.0, widen)
    if zero:
        zero(cos, sin)
    return Case(draw.tables(cos, sin, True), model.claim() + [rope.pos(at)], want, say, numbers)


@case(KIND, "cos-sin", "vectors")
def frequencies_are_not_inverted(draw, form):
    """base ** (arange(0, d, 2) / d) without the one over it."""
    model = draw.choice([m for m in rope.PLAIN if m.base <= 1e4])
    say = [r"invert|reciprocal|1 ?/|negative|exponent"]
    w = (F(model.base) ** (np.arange(0, model.dim, 2).astype(F) / F(model.dim))).astype(F)
    if form == "cos-sin":
        return tables(draw, w, model, say)
    q = draw.normal(24, model.dim)
    return Case(draw.vectors(q, rope.turn_half(q, *rope.tables(w, np.arange(24)))),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:24"], MISTAKE, say)


@case(KIND)
def one_pair_has_the_frequency_before(draw):
    model = draw.choice(rope.PLAIN[:5])
    at, w = draw.integer(3, 40), model.w().copy()
    w[at] = w[at - 1]
    return tables(draw, w, model, [r"pair", r"frequenc"], [at, at - 1])


@case(KIND)
def pairs_begin_one_too_late(draw):
    """w[1:] with the last one twice."""
    model = draw.choice(rope.PLAIN[:5])
    w = model.w()
    return tables(draw, np.append(w[1:], w[-1]), model, [r"pair|index|expon", r"frequenc|count"])


@case(KIND)
def first_pairs_keep_another_base(draw):
    """A head of two parts, of which the first was made by the base of local layers."""
    model = draw.choice([m for m in rope.PLAIN[:5] if m.base > 1e4])
    pairs = draw.choice([16, 24])
    w = model.w().copy()
    w[:pairs] = rope.inv_freq(model.dim, 1e4)[:pairs]
    return tables(draw, w, model, [r"pair", r"frequenc"], [pairs])


@case(KIND)
def second_copy_is_zero(draw):
    """cat((freqs, zeros)) in place of cat((freqs, freqs))."""
    model = draw.choice(rope.PLAIN[:5])

    def zero(cos, sin):
        cos[:, model.dim // 2:], sin[:, model.dim // 2:] = 0, 0
    return tables(draw, model.w(), model, [r"column|half|copy", r"zero|never"], [model.dim // 2],
                  widen=rope.half, zero=zero)


# ---- axes --------------------------------------------------------------------------------------


@case(KIND)
def both_halves_turn_by_rows(draw):
    """The second half of an axial table takes y again, where x is meant."""
    grid, dim = draw.choice([(5, 8), (6, 9)]), 64
    cos, sin = pictures.axial(grid, dim)
    q = dim // 4
    cos[:, q:], sin[:, q:] = cos[:, :q].copy(), sin[:, :q].copy()
    return Case(draw.tables(cos, sin, True), ["encoding=rope2d-axial", "grid=%dx%d" % grid,
                                              "dim=%d" % dim], MISTAKE,
                [r"axis|coordinate|axes", r"pair"], [q])


@case(KIND)
def width_of_a_video_turns_by_height(draw):
    t, h, w = 2, 3, 5
    ids = np.stack([g.reshape(-1) for g in np.indices((t, h, w))], 1)
    ids[:, 2] = ids[:, 1]
    cos, sin = pictures.flux(ids, (44, 42, 42))
    return Case(draw.tables(cos, sin, True), ["encoding=rope-axes", "preset=wan", "dim=128",
                                              "grid_sizes=%d,%d,%d" % (t, h, w)], MISTAKE,
                [r"axis|axes|coordinate|column"], [43])


@case(KIND)
def one_pair_of_mrope_has_another_axis(draw):
    """A section that ends two pairs too late."""
    ids = pictures.mrope_ids([3, (1, 4, 7), 4])
    more = draw.choice([2, 3])
    cos, sin = pictures.mrope_tables(ids, sections=(16 + more, 24 - more, 24))
    return Case(draw.tables(cos, sin, True),
                ["encoding=mrope", "dim=128", "base=1000000", "mrope_section=16,24,24",
                 pictures.ids_words(ids)], MISTAKE, [r"section|axis|pair"], [16])
