# SPDX-License-Identifier: Apache-2.0
"""case.py - a case of the users' corpus: the files of a user, what he says that they are, and the
truth that he must hear."""

import re

RIGHT = "right"        # exact, profile, or close to the tolerance that the claim gives
NEAR = "near"          # as RIGHT, or close without a tolerance
MISTAKE = "mistake"    # the mistake, by words and numbers
FOUND = "found"        # no claim: the encoding, by words and numbers, or one of the same numbers
REFUSED = "refused"    # an error that says why
TOLD = "told"          # whatever the verdict, the words are said: a place, a convention
NOTHING = "nothing"    # unexplained: any name would be a guess

CASES = []             # (name, kind, function of a Draw)


def case(kind, *names):
    """Registers a function that makes a Case from a Draw; the name is the function's, with a name
    of `names` as its second argument where there are any."""
    def register(make):
        base = "%s/%s" % (kind, make.__name__.replace("_", "-"))
        for name in names or (None,):
            full = base if name is None else "%s-%s" % (base, name)
            one = make if name is None else (lambda draw, name=name: make(draw, name))
            CASES.append((full, kind, one))
        return make
    return register


class Case:
    """tensors: name -> array, which are dressed by the draw; words: the claim as a list of
    arguments; want: one of the words above; say: patterns each of which must be found in the
    headline or the repair; numbers: each must stand there to 1 %; form: how the file is written,
    or None for a drawn one; more: other files, name -> bytes."""

    def __init__(self, tensors, words, want, say=(), numbers=(), form=None, more=None):
        self.tensors, self.words, self.want = tensors, list(words), want
        self.say, self.numbers = list(say), [float(number) for number in numbers]
        self.form, self.more = form, dict(more or {})


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)


def has_number(text, wanted):
    """Whether a text has a number that is `wanted` to 1 %."""
    for word in NUMBER.findall(text):
        if abs(float(word.replace(",", "")) - wanted) <= 0.01 * abs(wanted):
            return True
    return False


def lacks(text, say, numbers):
    """The patterns and numbers of a case that a text does not have."""
    return [one for one in say if not re.search(one, text, re.IGNORECASE)] + \
        ["%.7g" % one for one in numbers if not has_number(text, one)]
