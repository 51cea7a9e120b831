# SPDX-License-Identifier: Apache-2.0
"""Answers that are read into memory or a file of the caller as they arrive."""

from __future__ import annotations

import contextlib
import os
import secrets
import struct
from typing import Any, BinaryIO, Callable, Dict, Mapping, Tuple, Type, TypeVar, Union

import numpy as np

from . import arrays
from .errors import ServiceError
from .exchange import Exchange
from .tensors import Tensors

HEAD_MAX = 1 << 20  # bytes of the header of a safetensors file
Arrays = Union[arrays.Array, Mapping[str, arrays.Array]]
File = Union[str, "os.PathLike[str]", BinaryIO]
T = TypeVar("T", bound=Tensors)


def into_file(target: File) -> Callable[[Exchange], int]:
    """Writes an answer to a file; returns the number of its bytes. A file that is named has all of the
    answer, or is what it was before."""
    def read(exchange: Exchange) -> int:
        if not isinstance(target, (str, os.PathLike)):
            return _write(exchange, target)
        # Beside the file, so that it is replaced at once; its name is no other process's.
        part = "%s.%s.part" % (os.fspath(target), secrets.token_hex(8))
        try:
            with open(part, "xb") as file:
                written = _write(exchange, file)
            os.replace(part, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise
        return written
    return read


def _write(exchange: Exchange, file: BinaryIO) -> int:
    written = 0
    for piece in exchange.pieces():
        file.write(piece)
        written += len(piece)
    return written


def into_arrays(target: Arrays, answer: Type[T]) -> Callable[[Exchange], T]:
    """Reads a safetensors file into arrays that have its dtypes and shapes: one array, or arrays by the
    names of outputs. ValueError: they do not fit; then no array was written to."""
    def read(exchange: Exchange) -> T:
        entries, texts = _head(exchange)
        found = _fit(entries, target)
        for name in entries:
            exchange.fill(found[name].reshape(-1).view(np.uint8).data)
        return answer(found, *arrays.facts_of(texts))
    return read


def _head(exchange: Exchange) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """The entries in the order of their bytes, and the texts."""
    prefix = bytearray(8)
    exchange.fill(memoryview(prefix))
    length = struct.unpack("<Q", prefix)[0]
    if length > HEAD_MAX:
        raise ServiceError("the answer is no safetensors file: its header has %d bytes" % length)
    head = bytearray(length)
    exchange.fill(memoryview(head))
    return arrays.read_head(head)


def _fit(entries: Mapping[str, Any], target: Arrays) -> Dict[str, arrays.Array]:
    """The arrays by the names of the entries, all of which have one."""
    if isinstance(target, np.ndarray):
        if len(entries) != 1:
            raise ValueError("the answer has %d tensors, %s: out= chooses one, or arrays are given by names"
                             % (len(entries), ", ".join(entries)))
        target = {name: target for name in entries}
    if set(target) != set(entries):
        raise ValueError("the answer has the tensors %s; there are arrays for %s" % (
            ", ".join(entries), ", ".join(target)))
    for name, entry in entries.items():
        _check(name, target[name], entry)
    return {name: target[name] for name in entries}


def _check(name: str, array: arrays.Array, entry: Mapping[str, Any]) -> None:
    wanted = arrays.dtypes_of(entry["dtype"])
    if list(array.shape) != entry["shape"] or array.dtype not in wanted:
        raise ValueError("%s has the dtype %s and the shape %s; the array has %s and %s" % (
            name, wanted[0], entry["shape"], array.dtype, list(array.shape)))
    if not array.flags.c_contiguous or not array.flags.writeable:
        raise ValueError("the array for %s must be in C order, and writable" % name)
