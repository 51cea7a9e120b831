# SPDX-License-Identifier: Apache-2.0
"""forms.py - cases of the other forms in which ports keep rotations: cos and sin in one row,
matrices, wavelengths; and of variants of a scaling rule that papers and ports name."""

import numpy as np

from case import Case, RIGHT, f32
from frequencies import (CONFIGURATIONS, chosen, claim, frequencies, tables, turned_by, width)
from port import span


def case(name, p, tensors, found=RIGHT, words=None, **repair):
    said = claim("rope", p) if words is None else claim("rope", p, pos=words)
    return Case("forms/" + name, said, {key: f32(values) for key, values in tensors.items()},
                found, repair=repair)


def cos_sin(tables_made):
    cos, sin = tables_made
    return {"cos": cos, "sin": sin}


# ---- one row a position ----------------------------------------------------------------------


def rows_of(cos, sin, order):
    if order == "cos-sin":
        return np.concatenate([cos, sin], -1)
    if order == "sin-cos":
        return np.concatenate([sin, cos], -1)
    return np.stack([cos, sin], -1).reshape(len(cos), -1)


ORDERS = ["cos-sin", "sin-cos", "interleaved"]


def right_rows(random):
    """cos_sin_cache of vLLM, the rows of timm, the cache of ggml."""
    name, p = chosen(random)
    words, positions = span(random, counts=(16, 48, 64))
    order = random.choice(ORDERS)
    said = p if order == "cos-sin" else dict(p, table_order=order)
    return case("right-rows-" + name, said, {"table": rows_of(*tables(p, positions), order)},
                words=words)


def rows_in_other_order(random):
    _, p = chosen(random)
    words, positions = span(random, counts=(16, 48, 64))
    meant = random.choice(ORDERS)
    done = random.choice([order for order in ORDERS if order != meant])
    found = {"table_order"} | ({"sin-cos-swapped"} if "interleaved" not in (meant, done) else set())
    return case("rows-in-other-order", dict(p, table_order=meant),
                {"table": rows_of(*tables(p, positions), done)}, found, words,
                table_order=(done, meant))


def rows_of_another_base(random):
    _, p = chosen(random, "none", "llama3", "yarn")
    words, positions = span(random, counts=(48, 64))
    base = random.choice([b for b in (10000, 500000, 100000) if b != p["base"]])
    made = tables(dict(p, base=base), positions)
    return case("rows-of-another-base", p, {"table": rows_of(*made, "cos-sin")}, "base", words,
                base=(str(base), str(p["base"])))


# ---- matrices, wavelengths -------------------------------------------------------------------


