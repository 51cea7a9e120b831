# SPDX-License-Identifier: Apache-2.0
"""indices.py - position ids, factors of attention and xPos: golden methods position_ids,
attention_temperature, logn_scaling and xpos as requests."""

import numpy as np

from cases import Inexpressible
from question import Tensor, alone

RULES = {"from_input_ids": "roberta", "from_attention_mask": "opt",
         "from_attention_mask_generate": "left_pad", "arange": "arange"}
# Entries of a rule that change nothing when they have this value.
WITHOUT_EFFECT = {"left_pad": ("offset",)}


def position_ids(case):
    params, inputs = case.params, case.inputs
    rule = RULES[params.take("rule")]
    asked = {"rule": rule}
    for name in WITHOUT_EFFECT.get(rule, ()):
        if params.take(name, default=0) != 0:
            raise Inexpressible("%s with rule %s" % (name, rule))
    for name, ours in (("padding_idx", "padding_idx"), ("past_key_values_length", "past"),
                       ("offset", "offset"), ("pad_value", "pad_value"),
                       ("seq_len", "seq_len"), ("batch", "batch")):
        value = params.take(name)
        if value is not None and name not in WITHOUT_EFFECT.get(rule, ()):
            asked[ours] = value
    for name in ("input_ids", "attention_mask"):
        value = inputs.take(name)
        if value is not None:
            asked[name] = value
    params.neutral("max_position_embeddings")
    return alone(case, Tensor("ids-from-mask", "position_ids", asked,
                            case.outputs[0].shape))


def attention_temperature(case):
    params = case.params
    params.neutral("attn_temperature_tuning", "rule")
    asked = {"pos": case.inputs.take("positions")}
    beta, original = (params.take("llama_4_scaling_beta"),
                      params.take("original_max_position_embeddings"))
    if beta is not None:
        asked.update(preset="ministral3", attn_scale=beta, floor_scale=original)
    else:
        asked.update(attn_scale=params.take("attn_scale"),
                     floor_scale=params.take("floor_scale"))
    return alone(case, Tensor("llama4-temperature", "factor", asked, case.outputs[0].shape))


def logn_scaling(case):
    case.params.neutral("rule")
    asked = {"pos": case.inputs.take("positions"),
             "train_len": case.params.take("seq_length", "train_length")}
    return alone(case, Tensor("logn", "factor", asked, case.outputs[0].shape))


class Rotated:
    """Vectors rotated here by the service's tables, in double: adjacent pairs, the other columns
    unchanged."""

    def __init__(self, params, vectors):
        self.params, self.vectors = params, np.asarray(vectors, dtype=np.float64)

    def fetch(self, service, dtype, profile=None):
        tables = [Tensor("xpos", name, self.params).fetch(service, "f64", profile)
                  for name in ("cos", "sin")]
        cos, sin = (np.asarray(table, dtype=np.float64) for table in tables)
        width = 2 * cos.shape[-1]
        out = self.vectors.copy()
        even, odd = self.vectors[..., 0:width:2], self.vectors[..., 1:width:2]
        out[..., 0:width:2] = even * cos - odd * sin
        out[..., 1:width:2] = odd * cos + even * sin
        return out.astype({"f32": np.float32, "f64": np.float64}[dtype])


def xpos(case):
    params = case.params
    if case.pairing != "interleaved":
        raise Inexpressible("pairing %r" % case.pairing)
    asked = {"dim": params.take("head_dim", "dim"), "scale_base": params.take("scale_base"),
             "downscale": params.take("downscale", default=False),
             "base": params.take("base", "theta", default=10000)}
    length, offset = params.take("length"), params.take("offset", default=0)
    torchscale = params.take("centering") is not None
    asked.update(pos="%d:%d" % (offset, offset + length), length=length + offset,
                 centre="torchscale" if torchscale else "floor_half")
    params.neutral("use_xpos")
    return alone(case, Rotated(asked, case.inputs.take("x")))
