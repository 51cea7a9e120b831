# SPDX-License-Identifier: Apache-2.0
"""biases.py - attention biases and masks, mostly of 32 heads x 4096 x 4096, in core, against memset
of as many bytes and the PyTorch code of the models that use them."""

import math
import random
import subprocess

import contest
from tables import TURNS, add, add_calls, bias

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


def torch_buckets(torch, relative):
    """transformers' _relative_position_bucket, bidirectional."""
    bucket = (relative > 0).long() * 16
    relative = relative.abs()
    large = 8 + (torch.log(relative.float() / 8) / math.log(128 / 8) * 8).long()
    large = torch.min(large, torch.full_like(large, 15))
    return bucket + torch.where(relative < 8, relative, large)


def torch_t5(dtype):
    """transformers' compute_bias."""
    def recipe():
        import torch
        torch.set_num_threads(1)
        table = torch.randn(32, HEADS).to(getattr(torch, dtype))

        def t5():
            position = torch.arange(LENGTH)
            bucket = torch_buckets(torch, position[None, :] - position[:, None])
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


# ---- positions in no order -------------------------------------------------------------------

LISTED, FAR = 1024, 1_000_000


def listed(seed):
    """Random positions, all of them different."""
    return random.Random(seed).sample(range(FAR), LISTED)


def listed_bias(encoding, more, recipe):
    """Biases of lists of positions: "planned" makes the plan and takes fresh memory each time."""
    result, turns = contest.Result("GB/s", 1e9), {}
    lists = [",".join(map(str, listed(seed))) for seed in (1, 2)]
    query = "%s q=%s k=%s out=bias %s" % (encoding, *lists, more)
    for what, place in (("posenc", "planned"), ("memset", "fresh"), ("posenc", "array")):
        name = "%s %s" % (what, place)
        add(result, turns, name, what, place, query)
        for letter, text in zip("QK", lists):
            result.commands[name] = result.commands[name].replace(text, letter)
    add_calls(result, turns, ("torch",), recipe, HEADS * LISTED ** 2 * 4)
    return contest.take_turns(result, turns, TURNS)


def torch_listed():
    """The lists as two tensors."""
    import torch
    torch.set_num_threads(1)
    return torch, torch.tensor(listed(1)), torch.tensor(listed(2))


def torch_listed_alibi():
    torch, query, key = torch_listed()

    def alibi_of_lists():
        slopes = 2.0 ** (-8 / HEADS * torch.arange(1, HEADS + 1))
        distance = -(key[None, :] - query[:, None]).abs()
        return slopes[:, None, None] * distance.float()[None]
    return (alibi_of_lists,)


def torch_listed_t5():
    torch, query, key = torch_listed()
    table = torch.randn(32, HEADS)

    def t5_of_lists():
        bucket = torch_buckets(torch, key[None, :] - query[:, None])
        return torch.nn.functional.embedding(bucket, table).permute(2, 0, 1).contiguous()
    return (t5_of_lists,)


def alibi_lists():
    """ALiBi of lists of 1024 random positions, 32 heads, float32: bytes/s"""
    return listed_bias("alibi", "heads=%d" % HEADS, torch_listed_alibi)


def t5_lists():
    """T5 bias of lists of 1024 random positions, 32 heads, float32: bytes/s"""
    return listed_bias("t5", "table=@f32:32,%d" % HEADS, torch_listed_t5)
