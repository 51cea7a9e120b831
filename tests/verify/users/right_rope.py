# SPDX-License-Identifier: Apache-2.0
"""right_rope.py - rotary tables that are right, in the forms in which programs keep them."""

import json

import numpy as np

import rope
from case import Case, RIGHT, case
from files import bf16

F = np.float32
KIND = "right-rope"


def tables_case(draw, model, width=None, plain=False):
    positions = rope.span(draw)
    widen = {None: lambda a: a, "half": rope.half, "adjacent": rope.adjacent}[width]
    cos, sin = rope.tables(model.w(), positions, model.attention, widen)
    return Case(draw.tables(cos, sin, plain), rope.said(draw, model, positions, width), RIGHT)


NAMED = {model.name: model for model in rope.PLAIN + rope.PARTIAL + rope.LLAMA3 +
         [rope.DEEPSEEK, rope.GPT_OSS]}


@case(KIND, *NAMED)
def tables_of_transformers(draw, name):
    return tables_case(draw, NAMED[name], "half")


# Published head widths and bases (rope_theta).
MORE = {"tinyllama-1.1b": (64, 1e4), "smollm2-1.7b": (64, 130000), "olmo-2-7b": (128, 5e5),
        "falcon-7b": (64, 1e4), "phi-3-mini-4k": (96, 1e4), "mixtral-8x7b": (128, 1e6),
        "code-llama-7b": (128, 1e6), "internlm2-7b": (128, 1e6), "gemma-7b": (256, 1e4),
        "esm-2-650m": (64, 1e4), "qwen2-72b": (128, 1e6), "qwen3-0.6b": (128, 1e6),
        "starcoder2-7b": (128, 1e6)}


@case(KIND, *MORE)
def tables_of_more_models(draw, name):
    return tables_case(draw, rope.Model(name, *MORE[name]), "half")


@case(KIND, *list(NAMED)[:3], "llama-3.1-8b", "llama-3.2-1b", "gpt-oss-20b")
def tables_a_column_a_pair(draw, name):
    return tables_case(draw, NAMED[name])


@case(KIND, "qwen3-4b", "llama-3.1-8b", "phi-2")
def hub_name_alone(draw, name):
    hub = {"qwen3-4b": "Qwen/Qwen3-4B", "llama-3.1-8b": "meta-llama/Llama-3.1-8B",
           "phi-2": "microsoft/phi-2"}[name]
    cos, sin = rope.tables(NAMED[name].w(), np.arange(64))
    return Case(draw.tables(cos, sin), ["model=" + hub], RIGHT)


@case(KIND, *list(NAMED))
def inv_freq_buffer(draw, name):
    model = NAMED[name]
    words = model.claim() if draw.coin() and model.words else ["encoding=rope", "model=" + name]
    return Case(draw.named("frequencies", model.w()), words, RIGHT)


@case(KIND, "cos", "sin", "sin-and-cos")
def no_names_far_from_the_first_position(draw, name):
    """Cosines are not larger than sines there."""
    model = draw.choice(rope.PLAIN)
    first = draw.integer(200000, 2000000)
    a = rope.angles(model.w(), np.arange(first, first + 64))
    parts = {"cos": [np.cos], "sin": [np.sin], "sin-and-cos": [np.sin, np.cos]}[name]
    return Case({"arr_%d" % i: part(a).astype(F) for i, part in enumerate(parts)},
                model.claim() + ["pos=%d:%d" % (first, first + 64)], RIGHT, form="npz")


@case(KIND)
def freqs_cis_of_llama(draw):
    model = draw.choice(rope.PLAIN)
    a = rope.angles(model.w(), np.arange(draw.choice([32, 64])))
    cis = (np.cos(a) + 1j * np.sin(a)).astype(np.complex64)
    words = model.claim() + (["pos=0:%d" % len(a)] if draw.is_plain or draw.coin() else [])
    return Case({draw.choice(["freqs_cis", "arr_0"]): cis}, words, RIGHT)


@case(KIND)
def freqs_cis_of_pairs(draw):
    """torch.view_as_real of freqs_cis: [T, D/2, 2]."""
    model = draw.choice(rope.PLAIN)
    a = rope.angles(model.w(), np.arange(48))
    pair = np.stack([np.cos(a), np.sin(a)], -1)
    return Case({"freqs_cis": pair}, model.claim() + ["pos=0:48"], RIGHT)


@case(KIND)
def cos_above_sin(draw):
    """[T, 2, D]: stack((cos, sin), 1)."""
    model = draw.choice(rope.PLAIN)
    cos, sin = rope.tables(model.w(), np.arange(48), 1.0, lambda a: a)
    return Case({draw.choice(["cos_sin_cache", "cache", "arr_0"]): np.stack([cos, sin], 1)},
                model.claim() + (["pos=0:48"] if draw.is_plain else []), RIGHT)


