# SPDX-License-Identifier: Apache-2.0
"""Calls that a type checker accepts."""

import numpy as np

import posenc
import posenc.local

cos, sin = posenc.rope(dim=128, pos=range(16), pairing="half", out=["cos", "sin"])
named = posenc.rope(model="llama-3.1-8b", pos="0:16").cos.shape
bias = posenc.alibi(heads=8, len=16, causal=True, mask_value="-inf").bias
turned = posenc.local.rope_apply(x=np.ones((4, 8), np.float32), pos=[0, 1, 2, 3]).x
with posenc.Client("unix:/run/posenc", key="k", timeout=1.5) as client:
    picture: bytes = client.picture("alibi", heads=8, len=64)
    facts = client.rope(dim=8, pos=1, dtype="bf16").facts["effective_base"]
