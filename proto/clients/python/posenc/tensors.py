# SPDX-License-Identifier: Apache-2.0
"""The answer of an encoding: arrays by name and in order."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Iterator, Mapping, Sequence, Tuple, Union

import numpy as np

from .arrays import Array, is_bfloat16


class Tensors:
    """Arrays of one answer, by the names of outputs (`answer.cos`, `answer["cos"]`) and in their order
    (`cos, sin = answer`), with the facts and the warnings that belong to them."""

    _order: Tuple[str, ...] = ()
    names: Tuple[str, ...]
    facts: Mapping[str, Any]
    warnings: Sequence[str]

    def __init__(self, arrays: Mapping[str, Array], facts: Mapping[str, Any],
                 warnings: Sequence[str]) -> None:
        # The order is that of the encoding's outputs; files may have another.
        order = [name for name in self._order if name in arrays] or list(arrays)
        self._arrays = {name: arrays[name] for name in order}
        self.names, self.facts, self.warnings = tuple(order), dict(facts), tuple(warnings)

    def __getattr__(self, name: str) -> Array:
        try:
            return self.__dict__["_arrays"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError("the answer has no tensor %s; it has %s, and out= asks for others"
                                 % (name, ", ".join(self.__dict__.get("names", ())))) from None

    def __getitem__(self, which: Union[str, int]) -> Array:
        return self._arrays[self.names[which] if isinstance(which, int) else which]

    def __iter__(self) -> Iterator[Array]:
        return iter(self._arrays.values())

    def __len__(self) -> int:
        return len(self._arrays)

    def __repr__(self) -> str:
        shapes = ("%s: %s%s" % (name, array.dtype, list(array.shape))
                  for name, array in self._arrays.items())
        return "<%s %s>" % (type(self).__name__, ", ".join(shapes))

    def numpy(self) -> Dict[str, Array]:
        """The arrays by their names, which are not copied. bfloat16 has the dtype of ml_dtypes where that
        package is installed, else it is words of uint16."""
        return dict(self._arrays)

    def torch(self) -> Dict[str, Any]:
        """Tensors of PyTorch by their names, which share the memory of the arrays; bfloat16 is
        torch.bfloat16."""
        torch = importlib.import_module("torch")
        found = {}
        for name, array in self._arrays.items():
            words = array.dtype == np.uint16 or is_bfloat16(array)
            tensor = torch.from_numpy(array.view(np.int16) if words else array)
            found[name] = tensor.view(torch.bfloat16) if words else tensor
        return found

    @property
    def only(self) -> Array:
        """The array of an answer that has one; ValueError where there are several."""
        if len(self) != 1:
            raise ValueError("the answer has %d tensors: %s" % (len(self), ", ".join(self.names)))
        return self[0]
