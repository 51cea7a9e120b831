# SPDX-License-Identifier: Apache-2.0
"""Arrays on the wire: safetensors, and bfloat16, which NumPy does not have."""

from __future__ import annotations

import functools
import json
import math
import struct
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .errors import ServiceError

Array = np.ndarray[Any, np.dtype[Any]]
Piece = Union[bytes, memoryview]

# The names of safetensors for the element types that the service has. BF16 is uint16 here.
_DTYPES: Dict[str, str] = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I32": "<i4",
                           "I64": "<i8", "U8": "|u1", "BOOL": "|b1"}
_NAMES: Dict[str, str] = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "i4": "I32", "i2": "I16",
                          "i1": "I8", "u8": "U64", "u4": "U32", "u1": "U8", "b1": "BOOL"}


@functools.lru_cache(maxsize=None)
def bfloat16_type() -> Optional[np.dtype[Any]]:
    """The dtype of ml_dtypes for bfloat16, where that package is installed."""
    try:
        import ml_dtypes  # type: ignore[import]
    except ImportError:
        return None
    return np.dtype(ml_dtypes.bfloat16)


def bfloat16_to_float32(words: Array) -> Array:
    """The values of bfloat16 that are given as uint16: exact, since a float32 holds them."""
    return (np.asarray(words).view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def float32_to_bfloat16(values: Array) -> Array:
    """The nearest bfloat16 of each value, ties to even, as uint16; NaN stays NaN."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, rounded).astype(np.uint16)


def is_bfloat16(array: Array) -> bool:
    """Whether the dtype is that of ml_dtypes."""
    return array.dtype.name == "bfloat16"


def element_name(array: Array, words_are_bfloat16: bool) -> str:
    """The name of safetensors for the elements of an array that is sent."""
    if is_bfloat16(array) or (words_are_bfloat16 and array.dtype == np.uint16):
        return "BF16"
    name = _NAMES.get(array.dtype.str[1:])
    if name is None:
        raise TypeError("an array that is sent has the dtype float64, float32 or float16, bfloat16 of "
                        "ml_dtypes, integers, or uint16 beside in_dtype='bf16'; got %s" % array.dtype)
    return name


def write_safetensors(arrays: Mapping[str, Array], words_are_bfloat16: bool = False,
                      texts: Optional[Mapping[str, str]] = None) -> List[Piece]:
    """A safetensors file of named arrays, in pieces, which are views of arrays in C order; texts are its
    metadata."""
    head: Dict[str, Any] = {"__metadata__": dict(texts)} if texts else {}
    pieces: List[Piece] = []
    at = 0
    for name, array in arrays.items():
        element = element_name(array, words_are_bfloat16)
        data = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
        head[name] = {"dtype": element, "shape": list(array.shape), "data_offsets": [at, at + data.nbytes]}
        pieces.append(data.reshape(-1).view(np.uint8).data)
        at += data.nbytes
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)) + text, *pieces]


def of_bytes(content: Union[bytes, bytearray], element: str, shape: Sequence[int], begin: int = 0,
             end: Optional[int] = None) -> Array:
    """An array of little-endian bytes of the content, which it is a view of; element: the name of
    safetensors."""
    dtype = np.dtype(_DTYPES[element])
    bytes_of = (len(content) if end is None else end) - begin
    flat: Array = np.ndarray(bytes_of // dtype.itemsize, dtype, content, begin)
    ours = bfloat16_type() if element == "BF16" else None
    return (flat.view(ours) if ours is not None else flat).reshape(shape)


def dtypes_of(element: str) -> List[np.dtype[Any]]:
    """The dtypes of arrays with such elements, by the name of safetensors: of bfloat16 that of ml_dtypes
    too, if it is installed."""
    ours = bfloat16_type() if element == "BF16" else None
    return [np.dtype(_DTYPES[element])] + ([ours] if ours is not None else [])


def read_head(head: Union[bytes, bytearray]) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """The entries of the header of a safetensors file, in the order of their bytes, and its texts.
    ServiceError: it is none."""
    try:
        entries = json.loads(head)
        texts = entries.pop("__metadata__", {})
        at = 0
        ordered = dict(sorted(entries.items(), key=lambda item: tuple(item[1]["data_offsets"])))
        for name, entry in ordered.items():
            begin, end = entry["data_offsets"]
            size = np.dtype(_DTYPES[entry["dtype"]]).itemsize
            if begin != at or end - begin != size * math.prod(entry["shape"]):
                raise ValueError("%s has the bytes %s to %s" % (name, begin, end))
            at = end
        return ordered, texts
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        raise ServiceError("the answer is no safetensors file: %s" % why) from why


def facts_of(texts: Mapping[str, str]) -> Tuple[Dict[str, Any], List[str]]:
    """The facts and the warnings that the texts of a file say."""
    return json.loads(texts.get("facts", "{}")), json.loads(texts.get("warnings", "[]"))


def read_safetensors(content: Union[bytes, bytearray]) -> Tuple[Dict[str, Array], Dict[str, str]]:
    """The arrays of a safetensors file, in the order of their bytes, and its texts. Arrays are views
    of the content; those of a bytearray can be written to."""
    try:
        length = struct.unpack_from("<Q", content)[0]
        if length > len(content) - 8:
            raise ValueError("it ends within its header")
    except (struct.error, ValueError) as why:
        raise ServiceError("the answer is no safetensors file: %s" % why) from why
    entries, texts = read_head(content[8:8 + length])
    found = {}
    for name, entry in entries.items():
        begin, end = entry["data_offsets"]
        if end > len(content) - 8 - length:
            raise ServiceError("the answer is no safetensors file: %s is cut short" % name)
        found[name] = of_bytes(content, entry["dtype"], entry["shape"], 8 + length + begin,
                               8 + length + end)
    return found, texts
