# SPDX-License-Identifier: Apache-2.0
"""case.py - one case of the corpus: tensors, the claim about them, and what must be found."""

import json
import os

import numpy as np

RIGHT = "right"              # exact, or a profile: no mistake may be named
UNEXPLAINED = "unexplained"  # no mistake may be named either


def f32(values):
    return np.asarray(values, np.float64).astype(np.float32)


def bf16_bits(values):
    """The bits of values rounded to bfloat16, ties to even."""
    bits = np.ascontiguousarray(f32(values)).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def narrowed(values, dtype):
    """Values rounded once to a dtype; bfloat16 as float32 numbers that bfloat16 has."""
    if dtype == "f64":
        return np.asarray(values, np.float64)
    if dtype == "f16":
        return np.asarray(values, np.float64).astype(np.float16)
    if dtype == "bf16":
        return (bf16_bits(values).astype(np.uint32) << 16).view(np.float32)
    return f32(values)


class Case:
    """found: RIGHT, UNEXPLAINED, one slug, or the slugs of which each explains the numbers."""

    def __init__(self, name, claim, tensors, found, repair=None):
        self.name, self.claim, self.tensors = name, claim, tensors
        self.found = sorted({found} if isinstance(found, str) else found)
        self.repair = repair or {}

    def write(self, folder, number):
        file = "%04d.npz" % number
        np.savez(os.path.join(folder, file), **self.tensors)
        return json.dumps({"id": number, "name": self.name, "file": file,
                           "claim": "&".join("%s=%s" % pair for pair in self.claim.items()),
                           "found": self.found, "repair": self.repair}, sort_keys=True)
