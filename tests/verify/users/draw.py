# SPDX-License-Identifier: Apache-2.0
"""draw.py - the random choices of a case: parameters, and the names, shapes and dtypes in which
users keep their tables."""

import zlib

import numpy as np

PAIRS = [("cos", "sin"), ("cos", "sin"), ("cos_cached", "sin_cached"), ("arr_0", "arr_1"),
         ("position_embeddings.0", "position_embeddings.1"), ("rope_cos", "rope_sin"),
         ("model.rotary_emb.cos", "model.rotary_emb.sin"), ("cos_k", "sin_k"),
         ("freqs_cos", "freqs_sin"), ("rotary.cos_table", "rotary.sin_table")]
VECTORS = [(("q", "q_rot"), ("k", "k_rot")), (("xq", "xq_out"), ("xk", "xk_out")),
           (("query", "q_embed"), ("key", "k_embed")),
           (("layers.0.attn.q", "layers.0.attn.q_rot"), ("layers.0.attn.k", "layers.0.attn.k_rot"))]
ONES = {"frequencies": ["inv_freq", "rotary_emb.inv_freq", "freqs", "arr_0", "inv_freqs",
                        "model.layers.0.self_attn.rotary_emb.inv_freq"],
        "rows": ["pe", "pos_embed", "embed_positions.weight", "arr_0", "pos_embedding", "emb"],
        "bias": ["alibi", "attn_bias", "arr_0", "position_bias", "bias"],
        "mask": ["attention_mask", "attn_mask", "mask", "arr_0", "causal_mask", "att_mask"],
        "ids": ["position_ids", "pos_ids", "arr_0"],
        "buckets": ["relative_position_bucket", "rp_bucket", "arr_0", "relative_buckets"],
        "index": ["relative_position_index", "rel_pos_index", "arr_0"]}


PLAIN = {"frequencies": "inv_freq", "rows": "rows", "bias": "bias", "mask": "mask",
         "ids": "position_ids", "buckets": "buckets", "index": "index"}
PLAIN_NUMBER = 1  # the draw whose names and forms are posencd's own


class Draw:
    """Choices by the seed, the case's name and its number among those of that name. One draw of a
    case has plain names and forms, so that what its numbers say is scored without them."""

    def __init__(self, seed, name, number):
        self.is_plain = number == PLAIN_NUMBER
        self.random = np.random.default_rng([seed, zlib.crc32(name.encode()), number])

    def choice(self, items):
        return items[int(self.random.integers(len(items)))]

    def integer(self, low, high):
        """A number of low to high, both among them."""
        return int(self.random.integers(low, high + 1))

    def coin(self, share=0.5):
        return bool(self.random.random() < share)

    def normal(self, *shape):
        return self.random.standard_normal(shape).astype(np.float32)

    def named(self, role, array):
        """One tensor under a name for its role."""
        if self.is_plain:
            is_added = role == "mask" and array.dtype.kind == "f"
            return {"additive" if is_added else PLAIN[role]: array}
        return {self.choice(ONES[role]): array}

    def tables(self, cos, sin, plain=False):
        """Cosines and sines as a user's file has them: names, leading axes, one complex tensor."""
        names = ("cos", "sin") if self.is_plain else self.choice(PAIRS)
        way = "plain" if plain or self.is_plain else self.choice(
            ["plain"] * 4 + ["one", "one", "heads", "tall", "cis", "pair", "f64"])
        half = cos.shape[-1]
        if way == "one":
            cos, sin = cos[None], sin[None]
        elif way == "heads":
            cos, sin = cos[None, None], sin[None, None]
        elif way == "tall":
            cos, sin = cos[:, None], sin[:, None]
        elif way == "f64":
            cos, sin = cos.astype(np.float64), sin.astype(np.float64)
        elif way == "cis" and half <= 64 and cos.dtype == np.float32:
            return {self.choice(["freqs_cis", "arr_0"]): (cos + 1j * sin).astype(np.complex64)}
        elif way == "pair" and half <= 64 and cos.dtype == np.float32:
            return {self.choice(["freqs_cis", "cos_sin_cache"]): np.stack([cos, sin], 1)}
        return dict(zip(names, (cos, sin)))

    def vectors(self, q, q_rot, k=None, k_rot=None):
        """Vectors before and after, of [T, D] or [B, H, T, D], under the names of a program."""
        (a, b), (c, d) = VECTORS[0] if self.is_plain else self.choice(VECTORS)
        out = {a: q, b: q_rot}
        return out if k is None else {**out, c: k, d: k_rot}
