# SPDX-License-Identifier: Apache-2.0
"""rotary.py - golden methods of RoPE tables: configurations of Hugging Face, vLLM, the YaRN
authors and ggml as requests to /v1/rope."""

from cases import Inexpressible
from question import Apply, Fact, Joined, Same, Stack, Tensor

# Entries of a configuration about the model and not about its table.
NEUTRAL = ("hidden_size", "num_attention_heads", "num_key_value_heads", "n_positions",
           "max_position_embeddings", "original_max_position_embeddings", "model_type",
           "max_position", "length", "rule", "base_rescale_factor")
LOCAL = ("sliding_attention", "local_attention", "chunked_attention")
PAIRINGS = {"half": "half", "interleaved": "interleaved", "adjacent": "interleaved",
            "complex": "interleaved", None: None}


def rope(case):
    frequencies, positions = frequencies_of(case)
    case.inputs.finish()
    return {output.name: question(case, output, frequencies, positions)
            for output in case.outputs}


def rope_apply(case):
    """Tables from `rope`; vectors, by the name of their input, through /v1/rope/apply."""
    length, direction = case.params.take("length"), case.params.take("direction")
    frequencies, positions = frequencies_of(case)
    positions = list(range(length)) if positions is None else positions
    vectors = vectors_of(case)
    asked = dict(frequencies, pairing=PAIRINGS[case.pairing] or "half")
    if direction is not None:
        asked["direction"] = direction
    if "deinterleave" in case.id:
        asked["pairing_out"] = "half"
    return {output.name: vector_question(case, output, asked, positions, vectors)
            for output in case.outputs}


def rope_ggml(case):
    """The parameters of ggml_rope_ext; freq_factors are an input."""
    params = case.params
    mode = {"NORMAL": "adjacent", "NEOX": "half"}[params.take("mode")]
    width, head = params.take("n_dims"), params.take("head_dim", "n_embd_head")
    asked = {"dim": head or width, "scaling": "ggml", "pairing": mode}
    if head not in (None, width):
        asked["rotary_dim"] = width
    names = {"freq_base": "base", "n_ctx_orig": "original_max_position_embeddings"}
    for name in ("freq_base", "freq_scale", "ext_factor", "attn_factor", "beta_fast",
                 "beta_slow", "n_ctx_orig"):
        value = params.take(name)
        if value is not None:
            asked[names.get(name, name)] = value
    divisors = case.inputs.take("freq_factors")
    if divisors is not None:
        asked["freq_factors"] = divisors
    positions = case.inputs.take("positions")
    vectors = vectors_of(case)
    return {output.name: vector_question(case, output, asked, positions, vectors)
            for output in case.outputs}


def qwen_ntk_alpha(case):
    """Qwen-1's alpha, which is a whole number; one length for each question."""
    trained = case.params.take("seq_length")
    case.params.neutral("rule")
    lengths = case.inputs.take("true_seq_len")
    asked = {"dim": 128, "scaling": "dynamic", "scaling_variant": "qwen",
             "max_position_embeddings": trained}
    return {"alpha": Stack([Tensor("rope", "ntk_alpha", dict(asked, seq_len=length))
                            for length in lengths], 0)}


def frequencies_of(case):
    """The parameters of inv_freq, and the positions; every parameter must have been used."""
    params = case.params
    positions = case.inputs.take("positions")
    select_layers(params)
    turned = {}
    if case.variant == "proportional":  # its rotary_dim is the whole head
        turned = {"partial_rotary_factor": inner(params, "partial_rotary_factor") or
                  params.take("partial_rotary_factor")}
        params.values.pop("partial_rotary_factor", None)
    frequencies = dict(width_of(params), base=base_of(params))
    frequencies.update(scaling_of(case, params, positions or ()), **turned)
    if turned:
        frequencies.pop("rotary_dim", None)
    params.take("is_neox_style")  # the case's pairing states it too
    params.neutral(*NEUTRAL)
    params.finish()
    return frequencies, positions


def vectors_of(case):
    """Inputs that are tensors to rotate, by name."""
    return {name: case.inputs.take(name) for name in ("q", "k", "x")
            if name in case.inputs.values}


