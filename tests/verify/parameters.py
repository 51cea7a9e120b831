# SPDX-License-Identifier: Apache-2.0
"""parameters.py - cases of rotary tables that were made with another value of one parameter."""

import numpy as np

from case import Case, f32
from frequencies import LLAMA3, amplitude, bounds, chosen, claim, tables, width
from port import drawn_of, explained, mistaken_frequencies, named, of_tables, span, widened

# Parameters that each can say any attention factor of YaRN; no attention factor is ntk-by-parts.
ATTENTION = {"attention_factor", "attn_factor", "mscale", "mscale_all_dim", "dialect",
             "apply_attention_factor"}
# A rule that changes the base: several parameters say the same base.
SAME_BASE = {"ntk": {"base", "factor"},
             "dynamic": {"base", "factor", "seq_len", "max_position_embeddings"}}


COUNTS, FIRSTS = (48, 64, 128, 256), (0, 1, 100, 1000)


def of(*kinds, counts=COUNTS, firsts=FIRSTS):
    return drawn_of(*kinds, counts=counts, firsts=firsts)


def kind_of(port):
    return port.p.get("scaling", "none")


def base(random, port):
    other = random.choice([b for b in (10000, 500000, 1000000, 100000, 200000, 8000000, 5000)
                           if b != port.p["base"]])
    port.p["base"] = other
    return {"base"} | SAME_BASE.get(kind_of(port), set())


def scaling_forgotten(random, port):
    """The frequencies as trained, where the claim stretches them; factor=1 says the same."""
    kind, p = kind_of(port), port.p
    if kind == "none":
        return None
    port.p = {name: p[name] for name in ("dim", "base", "rotary_dim") if name in p}
    also = {"linear": {"factor", "position-scale", "pos"}, "factors": {"freq_factors"},
            "dynamic": SAME_BASE["dynamic"] - {"factor"}, "ntk": SAME_BASE["ntk"],
            "proportional": {"partial_rotary_factor"}, "longrope": set()}
    return {"scaling"} | also.get(kind, {"factor"})


def scaling_added(random, port):
    """Frequencies are stretched that the claim leaves as trained."""
    if kind_of(port) != "none":
        return None
    kind = random.choice(["linear", "ntk", "llama3"])
    port.p.update({"scaling": kind, "factor": random.choice([2, 4, 8])})
    if kind == "llama3":
        port.p.update(LLAMA3)
        return {"scaling"}
    return {"scaling", "factor"} | ({"base"} if kind == "ntk" else {"position-scale", "pos"})


def scaling_of_another_rule(random, port):
    """The rule that a port knows in place of the one of the model."""
    kind, p = kind_of(port), port.p
    other = {"yarn": "linear", "llama3": "linear", "ntk": "linear", "linear": "ntk"}.get(kind)
    if other is None:
        return None
    port.p = {name: p[name] for name in ("dim", "base", "factor")}
    port.p["scaling"] = other
    return {"scaling"}


def factor(random, port):
    kind, by = kind_of(port), random.choice([2, 0.5, 4])
    if kind not in ("linear", "ntk", "dynamic", "yarn", "llama3", "ntk-by-parts"):
        return None
    port.p["factor"] *= by
    if kind == "linear":
        return {"factor", "position-scale", "pos"} | ({"rotated-twice"} if by == 0.5 else set())
    return {"factor"} | SAME_BASE.get(kind, set())


def seq_len(random, port):
    port.p["seq_len"] *= random.choice([2, 4, 0.5])
    return SAME_BASE["dynamic"]


def original_length(random, port):
    """The trained context: with YaRN it may move one bound alone, as beta_fast or beta_slow do."""
    if kind_of(port) not in ("yarn", "llama3", "ntk-by-parts"):
        return None
    before = bounds(port.p) if kind_of(port) != "llama3" else None
    port.p["original_max_position_embeddings"] *= random.choice([2, 4, 0.5, 0.25])
    if before is None:
        return {"original_max_position_embeddings"}
    after = bounds(port.p)
    return ({"original_max_position_embeddings"} | ({"beta_fast"} if after[1] == before[1] else
                                                    set()) |
            ({"beta_slow"} if after[0] == before[0] else set()))


