# SPDX-License-Identifier: Apache-2.0
"""unclaimed.py - right tables that come without a claim: the user asks what they are."""

import numpy as np

import case as cases
import rope
from case import Case, FOUND, NOTHING, case
import right_masks
import right_other
import right_rope

F = np.float32
KIND = "unclaimed"


def found(draw, tensors, encoding, say=(), numbers=(), form=None):
    """encoding: a pattern of the names that may be told."""
    return Case(tensors, [], FOUND, [r'"encoding": "(%s)"' % encoding, *say], numbers, form)


BASES = {"1e4": 1e4, "5e5": 5e5, "1e6": 1e6, "odd": 123456.0}


@case(KIND, *BASES)
def rope_of_one_base(draw, name):
    base, dim = BASES[name], draw.choice([64, 96, 128])
    cos, sin = rope.tables(rope.inv_freq(dim, base), np.arange(64), 1.0,
                           draw.choice([rope.half, rope.adjacent, lambda a: a]))
    return found(draw, draw.tables(cos, sin), "rope|mrope", (),
                 [base] if base != 1e4 else ())


@case(KIND, "llama-3.1-8b", "llama-3.2-1b")
def rope_of_llama3(draw, name):
    model = next(m for m in rope.LLAMA3 if m.name == name)
    cos, sin = rope.tables(model.w(), np.arange(128), 1.0, rope.half)
    return found(draw, draw.tables(cos, sin), "rope", [r"llama.?3"])


@case(KIND)
def rope_of_yarn(draw):
    model = rope.yarn_model(draw.choice([2, 4, 8]), draw.choice([4096, 32768]))
    cos, sin = rope.tables(model.w(), np.arange(96), model.attention, rope.half)
    return found(draw, draw.tables(cos, sin), "rope", [r"yarn"])


@case(KIND)
def rope_of_linear_scaling(draw):
    cos, sin = rope.tables(rope.inv_freq(128, 1e4) / F(4), np.arange(64), 1.0, rope.half)
    return found(draw, draw.tables(cos, sin), "rope", [r"linear|factor|step|0\.25"])


@case(KIND)
def rope_of_a_partial_head(draw):
    model = draw.choice(rope.PARTIAL)
    cos, sin = rope.tables(model.w(), np.arange(64), 1.0, rope.half)
    return found(draw, draw.tables(cos, sin), "rope")


@case(KIND)
def rope_from_a_later_position(draw):
    first = draw.integer(10, 500)
    cos, sin = rope.tables(rope.inv_freq(128, 5e5), np.arange(first, first + 48), 1.0, rope.half)
    return found(draw, draw.tables(cos, sin, True), "rope", (), [first])


PARTS = {"cosines": [np.cos], "sines": [np.sin], "sines-before-cosines": [np.sin, np.cos]}


@case(KIND, *PARTS)
def a_part_from_a_later_position(draw, name):
    """np.save of one table, or np.savez of two without names."""
    model = draw.choice(rope.PLAIN)
    first = draw.integer(10, 5000)
    a = rope.angles(model.w(), np.arange(first, first + 64))
    return found(draw, {"arr_%d" % i: part(a).astype(F) for i, part in enumerate(PARTS[name])},
                 "rope", (), [first], "npz")


@case(KIND, *list(right_rope.NAMED))
def inv_freq_alone(draw, name):
    model = right_rope.NAMED[name]
    return found(draw, draw.named("frequencies", model.w()), "rope|mrope|sinusoidal|xpos|rope-.*")


@case(KIND)
def freqs_cis_alone(draw):
    a = rope.angles(rope.inv_freq(128, 5e5), np.arange(64))
    return found(draw, {draw.choice(["freqs_cis", "arr_0"]):
                        (np.cos(a) + 1j * np.sin(a)).astype(np.complex64)}, "rope", (), [5e5])


