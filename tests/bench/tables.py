# SPDX-License-Identifier: Apache-2.0
"""tables.py - tables and biases in core (fill.c) against memset of the same bytes, and against
PyTorch and NumPy code that computes them, one thread on one core. "bytes/s" is of CPU time, so
that what other programs take is not counted.

"block" is 64 KiB of memory again and again, as the server fills; "array" a whole array that
was touched before; "fresh" new memory each time, as PyTorch and NumPy code has it; "memset
rows" sets the rows of the array one after the other; "zeros" is memset to 0, which writes whole
arrays up to twice as fast as memset to anything else where the CPU knows a line of zeros."""

import os
import subprocess
import time

import contest

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

TURNS = 5
POSITIONS, PAIRS, BASE = 131072, 64, 500000
TABLE = "rope pos=0:%d dim=%d base=%d out=cos,sin" % (POSITIONS, 2 * PAIRS, BASE)
INTERLEAVED = "sinusoidal pos=0:%d dim=%d base=%d" % (POSITIONS, 2 * PAIRS, BASE)


def fill(name, what, place, query, passes=0, threads=1, path="auto"):
    """A contestant that is one run of build/bench/fill, and its command."""
    words = ["build/bench/fill", what, place, str(passes), str(threads), path, *query.split()]
    if threads == 1:
        words = ["taskset", "-c", str(contest.SERVER_CORE), *words]

    def call():
        return {name: float(subprocess.run(words, check=True, capture_output=True,
                                           text=True).stdout)}
    return call, " ".join(words)


def add(result, turns, name, *arguments, **options):
    turns[name], result.commands[name] = fill(name, *arguments, **options)


def timed(name, call, size):
    """A contestant in this process: bytes a second of CPU time; each answer is freed before the next
    run."""
    def turn():
        with contest.on_core(contest.SERVER_CORE):
            start = time.process_time()
            kept = call()
            spent = time.process_time() - start
        del kept
        return {name: size / spent}
    return turn


def add_calls(result, turns, names, make, size):
    """Contestants of a package that may be missing; make() returns {name: call}."""
    try:
        calls = make()
    except ImportError as reason:
        result.missing.update(dict.fromkeys(names, "%s (make deps-bench)" % reason))
        return
    for name, call in zip(names, calls):
        turns[name] = timed(name, call, size)
        result.commands[name] = "%s in this process" % call.__qualname__.split(".")[0]


def numpy_table():
    """NumPy with float64 and with float32 angles."""
    import numpy as np

    def recipe(dtype):
        position = np.arange(POSITIONS, dtype=dtype)
        frequency = (1.0 / BASE ** (np.arange(PAIRS) / PAIRS)).astype(dtype)

        def call():
            angle = np.outer(position, frequency)
            return (np.cos(angle).astype(np.float32, copy=False),
                    np.sin(angle).astype(np.float32, copy=False))
        return call
    return recipe(np.float64), recipe(np.float32)


def torch_table():
    """PyTorch as model code does it: float32 angles."""
    import torch
    torch.set_num_threads(1)
    position = torch.arange(POSITIONS, dtype=torch.float32)
    frequency = 1.0 / BASE ** (torch.arange(PAIRS, dtype=torch.float64) / PAIRS)
    frequency = frequency.float()

    def call():
        angle = torch.outer(position, frequency)
        return angle.cos(), angle.sin()
    return (call,)


def table():
    """cos and sin, float32, 131072 positions x 64 pairs: bytes/s"""
    result, turns = contest.Result("GB/s", 1e9), {}
    size = POSITIONS * PAIRS * 2 * 4
    for place in ("block", "array", "fresh"):
        for what in ("posenc", "memset"):
            add(result, turns, "%s %s" % (what, place), what, place, TABLE)
    add(result, turns, "interleaved", "posenc", "block", INTERLEAVED)
    add_calls(result, turns, ("numpy-f64", "numpy-f32"), numpy_table, size)
    add_calls(result, turns, ("torch",), torch_table, size)
    return contest.take_turns(result, turns, TURNS)


STRIDED = range(0, 1_000_000_000, 4096)


def torch_strided():
    """Rotary and sinusoidal tables of strided positions, as model code computes them."""
    import torch
    torch.set_num_threads(1)
    position = torch.arange(STRIDED.start, STRIDED.stop, STRIDED.step).float()
    frequency = (1.0 / 10000 ** (torch.arange(PAIRS, dtype=torch.float64) / PAIRS)).float()

    def rope_strided():
        angle = torch.outer(position, frequency)
        return angle.cos(), angle.sin()

    def sinusoidal_strided():
        angle = torch.outer(position, frequency)
        table = torch.empty(len(STRIDED), 2 * PAIRS)
        table[:, 0::2] = angle.sin()
        table[:, 1::2] = angle.cos()
        return table
    return rope_strided, sinusoidal_strided


def strided():
    """plan and table of the positions 0:1000000000:4096, 64 pairs, float32: bytes/s"""
    result, turns = contest.Result("GB/s", 1e9), {}
    positions = "pos=%d:%d:%d dim=%d" % (
        STRIDED.start, STRIDED.stop, STRIDED.step, 2 * PAIRS)
    add(result, turns, "rope", "posenc", "planned", "rope %s out=cos,sin" % positions)
    add(result, turns, "sinusoidal", "posenc", "planned", "sinusoidal %s" % positions)
    add_calls(result, turns, ("torch rope", "torch sinusoidal"), torch_strided,
              len(STRIDED) * PAIRS * 2 * 4)
    return contest.take_turns(result, turns, TURNS)


def threads():
    """cos and sin of 131072 x 64 on two threads and on one, into blocks and into one array, and
    memset, which shows what a second core of this machine adds: bytes/s of the busiest thread's CPU
    time"""
    result, turns = contest.Result("GB/s", 1e9), {}
    for what, place, passes in (("posenc", "block", 100), ("memset", "block", 600),
                                ("posenc", "array", 40), ("memset", "array", 100)):
        for count in (1, 2):
            name = "%s %s %d" % (what, place, count)
            add(result, turns, name, what, place, TABLE, passes=passes, threads=count)
    return contest.take_turns(result, turns, TURNS)


def bias(query, size, names, recipes):
    result, turns = contest.Result("GB/s", 1e9), {}
    for place in ("block", "array", "fresh"):
        for what in ("posenc", "memset"):
            add(result, turns, "%s %s" % (what, place), what, place, query, passes=1)
    add(result, turns, "memset rows", "rows", "array", query, passes=1)
    add(result, turns, "zeros array", "zeros", "array", query, passes=1)
    add_calls(result, turns, names, recipes, size)
    return contest.take_turns(result, turns, TURNS, warm=0)