@case(KIND)
def cos_sin_cache_of_vllm(draw):
    """cat((cos, sin), -1), a row a position."""
    model = draw.choice(rope.PLAIN + rope.LLAMA3)
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, lambda a: a)
    name = "table" if draw.is_plain else "rotary_emb.cos_sin_cache"
    return Case({name: np.concatenate([cos, sin], -1)},
                model.claim() + ["pos=0:64"], RIGHT)


@case(KIND)
def rope_cache_of_chatglm(draw):
    """[T, 32, 2] of the turned half of 128 columns."""
    a = rope.angles(rope.inv_freq(64, 1e4), np.arange(draw.choice([32, 64])))
    return Case({"rope_cache": np.stack([np.cos(a), np.sin(a)], -1)},
                ["encoding=rope", "model=chatglm2-6b"], RIGHT)


@case(KIND)
def embed_positions_of_gptj(draw):
    """create_sinusoidal_positions: cat((sin, cos), 1), 64 of 256 columns."""
    w = rope.inv_freq(64, 1e4)
    a = rope.angles(w, np.arange(draw.choice([32, 80])))
    name = "table" if draw.is_plain else "transformer.h.0.attn.embed_positions"
    more = ["pos=0:%d" % len(a)] if draw.is_plain else []
    return Case({name: np.concatenate([np.sin(a), np.cos(a)], 1)},
                ["encoding=rope", "model=gpt-j-6b", *more], RIGHT)


@case(KIND)
def repeated_columns_of_diffusers(draw):
    cos, sin = rope.tables(rope.inv_freq(64, 1e4), np.arange(40), 1.0, rope.adjacent)
    return Case(draw.tables(cos, sin), ["encoding=rope", "dim=64", "pairing=adjacent",
                                             "pos=0:40"], RIGHT)


@case(KIND)
def tables_lying_on_their_side(draw):
    """[D, T], as kernels keep them."""
    model = draw.choice(rope.PLAIN[:5])
    cos, sin = rope.tables(model.w(), np.arange(48), 1.0, draw.choice([lambda a: a, rope.half]))
    return Case(draw.tables(cos.T.copy(), sin.T.copy(), True), model.claim() + ["pos=0:48"], RIGHT)


@case(KIND)
def half_precision_tables(draw):
    model = draw.choice(rope.PLAIN + rope.LLAMA3)
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, draw.choice([lambda a: a, rope.half]))
    names = draw.choice([("cos", "sin"), ("position_embeddings.0", "position_embeddings.1")])
    return Case({names[0]: cos.astype(np.float16), names[1]: sin.astype(np.float16)},
                rope.said(draw, model, np.arange(64)), RIGHT)


@case(KIND, "uint16", "safetensors")
def bfloat16_tables(draw, way):
    model = draw.choice(rope.PLAIN + rope.LLAMA3)
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, draw.choice([lambda a: a, rope.half]))
    return Case({"cos": bf16(cos), "sin": bf16(sin)}, rope.said(draw, model, np.arange(64)),
                RIGHT, form="npz" if way == "uint16" else "safetensors")


@case(KIND)
def reversed_positions(draw):
    model = draw.choice(rope.PLAIN)
    n = draw.choice([16, 48])
    cos, sin = rope.tables(model.w(), np.arange(n)[::-1], 1.0, rope.half)
    return Case(draw.tables(cos, sin), model.claim() + ["pos=" + ",".join(
        map(str, range(n - 1, -1, -1)))], RIGHT)


@case(KIND)
def start_read_from_rows(draw):
    """No pos= in the claim: a cache whose first row is that of a later position."""
    model = draw.choice(rope.PLAIN[:5])
    first = draw.integer(5, 900)
    cos, sin = rope.tables(model.w(), np.arange(first, first + 40), 1.0, rope.half)
    return Case(draw.tables(cos, sin, True), ["encoding=rope", "model=" + model.name], RIGHT)


@case(KIND)
def packed_with_position_ids_beside(draw):
    model = draw.choice(rope.PLAIN[:5])
    lengths = [draw.integer(5, 20) for _ in range(3)]
    ids = np.concatenate([np.arange(n) for n in lengths])
    cos, sin = rope.tables(model.w(), ids, 1.0, rope.half)
    return Case({**draw.tables(cos, sin, True), "position_ids": ids[None]},
                ["encoding=rope", "model=" + model.name], RIGHT)


