# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries as arrays of NumPy."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .arrays import Array


def is_tensor(value: Any) -> bool:
    """Whether a value is an array of any library: NumPy, PyTorch, JAX, or anything that has one of the two
    protocols."""
    return isinstance(value, np.ndarray) or hasattr(value, "__array__") or hasattr(value, "__dlpack__")


def to_array(value: Any) -> Array:
    """A value as an array, which may share its memory: of PyTorch on any device, bfloat16 as words of
    uint16; of other libraries by `__array__`, else by `__dlpack__`; lists and numbers as NumPy reads them."""
    if isinstance(value, np.ndarray):
        return value
    if str(getattr(value, "dtype", "")).startswith("torch."):
        return _of_torch(value)
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        return np.from_dlpack(value)
    return np.asarray(value)


def _of_torch(value: Any) -> Array:
    value = value.detach().cpu()
    if str(getattr(value, "layout", "")) not in ("", "torch.strided"):
        value = value.to_dense()
    for lazy in ("resolve_conj", "resolve_neg"):  # bits of a view, which NumPy has not
        if hasattr(value, lazy):
            value = getattr(value, lazy)()
    if str(value.dtype) != "torch.bfloat16":
        return np.asarray(value.numpy())
    torch = sys.modules["torch"]
    words: Array = value.contiguous().view(torch.int16).numpy().view(np.uint16)
    return words
