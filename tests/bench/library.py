# SPDX-License-Identifier: Apache-2.0
"""library.py - build/libposenc.so by its public functions, as any caller would use it."""

import ctypes
import os

P, SIZE = ctypes.c_void_p, ctypes.c_size_t


class Limits(ctypes.Structure):
    _fields_ = [("max_elements", ctypes.c_uint64), ("max_prepared", ctypes.c_uint64)]


class Rect(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("row", "rows", "col", "cols")]


class Tensor(ctypes.Structure):
    """struct pe_tensor_info."""
    _fields_ = [("output", P), ("dtype", ctypes.c_int), ("rank", SIZE),
                ("dims", ctypes.c_uint64 * 6), ("rows", ctypes.c_uint64),
                ("cols", ctypes.c_uint64), ("group", SIZE), ("slot", SIZE)]


def load():
    library = ctypes.CDLL(os.path.abspath("build/libposenc.so"))
    for name, result, arguments in (
            ("pe_find", P, [ctypes.c_char_p, SIZE]),
            ("pe_args_new", P, [P]),
            ("pe_args_set_text", ctypes.c_int, [P, ctypes.c_char_p, SIZE, ctypes.c_char_p,
                                                SIZE, P]),
            ("pe_args_check", ctypes.c_int, [P, P]),
            ("pe_plan_new", ctypes.c_int, [P, P, P, P, P]),
            ("pe_plan_tensor_count", SIZE, [P]),
            ("pe_plan_tensor", ctypes.POINTER(Tensor), [P, SIZE]),
            ("pe_plan_scratch", SIZE, [P, ctypes.c_uint64]),
            ("pe_fill", None, [P, SIZE, P, P, P, P]),
            ("pe_dtype_size", SIZE, [ctypes.c_int])):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Table:
    """A plan and memory for all of its first group, touched once."""

    def __init__(self, encoding, query):
        self.library = load()
        errors = ctypes.create_string_buffer(1 << 16)  # struct pe_errors is smaller
        name = encoding.encode()
        args = self.library.pe_args_new(self.library.pe_find(name, len(name)))
        for key, value in query.items():
            key, value = key.encode(), value.encode()
            self.library.pe_args_set_text(args, key, len(key), value, len(value), errors)
        assert self.library.pe_args_check(args, errors) == 0, "the arguments are wrong"
        self.plan = P()
        limits = Limits(1 << 40, 1 << 24)
        assert self.library.pe_plan_new(ctypes.byref(self.plan), args, None,
                                        ctypes.byref(limits), errors) == 0
        count = self.library.pe_plan_tensor_count(self.plan)
        tensors = [self.library.pe_plan_tensor(self.plan, i).contents for i in range(count)]
        first = tensors[0]
        elements = first.rows * first.cols
        self.rect = Rect(0, first.rows, 0, first.cols)
        self.blocks = [ctypes.create_string_buffer(
            elements * self.library.pe_dtype_size(tensor.dtype)) for tensor in tensors]
        self.bytes = sum(len(block) for block in self.blocks)
        self.out = (P * count)(*[ctypes.addressof(block) for block in self.blocks])
        self.scratch = ctypes.create_string_buffer(
            self.library.pe_plan_scratch(self.plan, elements * count) + 64)
        self.aligned = (ctypes.addressof(self.scratch) + 63) // 64 * 64

    def fill(self):
        self.library.pe_fill(self.plan, 0, ctypes.byref(self.rect), self.out, None,
                             self.aligned)

    def fill_new(self):
        """The same into new arrays, as NumPy code has them."""
        import numpy as np
        arrays = [np.empty((self.rect.rows, self.rect.cols), np.float32) for _ in self.out]
        out = (P * len(arrays))(*[array.ctypes.data for array in arrays])
        self.library.pe_fill(self.plan, 0, ctypes.byref(self.rect), out, None, self.aligned)
        return arrays
