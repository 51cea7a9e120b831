# SPDX-License-Identifier: Apache-2.0
"""libposenc in this process, by ctypes: the same calls as those of a service, and the same bytes.

The library is $POSENC_LIBRARY, or libposenc.so.0 as the loader finds it. Its interface is
core/posenc.h. What only a service has, models by their names and learned tables by theirs, is
refused."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar

import numpy as np

from . import arrays, values
from .batch import Request, Result, parameters_of
from .encodings import Encodings
from .errors import PosencError, Problem, RequestError
from .shared import SharedTables
from .tensors import Tensors

NAME = "libposenc.so.0"
RANK_MAX, OUTPUTS_MAX, PROBLEMS_MAX = 6, 20, 32
ROWS_AT_ONCE = 1 << 20  # elements of a rectangle, which bounds the scratch memory
ELEMENTS_MAX = 1 << 40
PREPARED_MAX = 16 << 20
EXACT_MAX = 1 << 53  # whole numbers up to here are exact as float64
# The order is that of enum pe_dtype.
DTYPES = ("f8", "f4", "f2", "u2", "i4", "i8", "u1", "?")
ELEMENTS = {"F64": 0, "F32": 1, "F16": 2, "BF16": 3}
OF_THE_SERVICE = ("model", "layer", "layer_type")
T = TypeVar("T", bound=Tensors)


class _Problem(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("parameter", ctypes.c_char * 48),
                ("detail", ctypes.c_char * 304), ("hint", ctypes.c_char * 128),
                ("limit", ctypes.c_uint64), ("requested", ctypes.c_uint64)]


class _Errors(ctypes.Structure):
    _fields_ = [("count", ctypes.c_size_t), ("dropped", ctypes.c_size_t),
                ("at", _Problem * PROBLEMS_MAX)]


class _Tensor(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_int), ("rank", ctypes.c_size_t),
                ("dims", ctypes.c_uint64 * RANK_MAX)]


class _Limits(ctypes.Structure):
    _fields_ = [("max_elements", ctypes.c_uint64), ("max_prepared", ctypes.c_uint64),
                ("reserve", ctypes.c_void_p), ("context", ctypes.c_void_p), ("brief", ctypes.c_bool),
                ("max_operations", ctypes.c_uint64), ("stop", ctypes.c_void_p)]


class _Info(ctypes.Structure):
    _fields_ = [("output", ctypes.POINTER(ctypes.c_char_p)), ("dtype", ctypes.c_int),
                ("rank", ctypes.c_size_t), ("dims", ctypes.c_uint64 * RANK_MAX),
                ("rows", ctypes.c_uint64), ("cols", ctypes.c_uint64), ("group", ctypes.c_size_t),
                ("slot", ctypes.c_size_t)]


class _Fact(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p), ("number", ctypes.c_double)]


class _Rectangle(ctypes.Structure):
    _fields_ = [("row", ctypes.c_uint64), ("rows", ctypes.c_uint64), ("col", ctypes.c_uint64),
                ("cols", ctypes.c_uint64)]


def _load(path: Optional[str]) -> ctypes.CDLL:
    path = path or os.environ.get("POSENC_LIBRARY") or NAME
    try:
        library = ctypes.CDLL(path)
    except OSError as why:
        raise PosencError("libposenc is not found: %s; `make install` installs it, and "
                          "POSENC_LIBRARY names its file" % why) from why
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint64
    signatures: Dict[str, Tuple[Any, List[Any]]] = {
        "pe_reserve_init": (None, []),
        "pe_version": (ctypes.c_char_p, []),
        "pe_revision": (ctypes.c_uint, [pointer]),
        "pe_find": (pointer, [ctypes.c_char_p, size]),
        "pe_args_new": (pointer, [pointer]),
        "pe_args_free": (None, [pointer]),
        "pe_args_set_text": (ctypes.c_int, [pointer, ctypes.c_char_p, size, ctypes.c_char_p, size, pointer]),
        "pe_args_set_reals": (ctypes.c_int, [pointer, ctypes.c_char_p, size, pointer, size, size, pointer]),
        "pe_args_set_tensor": (ctypes.c_int, [pointer, ctypes.c_char_p, size, pointer, pointer]),
        "pe_args_check": (ctypes.c_int, [pointer, pointer]),
        "pe_args_table_key": (ctypes.c_char_p, [pointer]),
        "pe_table_build": (pointer, [pointer]),
        "pe_table_bytes": (size, [pointer]),
        "pe_table_ref": (pointer, [pointer]),
        "pe_table_free": (None, [pointer]),
        "pe_plan_new": (ctypes.c_int, [pointer, pointer, pointer, pointer, pointer]),
        "pe_plan_free": (None, [pointer]),
        "pe_plan_tensor_count": (size, [pointer]),
        "pe_plan_tensor": (ctypes.POINTER(_Info), [pointer, size]),
        "pe_plan_fact_count": (size, [pointer]),
        "pe_plan_fact": (ctypes.POINTER(_Fact), [pointer, size]),
        "pe_plan_warning_count": (size, [pointer]),
        "pe_plan_warning": (ctypes.c_char_p, [pointer, size]),
        "pe_plan_scratch": (size, [pointer, number]),
        "pe_fill": (None, [pointer, size, pointer, pointer, pointer, pointer]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.pe_reserve_init()
    return library


class Library(Encodings):
    """libposenc; path: its file. Threads may share it."""

    def __init__(self, path: Optional[str] = None) -> None:
        self._path = path
        self._loaded: Optional[ctypes.CDLL] = None
        self._tables: Optional[SharedTables] = None
        self._lock = threading.Lock()

    def __reduce__(self) -> Tuple[Any, ...]:
        """A process of a pool loads the library itself."""
        return type(self), (self._path,)

    @property
    def _c(self) -> ctypes.CDLL:
        if self._loaded is None:
            with self._lock:
                if self._tables is None:
                    library = _load(self._path)
                    self._tables, self._loaded = SharedTables(library), library
        assert self._loaded is not None
        return self._loaded

    def loaded(self) -> "Library":
        """Itself, once the library is loaded. PosencError: it is not there."""
        self._c  # pylint: disable=pointless-statement
        return self

    def version(self) -> str:
        """The version of the library."""
        return str(self._c.pe_version().decode())

    def batch(self, requests: Sequence[Request]) -> List[Result]:
        """Many answers, in order, as `Client.batch` has them."""
        given = [parameters_of(request, self._kinds) for request in requests]
        return [self._one(request[0], one) for request, one in zip(requests, given)]

    def _one(self, encoding: str, given: Mapping[str, Any]) -> Result:
        try:
            return self._call(encoding, self._kinds[encoding], given, self._answers[encoding])
        except RequestError as why:
            return why

    def _call(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
              answer: Type[T]) -> T:
        for name in OF_THE_SERVICE:
            if name in given:
                raise RequestError(400, "Unknown parameter", [Problem(
                    name, "is known to a service alone; posenc.resolve of one gives parameters")])
        name_bytes = encoding.encode()
        library, tables = self._c, self._tables
        found = library.pe_find(name_bytes, len(name_bytes))
        if not found:
            raise PosencError("this libposenc, %s, has no encoding %s" % (self.version(), encoding))
        assert tables is not None
        _check_revision(encoding, library.pe_revision(found), given.get("rev"))
        with _Arguments(library, found) as arguments:
            arguments.set(kinds, given)
            with tables.of(arguments.handle) as table, _Plan(library, arguments, table) as plan:
                return answer(plan.fill(), plan.facts(), plan.warnings())


def _check_revision(encoding: str, ours: int, wanted: Optional[object]) -> None:
    """Refuses another revision than the library's, as a service does."""
    if wanted is not None and str(wanted) != str(ours):
        raise RequestError(404, "Unknown revision", [Problem(
            "rev", "must be %d, the revision of %s that this library has; got %s" % (
                ours, encoding, wanted))])