@case(KIND)
def rounded_to_six_decimals(draw):
    cos, sin = rope.tables(rope.inv_freq(128, 1e6), np.arange(64), 1.0, rope.half)
    return found(draw, draw.tables(np.round(cos, 6), np.round(sin, 6), True), "rope", (), [1e6])


@case(KIND, "f16", "bf16")
def narrow_tables(draw, way):
    from files import bf16
    cos, sin = rope.tables(rope.inv_freq(128, 1e4), np.arange(64), 1.0, rope.half)
    narrow = (lambda x: x.astype(np.float16)) if way == "f16" else bf16
    return found(draw, {"cos": narrow(cos), "sin": narrow(sin)}, "rope", form="safetensors")


# Cases of other files whose claim is left out: encoding patterns by the case.
DROPPED = {
    "attention-is-all-you-need": "sinusoidal.*|timestep-embedding|multidim-sine",
    "sinusoids-of-presets-whisper": "sinusoidal.*|timestep-embedding|transformer-xl",
    "timesteps-dit": "timestep-embedding|sinusoidal.*",
    "alibi-bias-8": "alibi", "alibi-bias-12": "alibi", "alibi-bias-40": "alibi",
    "alibi-of-bloom": "alibi", "alibi-of-mpt": "alibi", "alibi-of-a-decode-step": "alibi",
    "t5-buckets-encoder": "t5|tupe|wavlm-bias", "t5-buckets-decoder": "t5|tupe|wavlm-bias",
    "t5-bias": "t5|tupe|wavlm-bias", "swin-index": "swin.*|beit-index|levit-bias",
    "swinv2-coordinates": "swinv2", "mae-rows": "sincos2d-.*", "detr-map": "detr-.*",
    "axial-of-rope-vit": "rope2d-.*|rope-.*|mrope", "dinov3-tables": "rope2d-.*|rope-.*",
    "qwen-vit-in-merge-blocks": "rope2d-.*|rope-.*|mrope", "flux-tables": "rope-.*|mrope",
    "wan-tables": "rope-.*|mrope", "mrope-ids-qwen2-vl": "ids-.*", "mrope-tables": "mrope|rope-.*",
    "ids-of-a-left-padded-batch": "ids-.*", "ids-of-packed-documents": "ids-.*",
    "learned-rows-of-opt": "learned", "deberta-buckets": "deberta", "shaw-index":
    "shaw|bert-relative-key|.*relative.*", "kerple-log": "kerple", "retention": "retnet-decay",
    "transformer-xl-table": "transformer-xl|sinusoidal.*",
    "causal": ".*mask", "window-of-mistral": ".*mask", "prefix-of-a-picture": ".*mask",
    "packed-documents-lengths": ".*mask", "padded-batch-left": ".*mask", "padded-batch-right":
    ".*mask", "padding-of-an-encoder": ".*mask", "chunks-of-llama4": ".*mask",
    "picture-of-gemma3": ".*mask", "picture-within-a-window-of-gemma3": ".*mask",
    "decode-step-of-a-cache": ".*mask", "window-of-both-sides": ".*mask",
    "sinks-and-window": ".*mask", "longformer": ".*mask", "hidden-keys-are-true": ".*mask",
    "shifted-windows-of-swin": ".*mask"}


def is_one_number(tensors):
    """Real numbers that are all the same: docs/limits.md, many encodings have such."""
    return all(array.dtype.kind == "f" and array.min() == array.max() for array in tensors.values())


def dropped(name, make, pattern):
    def without(draw):
        made = make(draw)
        if is_one_number(made.tensors):
            return Case(made.tensors, [], NOTHING)
        return Case(made.tensors, [], FOUND, [r'"encoding": "(%s)"' % pattern])
    cases.CASES.append(("%s/%s" % (KIND, name), KIND, without))


for full, kind, function in list(cases.CASES):
    short = full.split("/")[1]
    if kind in (right_other.KIND, right_masks.KIND) and short in DROPPED:
        dropped(short, function, DROPPED[short])
