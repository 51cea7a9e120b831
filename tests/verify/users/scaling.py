# SPDX-License-Identifier: Apache-2.0
"""scaling.py - mistakes in the rules that stretch a context: YaRN, Llama 3, LongRoPE, NTK."""

import json
import math

import numpy as np

import rope
from case import Case, MISTAKE, case

F = np.float32
KIND = "scaling"
FACTOR = r"attention.?factor|magnitude|mscale|amplitude"


def tables(draw, w, words, say, numbers=(), attention=1.0, positions=np.arange(64), more=None):
    cos, sin = rope.tables(np.asarray(w, F), positions, attention,
                           draw.choice([rope.half, lambda a: a]))
    return Case(draw.tables(cos, sin), words + [rope.pos(positions)], MISTAKE, say, numbers,
                more=more)


def far(draw):
    first = draw.choice([500, 2000, 5000])
    return np.arange(first, first + 64)


@case(KIND, "llama-3.1-8b", "llama-3.2-1b")
def llama3_left_out(draw, name):
    model = next(m for m in rope.LLAMA3 if m.name == name)
    say = [r"scaling", r"none|not scaled|missing|left out|without", r"llama3|llama 3"]
    return tables(draw, rope.inv_freq(model.dim, model.base), draw.choice(
        [["encoding=rope", "model=" + name], model.claim()]), say, positions=far(draw))


@case(KIND)
def llama3_frequencies_left_out(draw):
    model = rope.LLAMA3[0]
    return Case(draw.named("frequencies", rope.inv_freq(128, 5e5)),
                ["encoding=rope", "model=" + model.name], MISTAKE,
                [r"scaling", r"none|not scaled|missing|without"])


@case(KIND)
def llama3_with_another_factor(draw):
    factor = draw.choice([16, 32, 4])
    return tables(draw, rope.llama3(rope.inv_freq(128, 5e5), factor),
                  ["encoding=rope", "model=llama-3.1-8b"], [r"factor"], [factor, 8],
                  positions=far(draw))


@case(KIND)
def llama3_as_linear(draw):
    w = rope.inv_freq(128, 5e5) / F(8)
    return tables(draw, w, ["encoding=rope", "model=llama-3.1-8b"], [r"linear"])


@case(KIND)
def llama3_low_and_high_exchanged(draw):
    w = rope.llama3(rope.inv_freq(128, 5e5), 8, 4.0, 1.0)
    return tables(draw, w, rope.LLAMA3[0].claim(), [r"low_freq|high_freq|swap|exchang"],
                  positions=far(draw))


@case(KIND)
def llama3_old_length_is_the_new(draw):
    """max_position_embeddings in place of original_max_position_embeddings."""
    w = rope.llama3(rope.inv_freq(128, 5e5), 8, 1.0, 4.0, 131072)
    return tables(draw, w, ["encoding=rope", "model=llama-3.1-8b"],
                  [r"original_max_position_embeddings|low_freq"], [131072],
                  positions=far(draw))


@case(KIND)
def llama3_blend_inverted(draw):
    w, old, factor = rope.inv_freq(128, 5e5), 8192, F(8)
    wavelen = F(2 * math.pi) / w
    smooth = (F(old) / wavelen - F(1)) / F(3)
    right = rope.llama3(w, 8)
    mid = (wavelen >= old / 4.0) & (wavelen <= old / 1.0)
    made = np.where(mid, smooth * w / factor + (1 - smooth) * w, right)
    return tables(draw, made, ["encoding=rope", "model=llama-3.1-8b"],
                  [r"blend|ramp|smooth|invert"], positions=far(draw))


def yarn_words(dim, base, factor, old, *more):
    return ["encoding=rope", "dim=%d" % dim, "base=%g" % base, "scaling=yarn",
            "factor=%g" % factor, "original_max_position_embeddings=%d" % old, *more]


def drawn_yarn(draw):
    return (draw.choice([64, 128]), draw.choice([1e4, 1e6, 5e5]), draw.choice([4, 8, 16]),
            draw.choice([4096, 8192, 32768]))


