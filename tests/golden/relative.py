# SPDX-License-Identifier: Apache-2.0
"""relative.py - rows of tables for pairs of queries and keys: golden methods of T5, DeBERTa,
Swin, BEiT and LeViT as requests."""

from cases import Inexpressible
from question import Stack, Tensor, all_used, alone


def grid(value):
    """A pair such as [7, 7]; one number means a square."""
    height, width = value if isinstance(value, (list, tuple)) else (value, value)
    return "%dx%d" % (height, width)


def index(case, name, question):
    """One output of this name."""
    return alone(case, question, name)


def positions(case, output):
    """q and k: of a list of differences key - query, or of lengths with the queries last."""
    params, inputs = case.params, case.inputs
    queries, keys = inputs.take("query_positions"), inputs.take("key_positions")
    lengths = {axis: params.take("%s_length" % axis, "%s_size" % axis, default=size)
               for axis, size in zip(("query", "key"), output.shape[-2:])}
    if keys is None:
        keys = "0:%d" % lengths["key"]
    if queries is None:
        queries = "%d:%d" % (lengths["key"] - lengths["query"], lengths["key"])
    return {"q": queries, "k": keys}


def t5_parameters(params):
    asked = {"num_buckets": params.take("relative_attention_num_buckets", "num_buckets",
                                        default=32),
             "max_distance": params.take("relative_attention_max_distance", "max_distance",
                                         default=128)}
    decoder, bidirectional = params.take("is_decoder"), params.take("bidirectional")
    if bidirectional is None:
        bidirectional = not decoder
    return dict(asked, bidirectional=bidirectional)


def t5_bucket(case):
    asked = t5_parameters(case.params)
    output = case.outputs[0]
    differences = case.inputs.take("relative_position")
    if differences is None:
        asked.update(positions(case, output))
        return index(case, output.name, Tensor("t5", "buckets", asked, output.shape))
    rows = differences if isinstance(differences[0], list) else [differences]
    each = [Tensor("t5", "buckets", dict(asked, q=[0], k=row), output.shape[-1:]) for row in rows]
    return index(case, output.name, each[0] if len(output.shape) == 1 else Stack(each, 0))


def t5_bias(case):
    asked = t5_parameters(case.params)
    output = case.outputs[0]
    asked.update(positions(case, output), table=case.inputs.take("relative_attention_bias"))
    case.params.neutral("num_heads")
    return index(case, "bias", Tensor("t5", "bias", asked, output.shape))


def deberta(case, asked, outputs):
    params = case.params
    for name, port in (("position_buckets", "bucket_size"),
                       ("max_relative_positions", "max_position")):
        value = params.take(name, port, default=-1)
        asked[name] = value if value > 0 else -1
    all_used(case)
    return {output.name: Tensor("deberta", "buckets", dict(asked, **outputs[output.name]),
                                output.shape)
            for output in case.outputs}


def deberta_log_bucket(case):
    return deberta(case, {"q": case.inputs.take("relative_pos"), "k": [0]},
                   {"bucket": {}, "bucket_clamped": {"clamp_distance": True}})


def deberta_relative_position(case):
    """Both references number queries and keys from 0, whatever their counts."""
    asked = {"q": "0:%d" % case.params.take("query_size"),
             "k": "0:%d" % case.params.take("key_size")}
    return deberta(case, asked, {"relative_position": {}})


def swin_index(case):
    asked = {"window": grid(case.params.take("window_size"))}
    return index(case, "relative_position_index",
                 Tensor("swin", "index", asked, case.outputs[0].shape))


def swinv2(case):
    params = case.params
    asked = {"window": grid(params.take("window_size"))}
    coords = {"convention": params.take("mode", default="swin")}
    pretrained = params.take("pretrained_window_size", default=0)
    sides = pretrained if isinstance(pretrained, list) else [pretrained, pretrained]
    if all(sides):
        coords["pretrained_window"] = grid(sides)
    elif any(sides):
        raise Inexpressible("pretrained_window_size %s" % sides)
    all_used(case)
    outputs = {"relative_coords_table": ("coords", dict(asked, **coords)),
               "relative_position_index": ("index", asked)}
    return {output.name: Tensor("swinv2", *outputs[output.name], output.shape)
            for output in case.outputs}


def beit_index(case):
    asked = {"window": grid(case.params.take("window_size")),
             "class_token": case.params.take("class_token", default=True)}
    case.params.neutral("num_relative_distance")
    return index(case, "relative_position_index",
                 Tensor("beit-index", "index", asked, case.outputs[0].shape))


def levit_index(case):
    side, stride = case.params.take("resolution"), case.params.take("stride", "stride_q", default=1)
    asked = {"resolution": grid(side), "query_stride": stride}
    queries = case.params.take("resolution_", "resolution_q")  # of the reduced grid
    if queries not in (None, -(-side // stride) if isinstance(side, int) else None):
        raise Inexpressible("%s queries a side of %s by strides of %s" % (queries, side, stride))
    case.params.neutral("num_offsets")
    return index(case, "attention_bias_idxs",
                 Tensor("levit-bias", "index", asked, case.outputs[0].shape))


def dynamic_position_bias(case):
    """The layers' arrays one after another: first, the layers of dim units together, last."""
    params, inputs = case.params, case.inputs
    output = case.outputs[0]
    depth = params.take("depth")
    layers = [(inputs.take("weight%d" % k), inputs.take("bias%d" % k)) for k in range(depth + 1)]
    asked = {"w_in": [[row[0] for row in layers[0][0]]], "b_in": layers[0][1],
             "w_out": layers[-1][0], "b_out": layers[-1][1],
             "log_distance": params.take("log_distance", default=False)}
    if depth > 1:
        asked["w_hidden"] = [row for weight, _ in layers[1:-1] for row in weight]
        asked["b_hidden"] = [bias for _, bias in layers[1:-1]]
    if params.take("norm", default=False):
        for ours, names in (("norm_weight", ("norm_weight%d", "norm_gamma%d", "gamma%d")),
                            ("norm_bias", ("norm_bias%d", "norm_beta%d", "beta%d"))):
            rows = [inputs.take(*(name % k for name in names)) for k in range(depth)]
            if None not in rows:
                asked[ours] = rows
        asked["norm"] = True
    if params.take("activation", default="SiLU") != "SiLU":
        raise Inexpressible("another activation than SiLU")
    params.neutral("dim", "heads")
    asked.update(positions(case, output))
    return index(case, "bias", Tensor("dynamic-bias", "bias", asked, output.shape))
