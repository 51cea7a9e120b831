# SPDX-License-Identifier: Apache-2.0
"""model_references.py - independent code for what models use besides rotations: masks, buckets,
scales, learned rows. A row of REFERENCES takes the facts of a use and gives requests (output,
parameters, exact numbers in float64 or integers), which `model=` must answer. Written from the
papers and the public code that each function names; never by posencd."""

import math

import numpy as np

from formulas import biases, windows
from formulas.masks import RULES
from formulas.numbers import DOUBLE

SEED = 11


def places(edge):
    """Queries and keys around an edge: the first tokens, and both sides of its multiples."""
    near = {0, 1, 2, 7, *(k * edge + d for k in (1, 2, 3) for d in (-2, -1, 0, 1, 2))}
    return sorted(place for place in near if place >= 0)


# The parameter of each mask, at whose multiples queries and keys stand. transformers has them in
# masking_utils.py: sliding_window_overlay, kv_idx > q_idx - sliding_window; chunked_overlay, same
# quotient by the size of a chunk; sliding_window_bidirectional_overlay, abs(q - kv) <= window, where
# llama.cpp and Longformer count the keys of both sides.
EDGES = {"causal-mask": None, "bidirectional-mask": None, "sliding-window-mask": "window",
         "sliding-window-bidirectional-mask": "window", "chunked-mask": "chunk"}


def seen(encoding):
    def mask(facts):
        if encoding == "sliding-window-mask" and facts.get("convention", "exclusive") != "exclusive":
            return
        edge = facts.get(EDGES[encoding], 64)
        half = facts.get("convention", "hf") != "hf" and encoding.endswith("bidirectional-mask")
        at = places(edge // 2 if half else edge)
        given = {name: facts[name] for name in ("window", "chunk", "convention") if name in facts}
        yield "mask", {"q": at, "k": at}, np.broadcast_to(RULES[encoding](
            np.array(at)[:, None], np.array(at)[None], **given), (len(at), len(at)))
    return mask


# ---- scales ------------------------------------------------------------------------------------

def scale_of(facts):
    rule, dim = facts.get("convention", "sqrt"), facts.get("dim")
    if rule == "deepseek":  # modeling_deepseek_v3.py, yarn_get_mscale, squared
        factor, coefficient = facts.get("factor", 1), facts.get("mscale_all_dim", 0)
        mscale = 0.1 * coefficient * math.log(factor) + 1 if factor > 1 else 1.0
        return dim ** -0.5 * mscale * mscale
    return {"sqrt": lambda: dim ** -0.5, "one": lambda: 1.0, "mup": lambda: 1 / dim,
            "scalar": lambda: facts["query_pre_attn_scalar"] ** -0.5,
            "multiplier": lambda: facts["attention_multiplier"],
            "deberta": lambda: (dim * (1 + facts.get("terms", 2))) ** -0.5}[rule]()


def softmax_scale(facts):
    if facts.get("convention") != "swinv2":  # whose factor is learned
        yield "scale", {}, np.array(scale_of(facts))


def softcap(facts):
    """modeling_gemma2.py: tanh(x / cap) * cap."""
    scores = [-900.0, -50.0, -1.5, 0.0, 0.25, 30.0, 49.0, 1e4]
    yield "capped", {"scores": [scores]}, np.tanh(np.array([scores]) / facts["cap"]) * facts["cap"]


def logn(facts):
    """Qwen's modeling_qwen.py, logn_list: of place i from 1, log(i, train_len) beyond train_len."""
    at = places(facts["train_len"])
    yield "factor", {"pos": at}, biases.logn(DOUBLE, {"pos": at, "train_len": facts["train_len"]})


# ---- buckets and indices -------------------------------------------------------------------------

def t5(facts):
    """modeling_t5.py, _relative_position_bucket, of key - query."""
    at = places(facts["max_distance"])
    yield "buckets", {"q": at, "k": at}, biases.t5({**facts, "q": at, "k": at})


def deberta(facts):
    """modeling_deberta_v2.py, make_log_bucket_position, of query - key; with no buckets
    (build_relative_position) each distance is its own."""
    count, most = facts.get("position_buckets", 256), facts.get("max_relative_positions", 512)
    asked = dict.fromkeys("qk", places(max(most, 64)))
    counted = count > 0 and most > 0
    if counted or not facts.get("clamp_distance"):
        yield "buckets", asked, biases.deberta({
            **asked, "position_buckets": count if counted else -1, "max_relative_positions": most})


def swin(facts):
    """modeling_swin.py, relative_position_index: offsets of two patches as one number."""
    yield "index", {}, windows.swin(facts["window_size"])


OFFSETS = {"none": 0, "bart": 2, "opt": 2}  # modeling_bart.py, modeling_opt.py: self.offset = 2


def learned(facts):
    """Rows of a random table: pos + offset; in fairseq the first token has row padding_idx + 1."""
    rule = facts.get("convention", "none")
    if set(facts) - {"convention", "padding_idx", "offset"}:
        return
    offset = facts.get("offset", facts["padding_idx"] + 1 if rule == "fairseq" else OFFSETS[rule])
    table = np.random.default_rng(SEED).standard_normal((40, 3)).astype("f4").astype("f8")
    at = [0, 1, 2, 30, 17]
    yield "index", {"pos": at}, np.array(at) + offset
    yield "rows", {"table": table.tolist(), "pos": at}, table[np.array(at) + offset]


def entries(facts):
    """modeling_deepseek_v4.py, causal_threshold: entries below (position_ids + 1) // compress_rate,
    which are turned as multiples of compress_rate."""
    rate = facts["rate"]
    at, keys = places(rate), list(range(6))
    yield "mask", {"q": at, "k": keys}, np.array(keys)[None] < (np.array(at)[:, None] + 1) // rate
    yield "positions", {"k": keys}, np.array(keys) * rate


REFERENCES = {**{encoding: seen(encoding) for encoding in EDGES}, "softmax-scale": softmax_scale,
              "softcap": softcap, "logn": logn, "t5": t5, "deberta": deberta, "swin": swin,
              "learned": learned, "compressed-block-mask": entries}


def differing(ours, exact):
    """The number of elements that differ: none of integers, some ULP of float64's."""
    if ours.shape != exact.shape:
        return exact.size
    if np.issubdtype(ours.dtype, np.floating):
        return int(np.sum(~(abs(ours - exact) <= 1e-14 * abs(exact))))
    return int(np.sum(ours != exact))