@case(KIND, "tables", "gpt-oss", "config")
def yarn_attention_factor_left_out(draw, form):
    if form == "gpt-oss":
        return tables(draw, rope.GPT_OSS.w(), ["encoding=rope", "model=gpt-oss-20b"], [FACTOR],
                      [rope.mscale(32)])
    if form == "config":
        factor = draw.choice([2, 4])
        config = {"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28,
                  "rope_theta": 1e6, "max_position_embeddings": 32768,
                  "rope_scaling": {"rope_type": "yarn", "factor": float(factor),
                                   "original_max_position_embeddings": 32768}}
        made = tables(draw, rope.yarn(128, 1e6, factor, 32768), [], [FACTOR],
                      [rope.mscale(factor)], more={"config.json": json.dumps(config).encode()})
        made.words = ["--config", "config.json"] + made.words
        return made
    dim, base, factor, old = drawn_yarn(draw)
    return tables(draw, rope.yarn(dim, base, factor, old), yarn_words(dim, base, factor, old),
                  [FACTOR], [rope.mscale(factor)])


@case(KIND)
def yarn_attention_factor_squared(draw):
    dim, base, factor, old = drawn_yarn(draw)
    return tables(draw, rope.yarn(dim, base, factor, old), yarn_words(dim, base, factor, old),
                  [FACTOR], [rope.mscale(factor) ** 2], rope.mscale(factor) ** 2)


@case(KIND)
def yarn_mscale_of_deepseek_applied(draw):
    """mscale(40) on cos, sin, where mscale / mscale_all_dim = 1."""
    return tables(draw, rope.DEEPSEEK.w(), ["encoding=rope", "model=deepseek-v3"],
                  [FACTOR], [rope.mscale(40)], rope.mscale(40))


