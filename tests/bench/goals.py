# SPDX-License-Identifier: Apache-2.0
"""goals.py - the number that a row makes of two figures (or of one) run by run, and the goal for
it."""

import contest


class Goal:
    """of: function of our figure and the other in a run; margin: how many times its goal the median
    of that is, None where there is no goal."""

    def __init__(self, text, show, of, margin=None):
        self.text, self.show, self.of, self.margin = text, show, of, margin

    def judge(self, ours, theirs):
        """(median, least, greatest, met or None) over the runs."""
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
    """Our figure is at least `ratio` times the other."""
    return Goal(">= %g x" % ratio, "%.2f x", _ratio, _above(ratio))


def at_most(ratio):
    """Our figure is at most `ratio` times the other."""
    return Goal("<= %g x" % ratio, "%.2f x", _ratio, _below(ratio))


def printed():
    """A figure for the reader, without a goal."""
    return Goal("", "%.2f x", _ratio)


def at_most_more(limit, unit, scale):
    """Our figure minus the other."""
    return Goal("<= %g %s more" % (limit, unit), "%.2f " + unit,
                lambda ours, theirs: (ours - theirs) / scale, _below(limit))


def no_more_than(limit, unit, scale):
    """Our figure alone."""
    return Goal("<= %g %s" % (limit, unit), "%.2f " + unit, lambda ours, _: ours / scale,
                _below(limit))
