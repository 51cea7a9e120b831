# SPDX-License-Identifier: Apache-2.0
"""kinds.py - rows of cases, right and wrong, of a formula that reads the parameters of a claim."""

import numpy as np

from case import Case, RIGHT, narrowed


def noisy(random, values):
    """Values in a dtype in which a table of them may be kept."""
    return narrowed(values, random.choice(["f32"] * 4 + ["f64", "f16", "bf16"]))


def single(random, values):
    return narrowed(values, "f32")


def integers(random, values):
    return np.asarray(values).astype(random.choice([np.int64, np.int64, np.int32, np.int16]))


def one_of(random, value):
    """A value that a row has; of a list one is drawn, and a function draws its own."""
    if callable(value):
        return value(random)
    return random.choice(value) if isinstance(value, list) else value


def not_empty(parameters):
    return {name: value for name, value in parameters.items()
            if not isinstance(value, tuple) or value}


def span(counts, firsts):
    """A slice of positions as a claim has it."""
    def draw(random):
        count, first = random.choice(counts), random.choice(firsts)
        return "%d:%d" % (first, first + count)
    return draw


def said(random, **parameters):
    """The parameters of a claim: of a list one is drawn, for several names that are drawn together,
    too, and what is empty is not said."""
    drawn = {}
    for names, value in parameters.items():
        value = one_of(random, value)
        drawn.update(zip(names.split(), value) if " " in names else {names: value})
    return not_empty(drawn)


def exchanged(parameter, *pairs):
    """Changes of a parameter from what a claim means to what was done, by pairs of both."""
    return [("", {parameter}, {parameter: done}, {parameter: meant}) for done, meant in pairs]


def meant_by(repair, key, claim):
    """The value of a claim that a repair must name."""
    meant = repair[key] if isinstance(repair, dict) else None
    return meant(claim) if callable(meant) else claim.get(key, meant)


class Kind:
    """Cases of a family whose tensor `out` is values(p), p being parameters as a claim has them, and
    is written by write(random, values). more(random, p) draws what a row does not say."""

    def __init__(self, family, out, values, write=noisy, more=None):
        self.family, self.out, self.values, self.write = family, out, values, write
        self.more = more or (lambda random, p: p)

    def case(self, random, name, claim, values, found, repair=None, both=None, write=None,
             out=None):
        tensors = {out or self.out: (write or self.write)(random, values)}
        return Case("%s/%s" % (self.family, name), claim, tensors, found, repair, both)

    def right(self, name, write=None, **parameters):
        """A row of right tables. Of a parameter that is a list a value is drawn; the name may have
        such values in it."""
        def make(random):
            claim = self.more(random, said(random, **parameters))
            return self.case(random, "right-" + name.format(**claim), claim, self.values(claim),
                             RIGHT, write=write)
        return make

    def wrong(self, name, *changes, repair=(), write=None, **parameters):
        """A row of tables whose parameters differ from the claim's by one of some changes: what
        follows the name, what must be found, and values by parameter. A function makes a value of
        the claim, of a list one is drawn, and what is empty is left out. What must be found may be
        a function of the claim and the values. A change may have what the claim says for it alone.
        repair has the parameters whose repair is checked, and for a parameter that the claim leaves
        out what it stands for."""
        def make(random):
            claim = self.more(random, said(random, **parameters))
            more, found, change, *said_besides = (
                random.choice(changes) if len(changes) > 1 else changes[0])
            claim.update(*said_besides)
            done = {key: one_of(random, value(claim) if callable(value) else value)
                    for key, value in change.items()}
            repairs = {key: (done[key], meant_by(repair, key, claim))
                       for key in repair if key in done}
            return self.case(random, name + more, claim, self.values(not_empty({**claim, **done})),
                             found(claim, done) if callable(found) else found, repairs, write=write)
        return make
