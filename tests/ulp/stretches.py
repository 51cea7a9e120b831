# SPDX-License-Identifier: Apache-2.0
"""stretches.py - random parameters of rotary scalings: one set for every rule, variant and dialect,
taken in turn, so that each is drawn in any WAYS rounds."""

from mpmath import mp, mpf

from formulas.numbers import EXACT
from formulas.scalings import scaled


def factor_of(draw):
    return draw.choice([2, 4, 8, 40, draw.real(1, 64)])


def trained_of(draw):
    return draw.choice([2048, 4096, 32768])


def linear(draw, width):
    return {"scaling": "linear", "factor": factor_of(draw)}


def ntk(variant):
    def way(draw, width):
        more = {"mixed_b": draw.choice([0.75, 1, draw.real(0.1, 2)])} if variant == "mixed" else {}
        return dict({"scaling": "ntk", "factor": factor_of(draw), "scaling_variant": variant},
                    **more)
    return way


def dynamic(variant):
    def way(draw, width):
        trained = trained_of(draw)
        params = {"scaling": "dynamic", "scaling_variant": variant}
        if variant == "alpha":
            return dict(params, factor=factor_of(draw))
        length = draw.choice([trained, trained + 1, 2 * trained, draw.randint(1, 10 ** 6)])
        params.update(seq_len=length, max_position_embeddings=trained)
        return dict(params, factor=factor_of(draw)) if variant == "hf" else params
    return way


def ranged(draw, scaling):
    """The parameters that YaRN and its dialects share."""
    params = {"scaling": scaling, "factor": factor_of(draw),
              "original_max_position_embeddings": trained_of(draw)}
    fast, slow = draw.choice([(32, 1), (16, 2), (1, 1)])
    return draw.maybe(dict(params, beta_fast=fast, beta_slow=slow),
                      extrapolation_factor=draw.choice([0.5, 1]))


FREE = ("hf", "vllm", "megatron", "telechat3", "chunkllama", "keras-hub")  # truncate is
READS = {"hf": "mscale attention_factor attn_factor", "vllm": "attn_factor", "deepseek": "mscale",
         "vllm-deepseek": "mscale attn_factor", "llama.cpp": "attn_factor", "megatron": "mscale",
         "telechat3": "attn_factor", "chunkllama": "attn_factor"}


def yarn(dialect):
    def way(draw, width):
        params, reads = ranged(draw, "yarn"), READS.get(dialect, "")
        params["dialect"] = dialect
        if dialect in FREE and (dialect != "keras-hub" or draw.chance()):
            params["truncate"] = int(dialect != "keras-hub" and draw.chance())
        if "mscale" in reads and draw.chance():
            params["mscale"], params["mscale_all_dim"] = draw.choice([(1, 0.707), (0.5, 1)])
        elif "attention_factor" in reads and draw.chance():
            return dict(params, attention_factor=draw.real(0.5, 2))
        if "attn_factor" in reads and draw.chance():
            params["attn_factor"] = draw.real(0.5, 2)
        return inside(draw, params, width) if dialect == "gpt-oss" else params
    return way


def inside(draw, params, width):
    """A context whose range of pairs lies inside the table, as gpt-oss needs it."""
    base, last = 10000, mpf(draw.real(0.5, 0.8)) * (width // 2 - 1)
    length = float(2 * mp.pi * mp.power(base, 2 * last / width))
    return dict(params, base=base, beta_fast=1.5, beta_slow=1,
                original_max_position_embeddings=length)


def deepseek_yarn(draw, width):
    return draw.maybe(ranged(draw, "deepseek_yarn"), mscale=0.707, attn_factor=1.5)


def parts(variant):
    def way(draw, width):
        if variant == "yarn":
            return dict(ranged(draw, "ntk-by-parts"), scaling_variant=variant)
        params = {"scaling": "ntk-by-parts", "scaling_variant": variant,
                  "factor": factor_of(draw), "original_max_position_embeddings": trained_of(draw)}
        return draw.maybe(params, beta=[2, 0.5], gamma=[12, 1.5], ntk_factor=0.75,
                          extrapolation_factor=0.5)
    return way


def longrope(which, magnitude):
    def way(draw, width):
        lists = {k + "_factor": [draw.real(1, 40) for _ in range(width // 2)]
                 for k in ("short", "long")}
        params = dict(lists, scaling="longrope", longrope_list=which, magnitude=magnitude,
                      original_max_position_embeddings=4096,
                      max_position_embeddings=draw.choice([131072, 8192]))
        if which == "auto":
            params["seq_len"] = draw.choice([1, 4096, 4097, 10 ** 6])
        return params
    return way


def llama3(draw, width):
    return {"scaling": "llama3", "factor": factor_of(draw), "low_freq_factor": 1,
            "high_freq_factor": draw.choice([4, 1]), "original_max_position_embeddings": 8192}


def factors(draw, width):
    return {"scaling": "factors", "freq_factors": [draw.real(0.5, 32) for _ in range(width // 2)]}


def proportional(draw, width):
    return draw.maybe({"scaling": "proportional", "partial_rotary_factor": draw.real(0.3, 1)},
                      factor=factor_of(draw))


def ggml(ext):
    def way(draw, width):
        params = {"scaling": "ggml", "freq_scale": draw.choice([0.25, 1, 0.40625]),
                  "base": draw.choice([10000, 500000])}
        draw.maybe(params, attn_factor=draw.choice([0.75, 1.5]),
                   freq_factors=[draw.single(1, 8) for _ in range(width // 2)])
        if ext:
            params.update(ext_factor=draw.choice([1, 0.5]),
                          original_max_position_embeddings=trained_of(draw))
        return params
    return way


def resonant(way):
    def row(draw, width):
        return dict(way(draw, width) if way else {}, resonance=1)
    return row


def without_factor(draw, width):
    return dict(yarn("vllm")(draw, width), factor=4, attn_factor=1.5, apply_attention_factor=0)


def said_anyway(draw, width):
    """Values that equal the defaults, so that they may be left out."""
    return {"scaling": "none", "resonance": 0, "apply_attention_factor": 1}


WAYS = [said_anyway, linear, *map(ntk, ("aware", "fixed", "mixed", "plain")),
        *map(dynamic, ("hf", "alpha", "qwen")), *map(parts, ("yarn", "part-ntk")),
        *map(yarn, ("hf", "vllm", "deepseek", "vllm-deepseek", "gpt-oss", "llama.cpp",
                    "megatron", "telechat3", "chunkllama", "grok", "keras-hub")),
        deepseek_yarn, longrope("auto", "su"), longrope("short", "yarn"),
        longrope("long", "su"), llama3, factors, proportional, ggml(False), ggml(True),
        resonant(None), resonant(linear), resonant(yarn("hf")), without_factor]


def stretched(draw, width, base, way=None):
    """(parameters, frequencies, factor) of a rule: the round's own unless one is named."""
    params = (way or draw.turn(WAYS))(draw, width)
    params.setdefault("base", base)
    freq, factor = scaled(EXACT, params, width, params["base"])
    return params, freq.tolist(), factor