CONFIGS = {
    "llama-2": ({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                 "max_position_embeddings": 4096, "rope_theta": 10000.0},
                rope.Model(None, 128, 1e4)),
    "qwen2": ({"model_type": "qwen2", "hidden_size": 896, "num_attention_heads": 14,
               "rope_theta": 1000000.0}, rope.Model(None, 64, 1e6)),
    "llama-3.1": ({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
                   "max_position_embeddings": 131072, "rope_theta": 500000.0,
                   "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                                    "high_freq_factor": 4.0,
                                    "original_max_position_embeddings": 8192}}, rope.LLAMA3[0])}


@case(KIND, *CONFIGS)
def config_in_place_of_a_claim(draw, name):
    config, model = CONFIGS[name]
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, rope.half)
    return Case(draw.tables(cos, sin, True), ["--config", "config.json"], RIGHT,
                more={"config.json": json.dumps(config).encode()})


@case(KIND, "linear", "ntk", "dynamic", "yarn", "longrope", "deepseek")
def scaled_tables(draw, name):
    dim, base = draw.choice([64, 128]), draw.choice([1e4, 5e5, 1e6])
    factor, old = draw.choice([2, 4, 8]), draw.choice([2048, 4096, 8192])
    words = ["encoding=rope", "dim=%d" % dim, "base=%g" % base]
    w, attention = rope.inv_freq(dim, base), 1.0
    if name == "linear":
        w, more = w / F(factor), ["scaling=linear", "factor=%d" % factor]
    elif name == "ntk":
        w = rope.inv_freq(dim, base * factor ** (dim / (dim - 2)))
        more = ["scaling=ntk", "factor=%d" % factor]
    elif name == "dynamic":
        length = old * draw.choice([2, 3])
        w = rope.inv_freq(dim, base * (factor * length / old - (factor - 1)) ** (dim / (dim - 2)))
        more = ["scaling=dynamic", "factor=%d" % factor, "max_position_embeddings=%d" % old,
                "seq_len=%d" % length]
    elif name == "longrope":
        divisors = np.round(1 + draw.random.random(dim // 2) * factor, 3)
        w = (F(1) / (divisors.astype(F) * F(base) ** (np.arange(0, dim, 2).astype(F) / F(dim))))
        attention = float(np.sqrt(1 + np.log(factor) / np.log(old)))
        more = ["scaling=longrope", "factor=%d" % factor, "longrope_list=long",
                "original_max_position_embeddings=%d" % old,
                "long_factor=" + ",".join("%g" % d for d in divisors),
                "short_factor=" + ",".join(["1"] * (dim // 2))]
    else:
        w, attention = rope.yarn(dim, base, factor, old), rope.mscale(factor)
        more = ["scaling=yarn", "factor=%d" % factor, "original_max_position_embeddings=%d" % old]
        if name == "deepseek":
            attention = rope.mscale(factor, 0.707) / rope.mscale(factor, 0.707)
            more += ["mscale=0.707", "mscale_all_dim=0.707"]
    cos, sin = rope.tables(w.astype(F), np.arange(64), attention, rope.half)
    return Case(draw.tables(cos, sin), words + more + ["pos=0:64"], RIGHT)


@case(KIND, "half", "adjacent", "partial", "batch", "heads-last", "inputs-in-bf16")
def vectors_before_and_after(draw, way):
    """q, k and their rotations, as [B, H, T, D] or [B, T, H, D]."""
    model = rope.PARTIAL[0] if way == "partial" else draw.choice(rope.PLAIN[:5])
    n, heads = 24, draw.choice([2, 4])
    positions = np.arange(n)
    turn = rope.turn_adjacent if way == "adjacent" else rope.turn_half
    cos, sin = rope.tables(model.w(), positions, 1.0,
                           (lambda a: a) if way == "adjacent" else rope.half)
    shape = (2 if way == "batch" else 1, heads, n, model.dim)
    q, k = draw.normal(*shape), draw.normal(*shape)
    outs = [rope.turn_partial(x, cos, sin, turn) for x in (q, k)]
    parts = [q, outs[0], k, outs[1]]
    if way == "heads-last":
        parts = [np.ascontiguousarray(x.transpose(0, 2, 1, 3)) for x in parts]
    if way == "inputs-in-bf16":
        parts = [bf16(x) for x in parts[:2]] + [bf16(x) for x in parts[2:]]
    words = ["encoding=rope/apply"] + model.claim()[1:] + ["pos=0:%d" % n]
    if way == "adjacent":
        words.append("pairing=adjacent")
    if draw.is_plain:
        words.append("seq_axis=%d" % (1 if way == "heads-last" else 2))
    return Case(draw.vectors(*parts), words, RIGHT,
                form="safetensors" if way == "inputs-in-bf16" else None)
