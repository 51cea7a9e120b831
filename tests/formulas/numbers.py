# SPDX-License-Identifier: Apache-2.0
"""numbers.py - the kinds of numbers in which a formula is evaluated: NumPy's doubles, its longer
ones, and mpmath's numbers of 240 bits in arrays of objects. A formula takes one of them as `xp`, and
the parameters by the names of requests."""

from types import SimpleNamespace

import numpy as np
from mpmath import mp, mpf

mp.prec = 240  # angles at 2^53 keep 180 bits behind the point

DOUBLE = SimpleNamespace(
    real=lambda values: np.asarray(values, np.float64)[()], pi=np.pi,
    **{name: getattr(np, name) for name in ("arange", "sin", "cos", "exp", "log", "log1p", "log2",
                                            "sqrt", "sign", "floor", "ceil", "round", "arctan")})
LONG = SimpleNamespace(**{**vars(DOUBLE), "arange": lambda *ends: LONG.real(np.arange(*ends)),
                          "real": lambda values: np.asarray(values, np.longdouble)[()]})


def lifted(function):
    """A function of one number as a function of arrays."""
    each = np.frompyfunc(function, 1, 1)
    return lambda values: each(np.asarray(values, object))


EXACT = SimpleNamespace(
    real=lifted(mpf), arange=lambda *ends: EXACT.real(np.arange(*ends)), pi=mp.pi,
    log2=lifted(lambda x: mp.log(x, 2)),
    **{name: lifted(getattr(mp, name)) for name in ("sin", "cos", "exp", "log", "log1p", "sqrt",
                                                    "sign", "floor", "ceil")},
    round=lifted(mp.nint), arctan=lifted(mp.atan))


def positions(said):
    """The positions that a request's words say: numbers, and slices of whole ones."""
    if not isinstance(said, str):
        return said
    listed = []
    for part in said.split(","):
        if ":" in part:
            listed += range(*map(int, part.split(":")))
        else:
            listed.append(float(part) if "." in part else int(part))
    return listed


def linspace(xp, low, high, count):
    """Numbers from low to high; one alone is low."""
    low, high = xp.real(low), xp.real(high)
    return low + (high - low) * xp.arange(count) / max(count - 1, 1)