def matrices(p, positions, pairing):
    """Rotation of each position: a' = a cos - b sin, b' = a sin + b cos."""
    cos, sin = tables(p, positions)
    pairs = np.arange(p["dim"] // 2)
    first, second = ((2 * pairs, 2 * pairs + 1) if pairing == "adjacent" else
                     (pairs, pairs + p["dim"] // 2))
    made = np.zeros((len(cos), p["dim"], p["dim"]))
    made[:, first, first], made[:, first, second] = cos, -sin
    made[:, second, first], made[:, second, second] = sin, cos
    return made


def drawn_matrices(random):
    p = {"dim": random.choice([8, 16, 32]), "base": random.choice([10000, 500000])}
    return (p, random.choice(["half", "adjacent"])) + span(random, counts=(16, 24))


def right_matrices(random):
    p, pairing, words, positions = drawn_matrices(random)
    return case("right-matrices", dict(p, pairing=pairing),
                {"matrix": matrices(p, positions, pairing)}, words=words)


def matrices_transposed(random):
    """Rows are multiplied where columns should be, which turns back."""
    p, pairing, words, positions = drawn_matrices(random)
    return case("matrices-transposed", dict(p, pairing=pairing),
                {"matrix": matrices(p, positions, pairing).swapaxes(1, 2)},
                {"transposed", "sign", "inverse", "position-scale", "pos", "axes"}, words)


def matrices_of_other_pairing(random):
    p, pairing, words, positions = drawn_matrices(random)
    other = "half" if pairing == "adjacent" else "adjacent"
    return case("matrices-of-other-pairing", dict(p, pairing=pairing),
                {"matrix": matrices(p, positions, other)}, "pairing", words,
                pairing=(other, pairing))


def right_wavelengths(random):
    name, p = chosen(random, "none", "linear", "ntk", "llama3", "yarn")
    return case("right-wavelengths-" + name, p, {"wavelengths": 2 * np.pi / frequencies(p)})


# ---- variants of the rules -------------------------------------------------------------------


def right_variant(random):
    """Each variant of NTK by its own name: kexue.fm, diffusers, vLLM."""
    p = {"dim": 128, "base": 10000, "factor": random.choice([2, 4, 8])}
    way = random.choice(["plain", "fixed", "mixed", "alpha"])
    if way == "mixed":
        p["mixed_b"] = 0.75
    p.update(scaling="dynamic" if way == "alpha" else "ntk", scaling_variant=way)
    words, positions = span(random)
    return case("right-" + way, p, cos_sin(tables(p, positions)), words=words)


def yarn_of_dialect(random):
    """0.07 ln s + 1 and 0.05 ln s + 1 in place of 0.1 ln s + 1: TeleChat 3, ChunkLlama."""
    p = dict(CONFIGURATIONS[random.choice(["qwen2.5-yarn", "yarn-llama-2"])])
    return dict(p, dialect=random.choice(["telechat3", "chunkllama"])), p


def right_dialect(random):
    said, _ = yarn_of_dialect(random)
    words, positions = span(random)
    return case("right-" + said["dialect"], said, cos_sin(tables(said, positions)), words=words)


def dialect_forgotten(random):
    """The attention factor of the paper where the claim names a dialect with its own."""
    said, p = yarn_of_dialect(random)
    words, positions = span(random)
    return case("dialect-forgotten", said, cos_sin(tables(p, positions)),
                {"dialect", "attention_factor", "attn_factor", "mscale", "mscale_all_dim"}, words)


def longrope(random):
    """The short list up to the trained length, the long one beyond it."""
    p = {key: value for key, value in CONFIGURATIONS["longrope"].items() if key != "longrope_list"}
    length, name, other = random.choice([(2048, "short", "long"), (8192, "long", "short")])
    return dict(p, seq_len=length), name, other


def right_longrope(random):
    p, name, _ = longrope(random)
    words, positions = span(random, firsts=(0, 100))
    return case("right-longrope-" + name, p, cos_sin(tables(p, positions)), words=words)


def longrope_length(random):
    """The list of the other length, as where a prompt passes the trained context."""
    p, _, other = longrope(random)
    words, positions = span(random, counts=(48, 64), firsts=(0, 100))
    return case("longrope-length", p, cos_sin(tables(dict(p, longrope_list=other), positions)),
                {"seq_len", "longrope_list"}, words)


def right_scaled_partial(random):
    """A scaling rule of heads of which only a part turns: its width is that of the part."""
    p = {"dim": 128, "base": 1000000, "partial_rotary_factor": 0.5, "scaling": "yarn", "factor": 4,
         "original_max_position_embeddings": 32768}
    words, positions = span(random)
    return case("right-scaled-partial", p, cos_sin(tables(p, positions)), words=words)


def scaled_over_head(random):
    """YaRN's ramp and exponents over the whole head, cut to the part that turns."""
    p = {"dim": 128, "base": 10000, "partial_rotary_factor": 0.5}
    words, positions = span(random, counts=(48, 64))
    w = frequencies({"dim": 128, "base": 10000})[:width(p) // 2]
    return case("exponent-over-head", p, cos_sin(turned_by(positions, w)),
                {"exponent-dim", "base"}, words)


ROWS = ([right_rows, right_rows, right_matrices, right_wavelengths, right_variant, right_variant,
         right_dialect, right_longrope, right_scaled_partial] +
        [rows_in_other_order, rows_in_other_order, rows_of_another_base, matrices_transposed,
         matrices_transposed, matrices_of_other_pairing, dialect_forgotten, longrope_length,
         scaled_over_head])
