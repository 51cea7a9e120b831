# SPDX-License-Identifier: Apache-2.0
"""sinusoid.py - golden methods `sinusoidal`, `timing_signal` and `relative_sinusoid`: all are
rows of /v1/sinusoidal at the positions that the reference's code would have used."""

import ast
import re

from cases import Inexpressible
from question import Stack, Tensor, alone

# Words of the references and the choices that they mean; the first match wins.
LAYOUTS = ((r"^$", "interleaved"), (r"^cos.*(halves|concat)", "concat-cs"),
           (r"halves|concat", "concat"), (r"interleaved\W*cos", "interleaved-cs"),
           (r"interleaved", "interleaved"))
LADDERS = ((r"^$", "geometric-open"),
           (r"log.*(half_dim|num_timescales) ?- ?1", "geometric-closed"))
# The length of a table changes none of its rows.
LENGTHS = ("length", "max_len", "num_positions", "num_embeddings", "max_positions",
           "max_source_positions", "max_position_embeddings", "max_seq_len", "offset")


def choose(table, words, what):
    for pattern, choice in table:
        if re.search(pattern, words or ""):
            return choice
    raise Inexpressible("no request for %s %r" % (what, words))


def row_of(params):
    """The parameters of all three methods: width, base, layout, ladder, and the rule for an odd
    column."""
    dim = params.take("d_model", "embedding_dim", "channels", "dim", "hidden_size")
    spacing = params.take("frequency_spacing")
    row = {"dim": dim, "base": params.take("base", "max_timescale", "theta", "max_period",
                                              default=10000),
           "layout": choose(LAYOUTS, params.take("layout"), "layout"),
           "ladder": choose(LADDERS, spacing, "frequency_spacing")}
    if dim % 2 == 1:  # fairseq and tensor2tensor append a zero, Marian has one sine more
        row["odd"] = "zero-pad" if spacing else "extra-sin"
    return row


def table(case, params):
    """One question, since the case's only output is the table."""
    case.params.neutral(*LENGTHS)
    return alone(case, Tensor("sinusoidal", "rows", params, case.outputs[0].shape))


def sinusoidal(case):
    row = row_of(case.params)
    padding = case.params.take("padding_idx")
    if padding is not None:
        row["padding_idx"] = padding
    scale = case.params.take("scale")
    if scale is not None:
        row["amplitude"] = "inverse-sqrt-dim" if scale == "d^-0.5" else float(scale)
    return table(case, dict(row, pos=case.inputs.take("positions")))


def timing_signal(case):
    row = row_of(case.params)
    row["min_timescale"] = case.params.take("min_timescale", default=1.0)
    del row["ladder"]  # min_timescale brings tensor2tensor's own
    case.params.neutral("start_index")  # the case's positions have it in them
    return table(case, dict(row, pos=case.inputs.take("positions")))


def relative(case):
    """Rows run over distances in the reference's order: klen-1 .. 0 and the like."""
    params, inputs = case.params, case.inputs
    row = row_of(params)
    lengths = {name: value for name, value in
               (("klen", params.take("klen")), ("qlen", params.take("qlen")),
                ("T", params.take("length"))) if value is not None}
    distances = distances_of(params.take("order"), lengths)
    rows = inputs.take("rows")
    distances = distances if rows is None else [distances[r] for r in rows]
    clamp = params.take("clamp_len", default=-1)
    distances = clamped(distances, clamp)
    given = inputs.take("positions")
    if given is not None and clamped(given, clamp) != distances:
        raise Inexpressible("positions %s are not the rows' distances %s" % (given, distances))
    both = params.take("bi_data", default=False)
    params.neutral("attn_type", *LENGTHS)
    if not both:
        return alone(case, Tensor("sinusoidal", "rows", dict(row, pos=distances),
                                  case.outputs[0].shape))
    backward = [-d for d in distances]
    return alone(case, Stack([Tensor("sinusoidal", "rows", dict(row, pos=pos)) for pos in
                              (distances, backward)], axis=1))


def clamped(distances, limit):
    """Within [-limit, limit]; a limit of 0 or less is none."""
    return [max(-limit, min(limit, d)) if limit > 0 else d for d in distances]


def distances_of(order, lengths):
    """'klen .. -qlen+1' with the case's lengths: both ends are included."""
    ends = [evaluate(part, lengths) for part in order.split("..")]
    if len(ends) != 2:
        raise Inexpressible("order %r" % order)
    step = -1 if ends[0] >= ends[1] else 1
    return list(range(ends[0], ends[1] + step, step))


def evaluate(text, names):
    """Evaluates sums and differences of whole numbers and names; nothing else is an order."""
    def value(node):
        if isinstance(node, ast.Expression):
            return value(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name) and node.id in names:
            return names[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            left, right = value(node.left), value(node.right)
            return left + right if isinstance(node.op, ast.Add) else left - right
        raise Inexpressible("order %r" % text)
    return value(ast.parse(text.strip(), mode="eval"))
