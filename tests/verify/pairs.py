# SPDX-License-Identifier: Apache-2.0
"""pairs.py - cases of two mistakes at once in rotary tables and vectors; both must be named.

No pair is here whose numbers one change gives too: an offset and a forgotten linear factor are
other positions, a forgotten NTK factor and another base are a third base."""

import mistakes
import parameters
import precision
import vectors
from case import f32
from port import explained, judged, named

PLAIN = ("none",)
BLENDED = ("llama3", "yarn")

# Two mistakes, and the kinds of scaling with which both are told apart.
TABLES = [
    (parameters.base, mistakes.position_offset, PLAIN + BLENDED),
    (parameters.base, mistakes.sin_cos_swapped, PLAIN + BLENDED),
    (parameters.base, mistakes.sign, PLAIN + BLENDED),
    (parameters.base, mistakes.left_padding, PLAIN),
    (parameters.base, parameters.scaling_forgotten, ("llama3", "linear")),
    (parameters.base, precision.inv_freq_bf16, PLAIN),
    (parameters.scaling_forgotten, mistakes.sin_cos_swapped, BLENDED + ("linear",)),
    (parameters.scaling_forgotten, mistakes.position_offset, BLENDED),
    (parameters.scaling_forgotten, mistakes.sign, BLENDED),
    (parameters.factor, mistakes.sin_cos_swapped, BLENDED + ("linear",)),
    (mistakes.position_offset, mistakes.sin_cos_swapped, PLAIN + BLENDED),
    (mistakes.position_offset, mistakes.frequencies_reversed, PLAIN),
    (mistakes.sign, mistakes.sin_cos_swapped, PLAIN + BLENDED),
    (mistakes.exponent_dim, mistakes.position_offset, PLAIN),
    (parameters.attention_twice, mistakes.position_offset, ("yarn",)),
]
VECTORS = [(parameters.base, PLAIN + BLENDED), (parameters.scaling_forgotten, BLENDED),
           (mistakes.position_offset, PLAIN + BLENDED), (mistakes.sign, PLAIN + ("llama3",)),
           (parameters.attention_forgotten, ("yarn",))]


def in_tables(first, second, kinds):
    name = "pairs/two-%s-%s" % (named(first), named(second))
    return explained(name, [first, second], parameters.of(*kinds, firsts=(0, 1, 100)))


def in_vectors(mistake, kinds):
    """The rotation of one pairing with weights of the other, and a mistake of its tables."""
    def make(random):
        d, made, found = vectors.mistaken(random, mistake, *kinds, counts=(24, 48))
        x, before, after = d.named_vectors(random)
        y = f32(vectors.turned(x, *made, vectors.other_pairing(d.pairing), d.axis))
        return judged("pairs/two-pairing-" + named(mistake), d.claim(), {before: x, after: y},
                      [{"pairing"}, found])
    return make


def queries_and_keys(random):
    """Queries of another base, keys that are not turned: two tensors, a mistake each."""
    d = vectors.Drawn(random, *PLAIN)
    other = dict(d.p, base=random.choice([b for b in (10000, 500000) if b != d.p["base"]]))
    q, k = (d.vectors(random) for _ in range(2))
    return judged("pairs/two-queries-and-keys", d.claim(),
                  {"q": q, "q_rot": f32(d.turned(q, other)), "k": k, "k_rot": k.copy()},
                  [{"base"}, {"not-rotated"}])


ROWS = ([in_tables(*row) for row in TABLES] + [in_vectors(*row) for row in VECTORS] +
        [queries_and_keys])
