# SPDX-License-Identifier: Apache-2.0
"""forms.py - right tables in the axes that programs give them: batches whose rows have positions
of their own, stacks, tables that lie on their side; tables of a wrong width; and masks of models,
or beside another mask."""

import io
import json
import struct

import numpy as np

import rope
from case import Case, FOUND, MISTAKE, REFUSED, RIGHT, case
from files import bf16

F = np.float32
KIND = "form"
HALVES = [rope.half, lambda a: a]


def of_rows(model, ids, widen):
    """cos and sin of position_ids [B, T], as rotary_emb of transformers makes them: [B, T, D]."""
    a = widen(np.asarray(ids, F)[..., None] * model.w())
    return np.cos(a).astype(F), np.sin(a).astype(F)


def padded(lengths, width, pad):
    """attention_mask.cumsum(-1) - 1 of a batch that is padded on the left, whose padding has
    masked_fill_(attention_mask == 0, pad)."""
    return np.stack([np.concatenate([np.full(width - n, pad), np.arange(n)]) for n in lengths])


def batch(draw, ids, words=()):
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = of_rows(model, ids, draw.choice(HALVES))
    return Case(draw.tables(cos, sin, True), model.claim() + list(words), RIGHT)


@case(KIND)
def batch_of_two_prompts(draw):
    """Two prompts that go on from caches of different lengths."""
    first = draw.integer(5, 900)
    return batch(draw, np.arange(40) + np.array([[0], [first]]))


@case(KIND, 0, 1)
def batch_padded_left(draw, pad):
    """Also of cosines alone."""
    lengths = [48, draw.integer(20, 44), draw.integer(20, 44)]
    made = batch(draw, padded(lengths, 48, pad))
    made.tensors = {"cos": list(made.tensors.values())[0]} if draw.coin() else made.tensors
    return made


@case(KIND)
def batch_on_the_last_axis_pair(draw):
    """view_as_real of freqs_cis[position_ids]: [B, T, D/2, 2]."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = of_rows(model, np.arange(40) + np.array([[3], [60]]), lambda a: a)
    return Case({"freqs_cis": np.stack([cos, sin], -1)}, model.claim(), RIGHT)


@case(KIND)
def batch_stacked(draw):
    """stack((cos, sin)) of a batch: [2, B, T, D]."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = of_rows(model, np.arange(40) + np.array([[0], [7], [100]]), draw.choice(HALVES))
    return Case({draw.choice(["cos_sin_cache", "arr_0"]): np.stack([cos, sin])}, model.claim(),
                RIGHT)


@case(KIND, "half", "full")
def stacked(draw, width):
    """stack((cos, sin)): [2, T, D]."""
    model = draw.choice(rope.PLAIN)
    cos, sin = rope.tables(model.w(), np.arange(48), 1.0, HALVES[width == "half"])
    more = ["pos=0:48"] if draw.coin() else []
    return Case({draw.choice(["rope_cache", "arr_0"]): np.stack([cos, sin])},
                model.claim() + more, RIGHT)


@case(KIND)
def batch_of_a_wrong_base(draw):
    """As batch_of_two_prompts, with a base that the claim does not have."""
    model = rope.Model("wrong", 128, 1e4)
    cos, sin = of_rows(model, np.arange(40) + np.array([[0], [31]]), draw.choice(HALVES))
    return Case({"cos": cos, "sin": sin}, ["encoding=rope", "dim=128", "base=500000"], MISTAKE,
                [r"base"], [1e4])


@case(KIND, "named", "nameless")
def batch_of_sinusoids(draw, way):
    """[B, T, D], the same rows for each of the batch."""
    a = np.arange(40)[:, None] / 1e4 ** (np.arange(0, 64, 2) / 64)
    rows = np.stack([np.sin(a), np.cos(a)], -1).reshape(40, 64).astype(F)
    words = ["pos=0:40"] if draw.coin() else []
    return Case({draw.choice(["arr_0", "pe", "rows"]): np.stack([rows] * 2)},
                ["encoding=sinusoidal", "dim=64", *words], RIGHT,
                form="npy" if way == "nameless" else None)


@case(KIND, "half", "full")
def square_on_its_side(draw, width):
    """[D, T] of as many positions as columns."""
    model = draw.choice(rope.PLAIN[:5])
    count = model.dim if width == "full" else model.dim // 2
    cos, sin = rope.tables(model.w(), np.arange(count), 1.0, HALVES[width == "half"])
    more = ["pos=0:%d" % count] if draw.coin() else []
    return Case(draw.tables(cos.T.copy(), sin.T.copy(), True), model.claim() + more, RIGHT)


@case(KIND)
def square_sinusoids_on_their_side(draw):
    a = np.arange(64)[:, None] / 1e4 ** (np.arange(0, 64, 2) / 64)
    rows = np.stack([np.sin(a), np.cos(a)], -1).reshape(64, 64).astype(F)
    return Case(draw.named("rows", rows.T.copy()), ["encoding=sinusoidal", "dim=64"], RIGHT)


