# SPDX-License-Identifier: Apache-2.0
"""biases.py - attention biases and masks of 32 heads x 4096 x 4096 in core, against memset of
the same bytes and the PyTorch code of the models that use them."""

import subprocess

import contest
from filling import bias

HEADS, LENGTH = 32, 4096
GRID = "q=0:%d k=0:%d" % (LENGTH, LENGTH)


def known(encoding):
    return subprocess.run(["build/posencd", "compute", encoding, "--help"],
                          capture_output=True).returncode == 0


def torch_alibi(dtype):
    """The slopes of a power of two of heads, times minus the distance."""
    def recipe():
        import torch
        torch.set_num_threads(1)
        kind = getattr(torch, dtype)

        def alibi():
            slopes = 2.0 ** (-8 / HEADS * torch.arange(1, HEADS + 1))
            position = torch.arange(LENGTH)
            distance = -(position[None, :] - position[:, None]).abs()
            return slopes.to(kind)[:, None, None] * distance.to(kind)[None]
        return (alibi,)
    return recipe


def torch_t5():
    """transformers' _relative_position_bucket and compute_bias, bidirectional."""
    import math

    import torch
    torch.set_num_threads(1)
    table = torch.randn(32, HEADS)

    def t5():
        position = torch.arange(LENGTH)
        relative = position[None, :] - position[:, None]
        bucket = (relative > 0).long() * 16
        relative = relative.abs()
        large = 8 + (torch.log(relative.float() / 8) / math.log(128 / 8) * 8).long()
        large = torch.min(large, torch.full_like(large, 15))
        bucket = bucket + torch.where(relative < 8, relative, large)
        return torch.nn.functional.embedding(bucket, table).permute(2, 0, 1).contiguous()
    return (t5,)


def torch_mask(window):
    """A causal (windowed) mask of zeros and the least float, as transformers makes it."""
    def recipe():
        import torch
        torch.set_num_threads(1)

        def mask():
            position = torch.arange(LENGTH)
            distance = position[:, None] - position[None, :]
            seen = (distance >= 0) & (distance < window)
            out = torch.zeros(LENGTH, LENGTH).masked_fill(~seen, torch.finfo().min)
            return out.expand(HEADS, LENGTH, LENGTH).contiguous()
        return (mask,)
    return recipe


def measured(query, width, recipe):
    if not known(query.split()[0]):
        result = contest.Result("GB/s", 1e9)
        result.missing["posenc block"] = "no encoding of this name"
        return result
    return bias(query, HEADS * LENGTH * LENGTH * width, ("torch",), recipe)


def alibi_float32():
    """ALiBi, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("alibi heads=%d %s out=bias dtype=f32" % (HEADS, GRID), 4,
                    torch_alibi("float32"))


def alibi_bfloat16():
    """ALiBi, 32 x 4096 x 4096 bfloat16: bytes/s"""
    return measured("alibi heads=%d %s out=bias dtype=bf16" % (HEADS, GRID), 2,
                    torch_alibi("bfloat16"))


def t5():
    """T5 bias of 32 buckets, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("t5 %s out=bias table=@f32:32,%d" % (GRID, HEADS), 4, torch_t5)


def causal():
    """causal mask, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("causal-mask %s heads=%d out=additive" % (GRID, HEADS), 4,
                    torch_mask(LENGTH))


def window():
    """causal mask of a window of 1024, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("sliding-window-mask %s heads=%d window=1024 out=additive" % (GRID, HEADS),
                    4, torch_mask(1024))
