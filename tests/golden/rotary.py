# SPDX-License-Identifier: Apache-2.0
"""rotary.py - golden method `rope`: Hugging Face configurations as requests to /v1/rope."""

from cases import Inexpressible
from question import Fact, Same, Tensor

# What a configuration says about the model and not about its table.
NEUTRAL = ("hidden_size", "num_attention_heads", "num_key_value_heads",
           "max_position_embeddings", "original_max_position_embeddings", "model_type")
LOCAL = ("sliding_attention", "local_attention", "chunked_attention")


def rope(case):
    params, inputs = case.params, case.inputs
    frequencies = dict(width_of(params), base=base_of(params), **scaling_of(case, params))
    params.neutral(*NEUTRAL)
    positions = inputs.take("positions")
    params.finish()
    inputs.finish()
    return {output.name: question(case, output, frequencies, positions)
            for output in case.outputs}


def width_of(params):
    """dim and rotary_dim; the factor that led to rotary_dim must agree with it."""
    rotary = params.take("rotary_dim", "qk_rope_head_dim")
    head = params.take("head_dim", default=rotary)
    rotary = head if rotary is None else rotary
    factor = params.take("partial_rotary_factor", "rotary_pct", "rope_pct")
    if rotary is None:
        raise Inexpressible("neither rotary_dim nor head_dim")
    if factor is not None and int(head * factor) != rotary:
        raise Inexpressible("rotary_dim %s is not head_dim %s * %s" % (rotary, head, factor))
    if factor is not None and factor != 1:
        return {"dim": head, "partial_rotary_factor": factor}
    return {"dim": head} if rotary == head else {"dim": head, "rotary_dim": rotary}


def base_of(params):
    """The theta of the layer type: local layers of Gemma 3 and ModernBERT have their own."""
    local = params.take("rope_local_base_freq", "local_rope_theta")
    base = params.take("rope_theta", "global_rope_theta", "rotary_emb_base", "base", "theta")
    if params.take("layer_type") in LOCAL and local is not None:
        base = local
    ratio = params.take("rope_ratio", default=1)
    return (10000.0 if base is None else base) * ratio


def scaling_of(case, params):
    """Parameters of the scaling; the variant decides, not what a config holds for others."""
    config = dict(params.take("rope_scaling", "rope_parameters") or {})
    factor = config.pop("factor", None)
    if case.variant == "default":
        return {"scaling": "default"}
    if case.variant == "linear":
        if factor is None:
            raise Inexpressible("linear scaling without a factor")
        for name in ("type", "rope_type", "rope_theta", "partial_rotary_factor"):
            config.pop(name, None)
        if config:
            raise Inexpressible("linear scaling with %s" % sorted(config))
        return {"scaling": "linear", "factor": factor}
    raise Inexpressible("no request for rope type %r" % case.variant)


def question(case, output, frequencies, positions):
    pairing = {"half": "half", "interleaved": "interleaved", None: None}[case.pairing]
    table = dict(frequencies, **({"pairing": pairing} if pairing else {}))
    if output.name == "inv_freq":
        return Tensor("rope", "inv_freq", frequencies, output.shape)
    if output.name == "attention_factor":
        return Same(Tensor("rope", "attention_factor", frequencies, output.shape),
                    Fact("rope", "attention_factor", dict(table, pos="0:1"), output.shape))
    name, _, width = output.name.partition("_")
    if name in ("cos", "sin") and width in ("", "half", "full"):
        asked = dict(table, pos=positions[:output.shape[0]], width=width or "half")
        return Tensor("rope", name, asked, output.shape)
    raise Inexpressible("no request for output %s" % output.name)
