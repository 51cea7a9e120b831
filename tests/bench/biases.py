# SPDX-License-Identifier: Apache-2.0
"""biases.py - attention biases and masks, mostly of 32 heads x 4096 x 4096, in core, against memset
of as many bytes and the PyTorch code of the models that use them."""

import subprocess

import contest
from filling import bias

HEADS, LENGTH, WINDOW = 32, 4096, 24
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


def torch_t5(dtype):
    """transformers' _relative_position_bucket and compute_bias, bidirectional."""
    def recipe():
        import math

        import torch
        torch.set_num_threads(1)
        table = torch.randn(32, HEADS).to(getattr(torch, dtype))

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
    return recipe


def torch_mask(window, dtype):
    """A causal (windowed) mask as transformers makes it: true where a key is seen, or zeros and the
    least number of the dtype."""
    def recipe():
        import torch
        torch.set_num_threads(1)
        kind = getattr(torch, dtype)

        def mask():
            position = torch.arange(LENGTH)
            distance = position[:, None] - position[None, :]
            out = seen = (distance >= 0) & (distance < window)
            if kind != torch.bool:
                out = torch.zeros(LENGTH, LENGTH, dtype=kind)
                out = out.masked_fill(~seen, torch.finfo(kind).min)
            return out.expand(HEADS, LENGTH, LENGTH).contiguous()
        return (mask,)
    return recipe


def torch_swin():
    """timm's RelPosBias: rows of the table by the flattened index, heads first."""
    import torch
    torch.set_num_threads(1)
    side, tokens = 2 * WINDOW - 1, WINDOW * WINDOW
    table = torch.randn(side * side, HEADS)
    axis = torch.arange(WINDOW)
    coords = torch.stack(torch.meshgrid(axis, axis, indexing="ij")).flatten(1)
    offset = coords[:, :, None] - coords[:, None, :] + WINDOW - 1
    index = offset[0] * side + offset[1]

    def swin():
        return table[index.view(-1)].view(tokens, tokens, -1).permute(2, 0, 1).contiguous()
    return (swin,)


def measured(query, width, recipe, pairs=LENGTH * LENGTH):
    if not known(query.split()[0]):
        result = contest.Result("GB/s", 1e9)
        result.missing["posenc block"] = "no encoding of this name"
        return result
    return bias(query, HEADS * pairs * width, ("torch",), recipe)


def alibi_float32():
    """ALiBi, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("alibi heads=%d %s out=bias dtype=f32" % (HEADS, GRID), 4,
                    torch_alibi("float32"))


def alibi_bfloat16():
    """ALiBi, 32 x 4096 x 4096 bfloat16: bytes/s"""
    return measured("alibi heads=%d %s out=bias dtype=bf16" % (HEADS, GRID), 2,
                    torch_alibi("bfloat16"))


def t5_float32():
    """T5 bias of 32 buckets, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("t5 %s out=bias table=@f32:32,%d" % (GRID, HEADS), 4, torch_t5("float32"))


def t5_bfloat16():
    """T5 bias of 32 buckets, 32 x 4096 x 4096 bfloat16: bytes/s"""
    return measured("t5 %s out=bias dtype=bf16 table=@bf16:32,%d" % (GRID, HEADS), 2,
                    torch_t5("bfloat16"))


def causal_float32():
    """causal mask, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("causal-mask %s heads=%d out=additive" % (GRID, HEADS), 4,
                    torch_mask(LENGTH, "float32"))


def causal_bfloat16():
    """causal mask, 32 x 4096 x 4096 bfloat16: bytes/s"""
    return measured("causal-mask %s heads=%d out=additive dtype=bf16" % (GRID, HEADS), 2,
                    torch_mask(LENGTH, "bfloat16"))


def causal_bool():
    """causal mask, 32 x 4096 x 4096 bool: bytes/s"""
    return measured("causal-mask %s heads=%d out=mask" % (GRID, HEADS), 1,
                    torch_mask(LENGTH, "bool"))


def window():
    """causal mask of a window of 1024, 32 x 4096 x 4096 float32: bytes/s"""
    return measured("sliding-window-mask %s heads=%d window=1024 out=additive" % (GRID, HEADS),
                    4, torch_mask(1024, "float32"))


def swin():
    """Swin bias of a window of 24 x 24, 32 heads, float32: bytes/s"""
    return measured("swin window_size=%dx%d out=bias table=@f32:%d,%d" % (
        WINDOW, WINDOW, (2 * WINDOW - 1) ** 2, HEADS), 4, torch_swin, WINDOW ** 4)
