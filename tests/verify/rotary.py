# SPDX-License-Identifier: Apache-2.0
"""rotary.py - cases of cos, sin, freqs_cis and inv_freq of one axis, right and with mistakes of
positions, frequencies and tables, and tables that nothing explains."""

import numpy as np

from case import Case, RIGHT, UNEXPLAINED, f32, narrowed
import mistakes
from frequencies import MODELS, chosen, claim, frequencies, tables, turned_by
from port import Port, drawn_of, explained, mistaken_frequencies, named, span, widened


def drawn_plain(random):
    """Parameters without scaling, of all columns of a head."""
    p = {"dim": random.choice([32, 64, 128, 256]), "base": random.choice([10000, 500000, 1000000])}
    return (p,) + span(random)


def drawn_partial(random):
    """Heads of which only a part turns."""
    p = random.choice([{"dim": 80, "base": 10000, "partial_rotary_factor": 0.4},
                       {"dim": 128, "base": 10000, "partial_rotary_factor": 0.25},
                       {"dim": 128, "base": 1000000, "partial_rotary_factor": 0.5},
                       {"dim": 256, "base": 10000, "rotary_dim": 64}])
    return (p,) + span(random)


# ---- right -----------------------------------------------------------------------------------


def shaped(random, values):
    """A table with leading axes of 1, with an axis of 1 inside, or repeated for a batch."""
    way = random.choice(["plain", "one", "two", "inside", "batch"])
    if way == "one":
        return values[None]
    if way == "two":
        return values[None, None]
    if way == "inside":
        return values[:, None]
    return np.stack([values] * 3) if way == "batch" else values


def right_tables(random):
    """Each value is the real number, rounded once."""
    name, p = chosen(random)
    words, positions = span(random, firsts=(0, 0, 1, 100, 4096, 100000))
    dtype = random.choice(["f64", "f32", "f32", "bf16", "f16"])
    cos, sin = (narrowed(values, dtype) for values in tables(p, positions))
    return Case("rotary/right-%s-%s" % (dtype, name), claim("rope", p, pos=words),
                {"cos": cos, "sin": sin}, RIGHT)


def right_shapes(random):
    """Full and half width, both pairings, and the axes that frameworks add."""
    name, p = chosen(random)
    words, positions = span(random, counts=(16, 48))
    cos, sin = tables(p, positions)
    pairing = random.choice(["half", "adjacent", None])
    if pairing:
        p = dict(p, pairing=pairing, width="full")
        cos, sin = widened(cos, pairing), widened(sin, pairing)
        if random.choice([True, False]) and pairing == "half":
            del p["width"]
    return Case("rotary/right-shape-" + name, claim("rope", p, pos=words),
                {"cos": f32(shaped(random, cos)), "sin": f32(shaped(random, sin))}, RIGHT)


def right_on_its_side(random):
    """[D, T], also of as many positions as pairs, which is a square either way."""
    p = {"dim": random.choice([64, 128, 256]), "base": random.choice([10000, 500000])}
    count = random.choice([p["dim"] // 2, p["dim"] // 2, 40])
    cos, sin = tables(p, np.arange(count))
    return Case("rotary/right-on-its-side", claim("rope", p, pos="0:%d" % count),
                {"cos": f32(np.ascontiguousarray(cos.T)), "sin": f32(np.ascontiguousarray(sin.T))},
                RIGHT)


def right_alone(random):
    name, p = chosen(random)
    words, positions = span(random)
    which = random.choice([0, 1])
    return Case("rotary/right-alone-" + name, claim("rope", p, pos=words),
                {("cos", "sin")[which]: f32(tables(p, positions)[which])}, RIGHT)


def right_lists(random):
    """Positions that are no single slice: packed documents, padding, decoding, far apart."""
    name, p = chosen(random)
    words, positions = random.choice([
        ("0:20,0:30,0:14", list(range(20)) + list(range(30)) + list(range(14))),
        ("1,1,1,1,0:60", [1] * 4 + list(range(60))),
        ("4095", [4095]),
        ("0:64:4", list(range(0, 64, 4))),
        ("-16:16", list(range(-16, 16))),
        ("0,1,10,100,1000,10000,100000,1000000", [0] + [10 ** n for n in range(7)]),
    ])
    cos, sin = tables(p, positions)
    return Case("rotary/right-list-" + name, claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, RIGHT)


def right_model(random):
    """A model's name in place of its parameters."""
    name = random.choice(list(MODELS))
    words, positions = span(random)
    claimed = {"encoding": "rope", "model": name, "pos": words}
    if random.choice([True, False]):
        del claimed["encoding"]
    cos, sin = tables(MODELS[name], positions)
    return Case("rotary/right-model-" + name, claimed, {"cos": f32(cos), "sin": f32(sin)}, RIGHT)


def complex_numbers(cos, sin):
    return (np.asarray(cos) + 1j * np.asarray(sin)).astype(np.complex64)


def right_freqs_cis(random):
    """torch.polar of Meta's code."""
    name, p = chosen(random, "none", "llama3", "yarn", "linear")
    words, positions = span(random)
    return Case("rotary/right-freqs-cis-" + name, claim("rope", p, pos=words),
                {"freqs_cis": complex_numbers(*tables(p, positions))}, RIGHT)


def right_inv_freq(random):
    name, p = chosen(random)
    dtype = random.choice(["f32", "f32", "f64"])
    return Case("rotary/right-inv-freq-" + name, claim("rope", p),
                {"inv_freq": narrowed(frequencies(p), dtype)}, RIGHT)


def right_whole(random):
    """All that a port keeps, in one file."""
    name, p = chosen(random, "none", "llama3", "linear", "ntk")
    words, positions = span(random)
    cos, sin = tables(p, positions)
    return Case("rotary/right-whole-" + name, claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin), "inv_freq": f32(frequencies(p)),
                 "freqs_cis": complex_numbers(cos, sin)}, RIGHT)


