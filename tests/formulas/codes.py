# SPDX-License-Identifier: Apache-2.0
"""codes.py - elementary codes of positions."""

import numpy as np

from formulas.numbers import positions


def normalized(xp, p):
    """Places from 0 to 1, or from -1 to 1, by the ends of cells or by their centres."""
    length, at = p["len"], xp.arange(p["len"])
    values = (at + 0.5) / length if p.get("endpoint") == "centres" else at / max(length - 1, 1)
    return 2 * values - 1 if p.get("interval") == "-1..1" else values


def binary(p):
    """Bits of positions modulo 2^dim, as whole numbers."""
    at = np.array([int(one) % 2 ** p["dim"] for one in positions(p["pos"])], object)[:, None]
    at = at ^ at >> 1 if p.get("code") == "gray" else at
    bits = np.arange(p["dim"]).astype(object)
    made = at >> (bits if p.get("bit_order") == "lsb-first" else bits[::-1]) & 1
    return 2 * made - 1 if p.get("signed") else made
