# SPDX-License-Identifier: Apache-2.0
"""tables.py - the cos and sin table of a long context: libposenc against memset of the same
bytes, NumPy and PyTorch, all in this process, on one core.

posenc and memset write into memory that is already there, as the service does; "new" names
what makes its arrays in each call, as NumPy and PyTorch code is written. The error is the
largest difference from the float64 result: the float32 recipes are fast and, at positions of a
long context, wrong from the third digit on."""

import ctypes
import os
import time

import contest
from library import Table

POSITIONS, PAIRS, BASE = 131072, 64, 500000
TURNS = 9


def numpy_calls():
    """NumPy with float32 and with float64 angles."""
    import numpy as np

    def recipe(dtype):
        position = np.arange(POSITIONS, dtype=dtype)
        frequency = (1.0 / BASE ** (np.arange(PAIRS) / PAIRS)).astype(dtype)

        def call():
            angle = np.outer(position, frequency)
            return (np.cos(angle).astype(np.float32, copy=False),
                    np.sin(angle).astype(np.float32, copy=False))
        return call
    yield "numpy-f64", recipe(np.float64)
    yield "numpy-f32", recipe(np.float32)


def torch_calls():
    """PyTorch as model code does it: float32 angles."""
    import torch
    torch.set_num_threads(1)
    position = torch.arange(POSITIONS, dtype=torch.float32)
    frequency = 1.0 / BASE ** (torch.arange(PAIRS, dtype=torch.float64) / PAIRS)
    frequency = frequency.float()

    def call():
        angle = torch.outer(position, frequency)
        return angle.cos(), angle.sin()
    yield "torch-f32", call


def our_calls(table):
    yield "memset", lambda: [ctypes.memset(block, 0, len(block)) for block in table.blocks]
    yield "posenc", table.fill
    yield "posenc-new", table.fill_new


def say_error(name, answer, truth):
    import numpy as np
    error = max(float(np.abs(np.asarray(a) - b).max()) for a, b in zip(answer, truth))
    print("   %-10s largest error %.1e" % (name, error))


def timed(name, call, size):
    def turn():
        start = time.perf_counter()
        kept = call()
        passed = time.perf_counter() - start
        del kept
        return {name: size / passed}
    return turn


def measure():
    """cos and sin, float32, 131072 positions x 64 pairs: GB/s written, on one core"""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {contest.SERVER_CORE})
    result = contest.Result("GB/s", 1e9)
    query = {"pos": "0:%d" % POSITIONS, "dim": str(2 * PAIRS), "base": str(BASE),
             "out": "cos,sin", "dtype": "f32"}
    print("   rope " + "&".join("%s=%s" % pair for pair in query.items()))
    table = Table("rope", query)
    calls = dict(our_calls(table))
    for names, make in ((("numpy-f64", "numpy-f32"), numpy_calls), (("torch-f32",), torch_calls)):
        try:
            calls.update(make())
        except ImportError as reason:
            result.missing.update(dict.fromkeys(names, "%s (make deps-bench)" % reason))
    if "numpy-f64" in calls:
        truth = calls["numpy-f64"]()
        for name in calls.keys() - {"memset", "posenc", "numpy-f64"}:
            say_error(name, calls[name](), truth)
    contest.take_turns(result, {name: timed(name, call, table.bytes)
                                for name, call in calls.items()}, TURNS)
    os.sched_setaffinity(0, before)
    return result
