# SPDX-License-Identifier: Apache-2.0
"""goals.py - what a row says of two figures (or of one) turn by turn, and when that is good."""

import contest


class Goal:
    """of: function of ours and theirs of a turn; margin: how many times the median of that is
    as good as it should be, None if nothing is asked of it."""

    def __init__(self, text, show, of, margin=None):
        self.text, self.show, self.of, self.margin = text, show, of, margin

    def judge(self, ours, theirs):
        """(median, least, greatest, met or None) over the turns."""
        said = [self.of(*pair) for pair in zip(ours, theirs or ours)]
        middle = contest.median(said)
        return middle, min(said), max(said), self.margin and self.margin(middle) >= 1


def _ratio(ours, theirs):
    return ours / theirs


def _above(limit):
    return lambda said: said / limit


def _below(limit):
    return lambda said: limit / said if said > 0 else float("inf")


def at_least(ratio):
    """Ours is this many times theirs."""
    return Goal(">= %g x" % ratio, "%.2f x", _ratio, _above(ratio))


def at_most(ratio):
    """Ours is no more than this many times theirs."""
    return Goal("<= %g x" % ratio, "%.2f x", _ratio, _below(ratio))


def printed():
    """For the reader; not judged."""
    return Goal("", "%.2f x", _ratio)


def at_most_more(limit, unit, scale):
    """Ours minus theirs."""
    return Goal("<= %g %s more" % (limit, unit), "%.2f " + unit,
                lambda ours, theirs: (ours - theirs) / scale, _below(limit))


def no_more_than(limit, unit, scale):
    """Ours by itself."""
    return Goal("<= %g %s" % (limit, unit), "%.2f " + unit, lambda ours, _: ours / scale,
                _below(limit))
