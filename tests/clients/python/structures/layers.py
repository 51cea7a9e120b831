# SPDX-License-Identifier: Apache-2.0
"""layers.py - small modules in the structure of transformers' Llama, Gemma 3 and DeepSeek-V3, right and
with mistakes that ports have made. What was read is modeling_llama.py at commit 00227283,
modeling_gemma3.py at 0018aa64 and modeling_deepseek_v3.py at 00b676f8; the package itself is not run. `ops`
is set by load() of library.py: PyTorch, or what stands for it."""

import math

import numpy as np

HEADS, HEAD_DIM, BASE = 2, 16, 500000.0
ROTARY_DIM, WRAPS_AT = 8, 128
LOCAL_BASE, GLOBAL_BASE, FACTOR, WINDOW = 10000.0, 1000000.0, 8.0, 4
ROPE_DIM, YARN = 64, {"factor": 40.0, "original_max_position_embeddings": 4096, "beta_fast": 32,
                      "beta_slow": 1}


def rotate_half(x):
    half = x.shape[-1] // 2
    return ops.cat([-x[..., half:], x[..., :half]])


def rotate_half_without_minus(x):
    half = x.shape[-1] // 2
    return ops.cat([x[..., half:], x[..., :half]])


def apply_rotary_pos_emb(q, k, cos, sin, rotate=None):
    rotate = rotate or rotate_half
    cos, sin = cos[:, None], sin[:, None]
    return q * cos + rotate(q) * sin, k * cos + rotate(k) * sin


