# SPDX-License-Identifier: Apache-2.0
"""scalings.py - rotary frequencies, and those for longer contexts. A rule makes (frequencies, factor
of cos and sin) of parameters, the width that turns and the base, from Su et al. 2021, Chen et al.
2023 (linear), bloc97 and Su (NTK), Peng et al. 2023 (YaRN), Ding et al. 2024 (LongRoPE), Llama 3.1's
model card, Barbero et al. 2024 (proportional), ggml's rope_yarn, and the files of vLLM, DeepSeek,
Megatron and Keras Hub for YaRN's dialects."""

import numpy as np


def ladder(xp, base, width):
    """base^(-2i/width) of every pair of an even width."""
    return xp.real(base) ** -(2 * xp.arange(width // 2) / width)


def none(xp, p, width, base):
    return ladder(xp, base, width), xp.real(1)


def linear(xp, p, width, base):
    return ladder(xp, base, width) / xp.real(p["factor"]), xp.real(1)


def grown(xp, base, growth, width):
    return xp.real(base) * xp.real(growth) ** (xp.real(width) / (width - 2))


def ntk(xp, p, width, base):
    s, variant, pairs = xp.real(p["factor"]), p.get("scaling_variant", "aware"), width // 2
    if variant == "aware":
        return ladder(xp, grown(xp, base, s, width), width), xp.real(1)
    if variant == "mixed":
        b = xp.real(p["mixed_b"])
        a = xp.log(s) / xp.real(pairs) ** b
        return ladder(xp, base, width) / xp.exp(a * (xp.arange(pairs) + 1) ** b), xp.real(1)
    freq = ladder(xp, xp.real(base) * s, width)
    return freq / (s ** (xp.real(2) / width) if variant == "fixed" else 1), xp.real(1)


def dynamic(xp, p, width, base):
    variant = p.get("scaling_variant", "hf")
    if variant == "alpha":
        return ladder(xp, grown(xp, base, p["factor"], width), width), xp.real(1)
    length, trained = p["seq_len"], p["max_position_embeddings"]
    if variant == "qwen":
        reach = 1
        while reach * trained < length:
            reach *= 2
        growth = 2 * reach - 1 if length > trained else 1
    else:
        s = xp.real(p["factor"])
        growth = max(s * length / trained - (s - 1), 1)
    return ladder(xp, grown(xp, base, growth, width), width), xp.real(1)


def bounds(xp, p, width, base, fast=None, slow=None):
    """YaRN: the pairs between which it blends."""
    dialect, given = p.get("dialect", "hf"), (fast, slow)
    low, high = (
        width * xp.log(xp.real(p["original_max_position_embeddings"]) / (
            xp.real(p.get(name, default) if turns is None else turns) * 2 * xp.pi)) / (
                2 * xp.log(xp.real(base)))
        for name, default, turns in zip(("beta_fast", "beta_slow"), (32, 1), given))
    if int(p.get("truncate", dialect not in ("gpt-oss", "keras-hub"))):
        low, high = xp.floor(low), xp.ceil(high)
    return max(low, 0), min(high, width // 2 - 1 if dialect == "keras-hub" else width - 1)


def keep_shares(xp, p, width, base, fast=None, slow=None):
    """YaRN: the share of each pair's own frequency, 1 - ramp, before extrapolation_factor."""
    low, high = bounds(xp, p, width, base, fast, slow)
    if p.get("dialect") in UNGUARDED:
        high = max(high, low + xp.real("0.001"))
    elif low == high:
        high = low + xp.real("0.001")
    return 1 - np.clip((xp.arange(width // 2) - low) / (high - low), 0, 1)


PERCENT = {"telechat3": 7, "chunkllama": 5}
UNGUARDED = ("llama.cpp", "keras-hub")
RATIO = ("deepseek", "vllm-deepseek", "megatron")


def magnitude(xp, s, k, dialect="hf"):
    if s <= 1 and dialect not in UNGUARDED:
        return xp.real(1)
    return xp.real(PERCENT.get(dialect, 10)) / 100 * xp.real(k) * xp.log(xp.real(s)) + 1


def temperature(xp, p, s):
    """YaRN's attention factor."""
    dialect = p.get("dialect", "hf")
    if "attention_factor" in p:
        return xp.real(p["attention_factor"])
    if dialect == "grok":
        return xp.real(1)
    one, all_dim = p.get("mscale"), p.get("mscale_all_dim")
    if dialect in RATIO:
        one, all_dim = 1 if one is None else one, 0 if all_dim is None else all_dim
        factor = magnitude(xp, s, one) / magnitude(xp, s, all_dim)
    elif one and all_dim:
        factor = magnitude(xp, s, one) / magnitude(xp, s, all_dim)
    else:
        factor = magnitude(xp, s, 1, dialect)
    return factor * xp.real(p.get("attn_factor", 1))


def yarn(xp, p, width, base):
    s = xp.real(p["factor"]) if "factor" in p else (
        xp.real(p["max_position_embeddings"]) / p["original_max_position_embeddings"])
    freq = ladder(xp, base, width)
    keep = keep_shares(xp, p, width, base) * xp.real(p.get("extrapolation_factor", 1))
    if p.get("dialect") == "grok":
        return freq * s ** (keep - 1), temperature(xp, p, s)
    return (1 - keep) * freq / s + keep * freq, temperature(xp, p, s)


def deepseek_yarn(xp, p, width, base):
    return yarn(xp, dict(p, dialect="vllm-deepseek"), width, base)


def ntk_by_parts(xp, p, width, base):
    if p.get("scaling_variant", "yarn") == "yarn":
        plain = {k: v for k, v in p.items() if k != "scaling_variant"}
        return yarn(xp, plain, width, base)[0], xp.real(1)
    s, freq = xp.real(p["factor"]), ladder(xp, base, width)
    inner = keep_shares(xp, p, width, base, *p.get("beta", [1.25, 0.75]))
    outer = keep_shares(xp, p, width, base, *p.get("gamma", [16, 2]))
    inner = inner * xp.real(p.get("ntk_factor", 1))
    outer = outer * xp.real(p.get("extrapolation_factor", 1))
    first = freq / s * (1 - inner) + ladder(xp, grown(xp, base, s, width), width) * inner
    return first * (1 - outer) + freq * outer, xp.real(1)


def llama3_shares(xp, freq, p):
    """Llama 3.1: the share of each pair's own frequency, from its turns in the trained context."""
    turns = xp.real(p["original_max_position_embeddings"]) * freq / (2 * xp.pi)
    low, high = (xp.real(p[name]) for name in ("low_freq_factor", "high_freq_factor"))
    if low == high:
        return np.where(turns > high, xp.real(1), xp.real(0))
    return np.clip((turns - low) / (high - low), 0, 1)


def llama3(xp, p, width, base):
    freq = ladder(xp, base, width)
    keep = llama3_shares(xp, freq, p)
    return (1 - keep) * freq / xp.real(p["factor"]) + keep * freq, xp.real(1)


def longrope(xp, p, width, base):
    trained = xp.real(p["original_max_position_embeddings"])
    which = p.get("longrope_list", "auto")
    if which == "auto":
        which = "short" if p["seq_len"] <= trained else "long"
    full = xp.real(p["factor"]) if "factor" in p else (
        xp.real(p["max_position_embeddings"]) / trained)
    if "attention_factor" in p:
        factor = xp.real(p["attention_factor"])
    elif p.get("magnitude", "su") == "yarn":
        factor = magnitude(xp, full, 1)
    else:
        factor = xp.sqrt(1 + xp.log(full) / xp.log(trained)) if full > 1 else xp.real(1)
    return (ladder(xp, base, width) / xp.real(p[which + "_factor"]),
            xp.real(p.get(which + "_mscale", factor)))


def factors(xp, p, width, base):
    return ladder(xp, base, width) / xp.real(p["freq_factors"]), xp.real(1)


def proportional(xp, p, width, base):
    """width is that of the whole head."""
    share = xp.floor(xp.real(p.get("partial_rotary_factor", 1)) * width / 2)
    freq = ladder(xp, base, width) / xp.real(p.get("factor", 1))
    return np.where(np.arange(width // 2) < share, freq, xp.real(0)), xp.real(1)


def ggml(xp, p, width, base):
    """The parameters are float32: draw numbers that are exact in float32."""
    scale, ext, attn = (xp.real(p.get(name, default)) for name, default in (
        ("freq_scale", 1), ("ext_factor", 0), ("attn_factor", 1)))
    freq = ladder(xp, base, width) / xp.real(p.get("freq_factors", 1))
    if ext == 0:
        return scale * freq, attn
    keep = ext * keep_shares(xp, dict(p, dialect="llama.cpp"), width, base)
    return scale * freq * (1 - keep) + freq * keep, attn * (1 - xp.log(scale) / 10)


def resonant(xp, freq):
    """Wavelengths rounded to whole positions, halves to even (Wang et al. 2024)."""
    return 2 * xp.pi / xp.round(2 * xp.pi / freq)


RULES = {"none": none, "linear": linear, "ntk": ntk, "dynamic": dynamic, "yarn": yarn,
         "ntk-by-parts": ntk_by_parts, "deepseek_yarn": deepseek_yarn, "longrope": longrope,
         "llama3": llama3, "factors": factors, "proportional": proportional, "ggml": ggml}


def scaled(xp, p, width, base):
    """(frequencies, factor of cos and sin) of a request's parameters."""
    freq, factor = RULES[p.get("scaling", "none")](xp, p, width, base)
    if int(p.get("resonance", 0)):
        freq = resonant(xp, freq)
    return freq, factor if int(p.get("apply_attention_factor", 1)) else xp.real(1)
