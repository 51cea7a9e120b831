# SPDX-License-Identifier: Apache-2.0
"""port.py - someone's code that makes rotary tables: right, or with mistakes added to it.

A mistake is a function of the random draw and of a Port: it changes the Port and returns the slugs
that each name what it did, or None where the Port cannot make that mistake."""

import numpy as np

from case import Case, RIGHT, f32, narrowed
from frequencies import amplitude, chosen, claim, frequencies, tables

# Error of the numbers: of one rounding to the dtype, besides float32's error of the angle.
ROUNDING = {"f64": 2.0 ** -24, "f32": 2.0 ** -24, "f16": 2.0 ** -11, "bf16": 2.0 ** -8}
ANGLE = 2.0 ** -21


class Port:
    """Parameters, positions, and what is done to frequencies, angles and tables."""

    def __init__(self, p, positions):
        self.p, self.positions = dict(p), np.asarray(positions, np.float64)
        self.on_frequencies, self.on_angles, self.on_tables = [], [], []

    def frequencies(self):
        w = frequencies(self.p)
        for change in self.on_frequencies:
            w = change(w)
        return w

    def angles(self):
        angles = self.positions[:, None] * self.frequencies()[None, :]
        for change in self.on_angles:
            angles = change(angles)
        return angles

    def tables(self):
        angles, a = self.angles(), amplitude(self.p)
        made = a * np.cos(angles), a * np.sin(angles)
        for change in self.on_tables:
            made = change(*made)
        return made


def span(random, counts=(16, 48, 64, 128, 256), firsts=(0, 0, 0, 1, 100, 1000, 4096)):
    """A slice of positions as a claim writes it, and the positions."""
    first, count = random.choice(list(firsts)), random.choice(list(counts))
    return "%d:%d" % (first, first + count), np.arange(first, first + count)


def of_tables(name, *kinds, made=tables, found=RIGHT, said=None, repair=None, write=f32, **spans):
    """A row of cos and sin of a configuration of some kinds of scaling, as made(p, positions)
    computes them. said(p) is what the claim says, p unless it is given; {} in the name is the
    configuration's."""
    def make(random):
        model, p = chosen(random, *kinds)
        words, positions = span(random, **spans)
        claimed = claim("rope", said(p) if said else p, pos=words)
        tensors = dict(zip(("cos", "sin"), map(write, made(p, positions))))
        return Case(name.format(model), claimed, tensors, found, repair)
    return make


def drawn_of(*kinds, **spans):
    """A draw of a configuration of some kinds of scaling, and of positions."""
    return lambda random: (chosen(random, *kinds)[1],) + span(random, **spans)


def of_frequencies(name, *kinds, made, found=RIGHT):
    """A row of inv_freq alone, as made(p) computes it."""
    def make(random):
        model, p = chosen(random, *kinds)
        return Case(name.format(model), claim("rope", p), {"inv_freq": made(p)}, found)
    return make


def mistaken_frequencies(family, mistake, *kinds, least=3):
    """A row of inv_freq of a mistake that changes so many of them, or an eighth where that is more;
    the attention factor is not seen."""
    def make(random):
        while True:
            _, p = chosen(random, *kinds)
            port = Port(p, [0])
            found = mistake(random, port)
            made, right = port.frequencies(), frequencies(p)
            enough = least if least > 2 else max(2, len(right) // 8)
            if found and np.count_nonzero(abs(made - right) > 1e-3 * right) >= enough:
                return Case("%s/inv-freq-%s" % (family, named(mistake)), claim("rope", p),
                            {"inv_freq": f32(made)}, found)
    return make


def differs(wrong, right, angles, dtype):
    """Whether a mistake changes the numbers far more than float32 and the dtype can."""
    if wrong[0].shape != right[0].shape:
        return True
    clear = 0
    for made, meant in zip(wrong, right):
        noise = ANGLE * np.abs(angles) + ROUNDING[dtype] * np.abs(meant) + 1e-7
        clear += np.count_nonzero(~(np.abs(made - meant) <= 20 * noise))
    return clear >= max(20, 0.03 * 2 * right[0].size)


def explained(name, mistakes, draw, dtypes=("f32",), layouts=True):
    """A maker of cases of cos and sin: draw(random) gives parameters, text and positions.

    Each mistake changes the numbers that the mistakes before it left. With layouts, tables have
    the shapes that ports keep; without, a row a position and a column a pair."""
    def make(random):
        while True:
            p, words, positions = draw(random)
            dtype = random.choice(list(dtypes))
            port = Port(p, positions)
            angles, made, found = port.angles(), port.tables(), []
            for mistake in mistakes:
                before, slugs = made, mistake(random, port)
                made = port.tables() if slugs else before
                if not slugs or not differs(made, before, angles, dtype):
                    break
                found.append(slugs)
            if len(found) == len(mistakes):
                break
        made, more = laid_out(random, made) if layouts else (made, {})
        tensors = {name: narrowed(values, dtype) for name, values in zip(("cos", "sin"), made)}
        return judged(name, claim("rope", p, pos=words, **more), tensors, found)
    return make


def widened(values, pairing):
    """A column an entry of the vector, from a column a pair."""
    return np.repeat(values, 2, -1) if pairing == "adjacent" else np.concatenate([values] * 2, -1)


def laid_out(random, made):
    """Tables as ports keep them, and what a claim says of it: most have a column a pair."""
    way = random.choice(["plain", "plain", "plain", "plain", "one", "batch", "half", "adjacent"])
    if way in ("half", "adjacent"):
        return [widened(values, way) for values in made], {"pairing": way, "width": "full"}
    if way == "one":
        return [values[None] for values in made], {}
    return [np.stack([values] * 2) if way == "batch" else values for values in made], {}


def judged(name, claimed, tensors, found):
    """A case of one mistake, or of two that must both be named."""
    found = [{slugs} if isinstance(slugs, str) else set(slugs) for slugs in found]
    if len(found) == 1:
        return Case(name, claimed, tensors, found[0])
    return Case(name, claimed, tensors, set().union(*found),
                found_both=[sorted(slugs) for slugs in found])


def named(mistake):
    return mistake.__name__.replace("_", "-")
