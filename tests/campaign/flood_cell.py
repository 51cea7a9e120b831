# SPDX-License-Identifier: Apache-2.0
"""flood_cell.py - what came of one flood: what other clients saw, how often a goal was missed, the
memory, and how much of the machine other processes had."""

# What the others must see: figure of crowd.c and its most, in milliseconds; refused is a share.
GOALS = (("livez", "p50", 50), ("hits", "p99", 20), ("misses", "p99", 100),
         ("misses of the pool", "p99", 100))
SENTENCE = "livez p50 <= 50 ms, hits p99 <= 20 ms, misses p99 <= 100 ms, <= 1 % of misses refused, " \
    "memory <= limits + 10 %"
REFUSED = 0.01
NEAR = 3         # times a goal: what exceeds it by less may be the machine's noise
FOREIGN = 0.1    # share of a core that other processes may have had


def refused(figures):
    """The share of requests that got no answer, or another status than 200."""
    served = figures["statuses"].get("200", 0)
    return 1 - served / figures["asked"] if figures["asked"] else 0


class Cell:
    """What came of one flood: figures of each kind of its clients and of the others, and the peak
    of memory."""

    def __init__(self, row, transport, count, floods, seen):
        self.row, self.transport, self.count, self.floods = row, transport, count, floods
        self.seen = seen
        self.peak = self.limit = 0  # MiB
        self.foreign = 0            # of a core: what other processes took

    @property
    def name(self):
        return "%s, %d clients %s" % (self.transport, self.count, " and as many ".join(self.floods))

    def excess(self):
        """By how much each goal is missed: [(times the goal, sentence)] of those above 1."""
        all_of_them = [(self.seen[name][figure] / most, "%s %s %.1f ms" % (
            name, figure, self.seen[name][figure])) for name, figure, most in GOALS]
        for name in ("livez", "hits"):
            share = refused(self.seen[name])
            all_of_them.append((2 * NEAR if share else 0, "%s refused %.1f %%" % (
                name, 100 * share)))
        for name in ("misses", "misses of the pool"):
            share = refused(self.seen[name])
            all_of_them.append((share / REFUSED, "%s refused %.1f %%" % (name, 100 * share)))
        all_of_them.append((self.peak / (1.1 * self.limit), "memory %d of %d MiB" % (
            self.peak, self.limit)))
        return sorted([one for one in all_of_them if one[0] > 1], reverse=True)

    def worst(self):
        """How many times the worst figure exceeds its goal; 0 if none does."""
        return max([times for times, _ in self.excess()], default=0)

    def is_doubtful(self):
        """Whether a goal is missed, and the machine may be the cause."""
        return 0 < self.worst() < NEAR or self.worst() > 0 and self.foreign > FOREIGN

    def missed(self):
        """A sentence on the goals missed, or an empty one."""
        said = ", ".join(sentence for _, sentence in self.excess())
        return said + (", while others had %.0f %% of a core" % (100 * self.foreign)
                       if said and self.foreign > FOREIGN else "")

    def cut(self):
        """Answers that began and were not finished, or had another length, of clients that read."""
        groups = {**self.seen, **self.floods}
        groups.pop("not reading", None)
        return ["%s: %d %s" % (name, figures[kind], kind) for name, figures in groups.items()
                for kind in ("cut_by_reset", "cut_by_end", "wrong_length", "not_http")
                if figures[kind]]

    def line(self):
        """A row of the table."""
        own, lost = {}, 0
        for figures in self.floods.values():
            own.update(figures["statuses"])
            lost += figures["cut_by_reset"] + figures["cut_by_end"] + figures["unread"]
        times = ["%.1f / %.1f" % (self.seen[name]["p50"], self.seen[name]["p99"])
                 for name, _, _ in GOALS]
        shares = ["%.0f" % (100 * refused(self.seen[name])) for name in (
            "livez", "hits", "misses", "misses of the pool", "downloads", "slow downloads")]
        return "| %s | %s | %d %s | %d | %s | %s | %s | %d | %d | %.0f | %s |" % (
            self.row.name, self.transport, self.count, ", ".join(self.floods),
            sum(figures["asked"] for figures in self.floods.values()),
            " ".join("%s: %d" % pair for pair in sorted(own.items())) + " %d MB" % (
                sum(figures["bytes"] for figures in self.floods.values()) / 1e6), " | ".join(times),
            " ".join(shares), self.peak, lost,
            100 * self.foreign, self.missed() or "all kept")


HEAD = """| row | over | clients | asked | answers | %s | refused, %% | peak, MiB | cut | foreign, %% | missed |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
""" % " | ".join("%s p50 / p99" % name for name, _, _ in GOALS)