def right_unclaimed(random):
    """Nothing is claimed: the encoding is to be identified."""
    name = random.choice(["llama-2-7b", "llama-3-8b", "llama-3.1-8b", "code-llama-7b"])
    cos, sin = tables(MODELS[name], range(64))
    return Case("rotary/right-unclaimed-" + name, {}, {"cos": f32(cos), "sin": f32(sin)}, RIGHT)


# ---- wrong -----------------------------------------------------------------------------------


def left_padding_ignored(random):
    """The claim has the ids of a padded sequence, the table runs on: Unsloth #3699."""
    _, p = chosen(random)
    pads, count = random.choice([3, 5, 9, 16]), random.choice([48, 64, 100])
    value = random.choice([0, 1])
    cos, sin = tables(p, range(pads + count))
    words = ",".join([str(value)] * pads) + ",0:%d" % count
    return Case("rotary/left-padding-ignored", claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, {"left-padding", "packing-ignored", "pos"})


def packing_ignored(random):
    """The claim has documents whose positions each begin at 0, the table runs on."""
    _, p = chosen(random)
    lengths = [random.choice([11, 17, 24, 30]) for _ in range(random.choice([2, 3, 4]))]
    cos, sin = tables(p, range(sum(lengths)))
    words = ",".join("0:%d" % n for n in lengths)
    return Case("rotary/packing-ignored", claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, {"packing-ignored", "pos"})


def wrong_freqs_cis(random):
    _, p = chosen(random, "none", "llama3", "linear")
    words, positions = span(random)
    cos, sin = tables(p, positions)
    way = random.choice(["sign", "swapped", "offset", "base"])
    if way == "sign":
        made, found = (cos, -sin), set(mistakes.sign(random, Port(p, positions)))
    elif way == "swapped":
        made, found = (sin, cos), {"sin-cos-swapped"}
    elif way == "offset":
        made, found = tables(p, positions + 1), {"position-offset", "pos"}
    else:
        made, found = tables(dict(p, base=77777), positions), {"base"}
    return Case("rotary/freqs-cis-" + way, claim("rope", p, pos=words),
                {"freqs_cis": complex_numbers(*made)}, found)


# ---- what nothing explains -------------------------------------------------------------------


def random_numbers(random):
    _, p = chosen(random)
    words, positions = span(random)
    shape = tables(p, positions)[0].shape
    return Case("rotary/unexplained-random", claim("rope", p, pos=words),
                {"cos": f32(random.normal(*shape)), "sin": f32(random.normal(*shape))},
                UNEXPLAINED)


def wrong_element(random):
    """One number of a right table is another one."""
    _, p = chosen(random, "none", "linear", "llama3", "yarn")
    words, positions = span(random)
    cos, sin = (f32(values) for values in tables(p, positions))
    row = 1 + random.choice(range(len(cos) - 1))
    sin[row, random.choice(range(sin.shape[1]))] += random.choice([0.5, -0.25, 1, 100])
    return Case("rotary/unexplained-element", claim("rope", p, pos=words),
                {"cos": cos, "sin": sin}, UNEXPLAINED)


def not_a_number(random):
    _, p = chosen(random)
    words, positions = span(random)
    cos, sin = (f32(values) for values in tables(p, positions))
    row, column = random.choice(range(len(cos))), random.choice(range(cos.shape[1]))
    cos[row, column] = random.choice([np.nan, np.inf, -np.inf])
    return Case("rotary/unexplained-nan", claim("rope", p, pos=words),
                {"cos": cos, "sin": sin}, UNEXPLAINED)


