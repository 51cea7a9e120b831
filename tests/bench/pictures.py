# SPDX-License-Identifier: Apache-2.0
"""pictures.py - pictures (format=png): from the cache, never requested before, and the largest one
against the raw bytes of its numbers. The server has core 0, the client core 1."""

import itertools
import time

import contest
import load
import small_answers
from peers import Peers, get

TURNS = 5
CACHED = "/v1/sinusoidal?pos=0:128&dim=128&format=png"
LARGEST = "/v1/causal-mask?q=%d:%d&k=0:4096&format=%s"
SIDE = 4096


def cached():
    """a cached picture of 128 x 128 numbers: answers/s"""
    return small_answers.cached(CACHED)


def fresh():
    """a never-repeated picture of one row of 512: answers/s, against the row as npy"""
    result = contest.Result("k/s", 1e3, 2)
    if load.NO_WRK:
        result.missing["png"] = load.NO_WRK
        return result
    with Peers() as peers:
        server, turns = peers.posencd(), {}
        for form in ("png", "npy"):
            turns[form] = load.turn(form, *server, small_answers.ROW + form)
            result.commands[form] = load.shown(small_answers.ROW + form)
        return contest.take_turns(result, turns, TURNS)


def largest():
    """a never-repeated mask of 4096 x 4096 to one client: time to its last byte"""
    result, first = contest.Result("ms", 1e-3), itertools.count(SIDE)
    with Peers() as peers:
        _, port = peers.posencd()

        def turn(form):
            def call():
                row = next(first)
                target = LARGEST % (row, row + SIDE, form)
                began = time.perf_counter()
                get(port, target)
                return {form: time.perf_counter() - began}
            return call
        for form in ("png", "raw"):
            result.commands[form] = "GET " + LARGEST % (SIDE, 2 * SIDE, form)
        return contest.take_turns(result, {form: turn(form) for form in ("png", "raw")}, TURNS)
