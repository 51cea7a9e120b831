# SPDX-License-Identifier: Apache-2.0
"""model_references.py - independent code for what models use besides rotations: masks, buckets,
scales, learned rows. A row of REFERENCES takes the facts of a use and gives requests (output,
parameters, exact numbers in float64 or integers), which `model=` must answer. Written from the
papers and the public code that each function names; never by posencd."""

import math

import numpy as np

SEED = 11


def places(edge):
    """Queries and keys around an edge: the first tokens, and both sides of its multiples."""
    near = {0, 1, 2, 7, *(k * edge + d for k in (1, 2, 3) for d in (-2, -1, 0, 1, 2))}
    return sorted(place for place in near if place >= 0)


def seen(rule, edge):
    at = places(edge)
    q, k = np.array(at)[:, None], np.array(at)[None, :]
    yield "mask", {"q": at, "k": at}, np.broadcast_to(rule(q, k), (len(at), len(at)))


def causal(facts):
    return seen(lambda q, k: k <= q, 64)


def bidirectional(facts):
    return seen(lambda q, k: k >= 0, 64)


def sliding(facts):
    """transformers masking_utils.py, sliding_window_overlay: kv_idx > q_idx - sliding_window."""
    width = facts["window"]
    if facts.get("convention", "exclusive") != "exclusive":
        return iter(())
    return seen(lambda q, k: (k <= q) & (k > q - width), width)


def sliding_both(facts):
    """transformers masking_utils.py, sliding_window_bidirectional_overlay: abs(q - kv) <= window;
    llama.cpp and Longformer count the keys of both sides."""
    side = facts["window"] // (1 if facts.get("convention", "hf") == "hf" else 2)
    return seen(lambda q, k: abs(q - k) <= side, side)


def chunked(facts):
    """transformers masking_utils.py, chunked_overlay: same quotient by the size of a chunk."""
    size = facts["chunk"]
    return seen(lambda q, k: (k <= q) & (q // size == k // size), size)


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
    length = facts["train_len"]
    at = places(length)
    yield "factor", {"pos": at}, np.array([max(math.log(p + 1) / math.log(length), 1.0)
                                           for p in at])


# ---- buckets and indices -------------------------------------------------------------------------

def t5(facts):
    """modeling_t5.py, _relative_position_bucket, of key - query, in float32 as there."""
    at = places(facts["max_distance"])
    distance = np.array(at)[None, :] - np.array(at)[:, None]
    count, found = facts["num_buckets"], np.zeros_like(distance)
    if facts["bidirectional"]:
        count //= 2
        found, distance = (distance > 0) * count, abs(distance)
    else:
        distance = np.maximum(-distance, 0)
    exact = count // 2
    large = np.log(np.maximum(distance, 1).astype("f4") / np.float32(exact)) / np.float32(
        math.log(facts["max_distance"] / exact)) * np.float32(count - exact)
    far = np.minimum(exact + large.astype(int), count - 1)
    yield "buckets", {"q": at, "k": at}, found + np.where(distance < exact, distance, far)


def deberta(facts):
    """modeling_deberta_v2.py, make_log_bucket_position, of query - key."""
    count, most = facts.get("position_buckets", 256), facts.get("max_relative_positions", 512)
    at = places(max(most, 64))
    distance = np.array(at)[:, None] - np.array(at)[None, :]
    if count <= 0 or most <= 0:  # build_relative_position: each distance is its own
        if not facts.get("clamp_distance"):
            yield "buckets", {"q": at, "k": at}, distance
        return
    middle = count // 2
    near = np.where(abs(distance) < middle, middle - 1, abs(distance))
    steps = np.ceil(np.log(near / middle) / math.log((most - 1) / middle) * (middle - 1)) + middle
    yield "buckets", {"q": at, "k": at}, np.where(
        near <= middle, distance, steps * np.sign(distance)).astype(int)


def swin(facts):
    """modeling_swin.py, relative_position_index: offsets of two patches as one number."""
    height, width = (int(side) for side in facts["window_size"].split("x"))
    rows, columns = np.divmod(np.arange(height * width), width)
    down = rows[:, None] - rows[None, :] + height - 1
    right = columns[:, None] - columns[None, :] + width - 1
    yield "index", {}, down * (2 * width - 1) + right


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


REFERENCES = {"causal-mask": causal, "bidirectional-mask": bidirectional,
              "sliding-window-mask": sliding, "chunked-mask": chunked,
              "sliding-window-bidirectional-mask": sliding_both,
              "softmax-scale": softmax_scale, "softcap": softcap, "logn": logn, "t5": t5,
              "deberta": deberta, "swin": swin, "learned": learned}


def differing(ours, exact):
    """The number of elements that differ: none of integers, some ULP of float64's."""
    if ours.shape != exact.shape:
        return exact.size
    if np.issubdtype(ours.dtype, np.floating):
        return int(np.sum(~(abs(ours - exact) <= 1e-14 * abs(exact))))
    return int(np.sum(ours != exact))
