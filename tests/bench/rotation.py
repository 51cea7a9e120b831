# SPDX-License-Identifier: Apache-2.0
"""rotation.py - queries of 4096 positions, 32 heads of 128, rotated by libposenc, against a
copy of the same bytes and PyTorch's model code, all in this process, on one core.

Ours reads one array and writes another, in blocks of 4 MB, cosines and sines included; in
place is what the service does. PyTorch has its cosines and sines from before, in the dtype of
the vectors, and answers new arrays, as transformers' apply_rotary_pos_emb does."""

import ctypes
import os

import contest
from library import P, SIZE, Limits, Rect, load
from tables import timed

POSITIONS, HEADS, WIDTH, BASE = 4096, 32, 128, 500000
BLOCK = 1 << 13  # rows a call
TURNS = 9
DTYPES = {"f32": (1, 4), "bf16": (3, 2)}  # enum pe_dtype, bytes


class Shape(ctypes.Structure):
    """struct pe_tensor."""
    _fields_ = [("dtype", ctypes.c_int), ("rank", SIZE), ("dims", ctypes.c_uint64 * 6)]


class Vectors:
    """A plan that rotates x, and memory for what goes in and comes out."""

    def __init__(self, dtype):
        number, size = DTYPES[dtype]
        library, name = load(), b"rope/apply"
        library.pe_args_set_tensor.argtypes = [P, ctypes.c_char_p, SIZE, P, P]
        errors = ctypes.create_string_buffer(1 << 16)
        args = library.pe_args_new(library.pe_find(name, len(name)))
        for key, value in ((b"pos", b"0:%d" % POSITIONS), (b"base", b"%d" % BASE),
                           (b"seq_axis", b"0")):
            library.pe_args_set_text(args, key, len(key), value, len(value), errors)
        shape = Shape(number, 3, (ctypes.c_uint64 * 6)(POSITIONS, HEADS, WIDTH))
        library.pe_args_set_tensor(args, b"x", 1, ctypes.byref(shape), errors)
        assert library.pe_args_check(args, errors) == 0, "the arguments are wrong"
        self.plan, self.library = P(), library
        assert library.pe_plan_new(ctypes.byref(self.plan), args, None,
                                   ctypes.byref(Limits(1 << 40, 1 << 24)), errors) == 0
        self.rows, self.row_bytes = POSITIONS * HEADS, WIDTH * size
        self.bytes = self.rows * self.row_bytes
        self.source = ctypes.create_string_buffer(self.bytes)
        if dtype == "bf16":
            fill_bfloat16(self.source, self.bytes)
        else:
            fill_float32(self.source, self.bytes)
        self.target = ctypes.create_string_buffer(self.bytes)
        self.scratch = ctypes.create_string_buffer(
            library.pe_plan_scratch(self.plan, BLOCK * WIDTH) + 64)
        self.aligned = (ctypes.addressof(self.scratch) + 63) // 64 * 64

    def rotate(self, to=None):
        start = ctypes.addressof(self.target if to is None else to)
        source = (P * 3)(ctypes.addressof(self.source))
        for row in range(0, self.rows, BLOCK):
            out = (P * 1)(start + row * self.row_bytes)
            rect = Rect(row, min(BLOCK, self.rows - row), 0, WIDTH)
            self.library.pe_fill(self.plan, 0, ctypes.byref(rect), out, source, self.aligned)

    def rotate_in_place(self):
        self.rotate(self.source)

    def copy(self):
        ctypes.memmove(self.target, self.source, self.bytes)


def fill_float32(memory, size):
    import numpy as np
    values = np.frombuffer(memory, np.float32, size // 4)
    values[:] = np.random.default_rng(1).standard_normal(values.size, np.float32)


def fill_bfloat16(memory, size):
    import numpy as np
    wide = np.random.default_rng(1).standard_normal(size // 2, np.float32).view(np.uint32)
    np.frombuffer(memory, np.uint16, size // 2)[:] = wide >> 16


def torch_call(vectors, dtype):
    """q * cos + rotate_half(q) * sin, in the dtype of q: [batch, head, position, width]."""
    import torch
    torch.set_num_threads(1)
    kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
    q = torch.frombuffer(vectors.source, dtype=kind, count=vectors.rows * WIDTH)
    q = q.reshape(POSITIONS, HEADS, WIDTH).transpose(0, 1).contiguous()[None]
    frequency = 1.0 / BASE ** (torch.arange(0, WIDTH, 2).float() / WIDTH)
    angle = torch.outer(torch.arange(POSITIONS).float(), frequency)
    angle = torch.cat((angle, angle), dim=-1)
    cos, sin = angle.cos().to(kind)[None], angle.sin().to(kind)[None]

    def call():
        c, s, half = cos.unsqueeze(1), sin.unsqueeze(1), WIDTH // 2
        turned = torch.cat((-q[..., half:], q[..., :half]), dim=-1)
        return (q * c) + (turned * s)
    return q, call


def say_error(vectors, dtype, q, call):
    """The two agree as far as the reference's own rounding goes."""
    import torch
    vectors.rotate()
    kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
    ours = torch.frombuffer(vectors.target, dtype=kind, count=vectors.rows * WIDTH)
    ours = ours.reshape(POSITIONS, HEADS, WIDTH).transpose(0, 1)[None].float()
    print("   largest difference %.1e" % float((call().float() - ours).abs().max()))


def measure_dtype(dtype):
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {contest.SERVER_CORE})
    result = contest.Result("GB/s", 1e9)
    vectors = Vectors(dtype)
    calls = {"memcpy": vectors.copy, "posenc": vectors.rotate}
    try:
        q, calls["torch"] = torch_call(vectors, dtype)
        say_error(vectors, dtype, q, calls["torch"])
    except ImportError as reason:
        result.missing["torch"] = "%s (make deps-bench)" % reason
    calls["in-place"] = vectors.rotate_in_place
    contest.take_turns(result, {name: timed(name, call, vectors.bytes)
                                for name, call in calls.items()}, TURNS)
    os.sched_setaffinity(0, before)
    return result


def float32():
    """rope/apply of 4096 x 32 x 128 float32: GB/s, on one core"""
    return measure_dtype("f32")


def bfloat16():
    """rope/apply of 4096 x 32 x 128 bfloat16: GB/s, on one core"""
    return measure_dtype("bf16")