class _Arguments:
    """Checked arguments; tensors that are given stay alive as long as they do."""

    def __init__(self, library: ctypes.CDLL, encoding: int) -> None:
        self.library, self.errors = library, _Errors()
        self.handle: int = library.pe_args_new(encoding)
        self.inputs: List[Optional[arrays.Array]] = []
        if not self.handle:
            raise MemoryError("out of memory")

    def __enter__(self) -> "_Arguments":
        return self

    def __exit__(self, *_: object) -> None:
        self.library.pe_args_free(self.handle)

    def refuse(self) -> None:
        """Raises what the library said."""
        problems = [Problem(one.parameter.decode(), one.detail.decode(), one.hint.decode())
                    for one in self.errors.at[:self.errors.count]]
        raise RequestError(400, "Invalid parameter", problems)

    def set(self, kinds: Mapping[str, str], given: Mapping[str, Any]) -> None:
        given = values.of_torch(given, kinds)
        words = given.get("in_dtype") in ("bf16", "bfloat16")
        tensors = [name for name, kind in kinds.items() if kind == "tensor"]
        self.inputs = [None] * len(tensors)
        for name, value in given.items():
            if name in ("in_dtype", "rev"):
                continue
            if name in tensors:
                array = _vectors(value, given.get("in_dtype"))
                self.inputs[tensors.index(name)] = array
                self._set_tensor(name.encode(), array, words)
            elif not self._set_many(name.encode(), values.many(kinds.get(name, "word"), value)):
                self._set_text(name.encode(), values.text_of(kinds.get(name, "word"), value).encode())
        self.library.pe_args_check(self.handle, ctypes.byref(self.errors))
        if self.errors.count:
            self.refuse()

    def _set_text(self, name: bytes, text: bytes) -> None:
        self.library.pe_args_set_text(self.handle, name, len(name), text, len(text),
                                      ctypes.byref(self.errors))

    def _set_many(self, name: bytes, array: Optional[arrays.Array]) -> bool:
        """Sets positions or numbers that are many; false where they are few, or no float64 holds them."""
        if array is None or (
                array.dtype.kind != "f" and (array.max() > EXACT_MAX or array.min() < -EXACT_MAX)):
            return False
        rows, cols = (1, array.size) if array.ndim == 1 else array.shape
        numbers = np.ascontiguousarray(array, np.float64)
        self.library.pe_args_set_reals(self.handle, name, len(name), numbers.ctypes.data, rows, cols,
                                       ctypes.byref(self.errors))
        return True

    def _set_tensor(self, name: bytes, array: arrays.Array, words: bool) -> None:
        if not 1 <= array.ndim <= RANK_MAX:
            raise RequestError(400, "Invalid parameter", [Problem(
                name.decode(), "must have 1 to %d axes; got %d" % (RANK_MAX, array.ndim))])
        tensor = _Tensor(ELEMENTS[arrays.element_name(array, words)], array.ndim,
                         (ctypes.c_uint64 * RANK_MAX)(*array.shape))
        self.library.pe_args_set_tensor(self.handle, name, len(name), ctypes.byref(tensor),
                                        ctypes.byref(self.errors))