def other_length(p, low, high):
    """Whether another trained context alone gives these bounds of YaRN's ramp."""
    lengths = p["original_max_position_embeddings"] * 2.0 ** np.linspace(-8, 8, 1601)
    return any(bounds(dict(p, original_max_position_embeddings=length)) == (low, high)
               for length in lengths)


def beta(name, values):
    def change(random, port):
        p = dict(port.p)
        port.p[name] = random.choice(values)
        after = bounds(port.p)
        return {name} | ({"original_max_position_embeddings"} if other_length(p, *after)
                         else set())
    change.__name__ = name
    return change


beta_fast = beta("beta_fast", [8, 16, 64, 128])
beta_slow = beta("beta_slow", [2, 4, 8])


def truncate(random, port):
    """YaRN's bounds are rounded to whole pairs in one port and not in the other."""
    port.p["truncate"] = 1 - port.p.get("truncate", 1)
    return {"truncate", "dialect"}


def attention_forgotten(random, port):
    """YaRN's frequencies without its attention factor, which is ntk-by-parts."""
    port.p["attention_factor"] = 1
    return ATTENTION | {"scaling"}


def attention_twice(random, port):
    """cos and sin have the attention factor, and the kernel multiplies by it again."""
    port.p["attention_factor"] = amplitude(port.p) ** 2
    return ATTENTION


def attention_other(random, port):
    """0.07 ln s + 1 of TeleChat 3, or the rule of LongRoPE."""
    p = port.p
    s, length = p["factor"], p["original_max_position_embeddings"]
    p["attention_factor"] = float(random.choice([0.07 * np.log(s) + 1,
                                                 np.sqrt(1 + np.log(s) / np.log(length))]))
    return ATTENTION


def mscale_ignored(random, port):
    """DeepSeek's mscale_all_dim is not read, so that A is 0.1 ln s + 1."""
    if "mscale_all_dim" not in port.p:
        return None
    del port.p["mscale_all_dim"], port.p["mscale"]
    return ATTENTION


def low_freq_factor(random, port):
    port.p["low_freq_factor"] = random.choice([2, 0.5, 3])
    return {"low_freq_factor"}


def high_freq_factor(random, port):
    """1 is what a port has that takes one factor for the other: no pair is blended."""
    port.p["high_freq_factor"] = random.choice([1, 2, 8])
    return {"high_freq_factor"}


def longrope_list(random, port):
    port.p["longrope_list"] = "short" if port.p["longrope_list"] == "long" else "long"
    return {"longrope_list"}


def scaling_variant(random, port):
    """NTK with base s, as diffusers has it, or with frequencies divided too, as vLLM has it."""
    p, r = port.p, width(port.p)
    stretched = p["base"] * p["factor"]
    port.p = {"dim": p["dim"], "base": stretched}
    if random.choice([True, False]):
        return {"scaling_variant"} | SAME_BASE["ntk"]
    port.on_frequencies.append(lambda w: w / p["factor"] ** (2 / r))
    return {"scaling_variant"}


def resonance(random, port):
    if kind_of(port) not in ("none", "ntk", "yarn"):
        return None
    port.p["resonance"] = 1
    return {"resonance"}


MISTAKES = [
    (base, ()), (base, ("none",)), (base, ("none",)), (scaling_forgotten, ()),
    (scaling_forgotten, ("llama3", "yarn", "linear")), (scaling_added, ("none",)),
    (scaling_of_another_rule, ()), (factor, ()), (seq_len, ("dynamic",)), (original_length, ()),
    (beta_fast, ("yarn",)), (beta_slow, ("yarn",)), (truncate, ("yarn",)),
    (attention_forgotten, ("yarn",)), (attention_twice, ("yarn",)), (attention_other, ("yarn",)),
    (mscale_ignored, ("yarn",)), (low_freq_factor, ("llama3",)), (high_freq_factor, ("llama3",)),
    (longrope_list, ("longrope",)), (scaling_variant, ("ntk",)), (resonance, ("none",)),
]


# ---- right and wrong of what changes the table's form ----------------------------------------


