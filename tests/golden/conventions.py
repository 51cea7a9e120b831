# SPDX-License-Identifier: Apache-2.0
"""conventions.py - golden methods of conventions that few models have: several axes on a part of a
head, angles of the content, other directions, coordinates that move."""

import axes
import rotary
from question import Apply, Body, Tensor, each


def axial_part(case):
    """MiniMax-H3: three axes of rope_freq_dim pairs each, on the first elements of a head."""
    params, inputs = case.params, case.inputs
    pairs, head = params.take("rope_freq_dim"), params.take("attention_head_dim")
    frequencies = {"axes_dim": [2 * pairs] * 3, "base": params.take("rope_theta"),
                   "rotary_dim": 6 * pairs}
    asked = dict(frequencies, ids=inputs.take("position_ids"),
                 pairing=axes.pairing_of(case, "half"))
    vectors = rotary.vectors_of(case)["x"]
    axes.finish(case)
    turned = [output for output in case.outputs if output.name == "rotated"]
    plain = [output for output in case.outputs if output not in turned]
    questions = axes.tables(plain, "rope-axes", dict(asked, dim=head), frequencies, 6 * pairs)
    for output in turned:
        questions[output.name] = Apply("rope-axes", axes.with_sequence(asked, output), vectors)
    return questions


def by_angles(case):
    """Angles of each token and head as an input: apply_rotary_pos_emb of x-transformers."""
    asked = {"angles": case.inputs.take("angles"), "pairing": axes.pairing_of(case, "half")}
    vectors = rotary.vectors_of(case)["x"]
    axes.finish(case)
    return {output.name: Body("rope-angles", "x",
                              dict(axes.with_sequence(asked, output), x=vectors))
            for output in case.outputs}


def temporal_skip(case):
    """ChronoEdit: the second of two frames is a later one."""
    params = case.params
    asked = {"split": "sixths", "dim": params.take("attention_head_dim"),
             "base": params.take("theta"), "grid_sizes": params.take("patch_grid"),
             "temporal_skip_len": params.take("rope_temporal_skip_len"),
             "pairing": axes.pairing_of(case, "adjacent")}
    axes.finish(case)
    return axes.tables(case.outputs, "rope-axes", asked, {}, asked["dim"])


def relative_key_sides(case):
    """w2v-BERT: keys before the query are clipped elsewhere than keys after it."""
    params, inputs = case.params, case.inputs
    asked = {"len": params.take("length"),
             "max_left": params.take("left_max_position_embeddings"),
             "max_right": params.take("right_max_position_embeddings")}
    vectors = {name: inputs.take(name) for name in ("table", "queries")}
    axes.finish(case)
    return {"index": Tensor("shaw", "index", asked),
            "bias": Body("shaw", "bias", dict(asked, **vectors))}


def heads(case):
    """Ms-PoE's ratios and MHRoPE's axes: tables of head, token and frequency, as our columns."""
    params, inputs = case.params, case.inputs
    count, ratios = params.take("num_heads"), (params.take("min_cratio"),
                                               params.take("max_cratio"))
    asked = {"heads": count, "dim": params.take("head_dim"), "base": params.take("base")}
    if ratios[1] is not None:
        asked.update(min_ratio=ratios[0], max_ratio=ratios[1], pos=inputs.take("positions"))
    else:
        asked.update(head_section=params.take("mrope_section"),
                     **axes.positions_of(inputs, "thw"))
    axes.finish(case)
    return each(case, "rope-heads", asked)


def wavlm_bias(case):
    """WavLM's attention: the gated biases of one sequence."""
    params, inputs = case.params, case.inputs
    hidden = inputs.take("hidden_states")
    asked = {"hidden": hidden, "len": len(hidden), "table": inputs.take("rel_attn_embed.weight"),
             "gate_weight": inputs.take("gru_rel_pos_linear.weight"),
             "gate_bias": inputs.take("gru_rel_pos_linear.bias"),
             "gate_const": inputs.take("gru_rel_pos_const"),
             "num_buckets": params.take("num_buckets"),
             "max_distance": params.take("max_bucket_distance")}
    axes.finish(case)
    return {"bias": Body("wavlm-bias", "bias", asked)}


