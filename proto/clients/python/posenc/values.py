# SPDX-License-Identifier: Apache-2.0
"""Values of parameters as the text of a query."""

from __future__ import annotations

import sys
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import Array, float32_to_bfloat16

Positions = Union[str, int, float, range, slice, Sequence[float], Array]
Numbers = Union[str, float, Sequence[float], Sequence[Sequence[float]], Array]
Vectors = Union[str, Array, Sequence[Any]]
Grid = Union[str, Tuple[int, int]]

FEW = 256  # numbers of a list that a query has space for


def _number(value: Any) -> str:
    """A number in the shortest text that means it."""
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return repr(float(value))


def _list(values: Any) -> str:
    return ",".join(_number(value) for value in values)


def _slice(start: int, stop: int, step: int) -> str:
    return "%d:%d" % (start, stop) if step == 1 else "%d:%d:%d" % (start, stop, step)


def positions(value: Positions) -> str:
    """Positions as 0:128 or 5,9,12. A range, a slice with an end, and whole numbers at equal distances
    become one slice; no positions are 0:0."""
    if isinstance(value, str):
        return value
    if isinstance(value, slice):
        if value.stop is None:
            raise ValueError("a slice of positions says where it ends")
        return _slice(value.start or 0, value.stop, 1 if value.step is None else value.step)
    if isinstance(value, range):
        return _slice(value.start, value.stop, value.step)
    array = np.asarray(value)
    if array.ndim == 0:
        return _number(array.item())
    if array.ndim != 1:
        raise ValueError("positions have one axis; got %d" % array.ndim)
    if array.size == 0:
        return "0:0"
    if array.dtype.kind in "iu" and array.size > 2:
        step = int(array[1]) - int(array[0])
        if step != 0 and np.array_equal(array, int(array[0]) + step * np.arange(array.size)):
            return _slice(int(array[0]), int(array[0]) + step * array.size, step)
    return _list(array.tolist())


def numbers(value: Numbers) -> str:
    """Numbers as 1,2.5, or rows as 0,1;1,1."""
    if isinstance(value, str):
        return value
    array = np.asarray(value)
    if array.ndim > 2:
        raise ValueError("numbers are a list or rows; got %d axes" % array.ndim)
    rows = array.tolist() if array.ndim == 2 else [np.atleast_1d(array).tolist()]
    return ";".join(_list(row) for row in rows)


def many(kind: str, value: Any) -> Optional[Array]:
    """Positions or numbers that are too many for a query, as int64 or float64, which are sent as a tensor;
    None where they are few, or have a short text."""
    if kind not in WRITERS or isinstance(value, (str, range, slice)):
        return None
    array = np.asarray(value)
    if array.size <= FEW or array.ndim > 2 or array.dtype.kind not in "biuf":
        return None
    if kind == "positions" and (array.ndim != 1 or ":" in positions(array[:FEW]) and ":" in positions(array)):
        return None
    if array.dtype.kind == "f":
        return array.astype(np.float64, copy=False)
    return array if array.dtype == np.uint64 else array.astype(np.int64, copy=False)


def plain(value: Any) -> str:
    """A number, a truth value, a name, names, or a grid."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, str) for item in value):
            return ",".join(value)
        return "x".join(_number(item) for item in value)
    return _number(value)


WRITERS: Dict[str, Any] = {"positions": positions, "numbers": numbers}


def text_of(kind: str, value: Any) -> str:
    """The text of a value of a parameter of that type of the catalogue."""
    return str(WRITERS.get(kind, plain)(value))


def vectors(value: Any, in_dtype: Optional[str]) -> Array:
    """Vectors as an array. Nested lists become in_dtype, float32 by default; arrays of whole numbers,
    which are no dtype of vectors, too."""
    array = np.asarray(value)
    if array.dtype.kind in "biu" and not (array.dtype == np.uint16 and in_dtype in ("bf16", "bfloat16")):
        array = array.astype(np.float64)
    if isinstance(value, np.ndarray) and array.dtype == value.dtype:
        return array
    wanted = {"f64": np.float64, "f16": np.float16}.get(in_dtype or "", np.float32)
    if in_dtype in ("bf16", "bfloat16"):
        return float32_to_bfloat16(array)
    return array.astype(wanted)


def of_torch(given: Mapping[str, Any], kinds: Mapping[str, str]) -> Mapping[str, Any]:
    """Parameters in which tensors of PyTorch with bfloat16, which NumPy does not read, are words of 16
    bits, which share their memory."""
    found = dict(given)
    for name, value in given.items():
        if kinds.get(name) == "tensor" and str(getattr(value, "dtype", "")) == "torch.bfloat16":
            torch = sys.modules["torch"]
            found[name] = value.detach().cpu().contiguous().view(torch.int16).numpy().view(np.uint16)
            found.setdefault("in_dtype", "bf16")
    return found
