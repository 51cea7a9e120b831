# SPDX-License-Identifier: Apache-2.0
"""measure.py - how far served numbers are from the real ones, in units of the last place."""

import math
import re

import numpy as np
from mpmath import mp, mpf

from formulas.numbers import EXACT

ZERO = mpf(2) ** -190  # the remainder of sin(pi) at this precision
PLACES = {"f32": (24, -149), "f64": (53, -1074)}


class Loose:
    """A real number whose bound is absolute where terms cancel: `slack` is what the output's stated
    bound allows in addition to the last rounding."""

    def __init__(self, value, slack):
        self.value, self.slack = value, slack


def loose(values, slack):
    """Finite numbers of an array with their slack."""
    return np.frompyfunc(lambda value, own: Loose(value, own) if mp.isfinite(value) else value,
                         2, 1)(values, slack)


def given(params, **tables):
    """Parameters with tables, and the tables as exact numbers."""
    return dict(params, **tables), *map(EXACT.real, tables.values())


class Case:
    """One question and its answer: `exact` is an array or a nested list of integers (compared
    exactly) or of mpf and Loose numbers, shaped as the answer is (or what `view` makes of it). `amplified`:
    the bound with an attention factor or an amplitude holds; `dtypes`: what to ask for, where it matters."""

    def __init__(self, out, params, exact, view=None, amplified=False, dtypes=("f32", "f64")):
        self.out, self.params, self.view = out, params, view
        self.exact = exact.tolist() if isinstance(exact, np.ndarray) else exact
        self.amplified, self.dtypes = amplified, dtypes


def named(*rows):
    """{encoding: row} of functions that have their encodings' names."""
    return {row.__name__.replace("_", "-"): row for row in rows}


def shape_of(nested):
    shape = []
    while isinstance(nested, (list, tuple)):
        shape.append(len(nested))
        if not nested:
            break
        nested = nested[0]
    return tuple(shape)


def flatten(nested):
    if not isinstance(nested, (list, tuple)):
        return [nested]
    return [item for part in nested for item in flatten(part)]


def is_whole(nested):
    return all(isinstance(item, (int, bool)) for item in flatten(nested))


def last_place(value, dtype):
    """Size of one unit in the last place of the dtype, near this number."""
    digits, lowest = PLACES[dtype]
    _, mantissa, exponent, bits = mpf(value)._mpf_
    return mpf(2) ** max(exponent + bits - digits if mantissa else lowest, lowest)


def error(got, exact, dtype):
    """The error in units of the last place; infinite where one of the two is no number."""
    slack = 0
    if isinstance(exact, Loose):
        exact, slack = exact.value, exact.slack
    if not mp.isfinite(exact) or not math.isfinite(got):
        return 0.0 if float(got) == float(exact) else math.inf
    if abs(exact) < ZERO:
        exact = mpf(0)
    away = abs(mpf(got) - exact) - slack
    return float(away / last_place(exact, dtype)) if away > 0 else 0.0


def worst(array, case, dtype):
    """(largest error, index) of an answer."""
    exact = flatten(case.exact)
    errors = [error(float(got), want, dtype) for got, want in zip(array.ravel(), exact)]
    if not errors:
        return 0.0, None
    index = int(np.argmax(errors))
    return errors[index], index


def limits(bound, amplified=False):
    """The bounds that an output states: {'f32': ULP, 'f64': ULP}."""
    stated = {"f32": 0.501, "f64": 0.5 if "f64 exact" in bound else 1.0}
    found = re.search(r"f64 ([\d.]+) ULP", bound)
    if found:
        stated["f64"] = float(found.group(1))
    found = re.search(r"([\d.]+) ULP with an a(?:ttention factor|mplitude)", bound)
    if found and amplified:
        stated["f64"] = float(found.group(1))
    return stated
