# SPDX-License-Identifier: Apache-2.0
"""containers.py - files that need more than NumPy: what torch.save writes. No torch is needed: the
pickle names its functions, and nothing here runs them."""

import collections
import io
import pickle
import sys
import types
import zipfile

import numpy as np

STORAGES = {"<f4": "FloatStorage", "<f8": "DoubleStorage", "<f2": "HalfStorage",
            "<i8": "LongStorage", "<i4": "IntStorage", "|b1": "BoolStorage"}


def torch_names():
    """Modules with the names that torch's pickles have."""
    torch, utils = types.ModuleType("torch"), types.ModuleType("torch._utils")

    def _rebuild_tensor_v2():
        raise NotImplementedError
    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    utils._rebuild_tensor_v2 = _rebuild_tensor_v2
    for name in STORAGES.values():
        setattr(torch, name, type(name, (), {"__module__": "torch", "__qualname__": name}))
    return {"torch": torch, "torch._utils": utils}


class Tensor:
    def __init__(self, array, key, rebuild):
        self.array, self.key, self.rebuild = array, key, rebuild

    def __reduce__(self):
        strides = [stride // self.array.itemsize for stride in self.array.strides]
        return self.rebuild, (Storage(self.array, self.key), 0, self.array.shape, tuple(strides),
                              False, collections.OrderedDict())


class Storage:
    def __init__(self, array, key):
        self.array, self.key = array, key


class Pipe:
    """A file that is written from its beginning to its end: the sizes of a member follow it, as PyTorch's
    writer has them."""

    def __init__(self, out):
        self.write, self.flush = out.write, out.flush


def torch_save(tensors, more=None):
    """The zip of torch.save(dict of tensors); `more` is put beside them."""
    names, out = torch_names(), io.BytesIO()

    class Pickler(pickle.Pickler):
        def persistent_id(self, value):
            if not isinstance(value, Storage):
                return None
            kind = getattr(names["torch"], STORAGES[value.array.dtype.newbyteorder("<").str])
            return ("storage", kind, str(value.key), "cpu", value.array.size)

    arrays = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    tree = {name: Tensor(array, key, names["torch._utils"]._rebuild_tensor_v2)
            for key, (name, array) in enumerate(arrays.items())}
    tree.update(more or {})
    body, before = io.BytesIO(), {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        Pickler(body, 2).dump(tree)
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})
    with zipfile.ZipFile(Pipe(out), "w") as archive:
        archive.writestr("archive/data.pkl", body.getvalue())
        for key, array in enumerate(arrays.values()):
            archive.writestr("archive/data/%d" % key, array.tobytes())
        archive.writestr("archive/byteorder", b"little")
        archive.writestr("archive/version", b"3\n")
    return out.getvalue()


class Harmful:
    """An object whose pickle calls a function."""

    def __reduce__(self):
        return print, ("this must never be printed",)