@case(KIND)
def yarn_betas_exchanged(draw):
    dim, base, factor, old = drawn_yarn(draw)
    w = rope.inv_freq(dim, base)
    low = max(math.floor(rope.correction(1, dim, base, old)), 0)
    high = min(math.ceil(rope.correction(32, dim, base, old)), dim - 1)
    ramp = np.clip((np.arange(dim // 2, dtype=F) - F(low)) / F(high - low), 0, 1)
    made = w / F(factor) * ramp + w * (1 - ramp)
    return tables(draw, made, yarn_words(dim, base, factor, old),
                  [r"beta", r"swap|exchang|beta_slow.*beta_fast|beta_fast.*beta_slow"],
                  attention=rope.mscale(factor), positions=far(draw))


@case(KIND)
def yarn_ramp_inverted(draw):
    dim, base, factor, old = drawn_yarn(draw)
    return tables(draw, rope.yarn(dim, base, factor, old, inverted=True),
                  yarn_words(dim, base, factor, old), [r"ramp|blend", r"invert|revers"],
                  attention=rope.mscale(factor), positions=far(draw))


@case(KIND, "rounded", "unrounded")
def yarn_bounds(draw, way):
    """truncate: bounds of the ramp are rounded to whole pairs where they are not meant to be, and
    the other way round (gpt-oss)."""
    dim, base, factor, old = 64, 15e4, 32, 4096
    rounded = way == "rounded"
    return tables(draw, rope.yarn(dim, base, factor, old, truncate=rounded),
                  yarn_words(dim, base, factor, old, "truncate=%d" % (not rounded)),
                  [r"truncat|round"], attention=rope.mscale(factor), positions=far(draw))


@case(KIND)
def yarn_beta_fast_of_another_value(draw):
    dim, base, factor, old = drawn_yarn(draw)
    fast = draw.choice([8, 16, 64])
    return tables(draw, rope.yarn(dim, base, factor, old, fast),
                  yarn_words(dim, base, factor, old), [r"beta_fast"], (),
                  rope.mscale(factor), far(draw))


@case(KIND)
def yarn_as_linear(draw):
    dim, base, factor, old = drawn_yarn(draw)
    return tables(draw, rope.inv_freq(dim, base) / F(factor), yarn_words(dim, base, factor, old),
                  [r"linear"], positions=far(draw))


@case(KIND)
def yarn_left_out(draw):
    dim, base, factor, old = drawn_yarn(draw)
    return tables(draw, rope.inv_freq(dim, base), yarn_words(dim, base, factor, old),
                  [r"scaling|yarn", r"none|not scaled|missing|left out|without"],
                  positions=far(draw))


@case(KIND)
def yarn_log_of_base_two(draw):
    """The attention factor 0.1 log2(s) + 1."""
    dim, base, factor, old = drawn_yarn(draw)
    made = 0.1 * math.log2(factor) + 1
    return tables(draw, rope.yarn(dim, base, factor, old), yarn_words(dim, base, factor, old),
                  [FACTOR], [made], made)


def longrope(draw):
    dim, old, factor = 96, 4096, 32
    short = np.round(1 + draw.random.random(dim // 2) * 0.3, 3)
    long = np.round(1 + np.sort(draw.random.random(dim // 2)) * 40, 3)
    words = ["encoding=rope", "dim=96", "scaling=longrope", "factor=%d" % factor,
             "original_max_position_embeddings=%d" % old, "longrope_list=long",
             "short_factor=" + ",".join("%g" % x for x in short),
             "long_factor=" + ",".join("%g" % x for x in long)]
    attention = math.sqrt(1 + math.log(factor) / math.log(old))
    return dim, short.astype(F), long.astype(F), words, attention


@case(KIND, "multiplied", "short-list", "no-factor", "ignored")
def longrope_lists(draw, way):
    dim, short, long, words, attention = longrope(draw)
    w = rope.inv_freq(dim, 1e4)
    made = {"multiplied": w * long, "short-list": w / short, "no-factor": w / long,
            "ignored": w}[way]
    say = {"multiplied": [r"multipl|divid|inverse|recipro"], "short-list": [r"short"],
           "no-factor": [FACTOR], "ignored": [r"scaling|longrope", r"none|not scaled|missing|left"]}
    return tables(draw, made, words, say[way], [attention] if way == "no-factor" else (),
                  1.0 if way in ("no-factor", "ignored") else attention, np.arange(40, 104))


@case(KIND)
def longrope_factor_of_yarn(draw):
    """0.1 ln s + 1 in place of sqrt(1 + ln s / ln L)."""
    dim, _, long, words, attention = longrope(draw)
    return tables(draw, rope.inv_freq(dim, 1e4) / long, words, [FACTOR], (), rope.mscale(32))


@case(KIND)
def ntk_exponent_of_the_paper_missing(draw):
    """base * factor, without the power dim / (dim - 2)."""
    dim, factor = draw.choice([64, 128]), draw.choice([2, 4, 8])
    return tables(draw, rope.inv_freq(dim, 1e4 * factor),
                  ["encoding=rope", "dim=%d" % dim, "scaling=ntk", "factor=%d" % factor],
                  [r"base|ntk|fixed|scaling|plain"], positions=far(draw))


@case(KIND)
def dynamic_ntk_of_another_length(draw):
    """A fixed base: the length at start is not the sequence's. The cause is a seq_len."""
    dim, old, factor = 128, 4096, 2
    made, meant = old * draw.choice([3, 4]), old * 2

    def base(length):
        return 1e4 * (factor * length / old - (factor - 1)) ** (dim / (dim - 2))
    return tables(draw, rope.inv_freq(dim, base(made)),
                  ["encoding=rope", "dim=128", "scaling=dynamic", "factor=2",
                   "max_position_embeddings=%d" % old, "seq_len=%d" % meant], [r"seq_len"],
                  [made, meant], positions=far(draw))


@case(KIND)
def dynamic_ntk_never_stretched(draw):
    old = 4096
    return tables(draw, rope.inv_freq(128, 1e4),
                  ["encoding=rope", "dim=128", "scaling=dynamic", "factor=2",
                   "max_position_embeddings=%d" % old, "seq_len=%d" % (3 * old)],
                  [r"seq_len|scaling|none|not scaled"], positions=far(draw))


@case(KIND, "left-out", "inverse", "twice")
def linear_factor(draw, way):
    factor = draw.choice([2, 4, 8])
    w = rope.inv_freq(128, 1e4)
    made = {"left-out": w, "inverse": w * F(factor), "twice": w / F(factor) ** 2}[way]
    say = {"left-out": [r"scaling|factor", r"none|not scaled|missing|left|without|\b1\b"],
           "inverse": [r"factor|scale"], "twice": [r"factor|scale|twice"]}[way]
    numbers = {"left-out": [], "inverse": [factor], "twice": [factor ** 2]}[way]
    return tables(draw, made, ["encoding=rope", "dim=128", "scaling=linear",
                               "factor=%d" % factor], say, numbers)


@case(KIND)
def gemma_global_layers_have_the_local_base(draw):
    cos, sin = rope.tables(rope.inv_freq(256, 1e4), np.arange(64), 1.0, rope.half)
    return Case(draw.tables(cos, sin, True),
                ["encoding=rope", "model=gemma-3-4b", "layer_type=full_attention", "pos=0:64"],
                MISTAKE, [r"sliding_attention|local|base|layer_type"], [1e4])


@case(KIND)
def proportional_as_a_partial_head(draw):
    """Exponents by the turned columns, where a proportional rope divides by the whole head."""
    dim, r = 256, 64
    return Case(draw.named("frequencies", rope.inv_freq(r, 1e6)),
                ["encoding=rope", "dim=%d" % dim, "base=1000000", "scaling=proportional",
                 "partial_rotary_factor=0.25"], MISTAKE,
                [r"expon|proportional|partial"])