def omni_ids(case):
    """Ids of Qwen's Omni models: parts of a prompt, whose marks are tokens of text but around a video
    with its sound."""
    preset = case.params.take("preset")
    parts = ["%s:%s%s" % (kind, "x".join(map(str, size)), "" if seconds is None else "@%r" % seconds)
             for kind, size, seconds in case.inputs.take("parts")]
    asked = {"segments": ",".join(parts), "preset": preset}
    axes.finish(case)
    return each(case, "ids-mrope", asked)


def circle_ids(case):
    """Circle-RoPE's ids of a prompt of text and images; radius may be auto or auto-FACTOR."""
    params = case.params
    kind, radius, raised = (params.take(name) for name in ("method", "radius", "move_to_positive"))
    parts = ["text:%d" % p[1] if p[0] == "text" else "image:1x%dx%d" % tuple(p[1:])
             for p in case.inputs.take("parts")]
    asked = {"segments": ",".join(parts), "alpha": params.take("alpha"),
             "move_to_origin": bool(params.take("move_to_origin")),
             "dff_rate": 1 if kind == "no_circle" else params.take("dff_rate") or 0}
    if str(radius).startswith("auto"):
        asked.update(radius_rule="auto", radius_scale=float(str(radius)[5:] or 1))
    else:
        asked["radius"] = radius
    if raised is not None:
        asked.update(move_to_positive=True, positive_offset=0 if raised == "auto" else raised)
    axes.finish(case)
    return each(case, "ids-circle-rope", asked)


def grape_a(case):
    """GRAPE-A: ALiBi's slopes, times omega and the rates of queries and keys."""
    inputs = case.inputs
    asked = {"query_gates": inputs.take("gate_q_logits"), "key_gates": inputs.take("gate_k_logits"),
             "omega": inputs.take("omega"), "mask_value": case.params.take("mask_value")}
    axes.finish(case)
    return {"bias": Body("grape-a", "bias", asked)}


def grape_m_commuting(case):
    """GRAPE-M with planes of columns: pairs turn backward by learned frequencies, at positions or at
    phases that the content gave."""
    inputs = case.inputs
    asked = {"freqs": [[-v for v in inputs.take("freq")]], "pos": inputs.take("positions"),
             "x": inputs.take("x"), "seq_axis": 0, "pairing": "half"}
    axes.finish(case)
    return {"rotated": Body("rope-nd/apply", "x", asked)}


def grape_m(case):
    """GRAPE-M with one plane a head, of any direction."""
    inputs = case.inputs
    asked = {name: inputs.take(name) for name in ("a", "b")}
    asked.update(pos=inputs.take("positions"), omega=case.params.take("omega"))
    vectors = inputs.take("x")
    axes.finish(case)
    return {"matrix": Tensor("grape-m", "matrix", dict(asked, dim=len(vectors[0][0])),
                             case.outputs[0].shape),
            "rotated": Body("grape-m/apply", "x", dict(asked, x=vectors, seq_axis=0))}


def comrope(case):
    """ComRoPE's blocks over a grid, the class token first."""
    params, inputs = case.params, case.inputs
    asked = {"freqs": inputs.take("freqs"), "heads": params.take("num_heads"),
             "cls_position": params.take("cls_position"), "grid_sizes": params.take("grid")}
    count, multiplier = params.take("num_axes"), inputs.take("multiplier")
    asked.update({"num_axes": count} if multiplier is None else {"multiplier": multiplier})
    vectors = inputs.take("x")
    axes.finish(case)
    return {"matrix": Body("comrope", "matrix", dict(asked, dim=len(vectors[0][0]))),
            "rotated": Body("comrope/apply", "x", dict(asked, x=vectors, seq_axis=0))}


def hope_hyperboloid(case):
    """HELM's HoPE: RoPE turns the space-like columns, so that the time-like one before them stays."""
    inputs = case.inputs
    asked = {"pos": inputs.take("positions"), "x": inputs.take("x"), "seq_axis": 0,
             "base": case.params.take("base"), "offset_dims": 1, "pairing": "adjacent"}
    asked["rotary_dim"] = len(asked["x"][0][0]) - 1
    axes.finish(case)
    return {"rotated": Body("rope/apply", "x", asked)}