def noise(random):
    _, p = chosen(random)
    words, positions = span(random)
    cos, sin = tables(p, positions)
    level = random.choice([1e-2, 5e-2])
    return Case("rotary/unexplained-noise", claim("rope", p, pos=words),
                {"cos": f32(cos + level * random.normal(*cos.shape)),
                 "sin": f32(sin + level * random.normal(*sin.shape))}, UNEXPLAINED)


def wrong_pairs(random):
    """A third of the pairs has frequencies that no rule gives."""
    _, p = chosen(random, "none")
    words, positions = span(random, counts=(48, 64, 128))
    w = frequencies(p)
    w[::3] *= 1 + 0.3 * random.random.random(len(w[::3]))
    a, b = turned_by(positions, w)
    return Case("rotary/unexplained-pairs", claim("rope", p, pos=words),
                {"cos": f32(a), "sin": f32(b)}, UNEXPLAINED)


def wrong_inv_freq(mistake, *kinds):
    return mistaken_frequencies("rotary", mistake, *kinds, least=2)


def wrong(mistake, draw=drawn_of(), dtypes=("f32",), layouts=True):
    return explained("rotary/" + named(mistake), [mistake], draw, dtypes, layouts)


# Positions from 0, as a mask with padding changes them; and scalings that blend.
FIRST = drawn_of(firsts=(0,))
BLENDED = drawn_of("yarn", "ntk-by-parts", "llama3", counts=(64, 128, 256))
ANY = ("f32", "f32", "f32", "f64", "bf16", "f16")

ROWS = ([right_tables] * 8 + [right_shapes] * 5 + [right_freqs_cis] * 3 + [right_model] * 4 +
        [right_lists, right_inv_freq] * 3 + [right_alone] * 2 + [right_on_its_side] * 2 + [right_whole, right_unclaimed] + [
    wrong(mistakes.position_offset, dtypes=ANY),
    wrong(mistakes.positions_reversed, dtypes=ANY),
    wrong(mistakes.positions_reversed),
    wrong(mistakes.position_scale, dtypes=ANY),
    wrong(mistakes.left_padding, FIRST),
    wrong(mistakes.packed, FIRST),
    wrong(mistakes.stride),
    wrong(mistakes.stride),
    wrong(mistakes.rows_shuffled),
    wrong(mistakes.other_positions, FIRST),
    wrong(mistakes.other_positions),
    wrong(mistakes.frequencies_reversed, dtypes=ANY),
    wrong(mistakes.exponent_offset, drawn_plain),
    wrong(mistakes.exponent_closed, drawn_plain),
    wrong(mistakes.exponent_closed, drawn_partial),
    wrong(mistakes.exponent_halved_or_doubled, drawn_plain),
    wrong(mistakes.exponent_log10, drawn_plain),
    wrong(mistakes.exponent_dim, drawn_partial),
    wrong(mistakes.cos_frequency, drawn_plain),
    wrong(mistakes.cos_frequency, drawn_partial),
    wrong(mistakes.cos_frequency, drawn_plain, ("f64",)),
    wrong(mistakes.ramp_inverted, BLENDED),
    wrong(mistakes.degrees),
    wrong(mistakes.degrees, drawn_plain),
    wrong(mistakes.degrees, FIRST),
    wrong(mistakes.rotated_twice),
    wrong(mistakes.sin_cos_swapped, dtypes=ANY),
    wrong(mistakes.sign, dtypes=ANY),
    wrong(mistakes.columns_shuffled),
    wrong(mistakes.unfilled_rows, dtypes=ANY),
    wrong(mistakes.other_columns, drawn_plain),
    wrong(mistakes.unfilled_rows, FIRST),
    wrong_inv_freq(mistakes.exponent_offset, "none"),
    wrong_inv_freq(mistakes.exponent_dim, "none"),
    wrong_inv_freq(mistakes.exponent_closed, "none"),
    wrong_inv_freq(mistakes.frequencies_reversed),
    wrong_inv_freq(mistakes.not_inverted, "none"),
    wrong_inv_freq(mistakes.not_inverted, "none", "linear"),
    wrong_inv_freq(mistakes.not_inverted, "llama3", "yarn"),
    wrong_inv_freq(mistakes.ramp_inverted, "yarn", "llama3", "ntk-by-parts"),
    wrong_inv_freq(mistakes.betas_exchanged, "yarn"),
    wrong_inv_freq(mistakes.betas_exchanged, "yarn"),
    wrong_inv_freq(mistakes.scaling_multiplied, "longrope", "factors"),
    wrong_inv_freq(mistakes.scaling_multiplied, "longrope", "factors"),
    left_padding_ignored, packing_ignored, wrong_freqs_cis,
    random_numbers, wrong_element, not_a_number, noise, wrong_pairs,
])