@case(KIND, "square", "wide", "tall")
def unclaimed_on_its_side(draw, shape):
    """[D, T] without a claim."""
    base = draw.choice([1e4, 5e5])
    count = {"square": 128, "wide": 200, "tall": 48}[shape]
    cos, sin = rope.tables(rope.inv_freq(128, base), np.arange(count), 1.0, rope.half)
    return Case({"cos": cos.T.copy(), "sin": sin.T.copy()}, [], FOUND,
                [r'"encoding": "(rope|mrope)"'])


@case(KIND)
def unclaimed_square_sinusoids_on_their_side(draw):
    a = np.arange(64)[:, None] / 1e4 ** (np.arange(0, 64, 2) / 64)
    rows = np.stack([np.sin(a), np.cos(a)], -1).reshape(64, 64).astype(F)
    return Case({"arr_0": rows.T.copy()}, [], FOUND,
                [r'"encoding": "(sinusoidal.*|timestep-embedding|multidim-sine)"'])


@case(KIND, "batch", "plain", "claimed")
def wrong_width(draw, way):
    """A table of another head width than the claim's."""
    model = rope.Model("wrong", 96, 1e4)
    ids = np.arange(40) + (np.array([[0], [5]]) if way == "batch" else np.array([[0]]))
    cos, sin = of_rows(model, ids, draw.choice(HALVES))
    if way != "batch":
        cos, sin = cos[0], sin[0]
    words = ["encoding=rope", "dim=128"] + (["pos=0:40"] if way == "claimed" else [])
    return Case({"cos": cos, "sin": sin}, words, REFUSED, [r"shape", r"\[40,64\]", r"\[40,128\]"])


@case(KIND)
def claimed_positions_of_one_batch(draw):
    """A claim of the first row's positions for a batch of which the second has others."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = of_rows(model, np.arange(40) + np.array([[0], [9]]), draw.choice(HALVES))
    return Case({"cos": cos, "sin": sin}, model.claim() + ["pos=0:40"], MISTAKE,
                [r"rows 40:80"], [9])


@case(KIND)
def bfloat16_square_on_its_side(draw):
    model = draw.choice(rope.PLAIN[:3])
    cos, sin = rope.tables(model.w(), np.arange(model.dim), 1.0, rope.half)
    return Case({"cos": bf16(cos.T.copy()), "sin": bf16(sin.T.copy())}, model.claim(), RIGHT,
                form="safetensors")


def window_of(count, window):
    """sliding_window_overlay of transformers, beside the causal mask: finfo.min hides a key."""
    q, k = np.arange(count)[:, None], np.arange(count)[None]
    return np.where((k <= q) & (k > q - window), F(0), np.finfo(F).min)[None, None]


WINDOWS = {"gemma-3-1b": 512, "gemma-3-4b": 1024, "gemma-4-e2b": 512, "gpt-oss-20b": 128}


@case(KIND, *WINDOWS)
def window_of_the_model(draw, name):
    """The mask of a layer with a window, by the model alone."""
    mask = window_of(WINDOWS[name] + draw.integer(20, 80), WINDOWS[name])
    more = ["layer_type=sliding_attention"] if draw.coin() else []
    return Case({draw.choice(["attention_mask", "attn_mask"]): mask}, ["model=" + name, *more],
                RIGHT)


@case(KIND)
def window_of_another_model(draw):
    mask = window_of(700, 256)
    return Case({"attention_mask": mask}, ["model=gemma-3-1b"], MISTAKE, [r"window"], [256, 512])


@case(KIND)
def window_that_the_claim_lacks(draw):
    mask = window_of(96, 32)
    return Case({"attention_mask": mask}, ["encoding=sliding-window-mask"], REFUSED,
                [r"window", r"32 keys"])


def saved(mask):
    out = io.BytesIO()
    np.savez(out, attention_mask=mask)
    return out.getvalue()


@case(KIND, "inf", "finite", "truth")
def mask_against_another(draw, way):
    """--against a mask that hides the same keys by another number."""
    seen = np.tril(np.ones((48, 48), bool))
    ways = {"inf": -np.inf, "finite": -1e9, "truth": None}
    made = {name: seen if low is None else np.where(seen, 0, low).astype(F)
            for name, low in ways.items()}
    other = draw.choice([name for name in ways if name != way])
    return Case({"attention_mask": made[way]}, ["--against=right.npz"], RIGHT, form="npz",
                more={"right.npz": saved(made[other])})


@case(KIND)
def wrong_mask_against_another(draw):
    seen = np.tril(np.ones((48, 48), bool), 1)
    right = np.tril(np.ones((48, 48), bool))
    return Case({"attention_mask": np.where(seen, 0, -np.inf).astype(F)}, ["--against=right.npz"],
                MISTAKE, [r"future|offset|strict|diagonal|one|query|position"], form="npz",
                more={"right.npz": saved(np.where(right, 0, -1e9).astype(F))})


# ---- eight bits ------------------------------------------------------------------------------


def float8(bits, fraction):
    """The values of all floats of 8 bits with so many bits of the fraction, NaN as infinity."""
    exponents = 7 - fraction
    exponent, low = bits >> fraction & (1 << exponents) - 1, bits & (1 << fraction) - 1
    bias = (1 << exponents - 1) - 1
    value = np.where(exponent == 0, low * 2.0 ** (1 - bias - fraction),
                     (low + (1 << fraction)) * 2.0 ** (exponent.astype(float) - bias - fraction))
    special = bits & 127 == 127 if fraction == 3 else exponent == (1 << exponents) - 1
    return np.where(special, np.inf, np.where(bits >> 7, -value, value))


def to_float8(values, fraction):
    """torch's .to(torch.float8_e4m3fn): the nearest, of two the even one."""
    bits = np.arange(256)
    order = np.lexsort((bits & 1, float8(bits, fraction)))
    order = order[np.isfinite(float8(bits, fraction)[order])]
    known = float8(order, fraction)
    at = np.clip(np.searchsorted(known, values), 1, len(known) - 1)
    low, high = known[at - 1], known[at]
    upper = (values - low > high - values) | ((values - low == high - values) &
                                              (order[at - 1] & 1 == 1))
    return np.where(upper, order[at], order[at - 1]).astype(np.uint8)


