# SPDX-License-Identifier: Apache-2.0
"""strange.py - cases that no mistake explains: random numbers, one broken element, NaN, and numbers
that are wrong in a way of their own."""

import numpy as np

import additive
import alibi
import buckets
import grids
import masks
import windows
from case import Case, RIGHT, UNEXPLAINED, f32
from kinds import said, span


def rows_claim(random):
    return additive.drawn(random, {"dim": 64, "pos": span((33, 64), additive.ANY_FIRST)(random)})


def in_rows(name, change):
    """What change(random, rows) makes of the rows of a claim of sinusoids."""
    def make(random):
        claim = rows_claim(random)
        return Case("strange/" + name, claim, {"rows": f32(change(random, additive.rows(claim)))},
                    UNEXPLAINED)
    return make


def noise(random, rows):
    """Random numbers of the right shape, of the size of what is claimed."""
    values = random.normal(*rows.shape)
    return random.choice([values, np.tanh(values)])


def noise_bias(random):
    claim = alibi.drawn(random)
    values = -abs(random.normal(claim["heads"], claim["len"], claim["len"]))
    return Case("strange/noise-bias", claim, {"bias": f32(values)}, UNEXPLAINED)


def noise_mask(random):
    count = random.choice([12, 20])
    return Case("strange/noise-mask", masks.claimed("causal", count),
                {"mask": random.normal(count, count) > 0}, UNEXPLAINED)


def noise_buckets(random):
    count = random.choice([16, 40])
    values = (abs(random.normal(count, count)) * 10).astype(np.int64) % 32
    return Case("strange/noise-buckets", {**buckets.T5_CLAIM, "len": count}, {"buckets": values},
                UNEXPLAINED)


def smooth(random, rows):
    """A trained table where sinusoids are claimed: smooth, but of no formula."""
    return np.sin(np.cumsum(random.normal(*rows.shape), 0) / 3)


def one_broken(random, rows):
    """A right table but for one element, somewhere in its middle."""
    rows[len(rows) // 2 + 1, 7] += random.choice([0.25, -0.5, 3.0])
    return rows


def one_broken_mask(random):
    count = random.choice([12, 30])
    mask = masks.causal(count)
    mask[count // 2 + 2, 3] = False
    return Case("strange/one-bit", masks.claimed("causal", count), {"mask": mask}, UNEXPLAINED)


def one_broken_bias(random):
    claim = alibi.drawn(random)
    values = alibi.made(claim)
    values[claim["heads"] // 2, claim["len"] // 2, 2] -= 0.375
    return Case("strange/one-bias", claim, {"bias": f32(values)}, UNEXPLAINED)


def one_broken_index(random):
    claim = windows.of("swin", random.choice(["3x5", "4x4"]))
    values = windows.index(claim)
    values[4, 2] += 1
    return Case("strange/one-index", claim, {"index": values}, UNEXPLAINED)


def not_a_number(random, rows):
    """NaN in one element, or in a whole row, of a right table."""
    rows[(9, 11) if random.choice([False, True]) else -1] = np.nan
    return rows


def infinite(random, rows):
    rows[5, 3] = random.choice([np.inf, -np.inf])
    return rows


def nan_bias(random):
    claim = alibi.drawn(random)
    values = alibi.made(claim)
    values[:, 0, 0] = np.nan
    return Case("strange/nan-bias", claim, {"bias": f32(values)}, UNEXPLAINED)


def shaken(random, rows):
    """Noise a thousand times that of the dtype: neither rounding nor a mistake."""
    return rows + 1e-3 * random.normal(*rows.shape)


def three_mistakes(random):
    """More at once than are looked for."""
    claim = additive.drawn(random, {"dim": 64, "pos": span((33, 64), (0,))(random), "base": 1e4,
                                    "ladder": "geometric-open", "layout": "concat"})
    w = additive.frequencies(claim) * (1 + 0.3 * np.sin(np.arange(32)))
    values = additive.rows({**claim, "layout": "interleaved", "w": w, "amplitude": 1.7,
                            "pos": additive.at_of(claim) ** 1.1})
    return Case("strange/several", claim, {"rows": f32(values)}, UNEXPLAINED)


def zeros(random):
    """Tensors that nothing was written to."""
    claim = said(random, **grids.of("sincos2d-mae"))
    return Case("strange/zeros", claim, {"rows": np.zeros_like(grids.MAE.values(claim), np.float32)},
                {UNEXPLAINED, "unfilled-rows", "interpolation_scale", "amplitude"})


def right_beside_wrong(random):
    """Two tensors of which one is right; the other is not explained."""
    claim = rows_claim(random)
    values = random.normal(*additive.rows(claim).shape)
    return Case("strange/one-tensor", claim, {"inv_freq": f32(additive.frequencies(claim)),
                                              "rows": f32(values)}, UNEXPLAINED)


def right_constant(random):
    """Tables in which much is alike: one position, or none."""
    claim = additive.drawn(random, {"dim": 64, "pos": "5:6"})
    if random.choice([False, True]):
        claim = additive.drawn(random, {"dim": 64, "pos": "0:1"})
    return Case("strange/right-one-row", claim, {"rows": f32(additive.rows(claim))}, RIGHT)


ROWS = [in_rows("noise", noise), noise_bias, noise_mask, noise_buckets, in_rows("smooth", smooth),
        in_rows("one-element", one_broken), one_broken_mask, one_broken_bias, one_broken_index,
        in_rows("nan", not_a_number), in_rows("infinite", infinite), nan_bias,
        in_rows("shaken", shaken), three_mistakes, zeros, right_beside_wrong, right_constant]
