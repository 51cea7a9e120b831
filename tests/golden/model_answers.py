# SPDX-License-Identifier: Apache-2.0
"""model_answers.py - what /v1/models/resolve says of a configuration beside what the model's own page
says: the same encodings, in the same layers, and every part that the configuration names."""

import re

# Encodings that a key of the file says, and not its code alone.
SAID = {
    "sliding-window-mask": r'"sliding_window": ?[1-9]',
    "sliding-window-bidirectional-mask": r'"(sliding_window|local_attention|attention_window)": ?\[?[1-9]',
    "chunked-mask": r'"attention_chunk_size": ?[1-9]',
    "llama4-temperature": r'"(attn_temperature_tuning|llama_4_scaling_beta)": ?[1-9t]',
    "softcap": r'softcapping": ?[1-9]',
}
ALONE = ("bidirectional-mask", "softmax-scale", "resize-table-2d", "swin-shift-mask")
TOWERS = ("vision", "audio")
PLACED = ("rope", "mrope", "sliding-window-mask", "chunked-mask", "llama4-temperature")


def uses_of(answer):
    return answer["uses"] + answer.get("besides", [])


def parts_of(answer):
    return {part["name"]: part for part in answer.get("parts", [])}


def group_of(use):
    return use.get("layer_type") or use.get("group") or ""


def part_faults(told, answer):
    """Parts of the file that the page does not list."""
    ours = parts_of(told)
    for name in parts_of(answer):
        if name in TOWERS and name not in ours:
            yield "the file has a part %s, of which the page says nothing" % name


def without_effect(use, length):
    """A window that is not below the length of the context."""
    window = (use.get("parameters") or {}).get("window")
    return bool(window and length and window >= length)


def absent(told, answer, facts):
    """Encodings that one of the two lacks."""
    ours = {use["encoding"] for use in uses_of(told) if use["encoding"]}
    length = told.get("max_position_embeddings")
    theirs = {use["encoding"] for use in uses_of(answer)
              if use["encoding"] and not without_effect(use, length)}
    left_out = {name for part in parts_of(told).values() if part.get("left_out")
                for name in parts_of(answer).get(part["name"], {}).get("encodings", [])}
    for name in sorted(theirs - ours - left_out):
        yield "resolve answers %s, which the page has not" % name
    for use in told["uses"]:
        name, part = use["encoding"], parts_of(answer).get(group_of(use).partition("_")[0])
        tower = part and part["name"] in TOWERS and not part.get("left_out") and name not in ALONE
        said = name in SAID and re.search(SAID[name], facts)
        if name and name not in theirs and (tower or said) and not without_effect(use, length):
            yield "the page has %s (%s), which resolve does not answer" % (name, group_of(use))


def layers(answer, encoding):
    """The numbers of the layers with the encoding, "all", or None if it has it in none."""
    found = [use.get("layers") for use in uses_of(answer) if use["encoding"] == encoding
             and not re.match("|".join(TOWERS), group_of(use))]
    if not found:
        return None
    return "all" if None in found else sorted(set(sum(found, [])))


def placed(told, answer):
    """Encodings that are in other layers."""
    for name in PLACED:
        here, there = layers(told, name), layers(answer, name)
        if here and there and here != there and "all" not in (here, there):
            yield "%s is in layers %s, by the file in %s" % (name, here, there)
        elif here and there and here != there and not covers(told, answer, here, there):
            yield "%s is in %s layers, by the file in %s" % (name, here, there)


def covers(told, answer, here, there):
    """Whether the numbers of one side are all layers that the other has."""
    some = here if there == "all" else there
    count = told.get("layers") or answer.get("layers")
    return not count or len(some) == count


def faults(told, answer, facts):
    """Sentences on what the two say otherwise."""
    return (list(part_faults(told, answer)) + list(absent(told, answer, facts))
            + list(placed(told, answer)))