def saved_float8(tensors, name):
    """A safetensors file of these bytes."""
    head, data = {}, b""
    for key, bits in tensors.items():
        head[key] = {"dtype": name, "shape": list(bits.shape),
                     "data_offsets": [len(data), len(data) + bits.size]}
        data += bits.tobytes()
    text = json.dumps(head).encode()
    return struct.pack("<Q", len(text)) + text + data


@case(KIND, "e4m3", "e5m2")
def tables_in_float8(draw, name):
    model = draw.choice(rope.PLAIN[:5])
    tables = rope.tables(model.w(), np.arange(64), 1.0, draw.choice(HALVES))
    fraction = 3 if name == "e4m3" else 2
    bits = {key: to_float8(x, fraction) for key, x in zip(("cos", "sin"), tables)}
    return Case({}, ["eight.safetensors"] + model.claim() + ["pos=0:64"], RIGHT,
                more={"eight.safetensors": saved_float8(bits, "F8_" + name.upper())})


@case(KIND)
def float8_without_a_fraction(draw):
    return Case({}, ["eight.safetensors", "encoding=rope", "dim=8", "pos=0:4"], REFUSED,
                [r"F8_E8M0", r"F8_E4M3", r"F8_E5M2"],
                more={"eight.safetensors": saved_float8({"cos": np.zeros((4, 4), np.uint8)},
                                                        "F8_E8M0")})


@case(KIND, "tables", "rows")
def levels_of_int8(draw, way):
    """Quantised by the largest number and 127, and read back as float32."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, draw.choice(HALVES))
    scale = F(1 / 127)
    if way == "tables":
        return Case({"cos": np.round(cos / scale) * scale, "sin": np.round(sin / scale) * scale},
                    model.claim() + ["pos=0:64"], RIGHT)
    a = np.arange(48)[:, None] / 1e4 ** (np.arange(0, 64, 2) / 64)
    rows = np.stack([np.sin(a), np.cos(a)], -1).reshape(48, 64).astype(F)
    return Case(draw.named("rows", np.round(rows / scale) * scale),
                ["encoding=sinusoidal", "dim=64"], RIGHT)


@case(KIND, "int8", "int16")
def positions_that_wrap(draw, name):
    model = draw.choice(rope.PLAIN[:5])
    first = 100 if name == "int8" else 32740
    wrapped = np.arange(first, first + 64).astype(name)
    cos, sin = rope.tables(model.w(), wrapped, 1.0, draw.choice(HALVES))
    return Case({"cos": cos, "sin": sin},
                model.claim() + ["pos=%d:%d" % (first, first + 64)], MISTAKE, [r"wrap", name])


@case(KIND, "int8", "int16", "uint8", "uint16")
def ids_in_few_bits(draw, dtype):
    """position_ids of a short dtype beside the tables."""
    model = draw.choice(rope.PLAIN[:5])
    ids = np.arange(40) + draw.integer(0, 60)
    cos, sin = rope.tables(model.w(), ids, 1.0, draw.choice(HALVES))
    return Case({"cos": cos, "sin": sin, "position_ids": ids.astype(dtype)}, model.claim(), RIGHT,
                form="npz")


@case(KIND, "config", "config.json")
def configuration_in_the_archive(draw, name):
    """np.savez(..., config=np.frombuffer(text, np.uint8)), of a text too long for a query."""
    text = json.dumps({"model_type": "llama", "hidden_size": 1024, "num_attention_heads": 8,
                       "num_hidden_layers": 4, "rope_theta": 123000.0,
                       "id2label": {str(i): "label %d" % i for i in range(900)}})
    cos, sin = rope.tables(rope.inv_freq(128, 123000), np.arange(32), 1.0, draw.choice(HALVES))
    return Case({"cos": cos, "sin": sin, name: np.frombuffer(text.encode(), np.uint8)}, [],
                RIGHT, form="npz")
