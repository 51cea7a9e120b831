# SPDX-License-Identifier: Apache-2.0
"""cost_by_size.py - cost against size. A figure is the time of one element at each size; the row
compares the most expensive with the cheapest. For the curves, make bench-full.

Of --max-connections 70 % may be open before answers say Connection: close (the first step of
the overload ladder), which is another cost: so 10,000 are measured under a limit of 15,000."""

import resource

import contest
import load
import small_answers
from peers import Peers, get
from process import keep_alive
from tables import fill

TURNS = 5
PASS_BYTES = 1 << 31  # so that a cold start does not count
POSITIONS, WIDTHS, HEADS = ([2 ** i for i in range(10, 19, 2)], [32, 64, 128, 256, 512],
                            [1, 4, 16, 64])
CONNECTIONS = [1, 10, 100, 1000, 10000]
MEASURED = 32


def core(query, sizes, elements):
    """query has a %d for the size; elements(size) is the number of float32 that are filled, into
    blocks."""
    result, turns = contest.Result("ns", 1e-9, 3), {}
    for size in sizes:
        count = elements(size)
        call, command = fill(str(size), "posenc", "block", query % size,
                             passes=max(1, PASS_BYTES // (4 * count)))
        turns[str(size)] = lambda call=call: {name: 4 / rate for name, rate in call().items()}
        result.commands[str(size)] = command
    return with_extremes(contest.take_turns(result, turns, TURNS), sizes)


def with_extremes(result, sizes):
    """The sizes with the largest and the smallest median. (The largest and the smallest of each run
    would differ on a busy machine even if all sizes were equal.)"""
    middle = {str(size): contest.median(result.values[str(size)]) for size in sizes}
    result.values["most expensive"] = result.values[max(middle, key=middle.get)]
    result.values["cheapest"] = result.values[min(middle, key=middle.get)]
    return result


def positions():
    """time of an element of a table of 1024 to 262144 positions x 64 pairs"""
    return core("rope pos=0:%d dim=128 out=cos,sin", POSITIONS, lambda n: n * 128)


def pairs():
    """time of an element of a table of 16384 positions x 16 to 256 pairs"""
    return core("rope pos=0:16384 dim=%d out=cos,sin", WIDTHS, lambda n: n * 16384)


def heads():
    """time of an element of ALiBi with 1 to 64 heads x 1024 x 1024"""
    return core("alibi heads=%d q=0:1024 k=0:1024 out=bias", HEADS, lambda n: n << 20)


def connections():
    """server CPU time of a cached GET beside 1 to 10,000 idle connections"""
    result = contest.Result("us of CPU", 1e-6, 2)
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS[-1] + 200
    if load.NO_WRK or (most != resource.RLIM_INFINITY and most < wanted):
        result.missing["most expensive"] = load.NO_WRK or "ulimit -n is below %d" % wanted
        return result
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least, wanted), most))
    with Peers() as peers:
        turns = {}
        for count in CONNECTIONS:
            pid, port = peers.posencd("--max-connections", "15000", "--idle-timeout", "600")
            get(port, small_answers.SMALL)
            turns[str(count)] = beside(str(count), pid, port, count)
        result.commands["10000"] = load.shown(small_answers.SMALL, MEASURED) + \
            " beside that many idle ones; posencd --max-connections 15000"
        return with_extremes(contest.take_turns(result, turns, TURNS), CONNECTIONS)


def beside(name, pid, port, count):
    turn = load.turn(name, pid, port, small_answers.SMALL, connections=MEASURED)

    def call():
        opened = keep_alive(port, count)
        try:
            return {name: 1 / turn()[name + "/cpu"]}
        finally:
            for one in opened:
                one.close()
    return call
