# SPDX-License-Identifier: Apache-2.0
"""frequencies.py - frequencies and attention factors of rotary encodings by the papers' formulas.

A rotary encoding is a dict of parameters, named as a claim names them. A table that was made with
other parameters than the claim's is made from a changed copy of the dict."""

import numpy as np

from formulas import scalings
from formulas.numbers import DOUBLE

LLAMA3 = {"scaling": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4,
          "original_max_position_embeddings": 8192}

# Configurations that are public, by the name that they have in /v1/models where it has them.
MODELS = {
    "llama-2-7b": {"dim": 128, "base": 10000},
    "llama-3-8b": {"dim": 128, "base": 500000},
    "llama-3.1-8b": dict(LLAMA3, dim=128, base=500000),
    "llama-3.2-1b": dict(LLAMA3, dim=64, base=500000, factor=32),
    "code-llama-7b": {"dim": 128, "base": 1000000},
    "gemma-2b": {"dim": 256, "base": 10000},
    "phi-2": {"dim": 80, "base": 10000, "partial_rotary_factor": 0.4},
    "pythia-1.4b": {"dim": 128, "base": 10000, "partial_rotary_factor": 0.25},
}
OTHERS = {
    "qwen2.5-yarn": {"dim": 128, "base": 1000000, "scaling": "yarn", "factor": 4,
                     "original_max_position_embeddings": 32768},
    "yarn-llama-2": {"dim": 128, "base": 10000, "scaling": "yarn", "factor": 16,
                     "original_max_position_embeddings": 4096},
    "gpt-oss": {"dim": 64, "base": 150000, "scaling": "yarn", "factor": 32,
                "original_max_position_embeddings": 4096, "truncate": 0},
    "deepseek": {"dim": 64, "base": 10000, "scaling": "yarn", "factor": 40, "mscale": 1,
                 "original_max_position_embeddings": 4096, "mscale_all_dim": 0.707},
    "vicuna-16k": {"dim": 128, "base": 10000, "scaling": "linear", "factor": 4},
    "gemma-3-global": {"dim": 256, "base": 1000000, "scaling": "linear", "factor": 8},
    "ntk": {"dim": 128, "base": 10000, "scaling": "ntk", "factor": 4},
    "dynamic": {"dim": 128, "base": 10000, "scaling": "dynamic", "factor": 2, "seq_len": 8192,
                "max_position_embeddings": 2048},
    "parts": {"dim": 64, "base": 10000, "scaling": "ntk-by-parts", "factor": 8,
              "original_max_position_embeddings": 2048},
    "longrope": {"dim": 32, "base": 10000, "scaling": "longrope", "longrope_list": "long",
                 "short_factor": [1 + 0.1 * i for i in range(16)],
                 "long_factor": [1 + 0.25 * i * i for i in range(16)],
                 "original_max_position_embeddings": 4096, "max_position_embeddings": 131072},
    "gemma-4-global": {"dim": 512, "base": 1000000, "scaling": "proportional",
                       "partial_rotary_factor": 0.25},
    "gpt-j": {"dim": 256, "base": 10000, "rotary_dim": 64},
    "rope-factors": {"dim": 32, "base": 10000, "scaling": "factors",
                     "freq_factors": [1 + i for i in range(16)]},
}
CONFIGURATIONS = dict(MODELS, **OTHERS)


def chosen(random, *kinds):
    """The name and a copy of one configuration, of certain kinds of scaling if any are given."""
    names = [name for name, p in CONFIGURATIONS.items()
             if not kinds or p.get("scaling", "none") in kinds]
    name = random.choice(names)
    return name, dict(CONFIGURATIONS[name])


def text(value):
    """A value as a claim writes it."""
    if isinstance(value, (list, tuple)):
        return ",".join(text(one) for one in value)
    if isinstance(value, float) and not value.is_integer():
        return repr(value)
    return str(int(value)) if isinstance(value, (bool, int, float)) else str(value)


def claim(encoding, p, **more):
    return {name: text(value) for name, value in dict({"encoding": encoding}, **p, **more).items()}


def width(p):
    """Number of columns that turn; of a proportional encoding all of them."""
    if p.get("scaling") == "proportional":
        return p["dim"]
    return p.get("rotary_dim") or int(p["dim"] * p.get("partial_rotary_factor", 1))


def exponents(columns):
    return np.arange(0, columns, 2, dtype=np.float64) / columns


def scaled(p):
    return scalings.scaled(DOUBLE, p, width(p), p["base"])


def frequencies(p):
    return scaled(p)[0]


def amplitude(p):
    """The attention factor, by which cos and sin are multiplied."""
    return scaled(p)[1]


def bounds(p):
    """YaRN: the pairs between which it blends."""
    return scalings.bounds(DOUBLE, p, width(p), p["base"])


def kept(own, p):
    """The share of each pair's own frequency, by Llama 3.1's rule or YaRN's."""
    if p["scaling"] == "llama3":
        return scalings.llama3_shares(DOUBLE, own, p)
    return scalings.keep_shares(DOUBLE, p, width(p), p["base"])


def turned_by(positions, w, a=1.0):
    """Cosines and sines, a row a position and a column a frequency."""
    angles = np.asarray(positions, np.float64)[:, None] * np.asarray(w, np.float64)[None, :]
    return a * np.cos(angles), a * np.sin(angles)


def tables(p, positions):
    return turned_by(positions, frequencies(p), amplitude(p))
