# SPDX-License-Identifier: Apache-2.0
"""rotation.py - queries of 4096 positions, 32 heads of 128, rotated by libposenc (fill.c),
cosines and sines included, against a copy of the same bytes and PyTorch's model code, on one
core. "array" reads one array and writes another; "in-place" is what the service does.

PyTorch gets cosines and sines that were computed before, in the dtype of the vectors, and returns
new arrays, as transformers' apply_rotary_pos_emb does."""

import contest
from tables import add, add_calls

POSITIONS, HEADS, WIDTH, BASE = 4096, 32, 128, 500000
TURNS = 9
SIZES = {"f32": 4, "bf16": 2}


def torch_rotation(dtype):
    """q * cos + rotate_half(q) * sin, in the dtype of q: [batch, head, position, width]."""
    def recipe():
        import torch
        torch.set_num_threads(1)
        kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
        q = torch.randn(1, HEADS, POSITIONS, WIDTH).to(kind)
        frequency = 1.0 / BASE ** (torch.arange(0, WIDTH, 2).float() / WIDTH)
        angle = torch.outer(torch.arange(POSITIONS).float(), frequency)
        angle = torch.cat((angle, angle), dim=-1)
        cos, sin = angle.cos().to(kind)[None], angle.sin().to(kind)[None]

        def call():
            c, s, half = cos.unsqueeze(1), sin.unsqueeze(1), WIDTH // 2
            turned = torch.cat((-q[..., half:], q[..., :half]), dim=-1)
            return (q * c) + (turned * s)
        return (call,)
    return recipe


def measure_dtype(dtype, pairing="half"):
    result, turns = contest.Result("GB/s", 1e9), {}
    query = "rope/apply pos=0:%d seq_axis=0 base=%d pairing=%s x=@%s:%d,%d,%d" % (
        POSITIONS, BASE, pairing, dtype, POSITIONS, HEADS, WIDTH)
    add(result, turns, "posenc", "posenc", "array", query)
    add(result, turns, "in-place", "posenc", "in-place", query)
    add(result, turns, "memcpy", "memcpy", "array", query)
    if pairing == "half":
        add_calls(result, turns, ("torch",), torch_rotation(dtype),
                  POSITIONS * HEADS * WIDTH * SIZES[dtype])
    return contest.take_turns(result, turns, TURNS)


def float32():
    """rope/apply of 4096 x 32 x 128 float32: bytes/s"""
    return measure_dtype("f32")


def bfloat16():
    """rope/apply of 4096 x 32 x 128 bfloat16: bytes/s"""
    return measure_dtype("bf16")


def float32_adjacent():
    """the same of pairs that adjoin, float32: bytes/s"""
    return measure_dtype("f32", "adjacent")


def bfloat16_adjacent():
    """the same of pairs that adjoin, bfloat16: bytes/s"""
    return measure_dtype("bf16", "adjacent")
