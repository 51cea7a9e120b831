# SPDX-License-Identifier: Apache-2.0
"""goals.py - what a row says of two figures (or of one) turn by turn, and when that is good."""

import contest


class Goal:
    """of: function of ours and theirs of a turn; good: function of the median of that."""

    def __init__(self, text, show, of, good=None):
        self.text, self.show, self.of, self.good = text, show, of, good

    def judge(self, ours, theirs):
        """(median, least, greatest, met or None) over the turns."""
        said = [self.of(*pair) for pair in zip(ours, theirs or ours)]
        middle = contest.median(said)
        return middle, min(said), max(said), self.good and self.good(middle)


def _ratio(ours, theirs):
    return ours / theirs


def at_least(ratio):
    """Ours is this many times theirs."""
    return Goal(">= %g x" % ratio, "%.2f x", _ratio, lambda said: said >= ratio)


def at_most(ratio):
    """Ours is no more than this many times theirs."""
    return Goal("<= %g x" % ratio, "%.2f x", _ratio, lambda said: said <= ratio)


def printed():
    """For the reader; not judged."""
    return Goal("", "%.2f x", _ratio)


def at_most_more(limit, unit, scale):
    """Ours minus theirs."""
    return Goal("<= %g %s more" % (limit, unit), "%.2f " + unit,
                lambda ours, theirs: (ours - theirs) / scale, lambda said: said <= limit)


def no_more_than(limit, unit, scale):
    """Ours by itself."""
    return Goal("<= %g %s" % (limit, unit), "%.2f " + unit, lambda ours, _: ours / scale,
                lambda said: said <= limit)
