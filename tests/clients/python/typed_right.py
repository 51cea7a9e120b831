# SPDX-License-Identifier: Apache-2.0
"""Calls that a type checker accepts."""

import numpy as np

import posenc
import posenc.aio
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
    filled: posenc.Tensors = client.stream("rope", {"cos": cos, "sin": sin}, dim=128, pos=range(16))
    written: int = client.stream("rope", "rope.npy", dim=8, pos=1, out="cos", format="npy")
    print(filled.facts, written, client.tables("llama-3.1-8b", pos=0)[0].torch())
    try:
        client.rope(dim=7, pos=slice(4))
    except posenc.RequestError as error:
        print(error.status, [problem.hint for problem in error.problems])
    verdict = posenc.assert_matches({"cos": turned}, model="llama-3-8b", pos=range(3), atol=1e-6)
    with posenc.capture(object(), "seen.safetensors", layers=2) as seen:
        part = seen.part("rotary_emb")
    try:
        posenc.assert_matches(part, config={"model_type": "llama"}, client=client)
    except posenc.Mismatch as mismatch:
        print(mismatch.verdict["says"], verdict["verdict"])
    return float(facts) + len(picture) + named[0]


async def wait() -> float:
    """The same, awaited."""
    async with posenc.aio.AsyncClient(timeout=1.5, cache=1 << 20) as client:
        table = await client.rope(dim=8, pos=5, out="cos")
        return float(table.cos[0, 0]) + (await posenc.aio.alibi(heads=2, len=3)).bias.size


with posenc.Client("unix:/run/posenc", key="k", timeout=1.5) as made:
    print(made, posenc.bfloat16_to_float32(posenc.float32_to_bfloat16(turned)))