def vector_question(case, output, asked, positions, vectors):
    case.inputs.finish()
    source, _, what = output.name.partition("_")
    if output.name == "rotated":
        source, what = "x", "rotated"
    if what != "rotated" or source not in vectors:
        return question(case, output, asked, positions)
    width = output.shape[-1]
    params = dict(asked, dim=width, pos=positions, **(
        {"seq_axis": 0} if len(output.shape) > 2 else {}))
    if width != asked["dim"] and "rotary_dim" not in asked:
        params["rotary_dim"] = asked["dim"]
    return Apply("rope", params, vectors[source])


def select_layers(params):
    """rope_parameters may hold a dictionary for each type of layer."""
    name = "rope_parameters"
    chosen = (params.values.get(name) or {}).get(params.values.get("layer_type"))
    if isinstance(chosen, dict):
        params.values[name] = chosen


def inner(params, *names):
    """A value of rope_parameters, where newer configurations have theta and the fraction."""
    config = params.values.get("rope_scaling") or params.values.get("rope_parameters") or {}
    return next((config[name] for name in names if config.get(name) is not None), None)


def width_of(params):
    """dim and rotary_dim; the factor that led to rotary_dim must agree with it."""
    rotary = params.take("rotary_dim", "qk_rope_head_dim", "dim")
    head = params.take("head_dim", "head_size", default=rotary)
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
    base = inner(params, "rope_theta") if base is None else base
    if params.take("layer_type") in LOCAL and local is not None:
        base = local
    ratio = params.take("rope_ratio", default=1)
    return (10000.0 if base is None else base) * ratio


def scaling_of(case, params, positions):
    """Parameters of the scaling; the variant decides, not the entries for other variants."""
    config = params.take("rope_scaling", "rope_parameters") or {}
    config = {name: value for name, value in config.items() if value is not None}
    for name in ("type", "rope_type", "rope_theta", "partial_rotary_factor"):
        config.pop(name, None)
    if "interpolation_factor" in params.values:  # x-transformers divides positions by it
        config["factor"] = params.take("interpolation_factor")
    kind = case.variant or ("linear" if "factor" in config else
                            "ntk" if "base_rescale_factor" in params.values else "default")
    rule = SCALINGS.get(kind)
    if rule is None:
        raise Inexpressible("no request for rope type %r" % case.variant)
    asked = rule(config, Outer(params, params.take("seq_len"), positions))
    if config and asked["scaling"] != "default":
        raise Inexpressible("%s scaling with %s" % (case.variant, sorted(config)))
    return {name: value for name, value in asked.items() if value is not None}


class Outer:
    """The parameters of a scaling that stand beside its own dictionary."""

    def __init__(self, params, length, positions):
        self.params, self.length, self.positions = params, length, positions

    def take(self, *names):
        return self.params.take(*names)

    @property
    def is_vllm(self):
        return "head_size" in self.params.values


def pick(config, *names):
    return {name: config.pop(name) for name in names if name in config}


def none(config, outer):
    return {"scaling": "default"}


def linear(config, outer):
    if outer.take("base_rescale_factor") not in (None, 1):
        raise Inexpressible("positions and the base changed together")
    return dict(pick(config, "factor"), scaling="linear")


def ntk(config, outer):
    """vLLM's "ntk" is kexue's fixed or mixed rule, everyone else's the NTK-aware base."""
    alpha = outer.take("alpha", "base_rescale_factor", "scale")
    if alpha is not None:
        return {"scaling": "ntk", "factor": alpha}
    asked = dict(pick(config, "factor", "mixed_b", "scaling_variant"), scaling="ntk")
    if outer.is_vllm:
        asked["scaling_variant"] = "mixed" if "mixed_b" in asked else "fixed"
    return asked


def dynamic(config, outer):
    """The length is the case's seq_len, in vLLM the table's length, else max(position) + 1."""
    if "alpha" in config:
        return {"scaling": "dynamic", "scaling_variant": "alpha", "factor": config.pop("alpha")}
    trained = config.pop("max_trained_positions", None)
    if trained is None:
        trained = outer.take("max_trained_positions", "max_position_embeddings")
    longest = outer.take("max_position") if outer.is_vllm else outer.length
    config.pop("original_max_position_embeddings", None)  # Hugging Face ignores it here
    return dict(pick(config, "factor"), scaling="dynamic", max_position_embeddings=trained,
                seq_len=longest if longest is not None else max(outer.positions) + 1)


