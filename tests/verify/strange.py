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


def rows_claim(random):
    s = additive.drawn(random, dim=64, **additive.span(random, counts=(33, 64)))
    return s, additive.claim_of(s)


def noise(random):
    """Random numbers of the right shape, of the size of what is claimed."""
    s, claim = rows_claim(random)
    values = random.normal(len(s["positions"]), s["dim"])
    return Case("strange/noise", claim, {"rows": f32(random.choice([values, np.tanh(values)]))},
                UNEXPLAINED)


def noise_bias(random):
    heads, count, claim = alibi.drawn(random)
    values = -abs(random.normal(heads, count, count))
    return Case("strange/noise-bias", claim, {"bias": f32(values)}, UNEXPLAINED)


def noise_mask(random):
    count = random.choice([12, 20])
    return Case("strange/noise-mask", masks.claimed("causal", count),
                {"mask": random.normal(count, count) > 0}, UNEXPLAINED)


def noise_buckets(random):
    count = random.choice([16, 40])
    values = (abs(random.normal(count, count)) * 10).astype(np.int64) % 32
    return Case("strange/noise-buckets", buckets.t5_claim(True, len=count), {"buckets": values},
                UNEXPLAINED)


def learned_rows(random):
    """A trained table where sinusoids are claimed: smooth, but of no formula."""
    s, claim = rows_claim(random)
    steps = np.cumsum(random.normal(len(s["positions"]), s["dim"]), 0)
    return Case("strange/smooth", claim, {"rows": f32(np.sin(steps / 3))}, UNEXPLAINED)


def one_broken(random):
    """A right table but for one element, somewhere in its middle."""
    s, claim = rows_claim(random)
    values = additive.rows(s)
    values[len(values) // 2 + 1, 7] += random.choice([0.25, -0.5, 3.0])
    return Case("strange/one-element", claim, {"rows": f32(values)}, UNEXPLAINED)


def one_broken_mask(random):
    count = random.choice([12, 30])
    mask = masks.causal(count)
    mask[count // 2 + 2, 3] = False
    return Case("strange/one-bit", masks.claimed("causal", count), {"mask": mask}, UNEXPLAINED)


def one_broken_bias(random):
    heads, count, claim = alibi.drawn(random)
    values = alibi.biased(alibi.slopes(heads), -abs(alibi.distances(count)))
    values[heads // 2, count // 2, 2] -= 0.375
    return Case("strange/one-bias", claim, {"bias": f32(values)}, UNEXPLAINED)


def one_broken_index(random):
    grid = random.choice([(3, 5), (4, 4)])
    values = windows.swin(grid)
    values[4, 2] += 1
    return Case("strange/one-index", windows.claim_of("swin", grid), {"index": values}, UNEXPLAINED)


def not_a_number(random):
    """NaN in one element, or in a whole row, of a right table."""
    s, claim = rows_claim(random)
    values = additive.rows(s)
    if random.choice([False, True]):
        values[9, 11] = np.nan
    else:
        values[-1] = np.nan
    return Case("strange/nan", claim, {"rows": f32(values)}, UNEXPLAINED)


def infinite(random):
    s, claim = rows_claim(random)
    values = additive.rows(s)
    values[5, 3] = random.choice([np.inf, -np.inf])
    return Case("strange/infinite", claim, {"rows": f32(values)}, UNEXPLAINED)


def nan_bias(random):
    heads, count, claim = alibi.drawn(random)
    values = alibi.biased(alibi.slopes(heads), -abs(alibi.distances(count)))
    values[:, 0, 0] = np.nan
    return Case("strange/nan-bias", claim, {"bias": f32(values)}, UNEXPLAINED)


def shaken(random):
    """Noise a thousand times that of the dtype: neither rounding nor a mistake."""
    s, claim = rows_claim(random)
    values = additive.rows(s) + 1e-3 * random.normal(len(s["positions"]), s["dim"])
    return Case("strange/shaken", claim, {"rows": f32(values)}, UNEXPLAINED)


def three_mistakes(random):
    """More at once than are looked for."""
    s = additive.drawn(random, dim=64, ladder="geometric-open", layout="concat", base=1e4,
                       **additive.span(random, counts=(33, 64), firsts=(0,)))
    w = additive.frequencies(s) * (1 + 0.3 * np.sin(np.arange(32)))
    values = additive.rows(s, layout="interleaved", w=w, amplitude=1.7,
                           positions=np.array(s["positions"]) ** 1.1)
    return Case("strange/several", additive.claim_of(s), {"rows": f32(values)}, UNEXPLAINED)


def zeros(random):
    """Tensors that nothing was written to."""
    grid, dim = grids.drawn(random)
    claim = grids.mae_claim(grid, dim)
    return Case("strange/zeros", claim, {"rows": np.zeros((grid[0] * grid[1], dim), np.float32)},
                {UNEXPLAINED, "unfilled-rows", "interpolation_scale", "amplitude"})


def right_beside_wrong(random):
    """Two tensors of which one is right; the other is not explained."""
    s, claim = rows_claim(random)
    values = random.normal(len(s["positions"]), s["dim"])
    return Case("strange/one-tensor", claim, {"inv_freq": f32(additive.frequencies(s)),
                                              "rows": f32(values)}, UNEXPLAINED)


def right_constant(random):
    """Tables in which much is alike: one position, or none."""
    s = additive.drawn(random, dim=64, positions=[5], pos="5:6")
    if random.choice([False, True]):
        s = additive.drawn(random, dim=64, positions=[0], pos="0:1")
    return Case("strange/right-one-row", additive.claim_of(s), {"rows": f32(additive.rows(s))},
                RIGHT)


ROWS = [noise, noise_bias, noise_mask, noise_buckets, learned_rows, one_broken, one_broken_mask,
        one_broken_bias, one_broken_index, not_a_number, infinite, nan_bias, shaken,
        three_mistakes, zeros, right_beside_wrong, right_constant]
