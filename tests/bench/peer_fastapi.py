# SPDX-License-Identifier: Apache-2.0
"""peer_fastapi.py - one sinusoidal row as a FastAPI service with NumPy would answer it."""

import io

import numpy as np
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

app = FastAPI()


@app.get("/row")
async def row(pos: int, dim: int = 512, base: float = 10000, format: str = "json"):
    frequency = base ** (-np.arange(0, dim, 2) / dim)
    values = np.empty(dim, np.float32)
    values[0::2], values[1::2] = np.sin(pos * frequency), np.cos(pos * frequency)
    if format == "npy":
        file = io.BytesIO()
        np.save(file, values[None])
        return Response(file.getvalue(), media_type="application/x-npy")
    return JSONResponse({"rows": [values.tolist()]})