def yarn(config, outer):
    asked = yarn_range(config, outer)
    temperature = pick(config, "mscale", "mscale_all_dim", "attention_factor")
    if not config.pop("apply_yarn_scaling", True):  # vLLM: attn_factor and nothing else
        return dict(asked, scaling="yarn", attention_factor=asked.pop("attn_factor", 1))
    if outer.is_vllm:  # its yarn does not know the names of the temperature
        return dict(asked, scaling="yarn", dialect="vllm")
    return dict(asked, scaling="yarn", **temperature)


def deepseek_yarn(config, outer):
    """vLLM's YaRN of DeepSeek, which always truncates."""
    return dict(yarn_range(config, outer), scaling="yarn", dialect="vllm-deepseek",
                **pick(config, "mscale", "mscale_all_dim"))


def yarn_range(config, outer):
    asked = pick(config, "factor", "original_max_position_embeddings", "beta_fast", "beta_slow",
                 "truncate", "attn_factor", "extrapolation_factor", "max_position_embeddings")
    outside = outer.take("original_max_position_embeddings", "max_position_embeddings")
    asked.setdefault("original_max_position_embeddings", outside)
    scale = outer.take("scale")
    if scale is not None:  # the authors' own code
        asked["factor"] = scale
    config.pop("finetuned", None)
    if "factor" in asked:
        asked.pop("max_position_embeddings", None)
    return asked


def ntk_by_parts(config, outer):
    """jquesnelle's class, whose bounds are constants; YaRN's blend where it has betas."""
    asked = yarn_range(config, outer)
    if not {"beta_fast", "beta_slow"} & set(asked):
        asked["scaling_variant"] = "part-ntk"
        asked.update(pick(config, "ntk_factor"))
        for name in ("ntk_factor", "extrapolation_factor"):
            value = outer.take(name)
            if value is not None:
                asked[name] = value
    return dict(asked, scaling="ntk-by-parts")


def longrope(config, outer):
    original = config.pop("original_max_position_embeddings", None) or \
        outer.take("original_max_position_embeddings")
    longest = outer.length if outer.length is not None else max(outer.positions) + 1
    if outer.is_vllm:  # the model's length decides, not the sequence's
        longest = outer.take("max_model_len", "max_position")
    return dict(pick(config, "short_factor", "long_factor", "factor", "attention_factor",
                     "short_mscale", "long_mscale"),
                scaling="longrope", original_max_position_embeddings=original,
                max_position_embeddings=outer.take("max_position_embeddings", "max_position"),
                seq_len=longest)


def llama3(config, outer):
    return dict(pick(config, "factor", "low_freq_factor", "high_freq_factor",
                     "original_max_position_embeddings"), scaling="llama3")


def proportional(config, outer):
    return dict(pick(config, "factor"), scaling="proportional")


SCALINGS = {"default": none, "linear": linear, "ntk": ntk, "dynamic": dynamic, "yarn": yarn,
            "ntk-by-parts": ntk_by_parts, "deepseek_yarn": deepseek_yarn,
            "longrope": longrope, "su": longrope, "llama3": llama3, "proportional": proportional}


def question(case, output, frequencies, positions):
    """A question to the table; a fact that is also an output is asked for in both ways."""
    pairing = PAIRINGS[case.pairing]
    frequencies = {name: value for name, value in frequencies.items()
                   if name not in ("pairing", "pairing_out")}
    if output.name == "inv_freq":
        return Tensor("rope", "inv_freq", frequencies, output.shape)
    if output.name == "angles":
        return Tensor("rope", "angles", dict(frequencies, pos=positions), output.shape)
    if output.name == "attention_factor":
        return Same(Tensor("rope", "attention_factor", frequencies, output.shape),
                    Fact("rope", "attention_factor", dict(frequencies, pos="0:1"),
                         output.shape))
    if output.name == "sincos_table":  # GPT-J: all sines, then all cosines
        return Joined([Tensor("rope", name, dict(frequencies, pos=positions))
                       for name in ("sin", "cos")], -1)
    name, _, width = output.name.partition("_")
    if name in ("cos", "sin") and width in ("", "half", "full"):
        asked = dict(frequencies, pos=positions[:output.shape[0]], width=width or "half",
                     **({"pairing": pairing} if pairing else {}))
        return Tensor("rope", name, asked, output.shape)
    raise Inexpressible("no request for output %s" % output.name)
