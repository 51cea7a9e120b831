# SPDX-License-Identifier: Apache-2.0
"""near_wrong.py - wrong numbers that are near in the scale of the whole tensor, and not in that of
their own row or column."""

import numpy as np

import rope
from case import Case, MISTAKE, NOTHING, TOLD, case
from heads import biases, slopes

F = np.float32
KIND = "near-wrong"


@case(KIND)
def one_element_beside_an_outlier(draw):
    """A channel of keys is a thousand times larger than the others, as in real models; one element
    of another channel is wrong."""
    model, n = draw.choice(rope.PLAIN[:5]), 32
    cos, sin = rope.tables(model.w(), np.arange(n), 1.0, rope.half)
    k = draw.normal(n, model.dim)
    k[:, draw.integer(30, 60)] *= 3000
    made = rope.turn_half(k, cos, sin)
    row, column = draw.integer(3, n - 1), draw.integer(3, 25)
    made[row, column] += F(0.6)
    return Case(draw.vectors(k, made),
                ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:%d" % n], TOLD,
                [r"\[%d, ?%d\]|row %d|rows %d:" % (row, column, row, row)])


@case(KIND)
def one_element_of_a_bias(draw):
    """The near distances of ALiBi are small beside the far ones."""
    n, heads = draw.integer(300, 500), 4
    bias = biases(slopes(heads), n)
    head, row = draw.integer(0, 1), draw.integer(40, 200)
    bias[head, row, row - 2] *= F(0.8)
    return Case(draw.named("bias", bias), ["encoding=alibi", "heads=4", "len=%d" % n], TOLD,
                [r"\[%d, ?%d, ?%d\]|\[0, ?%d, ?%d, ?%d\]" % ((head, row, row - 2) * 2)])


@case(KIND)
def small_distances_of_a_bias_are_one_off(draw):
    """The nearest keys have the next distance: a step that is small beside the farthest."""
    n, heads = 1400, 2
    i, j = np.indices((n, n))
    distance = np.where(abs(i - j) == 1, 2, abs(i - j))
    made = (-slopes(heads)[:, None, None] * distance.astype(F)).astype(F)
    rows = draw.integer(1100, 1300)
    return Case({"bias": made[:, rows:rows + 32]}, ["encoding=alibi", "heads=2", "k=0:%d" % n,
                                                    "q=%d:%d" % (rows, rows + 32)], NOTHING)


@case(KIND, "one", "all", "last")
def frequencies_a_thousandth_off(draw, which):
    """At position 10,000 the angle of the first pair is off by ten turns of its digits."""
    model = draw.choice(rope.PLAIN[:5])
    w = model.w().copy()
    off = F(1 + draw.choice([-1, 1]) * draw.random.uniform(6e-4, 9.5e-4))
    if which == "one":
        w[draw.integer(2, 40)] *= off
    elif which == "last":
        w[-draw.integer(4, 9):] *= off
    else:
        w *= off
    return Case(draw.named("frequencies", w), model.claim(), MISTAKE if which == "all" else TOLD,
                [r"scale|factor|base|multipl|frequenc|inv_freq|\d"])


@case(KIND)
def a_learned_row_beside_large_ones(draw):
    """Row 0 of a table is hundreds of times larger, as those of registers are."""
    n = draw.integer(16, 32)
    table = draw.normal(n, 16)
    table[0] *= 5000
    rows = table.copy()
    row, column = draw.integer(2, n - 1), draw.integer(0, 15)
    rows[row, column] += F(1.5)
    return Case({"table": table, "rows": rows}, ["encoding=learned", "pos=0:%d" % n], TOLD,
                [r"\[%d, ?%d\]|row %d" % (row, column, row)])
