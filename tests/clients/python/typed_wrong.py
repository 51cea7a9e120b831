# SPDX-License-Identifier: Apache-2.0
"""Calls that a type checker refuses, one a line."""

import posenc
import posenc.aio

posenc.rope(dim=8, pos=1, out="coz")
posenc.rope(dim=8, pos=1, out=["cos", "sinn"])
posenc.rope(dim="8", pos=1)
posenc.kerple(len=4)
posenc.rope(dim=8, heads=8)
posenc.alibi(heads=2, len=3, causal="yes")
posenc.rope(dim=8, scaling="yarnn")
posenc.kerple(heads=2, len=4, model="bloom")
posenc.roep(dim=8)
posenc.rope(8, 1)
posenc.rope(dim=8, pos=[[1]])
posenc.Client(timeout="soon")
posenc.Client(cache="much")
posenc.aio.rope(dim=8, pos=1, out="coz")
posenc.aio.roep(dim=8)
posenc.stream("rope", 7, dim=8)
