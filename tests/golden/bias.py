# SPDX-License-Identifier: Apache-2.0
"""bias.py - golden method `alibi`: the references' conventions as forms of /v1/alibi."""

import re

from cases import Inexpressible
from question import Tensor, all_used

Q, K = r"(?:q|i)\w*", r"(?:k|j)\w*"  # "q - k", "q_pos - k_pos", "i - j"
# Sentences of the cases, in this order of precedence, and the request that each means.
CONVENTIONS = (
    (r"attention_mask", {"distance_kind": "key-index"}),
    (r"last key|last[ -_]query|k - \(len ?- ?1\)", {"distance_kind": "last-query"}),
    (r"symmetric|\|%s ?- ?%s\|" % (Q, K), {"distance_kind": "symmetric"}),
    (r"lower triangle|tril", {"distance_kind": "tril"}),
    (r"slope ?\* ?\(%s ?- ?%s\)|signed" % (K, Q), {"distance_kind": "signed"}),
    (r"slope ?\* ?\(%s ?- ?%s\)|^distance\b" % (Q, K), {"distance_kind": "distance"}),
    (r"key[ _-]position|slope \* %s\b" % K, {"distance_kind": "key-index"}),
)


def alibi(case):
    params, inputs = case.params, case.inputs
    slopes = {"heads": params.take("num_heads", "n_heads", "num_attention_heads"),
              "bias_max": params.take("alibi_bias_max", "max_bias", "bias_max", default=8)}
    convention = params.take("convention")
    keys, queries = params.take("key_length", "length"), params.take("query_length")
    key_positions = inputs.take("key_positions")
    query_positions = inputs.take("query_positions")
    mask = inputs.take("attention_mask")
    all_used(case)
    questions = {}
    for output in case.outputs:
        if output.name == "slopes":
            questions["slopes"] = Tensor("alibi", "slopes", slopes, output.shape)
        elif output.name == "bias":
            lengths = {"key": keys or output.shape[-1], "query": queries}
            asked = dict(slopes, **form_of(convention or ""))
            if mask is not None:
                questions["bias"] = padded(slopes, asked, mask, output)
                continue
            asked.update(positions(output, lengths, key_positions, query_positions))
            questions["bias"] = Tensor("alibi", "bias", asked, output.shape)
        else:
            raise Inexpressible("no request for output %s" % output.name)
    return questions


def form_of(convention):
    for pattern, form in CONVENTIONS:
        if re.search(pattern, convention):
            break
    else:
        raise Inexpressible("no request for the convention %r" % convention)
    if re.search(r"-inf|causal", convention):
        return dict(form, causal=True, mask_value="-inf")
    return dict(form)


def padded(slopes, asked, mask, output):
    """Keys numbered by the cumulative sum of the mask: this is an output of its own."""
    if asked["distance_kind"] != "key-index" or "causal" in asked:
        raise Inexpressible("an attention_mask with %s" % asked)
    return Tensor("alibi", "padded_bias", dict(slopes, attention_mask=mask), output.shape)


def positions(output, lengths, key_positions, query_positions):
    """q and k, or len where both are 0:N; row forms have keys only."""
    if "query" not in output.axes:
        return {"k": key_positions or "0:%d" % lengths["key"]}
    keys, queries = lengths["key"], lengths["query"] or output.shape[-2]
    if key_positions is None and query_positions is None and keys == queries:
        return {"len": keys}
    # With fewer queries than keys the queries are the last positions, behind a cache of keys.
    return {"q": query_positions or "%d:%d" % (keys - queries, keys),
            "k": key_positions or "0:%d" % keys}