def right_variant(random):
    """Each variant of NTK, by its own name."""
    p = {"dim": 128, "base": 10000, "scaling": "ntk", "factor": random.choice([2, 4, 8])}
    words, positions = span(random)
    p["scaling_variant"] = random.choice(["plain", "fixed"])
    cos, sin = tables(p, positions)
    return Case("parameters/right-ntk-" + p["scaling_variant"], claim("rope", p, pos=words),
                {"cos": f32(cos), "sin": f32(sin)}, "right")


def resonant(p):
    return dict(p, resonance=1)


RIGHT_RESONANCE = of_tables("parameters/right-resonance", "none", said=resonant,
                            made=lambda p, positions: tables(resonant(p), positions))
RESONANCE_FORGOTTEN = of_tables("parameters/resonance-forgotten", "none", found="resonance",
                                said=resonant, counts=(64, 128))


def pairing_of_tables(random):
    """Columns in twos where halves are claimed, and the reverse: the silent bug of ports."""
    _, p = chosen(random)
    words, positions = span(random, counts=(16, 48))
    cos, sin = tables(p, positions)
    done, meant = random.choice([("half", "adjacent"), ("adjacent", "half")])
    return Case("parameters/pairing-of-tables",
                claim("rope", dict(p, pairing=meant, width="full"), pos=words),
                {"cos": f32(widened(cos, done)), "sin": f32(widened(sin, done))},
                {"pairing", "tiled-mismatch"}, repair={"pairing": (done, meant)})


# A column an entry where the claim has one a pair.
WIDTH_OF_TABLES = of_tables(
    "parameters/width-of-tables", "none", "llama3", "linear", "yarn", found="width",
    made=lambda p, positions: [widened(values, "half") for values in tables(p, positions)],
    said=lambda p: dict(p, width="half"), counts=(16, 48))


def other_rule(name, rules, found):
    """Tables of one of two rules where the other is claimed."""
    def make(random):
        drawn, (words, positions) = rules(random), span(random)
        claimed, done = random.choice([drawn, drawn[::-1]])
        cos, sin = tables(done, positions)
        return Case("parameters/" + name, claim("rope", claimed, pos=words),
                    {"cos": f32(cos), "sin": f32(sin)}, found)
    return make


def part_or_whole(random):
    """All columns of a head turn, or a part of them where all should."""
    return [{"dim": 128, "base": 10000}, {"dim": 128, "base": 10000, "rotary_dim": 32}]


def proportional_or_partial(random):
    """The first pairs of the whole head's ladder for Gemma 4's rule, or the reverse."""
    p = {"dim": random.choice([64, 128, 256]), "base": 1000000, "partial_rotary_factor": 0.25}
    return [p, dict(p, scaling="proportional")]


def model_of_another(random):
    """Llama 3.1's name over a table without its scaling, or with another model's base."""
    words, positions = span(random)
    done, found = random.choice([
        ({"dim": 128, "base": 500000}, {"scaling", "factor"}),
        (dict(LLAMA3, dim=128, base=10000), {"base"}),
        (dict(LLAMA3, dim=128, base=500000, factor=32), {"factor"}),
    ])
    cos, sin = tables(done, positions)
    return Case("parameters/model-of-another",
                {"encoding": "rope", "model": "llama-3.1-8b", "pos": words},
                {"cos": f32(cos), "sin": f32(sin)}, found)


def inv_freq_of_parameter(mistake, *kinds):
    return mistaken_frequencies("parameters", mistake, *kinds)


def wrong(mistake, kinds):
    return explained("parameters/" + named(mistake), [mistake], of(*kinds),
                     ("f32", "f32", "f32", "f64"))


ROWS = ([RIGHT_RESONANCE, right_variant] + [wrong(*row) for row in MISTAKES] +
        [RESONANCE_FORGOTTEN, pairing_of_tables, pairing_of_tables, WIDTH_OF_TABLES,
         other_rule("partial-ignored", part_or_whole, {"rotary_dim", "partial_rotary_factor", "dim"}),
         other_rule("proportional-or-partial", proportional_or_partial, "scaling"), model_of_another,
         inv_freq_of_parameter(base), inv_freq_of_parameter(scaling_forgotten),
         inv_freq_of_parameter(factor, "linear", "ntk", "yarn", "llama3"),
         inv_freq_of_parameter(original_length, "yarn", "llama3")])
