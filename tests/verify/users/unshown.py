# SPDX-License-Identifier: Apache-2.0
"""unshown.py - few rows, or few digits, which do not show all that a model has: a claim that is
guessed for them must not have what no number shows."""

import numpy as np

import files
import rope
from case import Case, FOUND, case

KIND = "unshown"


def without(*words):
    """A pattern of answers whose url has none of some words."""
    return r'"url": "(?![^"]*(%s))' % "|".join(words)


@case(KIND, "llama3", "yarn")
def cosines_of_few_rows_show_no_scaling(draw, scaling):
    """bfloat16 cosines of the slow pairs, which a scaling divides, are all 1."""
    base = {"llama3": 5e5, "yarn": 1e6}[scaling]
    cos, _ = rope.tables(rope.inv_freq(128, base), np.arange(draw.choice([4, 6, 8])), 1.0,
                         lambda a: a)
    return Case({"cos": files.bf16(cos)}, [], FOUND,
                [without("scaling", "factor", "original_max")], [base], "safetensors")


@case(KIND)
def many_rows_show_the_scaling(draw):
    model = rope.LLAMA3[0]
    cos, sin = rope.tables(model.w(), np.arange(draw.choice([48, 64])), 1.0, lambda a: a)
    return Case({"cos": cos, "sin": sin}, [], FOUND, ["llama3"])
