#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""attention.py - an attention layer driven by the file of all tables of a model.

    tests/golden/attention.py [--url URL]

For each model the logits of a layer with random weights (a fixed seed) are computed twice in
PyTorch: with the tables of /v1/models/{model}/tables, and with the formula of the model's public
code, which is written out here. They must agree within 1e-12 in float64, and within float32's
noise in float32. The last line is "N passed, N failed"."""

import json
import math
import os
import struct
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import numpy as np  # noqa: E402
import torch  # noqa: E402

from service import Service, arguments, served as on_service  # noqa: E402

HEADS, START, LENGTH = 2, 7400, 1200  # beyond a window of 1024 and the end of a chunk at 8192
BOUNDS = {"f64": 1e-12, "f32": 2e-5}
NUMBERS = {"f64": torch.float64, "f32": torch.float32}


# ---- the reader -------------------------------------------------------------------------------

DTYPES = {"F64": torch.float64, "F32": torch.float32, "I64": torch.int64, "BOOL": torch.bool}


def read(body):
    """{name: tensor} of a safetensors."""
    length = struct.unpack("<Q", body[:8])[0]
    head = json.loads(body[8:8 + length])
    tensors = {}
    for name, entry in head.items():
        if name != "__metadata__":
            first, end = entry["data_offsets"]
            data = bytearray(body[8 + length + first:8 + length + end])
            tensors[name] = torch.frombuffer(data, dtype=DTYPES[entry["dtype"]]).reshape(
                entry["shape"])
    return tensors


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

def ladder(dim, base):
    return np.longdouble(base) ** (-np.arange(0, dim, 2, dtype=np.longdouble) / dim)


def linear(freq, factor):
    return freq / factor


def yarn(dim, base, factor, trained, fast, slow):
    """modeling_rope_utils.py, _compute_yarn_parameters: a ramp between two rotations."""
    def place(turns):
        return dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))
    low, high = max(math.floor(place(fast)), 0), min(math.ceil(place(slow)), dim - 1)
    ramp = ((np.arange(dim // 2, dtype=np.longdouble) - low) / (high - low)).clip(0, 1)
    freq = ladder(dim, base)
    return freq / factor * ramp + freq * (1 - ramp)


def llama3(freq, factor, low, high, trained):
    """modeling_rope_utils.py, _compute_llama3_parameters; low and high factors may be equal."""
    wave = 2 * math.pi / freq
    if low == high:
        return np.where(wave > trained / low, freq / factor, freq)
    smooth = ((trained / wave - low) / (high - low)).clip(0, 1)
    return (1 - smooth) * freq / factor + smooth * freq


def waves(freq):
    """Cosines and sines at the positions, in float64."""
    turn = np.outer(np.arange(START, START + LENGTH, dtype=np.longdouble), freq)
    return [torch.from_numpy(f(turn).astype(np.float64)) for f in (np.cos, np.sin)]


def t5_bucket(distance, both):
    """modeling_t5.py, _relative_position_bucket, of key - query."""
    count, found = 32, torch.zeros_like(distance)
    if both:
        count //= 2
        found += (distance > 0) * count
        distance = distance.abs()
    else:
        distance = (-distance).clamp(min=0)
    exact = count // 2
    far = exact + (torch.log(distance.double().clamp(min=1) / exact) / math.log(128 / exact) *
                   (count - exact)).long()
    return found + torch.where(distance < exact, distance, far.clamp(max=count - 1))


def swin_index(side):
    """modeling_swin.py: offsets of two patches as one number."""
    at = torch.stack(torch.meshgrid(torch.arange(side), torch.arange(side),
                                    indexing="ij")).flatten(1)
    offset = (at[:, :, None] - at[:, None, :]) + side - 1
    return offset[0] * (2 * side - 1) + offset[1]


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
    gemma = ladder(256, 10000), linear(ladder(256, 1000000), 8)
    scout = llama3(ladder(128, 500000), 16, 1, 1, 8192)
    qwen = ladder(128, 1000000)
    mscale = 0.1 * math.log(40) + 1
    window = CAUSAL & (AT[:, None] - AT < 1024)
    return [
        Layer("deepseek-v3", "all_layers", 192, yarn(64, 10000, 40, 4096, 32, 1), True,
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
              bias=("t5.buckets", 32, t5_bucket(AT - AT[:, None], True)), scaled="encoder"),
        Layer("t5-small", "decoder", 64, scale=1.0, scaled="decoder",
              bias=("t5.buckets", 32, t5_bucket(AT - AT[:, None], False))),
        Layer("swin-tiny", "stage_1", 32, scale=32 ** -0.5, mask=None, seen_by=None,
              bias=("swin.index", 169, swin_index(7))),
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