class _Plan:
    """A plan of checked arguments."""

    def __init__(self, library: ctypes.CDLL, arguments: _Arguments, table: Optional[int]) -> None:
        self.library, self.arguments = library, arguments
        self.handle = ctypes.c_void_p()
        limits = _Limits(max_elements=ELEMENTS_MAX, max_prepared=PREPARED_MAX)
        library.pe_plan_new(ctypes.byref(self.handle), arguments.handle, table, ctypes.byref(limits),
                            ctypes.byref(arguments.errors))
        if not self.handle:
            arguments.refuse()

    def __enter__(self) -> "_Plan":
        return self

    def __exit__(self, *_: object) -> None:
        self.library.pe_plan_free(self.handle)

    def facts(self) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        for i in range(self.library.pe_plan_fact_count(self.handle)):
            fact = self.library.pe_plan_fact(self.handle, i).contents
            number = int(fact.number) if fact.number.is_integer() else fact.number
            found[fact.name.decode()] = fact.text.decode() if fact.text else number
        return found

    def warnings(self) -> List[str]:
        return [self.library.pe_plan_warning(self.handle, i).decode()
                for i in range(self.library.pe_plan_warning_count(self.handle))]

    def fill(self) -> Dict[str, arrays.Array]:
        infos = [self.library.pe_plan_tensor(self.handle, i).contents
                 for i in range(self.library.pe_plan_tensor_count(self.handle))]
        found = {}
        for info in infos:
            name = info.output[0].decode()  # the first member of struct pe_output
            found[name] = np.empty(info.dims[:info.rank], np.dtype(DTYPES[info.dtype]))
        for group in sorted({info.group for info in infos}):
            self._fill_group(group, [info for info in infos if info.group == group], found)
        ours = arrays.bfloat16_type()
        return {name: array.view(ours) if ours is not None and array.dtype == np.uint16 else array
                for name, array in found.items()}

    def _fill_group(self, group: int, infos: List[Any], found: Mapping[str, arrays.Array]) -> None:
        rows, cols = infos[0].rows, infos[0].cols
        step = max(1, ROWS_AT_ONCE // max(1, cols))
        scratch = np.empty(self.library.pe_plan_scratch(self.handle, min(rows, step) * cols) + 64, np.uint8)
        aligned = scratch.ctypes.data + -scratch.ctypes.data % 64
        given = [array.ctypes.data if array is not None else None for array in self.arguments.inputs]
        inputs = (ctypes.c_void_p * max(1, len(given)))(*given)
        for row in range(0, rows, step):
            count = min(step, rows - row)
            out = (ctypes.c_void_p * OUTPUTS_MAX)()
            for info in infos:
                array = found[info.output[0].decode()]
                out[info.slot] = array.ctypes.data + row * cols * array.itemsize
            self.library.pe_fill(self.handle, group, ctypes.byref(_Rectangle(row, count, 0, cols)), out,
                                 inputs, aligned)


def _vectors(value: Any, in_dtype: Optional[str]) -> arrays.Array:
    """Vectors as an array in C order and this machine's order of bytes: text as a query has it, nested
    lists or an array."""
    if isinstance(value, str):
        rows = [[float(number) for number in row.split(",")] for row in value.split(";")]
        value = rows if len(rows) > 1 else rows[0]
    array = values.vectors(value, in_dtype)
    return np.ascontiguousarray(array, array.dtype.newbyteorder("="))
