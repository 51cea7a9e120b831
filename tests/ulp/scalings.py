# SPDX-License-Identifier: Apache-2.0
"""scalings.py - rotary frequencies for longer contexts. A rule makes (frequencies, factor) of
parameters, from Chen et al. 2023 (linear), bloc97 and Su (NTK), Peng et al. 2023 (YaRN), Ding
et al. 2024 (LongRoPE), Llama 3.1's model card, Barbero et al. 2024 (proportional), ggml's
rope_yarn, and the files of vLLM, DeepSeek, Megatron and Keras Hub for YaRN's dialects."""

from mpmath import mp, mpf

from ladders import ladder, power


def clamp(value, low, high):
    return min(max(value, low), high)


def none(p, width, base):
    return ladder(base, width), mpf(1)


def linear(p, width, base):
    return [w / mpf(p["factor"]) for w in ladder(base, width)], mpf(1)


def grown(base, growth, width):
    return mpf(base) * power(growth, mpf(width) / (width - 2))


def ntk(p, width, base):
    s, variant, pairs = mpf(p["factor"]), p.get("scaling_variant", "aware"), width // 2
    if variant == "aware":
        return ladder(grown(base, s, width), width), mpf(1)
    if variant == "plain":
        return ladder(mpf(base) * s, width), mpf(1)
    if variant == "fixed":
        return [w / power(s, mpf(2) / width) for w in ladder(mpf(base) * s, width)], mpf(1)
    b = mpf(p["mixed_b"])
    a = mp.log(s) / power(pairs, b)
    return [w / mp.exp(a * power(i + 1, b)) for i, w in enumerate(ladder(base, width))], mpf(1)


def dynamic(p, width, base):
    variant = p.get("scaling_variant", "hf")
    if variant == "alpha":
        return ladder(grown(base, p["factor"], width), width), mpf(1)
    length, trained = p["seq_len"], p["max_position_embeddings"]
    if variant == "qwen":
        reach = 1
        while reach * trained < length:
            reach *= 2
        growth = 2 * reach - 1 if length > trained else 1
    else:
        s = mpf(p["factor"])
        growth = s * length / trained - (s - 1) if length > trained else 1
    return ladder(grown(base, growth, width), width), mpf(1)


def turns_index(turns, trained, width, base):
    return width * mp.log(mpf(trained) / (2 * mp.pi * turns)) / (2 * mp.log(mpf(base)))


def keep_shares(p, width, base, fast, slow):
    """1 - ramp of every pair, before extrapolation_factor."""
    dialect, pairs = p.get("dialect", "hf"), width // 2
    low, high = (turns_index(b, p["original_max_position_embeddings"], width, base)
                 for b in (fast, slow))
    if int(p.get("truncate", dialect not in ("gpt-oss", "keras-hub"))):
        low, high = mp.floor(low), mp.ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(width - 1))
    if dialect == "keras-hub":
        high = min(high, mpf(pairs - 1))
    if dialect in ("llama.cpp", "keras-hub"):
        high = max(high, low + mpf("0.001"))
    elif low == high:
        high += mpf("0.001")
    return [1 - clamp((i - low) / (high - low), 0, 1) for i in range(pairs)]


def blend(freq, divided, keep):
    return [d * (1 - k) + w * k for w, d, k in zip(freq, divided, keep)]


PERCENT = {"telechat3": 7, "chunkllama": 5}
UNGUARDED = ("llama.cpp", "keras-hub")
RATIO = ("deepseek", "vllm-deepseek", "megatron")


def magnitude(s, k, dialect="hf"):
    if s <= 1 and dialect not in UNGUARDED:
        return mpf(1)
    return mpf(PERCENT.get(dialect, 10)) / 100 * mpf(k) * mp.log(mpf(s)) + 1


def temperature(p, s):
    dialect = p.get("dialect", "hf")
    if "attention_factor" in p:
        return mpf(p["attention_factor"])
    if dialect == "grok":
        return mpf(1)
    one, all_dim = p.get("mscale"), p.get("mscale_all_dim")
    if dialect in RATIO:
        one, all_dim = 1 if one is None else one, 0 if all_dim is None else all_dim
        factor = magnitude(s, one) / magnitude(s, all_dim)
    elif one and all_dim:
        factor = magnitude(s, one) / magnitude(s, all_dim)
    else:
        factor = magnitude(s, 1, dialect)
    return factor * mpf(p.get("attn_factor", 1))


