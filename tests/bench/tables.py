# SPDX-License-Identifier: Apache-2.0
"""tables.py - the cos and sin table of a long context: libposenc against memset of the same
bytes, NumPy and PyTorch, all in this process, on one core, into memory that is already there."""

import ctypes
import os
import time

import contest
from library import Table

POSITIONS, PAIRS, BASE = 131072, 64, 500000
TURNS = 15


def seconds_of(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def numpy_call():
    import numpy as np
    position = np.arange(POSITIONS, dtype=np.float32)
    frequency = (1.0 / BASE ** (np.arange(PAIRS, dtype=np.float32) / PAIRS)).astype(np.float32)
    angle, cosine, sine = (np.zeros((POSITIONS, PAIRS), np.float32) for _ in range(3))

    def call():
        np.multiply.outer(position, frequency, out=angle)
        np.cos(angle, out=cosine)
        np.sin(angle, out=sine)
    return call


def torch_call():
    import torch
    torch.set_num_threads(1)
    position = torch.arange(POSITIONS, dtype=torch.float32)
    frequency = 1.0 / BASE ** (torch.arange(PAIRS, dtype=torch.float32) / PAIRS)
    angle, cosine, sine = (torch.zeros(POSITIONS, PAIRS) for _ in range(3))

    def call():
        torch.outer(position, frequency, out=angle)
        torch.cos(angle, out=cosine)
        torch.sin(angle, out=sine)
    return call


def measure():
    """cos and sin, float32, 131072 positions x 64 pairs: GB/s written, on one core"""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {contest.SERVER_CORE})
    result = contest.Result("GB/s", 1e9)
    query = {"pos": "0:%d" % POSITIONS, "dim": str(2 * PAIRS), "base": str(BASE),
             "out": "cos,sin", "dtype": "f32"}
    print("   rope " + "&".join("%s=%s" % pair for pair in query.items()))
    table = Table("rope", query)
    calls = {"memset": lambda: [ctypes.memset(block, 0, len(block)) for block in table.blocks],
             "posenc": table.fill}
    for name, make in (("numpy", numpy_call), ("torch", torch_call)):
        try:
            calls[name] = make()
        except ImportError as reason:
            result.missing[name] = "%s (make deps-bench)" % reason
    rates = {name: lambda call=call: table.bytes / seconds_of(call)
             for name, call in calls.items()}
    contest.take_turns(result, rates, TURNS)
    os.sched_setaffinity(0, before)
    return result
