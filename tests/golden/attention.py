#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""attention.py - an attention layer driven by the file of all tables of a model.

    tests/golden/attention.py [--url URL]

For each model the logits of a layer with random weights (a fixed seed) are computed twice in
PyTorch: with the tables of /v1/models/{model}/tables, and with the formula of the model's public
code, by tests/formulas. They must agree within 1e-12 in float64, and within float32's
noise in float32. The last line is "N passed, N failed"."""

import math
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import numpy as np  # noqa: E402
import torch  # noqa: E402

from formulas import biases, windows  # noqa: E402
from formulas.numbers import LONG  # noqa: E402
from formulas.scalings import scaled  # noqa: E402
from service import Service, arguments, served as on_service  # noqa: E402
from support.tensor_file import read_safetensors  # noqa: E402

HEADS, START, LENGTH = 2, 7400, 1200  # beyond a window of 1024 and the end of a chunk at 8192
BOUNDS = {"f64": 1e-12, "f32": 2e-5}
NUMBERS = {"f64": torch.float64, "f32": torch.float32}


# ---- the reader -------------------------------------------------------------------------------

def read(body):
    """{name: tensor} of a safetensors."""
    return {name: torch.from_numpy(array.copy())
            for name, (_, array) in read_safetensors(body)[1].items()}


def seen(runs, keys):
    """The mask of runs: of each query its runs [first, end) of keys."""
    at = torch.arange(keys)
    return ((at >= runs[..., :1]) & (at < runs[..., 1:])).any(dim=1)


# ---- attention with tables ----------------------------------------------------------------------

def turned(x, cos, sin, adjacent):
    """Rotates the entries of x, of which half are the first of a pair."""
    half = cos.shape[-1]
    a, b = (x[..., 0::2], x[..., 1::2]) if adjacent else (x[..., :half], x[..., half:])
    parts = a * cos - b * sin, b * cos + a * sin
    return torch.stack(parts, -1).flatten(-2) if adjacent else torch.cat(parts, -1)


def logits(q, k, scale, mask, bias=0):
    return (torch.matmul(q, k.transpose(-1, -2)) * scale + bias).masked_fill(~mask, -math.inf)


# ---- formulas of public code ----------------------------------------------------------------------
# Frequencies and angles are of 80 bits, so that float64's own error at far positions is not
# taken for ours.

def ladder(dim, base, **rule):
    return scaled(LONG, rule, dim, base)[0]


def waves(freq):
    """Cosines and sines at the positions, in float64."""
    turn = np.outer(LONG.arange(START, START + LENGTH), freq)
    return [torch.from_numpy(f(turn).astype(np.float64)) for f in (np.cos, np.sin)]


def buckets(both):
    """Of T5, by its truncated logarithm of doubles."""
    return torch.from_numpy(biases.t5({"len": LENGTH, "bidirectional": both},
                                      biases.truncated_steps))


AT = torch.arange(START, START + LENGTH)
CAUSAL = AT[:, None] >= AT
ALL = torch.ones(LENGTH, LENGTH, dtype=torch.bool)


class Layer:
    """A layer: its group of tables, and what its public code computes."""

    def __init__(self, model, group, dim, freq=None, adjacent=False, scale=None, mask=CAUSAL,
                 rotary="rope", seen_by="causal-mask", temperature=None, bias=None, scaled=None):
        self.model, self.group, self.dim = model, group, dim
        self.freq, self.adjacent, self.scale, self.mask = freq, adjacent, scale, mask
        self.rotary, self.seen_by, self.temperature = rotary, seen_by, temperature
        self.bias, self.scaled = bias, scaled or "all_layers"


def layers():
    gemma = ladder(256, 10000), ladder(256, 1000000, scaling="linear", factor=8)
    scout = ladder(128, 500000, scaling="llama3", factor=16, low_freq_factor=1, high_freq_factor=1,
                   original_max_position_embeddings=8192)
    deepseek = ladder(64, 10000, scaling="yarn", factor=40, original_max_position_embeddings=4096)
    qwen = ladder(128, 1000000)
    mscale = 0.1 * math.log(40) + 1
    window = CAUSAL & (AT[:, None] - AT < 1024)
    return [
        Layer("deepseek-v3", "all_layers", 192, deepseek, True,
              192 ** -0.5 * mscale * mscale),
        Layer("gemma-3-4b", "sliding_attention", 256, gemma[0], False, 256 ** -0.5, window,
              seen_by="sliding-window-mask"),
        Layer("gemma-3-4b", "full_attention", 256, gemma[1], False, 256 ** -0.5),
        Layer("qwen2-vl-7b", "all_layers", 128, qwen, False, 128 ** -0.5),
        Layer("qwen2-vl-7b", "all_layers", 128, qwen, False, 128 ** -0.5, rotary="mrope"),
        Layer("llama-4-scout", "chunked_attention", 128, scout, True, 128 ** -0.5,
              CAUSAL & (AT[:, None] // 8192 == AT // 8192), seen_by="chunked-mask"),
        Layer("llama-4-scout", "full_attention", 128, None, True, 128 ** -0.5,
              temperature=torch.log1p(torch.floor((AT.double() + 1) / 8192)) * 0.1 + 1),
        Layer("t5-small", "encoder", 64, scale=1.0, mask=ALL, seen_by="bidirectional-mask",
              bias=("t5.buckets", 32, buckets(True)), scaled="encoder"),
        Layer("t5-small", "decoder", 64, scale=1.0, scaled="decoder",
              bias=("t5.buckets", 32, buckets(False))),
        Layer("swin-tiny", "stage_1", 32, scale=32 ** -0.5, mask=None, seen_by=None,
              bias=("swin.index", 169, torch.from_numpy(windows.swin((7, 7))))),
    ]


def served(layer, tables, q, k, table):
    """The logits with the served tables alone."""
    def get(name):
        return tables["%s.%s" % (layer.group, name)]
    if layer.freq is not None:
        cos, sin = get(layer.rotary + ".cos"), get(layer.rotary + ".sin")
        width = 2 * cos.shape[-1]  # the last entries of a head turn, all of them in most models
        q, k = (torch.cat([x[..., :-width], turned(x[..., -width:], cos, sin, layer.adjacent)], -1)
                for x in (q, k))
    if layer.temperature is not None:
        q = q * get("llama4-temperature.factor")[:, None]
    mask = seen(get(layer.seen_by + ".runs"), q.shape[-2]) if layer.seen_by else \
        torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool)
    bias = table[get(layer.bias[0])].permute(2, 0, 1) if layer.bias else 0
    return logits(q, k, tables[layer.scaled + ".softmax-scale.scale"], mask, bias)


def public(layer, q, k, table):
    """The logits with the formula of the model's code, in the numbers of q."""
    if layer.freq is not None:
        cos, sin = (wave.to(q.dtype) for wave in waves(layer.freq))
        width = 2 * cos.shape[-1]
        q, k = (torch.cat([x[..., :-width], turned(x[..., -width:], cos, sin, layer.adjacent)], -1)
                for x in (q, k))
    if layer.temperature is not None:
        q = q * layer.temperature[:, None].to(q.dtype)
    mask = ALL[:q.shape[-2], :q.shape[-2]] if layer.mask is None else layer.mask
    bias = table[layer.bias[2]].permute(2, 0, 1) if layer.bias else 0
    return logits(q, k, layer.scale, mask, bias)