def yarn(p, width, base):
    s = mpf(p["factor"]) if "factor" in p else (
        mpf(p["max_position_embeddings"]) / p["original_max_position_embeddings"])
    freq = ladder(base, width)
    keep = keep_shares(p, width, base, mpf(p.get("beta_fast", 32)), mpf(p.get("beta_slow", 1)))
    keep = [k * mpf(p.get("extrapolation_factor", 1)) for k in keep]
    if p.get("dialect") == "grok":
        return [w * power(s, k - 1) for w, k in zip(freq, keep)], temperature(p, s)
    return blend(freq, [w / s for w in freq], keep), temperature(p, s)


def deepseek_yarn(p, width, base):
    return yarn(dict(p, dialect="vllm-deepseek"), width, base)


def ntk_by_parts(p, width, base):
    if p.get("scaling_variant", "yarn") == "yarn":
        return yarn({k: v for k, v in p.items() if k != "scaling_variant"}, width, base)[0], mpf(1)
    s, freq = mpf(p["factor"]), ladder(base, width)
    inner = keep_shares(p, width, base, *map(mpf, p.get("beta", [1.25, 0.75])))
    outer = keep_shares(p, width, base, *map(mpf, p.get("gamma", [16, 2])))
    inner = [k * mpf(p.get("ntk_factor", 1)) for k in inner]
    outer = [k * mpf(p.get("extrapolation_factor", 1)) for k in outer]
    first = blend(ladder(grown(base, s, width), width), [w / s for w in freq], inner)
    return blend(freq, first, outer), mpf(1)


def llama3(p, width, base):
    s, low, high = (mpf(p[k]) for k in ("factor", "low_freq_factor", "high_freq_factor"))
    trained, freq = mpf(p["original_max_position_embeddings"]), []
    for w in ladder(base, width):
        wavelength = 2 * mp.pi / w
        if wavelength > trained / low:
            freq.append(w / s)
        elif wavelength < trained / high or low == high:
            freq.append(w)
        else:
            smooth = (trained / wavelength - low) / (high - low)
            freq.append((1 - smooth) * w / s + smooth * w)
    return freq, mpf(1)


def longrope(p, width, base):
    trained, which = mpf(p["original_max_position_embeddings"]), p.get("longrope_list", "auto")
    if which == "auto":
        which = "short" if p["seq_len"] <= trained else "long"
    full = mpf(p["factor"]) if "factor" in p else mpf(p["max_position_embeddings"]) / trained
    if "attention_factor" in p:
        factor = mpf(p["attention_factor"])
    elif p.get("magnitude", "su") == "yarn":
        factor = magnitude(full, 1)
    else:
        factor = mp.sqrt(1 + mp.log(full) / mp.log(trained)) if full > 1 else mpf(1)
    return [w / mpf(f) for w, f in zip(ladder(base, width), p[which + "_factor"])], \
        mpf(p.get(which + "_mscale", factor))


def factors(p, width, base):
    return [w / mpf(f) for w, f in zip(ladder(base, width), p["freq_factors"])], mpf(1)


def proportional(p, width, base):
    """width is that of the whole head."""
    share = mp.floor(mpf(p.get("partial_rotary_factor", 1)) * width / 2)
    s = mpf(p.get("factor", 1))
    return [w / s if i < share else mpf(0) for i, w in enumerate(ladder(base, width))], mpf(1)


def ggml(p, width, base):
    """The parameters are float32: draw numbers that are exact in float32."""
    scale, ext = mpf(p.get("freq_scale", 1)), mpf(p.get("ext_factor", 0))
    attn, divisors = mpf(p.get("attn_factor", 1)), p.get("freq_factors", [1] * (width // 2))
    freq = [w / mpf(f) for w, f in zip(ladder(base, width), divisors)]
    if ext == 0:
        return [scale * w for w in freq], attn
    keep = keep_shares(dict(p, dialect="llama.cpp"), width, base,
                       mpf(p.get("beta_fast", 32)), mpf(p.get("beta_slow", 1)))
    return blend(freq, [scale * w for w in freq], [ext * k for k in keep]), \
        attn * (1 - mp.log(scale) / 10)


def resonant(freq):
    """Wavelengths rounded to whole positions, halves to even (Wang et al. 2024)."""
    return [2 * mp.pi / mp.nint(2 * mp.pi / w) for w in freq]


RULES = {"none": none, "linear": linear, "ntk": ntk, "dynamic": dynamic, "yarn": yarn,
         "ntk-by-parts": ntk_by_parts, "deepseek_yarn": deepseek_yarn, "longrope": longrope,
         "llama3": llama3, "factors": factors, "proportional": proportional, "ggml": ggml}


def scaled(params, width, base):
    """(frequencies, factor of cos and sin) of a request's parameters."""
    freq, factor = RULES[params.get("scaling", "none")](params, width, base)
    if int(params.get("resonance", 0)):
        freq = resonant(freq)
    if not int(params.get("apply_attention_factor", 1)):
        factor = mpf(1)
    return freq, factor
