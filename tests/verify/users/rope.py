# SPDX-License-Identifier: Apache-2.0
"""rope.py - rotary tables by the steps of the frameworks that make them, in float32 as they do."""

import math

import numpy as np

F = np.float32


def inv_freq(dim, base):
    """1.0 / (base ** (arange(0, dim, 2) / dim)) of transformers, Llama and most ports."""
    return (F(1) / F(base) ** (np.arange(0, dim, 2).astype(F) / F(dim))).astype(F)


def llama3(w, factor=8.0, low=1.0, high=4.0, old=8192):
    """_compute_llama3_parameters of transformers."""
    wavelen = F(2 * math.pi) / w
    scaled = np.where(wavelen > old / low, w / F(factor), w)
    smooth = (F(old) / wavelen - F(low)) / F(high - low)
    blend = (1 - smooth) * scaled / F(factor) + smooth * scaled
    medium = ~(wavelen < old / high) & ~(wavelen > old / low)
    return np.where(medium, blend, scaled).astype(F)


def correction(turns, dim, base, old):
    return dim * math.log(old / (turns * 2 * math.pi)) / (2 * math.log(base))


def yarn(dim, base, factor, old, fast=32, slow=1, truncate=True, inverted=False):
    """_compute_yarn_parameters of transformers, without the attention factor."""
    w = inv_freq(dim, base)
    low, high = correction(fast, dim, base, old), correction(slow, dim, base, old)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    high = high + 0.001 if low == high else high
    ramp = np.clip((np.arange(dim // 2, dtype=F) - F(low)) / F(high - low), 0, 1)
    keep = ramp if inverted else 1 - ramp
    return (w / F(factor) * (1 - keep) + w * keep).astype(F)


def mscale(factor, m=1.0):
    return 1.0 if factor <= 1 else 0.1 * m * math.log(factor) + 1.0


def angles(w, positions):
    return (np.asarray(positions, F)[:, None] * w[None, :]).astype(F)


def half(a):
    """cat((freqs, freqs), -1) of transformers."""
    return np.concatenate([a, a], -1)


def adjacent(a):
    """repeat_interleave(2) of GPT-J and diffusers."""
    return np.repeat(a, 2, -1)


def tables(w, positions, attention=1.0, widen=half):
    a = widen(angles(w, positions))
    return (np.cos(a) * F(attention)).astype(F), (np.sin(a) * F(attention)).astype(F)


def rotate_half(x):
    h = x.shape[-1] // 2
    return np.concatenate([-x[..., h:], x[..., :h]], -1)


def turn_half(x, cos, sin):
    """apply_rotary_pos_emb of transformers: x is [..., T, D]."""
    return (x * cos + rotate_half(x) * sin).astype(F)


def turn_adjacent(x, cos, sin):
    """apply_rotary_emb of Llama: cos, sin of a column a pair."""
    a, b = x[..., 0::2], x[..., 1::2]
    out = np.empty_like(x)
    out[..., 0::2], out[..., 1::2] = a * cos - b * sin, a * sin + b * cos
    return out


def turn_partial(x, cos, sin, turn=turn_half):
    """The first columns turn, the rest pass (GPT-NeoX, Phi)."""
    r = cos.shape[-1] if turn is turn_half else 2 * cos.shape[-1]
    return np.concatenate([turn(x[..., :r], cos, sin), x[..., r:]], -1)


class Model:
    """name, head width, base, turned width, scaling words and the frequencies of a model."""

    def __init__(self, name, dim, base, rotary=None, scale=None, words=(), attention=1.0):
        self.name, self.dim, self.base = name, dim, base
        self.rotary = rotary or dim
        self.scale, self.words, self.attention = scale, list(words), attention

    def w(self):
        return self.scale(self) if self.scale else inv_freq(self.rotary, self.base)

    def claim(self):
        """The claim in words of the encoding, without the model."""
        said = ["encoding=rope", "dim=%d" % self.dim, "base=%g" % self.base]
        if self.rotary != self.dim:
            said.append("rotary_dim=%d" % self.rotary)
        return said + self.words


def of_llama3(factor):
    return lambda m: llama3(inv_freq(m.dim, m.base), factor)


def llama3_words(factor):
    return ["scaling=llama3", "factor=%g" % factor, "low_freq_factor=1", "high_freq_factor=4",
            "original_max_position_embeddings=8192"]


PLAIN = [Model("llama-2-7b", 128, 1e4), Model("llama-3-8b", 128, 5e5),
         Model("mistral-7b-v0.3", 128, 1e6), Model("qwen3-4b", 128, 1e6),
         Model("qwen2.5-7b", 128, 1e6), Model("gemma-2-9b", 256, 1e4),
         Model("qwen2.5-0.5b", 64, 1e6)]
PARTIAL = [Model("phi-2", 80, 1e4, 32), Model("pythia-1.4b", 128, 1e4, 32),
           Model("gpt-neox-20b", 96, 1e4, 24), Model("stablelm-2-1.6b", 64, 1e4, 16)]
LLAMA3 = [Model("llama-3.1-8b", 128, 5e5, None, of_llama3(8), llama3_words(8)),
          Model("llama-3.2-1b", 64, 5e5, None, of_llama3(32), llama3_words(32)),
          Model("llama-3.3-70b", 128, 5e5, None, of_llama3(8), llama3_words(8))]
DEEPSEEK = Model("deepseek-v3", 64, 1e4, None, lambda m: yarn(64, 1e4, 40, 4096),
                 ["scaling=yarn", "factor=40", "original_max_position_embeddings=4096", "mscale=1",
                  "mscale_all_dim=1"])
GPT_OSS = Model("gpt-oss-20b", 64, 15e4, None,
                lambda m: yarn(64, 15e4, 32, 4096, truncate=False),
                ["scaling=yarn", "factor=32", "original_max_position_embeddings=4096",
                 "truncate=0"], mscale(32))


def yarn_model(factor, old, base=1e6, dim=128):
    return Model(None, dim, base, None, lambda m: yarn(dim, base, factor, old),
                 ["scaling=yarn", "factor=%g" % factor,
                  "original_max_position_embeddings=%d" % old],
                 mscale(factor))


def span(draw, rows=(32, 48, 64, 100), firsts=(0, 0, 0, 0, 7, 100)):
    first, count = draw.choice(list(firsts)), draw.choice(list(rows))
    return np.arange(first, first + count)


def pos(positions):
    """A slice of positions as a claim says it."""
    return "pos=%d:%d" % (positions[0], positions[-1] + 1)


def said(draw, model, positions, width=None):
    """A claim as users write it: the model's name, or the encoding with its parameters; positions
    are left out where they count from 0, now and then."""
    words = model.claim() if model.name is None or draw.coin(0.3) else \
        draw.choice([["model=" + model.name], ["encoding=rope", "model=" + model.name]])
    if positions[0] != 0 or draw.is_plain or draw.coin(0.7):
        words = words + [pos(positions)]
    return words + (["width=full", "pairing=" + width] if width and draw.coin(0.5) else [])
