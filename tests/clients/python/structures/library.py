# SPDX-License-Identifier: Apache-2.0
"""library.py - what layers.py needs of a library: PyTorch where it is installed, and a stand-in of a few
lines that calls and names modules as PyTorch does."""

import importlib.util
import os
import sys

import numpy as np

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers.py")


class Module:
    """torch.nn.Module: a call is one of forward; members that are modules have names."""

    def __call__(self, *given, **named):
        return self.forward(*given, **named)

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, member in list(vars(self).items()):
            if isinstance(member, Module):
                yield from member.named_modules("%s.%s" % (prefix, name) if prefix else name)


class ModuleList(Module):
    def __init__(self, modules):
        super().__init__()
        for number, module in enumerate(modules):
            setattr(self, str(number), module)

    def __iter__(self):
        return iter([member for member in vars(self).values() if isinstance(member, Module)])

    def forward(self):
        raise NotImplementedError


class StandIn:
    """Arrays of NumPy as tensors, rounded to float32 or to bfloat16's numbers."""

    Module, ModuleList = Module, ModuleList

    @staticmethod
    def tensor(values, bf16=False, integers=False):
        values = np.asarray(values, np.int64 if integers else np.float32)
        if not bf16:
            return values
        bits = values.view(np.uint32)
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)

    @staticmethod
    def numpy(tensor):
        return tensor

    @staticmethod
    def cat(tensors):
        return np.concatenate(tensors, -1)

    @staticmethod
    def stack(tensors):
        return np.stack(tensors, -1)


def of_torch():
    """The same by PyTorch; None where it is not installed."""
    if importlib.util.find_spec("torch") is None:
        return None
    import torch

    class Torch:
        Module, ModuleList = torch.nn.Module, torch.nn.ModuleList

        @staticmethod
        def tensor(values, bf16=False, integers=False):
            made = torch.tensor(values, dtype=torch.int64 if integers else torch.float32)
            return made.to(torch.bfloat16) if bf16 else made

        @staticmethod
        def numpy(tensor):
            return tensor.detach().numpy()

        @staticmethod
        def cat(tensors):
            return torch.cat(tensors, -1)

        @staticmethod
        def stack(tensors):
            return torch.stack(tensors, -1)
    return Torch


def load(ops, name):
    """The module layers.py with a library."""
    spec = importlib.util.spec_from_file_location(name, PATH)
    module = importlib.util.module_from_spec(spec)
    module.ops = ops
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
