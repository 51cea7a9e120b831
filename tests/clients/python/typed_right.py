# SPDX-License-Identifier: Apache-2.0
"""Calls that a type checker accepts."""

import numpy as np

import posenc
import posenc.local

cos, sin = posenc.local.rope(dim=128, pos=range(16), pairing="half", out=["cos", "sin"])
yarn = posenc.local.rope(dim=8, pos=5, scaling="yarn", factor=4, original_max_position_embeddings=32,
                         truncate=False).cos.shape
bias = posenc.local.alibi(heads=8, len=16, causal=True, mask_value="-inf").bias
turned = posenc.local.rope_apply(x=np.ones((4, 8), np.float32), pos=[0, 1, 2, 3]).x
nested = posenc.local.rope_apply(x=[[1, 2], [3, 4]], pos="0:2", in_dtype="f64").only
learned = posenc.local.kerple(a=[0.5, 1], p=np.ones(2), len=4)["bias"]
patches = posenc.local.sincos2d_mae(dim=8, grid=(2, 3)).rows


def ask(client: posenc.Client) -> float:
    """Calls of a service."""
    picture: bytes = client.picture("alibi", heads=8, len=64)
    named = client.rope(model="llama-3.1-8b", pos="0:16").cos.shape
    facts = client.rope(dim=8, pos=1, dtype="bf16").facts["effective_base"]
    try:
        client.rope(dim=7, pos=slice(4))
    except posenc.RequestError as error:
        print(error.status, [problem.hint for problem in error.problems])
    return float(facts) + len(picture) + named[0]


with posenc.Client("unix:/run/posenc", key="k", timeout=1.5) as made:
    print(made, posenc.bfloat16_to_float32(posenc.float32_to_bfloat16(turned)))