def interleaved(x):
    """The order of DeepSeek's columns becomes that of halves."""
    batch, heads, length, dim = x.shape
    return x.reshape(batch, heads, length, dim // 2, 2).swapaxes(4, 3).reshape(batch, heads, length, dim)


def apply_rotary_pos_emb_interleave(q, k, cos, sin):
    return apply_rotary_pos_emb(interleaved(q), interleaved(k), cos, sin)


def apply_partial_rotary(q, k, cos, sin, first=True):
    """Turns the first or the last columns of each head."""
    def turn(x, turned):
        return ops.cat([turned, x[..., ROTARY_DIM:]] if first else [x[..., :-ROTARY_DIM], turned])
    part = slice(0, ROTARY_DIM) if first else slice(-ROTARY_DIM, None)
    turned = apply_rotary_pos_emb(q[..., part], k[..., part], cos, sin)
    return turn(q, turned[0]), turn(k, turned[1])


def apply_rotary_adjacent(q, k, cos, sin):
    """Pairs that adjoin, by a table of halves: the mistake of a port of Meta's code."""
    def turn(x):
        half = x.shape[-1] // 2
        a, b, c, s = x[..., 0::2], x[..., 1::2], cos[:, None, :, :half], sin[:, None, :, :half]
        return ops.stack([a * c - b * s, b * c + a * s]).reshape(x.shape)
    return turn(q), turn(k)


def frequencies(dim, base):
    return base ** (-np.arange(0, dim, 2) / dim)


def yarn(dim, base, beta_fast, beta_slow, factor, original_max_position_embeddings, truncate=True):
    def edge(turns):
        return dim * math.log(original_max_position_embeddings / (turns * 2 * math.pi)) / (
            2 * math.log(base))
    low, high = edge(beta_fast), edge(beta_slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    ramp = np.clip((np.arange(dim // 2) - low) / max(high - low, 0.001), 0, 1)
    plain = frequencies(dim, base)
    return plain / factor * ramp + plain * (1 - ramp)


class Config:
    def __init__(self, **values):
        self.values = values

    def to_dict(self):
        return dict(self.values)


class RotaryEmbedding(ops.Module):
    def __init__(self, inv_freq, attention_scaling=1.0, broken=None):
        super().__init__()
        self.inv_freq, self.attention_scaling, self.broken = inv_freq, attention_scaling, broken

    def forward(self, x, position_ids):
        angle = ops.numpy(position_ids)[:, :, None] * self.inv_freq
        angle = np.concatenate([angle, angle], -1)
        cos, sin = (self.attention_scaling * f(angle) for f in (np.cos, np.sin))
        if self.broken == "half-filled":
            cos[:, cos.shape[1] // 2:] = sin[:, cos.shape[1] // 2:] = 0
        return (ops.tensor(cos, self.broken == "bf16"), ops.tensor(sin, self.broken == "bf16"))


class Projection(ops.Module):
    def __init__(self, columns, seed):
        super().__init__()
        self.weight = np.random.default_rng(seed).standard_normal((columns, columns)) / 4

    def forward(self, hidden):
        return hidden @ ops.tensor(self.weight)


class Attention(ops.Module):
    """Its tables are given, or by a module of its own from the positions, as Llama's were."""

    def __init__(self, turn, dim=HEAD_DIM, rotary_emb=None):
        super().__init__()
        if rotary_emb is not None:
            self.rotary_emb = rotary_emb
        self.q_proj, self.k_proj = Projection(HEADS * dim, 1), Projection(HEADS * dim, 2)
        self.turn, self.dim = turn, dim

    def forward(self, hidden_states, position_embeddings=None, attention_mask=None, position_ids=None):
        def heads(x):
            return x.reshape(x.shape[0], x.shape[1], HEADS, self.dim).swapaxes(1, 2)
        q, k = heads(self.q_proj(hidden_states)), heads(self.k_proj(hidden_states))
        q, k = self.turn(q, k, *(position_embeddings or self.rotary_emb(k, position_ids)))
        scores = ops.numpy(q) @ ops.numpy(k).swapaxes(-1, -2)
        return scores if attention_mask is None else scores + ops.numpy(attention_mask)


def positions(length, broken):
    """Right positions are those from 0 on, and from WRAPS_AT - 6 on for 8 bits, which wrap."""
    pos = np.arange(length)
    if broken == "wraps":
        return (pos + WRAPS_AT - 6).astype(np.int8)
    return {"offset": pos + 1, "chunks": pos % (length // 2),
            "decode": pos + (pos >= length - 4)}.get(broken, pos)


class Llama(ops.Module):
    def __init__(self, broken=None):
        super().__init__()
        self.config = Config(model_type="llama", rope_theta=BASE, head_dim=HEAD_DIM)
        self.broken = broken
        inv_freq = frequencies(HEAD_DIM, 10000.0 if broken == "base" else BASE)
        self.layers = ops.ModuleList([
            Attention(self.turn, rotary_emb=RotaryEmbedding(inv_freq, broken=broken)) for _ in range(2)])

    def turn(self, q, k, cos, sin):
        if self.broken == "pairing":
            return apply_rotary_adjacent(q, k, cos, sin)
        return apply_rotary_pos_emb(
            q, k, cos, sin, rotate_half_without_minus if self.broken == "no-minus" else None)

    def forward(self, hidden_states):
        length = hidden_states.shape[1]
        position_ids = ops.tensor(positions(length, self.broken)[None], integers=True)
        for layer in self.layers:
            layer(hidden_states, position_ids=position_ids)


class PartialLlama(Llama):
    """Its heads turn by the first half of their columns."""

    def __init__(self, broken=None):
        super().__init__(broken)
        dim = HEAD_DIM if broken == "whole-head" else ROTARY_DIM
        over = HEAD_DIM if broken == "exponent" else dim
        for layer in self.layers:
            layer.rotary_emb = RotaryEmbedding(BASE ** (-np.arange(0, dim, 2) / over))

    def turn(self, q, k, cos, sin):
        if self.broken == "whole-head":
            return apply_rotary_pos_emb(q, k, cos, sin)
        return apply_partial_rotary(q, k, cos, sin, first=self.broken != "wrong-part")


class RotaryEmbeddings(ops.Module):
    """One module with frequencies for each type of layer."""

    def __init__(self, inv_freq):
        super().__init__()
        self.of = {name: RotaryEmbedding(values) for name, values in inv_freq.items()}

    def forward(self, x, position_ids, layer_type=None):
        return self.of[layer_type].forward(x, position_ids)


class Gemma3(ops.Module):
    """A layer with a window and a table of its own, and one that sees everything."""

    TYPES = ("sliding_attention", "full_attention")

    def __init__(self, broken=None):
        super().__init__()
        self.broken = broken
        self.rotary_emb = RotaryEmbeddings({
            "sliding_attention": frequencies(HEAD_DIM, LOCAL_BASE),
            "full_attention": frequencies(HEAD_DIM, GLOBAL_BASE) / (1 if broken == "unscaled" else FACTOR)})
        self.layers = ops.ModuleList([Attention(self.turn) for _ in range(2)])

    def turn(self, q, k, cos, sin):
        return apply_rotary_pos_emb(q, k, cos, sin)

    def forward(self, hidden_states):
        at = np.arange(hidden_states.shape[1])
        position_ids = ops.tensor(at[None], integers=True)
        behind = at[:, None] - at
        window = WINDOW + (self.broken == "window")
        masks = [np.where((behind >= 0) & seen, 0.0, np.finfo(np.float32).min)
                 for seen in (behind < window, True)]
        for layer, name, mask in zip(self.layers, self.TYPES, masks):
            layer(hidden_states, self.rotary_emb(hidden_states, position_ids, layer_type=name),
                  attention_mask=ops.tensor(mask[None, None]))


class DeepseekV3(ops.Module):
    """Only the columns of q and k that turn; YaRN."""

    def __init__(self, broken=None):
        super().__init__()
        values = dict(YARN)
        if broken == "betas":
            values.update(beta_fast=YARN["beta_slow"], beta_slow=YARN["beta_fast"])
        if broken == "truncate":
            values["truncate"] = False
        scaling = 1.0 if broken == "attention-factor" else 0.1 * math.log(YARN["factor"]) + 1
        self.rotary_emb = RotaryEmbedding(yarn(ROPE_DIM, 10000.0, **values), scaling)
        self.self_attn = Attention(self.turn, ROPE_DIM)

    def turn(self, q, k, cos, sin):
        return apply_rotary_pos_emb_interleave(q, k, cos, sin)

    def forward(self, hidden_states):
        position_ids = ops.tensor(np.arange(hidden_states.shape[1])[None], integers=True)
        self.self_attn(hidden_states, self.rotary_emb(hidden_states, position_ids))