def compare(service, layer, dtype):
    """The largest difference of two finite logits, infinite where they hide different keys."""
    target = "/v1/models/%s/tables?pos=%d:%d&dtype=%s" % (layer.model, START, START + LENGTH, dtype)
    tables = read(service._ask("GET", target)[1])
    torch.manual_seed(7)
    length = 49 if layer.mask is None else LENGTH
    q, k = (torch.randn(HEADS, length, layer.dim, dtype=torch.float64).to(NUMBERS[dtype])
            for _ in range(2))
    rows = layer.bias[1] if layer.bias else 1
    table = torch.randn(rows, HEADS, dtype=torch.float64).to(NUMBERS[dtype])
    ours, theirs = served(layer, tables, q, k, table), public(layer, q, k, table)
    if not torch.equal(torch.isinf(ours), torch.isinf(theirs)):
        return math.inf
    finite = ~torch.isinf(theirs)
    return float((ours[finite] - theirs[finite]).abs().max())


def run(url):
    service, passed, failed = Service(url), 0, 0
    for layer in layers():
        for dtype, bound in BOUNDS.items():
            apart = compare(service, layer, dtype)
            good = apart <= bound
            print("%-14s %-18s %-6s %s  %.2g%s" % (layer.model, layer.group, layer.rotary, dtype,
                                                  apart, "" if good else "  BAD"))
            passed, failed = passed + good, failed + (not good)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(on_service(arguments(__doc__), run))
