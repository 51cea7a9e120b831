# SPDX-License-Identifier: Apache-2.0
"""What a model of PyTorch computes about positions, seen while it runs: its tables, masks, positions, and
queries and keys before and after they are turned."""

from __future__ import annotations

import inspect
import json
import os
import sys
import weakref
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Set, Tuple, Union

import numpy as np

from . import arrays
from .arrays import Array
from .foreign import is_tensor, to_array

NAMED = ("position_ids", "attention_mask", "cache_position", "positions")  # arguments that are kept
TABLES = ("cos", "sin", "freqs", "rotary", "pos")  # what a function that turns vectors takes besides
Patch = Tuple[Dict[str, Any], str, Any]


class Capture(Mapping[str, Array]):
    """Arrays by names as "model.layers.0.self_attn.q_rot", and `config`, the model's configuration."""

    def __init__(self, config: Optional[Mapping[str, Any]]) -> None:
        self.config = dict(config) if config is not None else None
        self._found: Dict[str, Array] = {}

    def __getitem__(self, name: str) -> Array:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return "<Capture %s>" % ", ".join("%s: %s%s" % (name, array.dtype, list(array.shape))
                                          for name, array in self._found.items())

    def part(self, path: str) -> Dict[str, Array]:
        """The arrays of one module by their last names, as assert_matches wants them:
        part("rotary_emb") is {"cos": .., "sin": ..}. The path may leave out its first names."""
        found: Dict[str, Array] = {}
        for name, array in self._found.items():
            owner, _, last = name.rpartition(".")
            if owner == path or owner.endswith("." + path):
                found.setdefault(last, array)
        return found

    def add(self, name: str, value: Any) -> None:
        """Keeps a copy of the first value of a name. TypeError: a file has no such elements."""
        if name not in self._found:
            array = np.array(to_array(value))
            arrays.element_name(array, True)
            self._found[name] = array

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes one safetensors with all arrays; the metadata have the configuration as JSON."""
        texts = {"made_by": "posenc.capture"}
        if self.config is not None:
            texts["config"] = json.dumps(self.config, default=str)
        pieces = arrays.write_safetensors(self._found, True, texts)  # before a file is opened
        with open(path, "wb") as file:
            file.writelines(pieces)


class capture:
    """Records a model while it runs, by what its modules are, not by their names:

        with posenc.capture(model, "llama.safetensors") as seen:
            model(input_ids)
        posenc.assert_matches(seen.part("rotary_emb"), model="llama-3.1-8b", pos=range(16))

    modules that return (cos, sin), or complex numbers, which are kept as cos and sin, one table for each word that they are called with,
    as layer_type="full_attention"; arguments that are masks or positions; and
    vectors before and after a function that turns them, as q, q_rot, k, k_rot of the attention that calls
    it. What cannot be read is left out: the model runs as it does without. `layers` is the number of attentions whose vectors are kept. With a path, what was seen is written
    there at the end."""

    def __init__(self, model: Any, path: Optional[Union[str, "os.PathLike[str]"]] = None, *,
                 layers: int = 1) -> None:
        self._model, self._path, self._layers = model, path, layers
        self._seen = Capture(_config_of(model))
        self._patches: List[Patch] = []
        self._stack: List[str] = []
        self._turning = False
        self._owners: List[str] = []
        self._kept: Dict[int, "weakref.ref[Any]"] = {}  # arguments that live, so that each is kept once

    def __enter__(self) -> Capture:
        try:
            self._watch_all()
        except BaseException:
            self._restore()
            raise
        return self._seen

    def __exit__(self, kind: Any, *_: object) -> None:
        self._restore()
        if kind is None and self._path is not None:
            self._seen.write(self._path)

    def _watch_all(self) -> None:
        places: Set[str] = set()
        for name, module in self._model.named_modules():
            self._patch(vars(module), "forward", self._watch(name, module.forward))
            places.add(type(module).__module__)
        for members in [vars(sys.modules[place]) for place in sorted(places) if place in sys.modules]:
            for name, function in list(members.items()):
                if inspect.isfunction(function) and _turns(name, function):
                    self._patch(members, name, self._watch_turn(function))

    def _restore(self) -> None:
        while self._patches:
            members, name, before = self._patches.pop()
            if before is None:
                del members[name]
            else:
                members[name] = before
        self._kept.clear()

    def _patch(self, members: Dict[str, Any], name: str, value: Any) -> None:
        self._patches.append((members, name, members.get(name)))
        members[name] = value

    # ---- modules --------------------------------------------------------------------------------

    def _watch(self, name: str, forward: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            bound = _bound(forward, given, named)
            _tried(self._see_arguments, name, bound)
            self._stack.append(name)
            try:
                result = forward(*given, **named)
            finally:
                self._stack.pop()
            words = [value for value in bound.values() if isinstance(value, str)]
            _tried(self._see_tables, ".".join([name, *words]), result)
            return result
        return watched

    def _see_arguments(self, name: str, bound: Mapping[str, Any]) -> None:
        for word, value in bound.items():
            if word in NAMED and is_tensor(value) and not self._was_seen(value):
                _tried(self._seen.add, _joined(name, word), value)

    def _was_seen(self, value: Any) -> bool:
        """Whether an argument was seen before; it is held by the model alone."""
        key = id(value)
        known = self._kept.get(key)
        if known is not None and known() is value:
            return True
        try:
            self._kept[key] = weakref.ref(value)
        except TypeError:  # it is seen each time
            self._kept.pop(key, None)
        return False

    def _see_tables(self, name: str, result: Any) -> None:
        if isinstance(result, (tuple, list)) and len(result) == 2 and all(map(is_tensor, result)):
            cos, sin = map(_numbers, result)
            if _are_cos_and_sin(cos, sin):
                self._seen.add(_joined(name, "cos"), result[0])
                self._seen.add(_joined(name, "sin"), result[1])
        elif is_tensor(result) and "complex" in str(getattr(result, "dtype", "")):
            table = to_array(result)
            self._seen.add(_joined(name, "cos"), table.real)
            self._seen.add(_joined(name, "sin"), table.imag)

    # ---- functions that turn vectors --------------------------------------------------------------

    def _watch_turn(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            if self._turning:
                return function(*given, **named)
            self._turning = True
            try:
                before = _tried(self._before, _bound(function, given, named)) or {}
                result = function(*given, **named)
            finally:
                self._turning = False
            _tried(self._see_turn, before, result)
            return result
        return watched

    def _before(self, bound: Mapping[str, Any]) -> Dict[str, Array]:
        """Copies of the vectors that a function turns."""
        if not self._wants():
            return {}
        return {word: np.array(to_array(value)) for word, value in bound.items()
                if is_tensor(value) and not word.startswith(TABLES)}

    def _wants(self) -> bool:
        """Whether the vectors of the module that runs are kept."""
        owner = self._stack[-1] if self._stack else ""
        if owner not in self._owners and len(self._owners) < self._layers:
            self._owners.append(owner)
        return owner in self._owners

    def _see_turn(self, before: Mapping[str, Array], result: Any) -> None:
        after = result if isinstance(result, (tuple, list)) else [result]
        owner = self._stack[-1] if self._stack else ""
        for (word, vectors), turned in zip(before.items(), after):
            if is_tensor(turned) and tuple(turned.shape) == vectors.shape:
                self._seen.add(_joined(owner, word), vectors)
                self._seen.add(_joined(owner, word + "_rot"), turned)


def _tried(see: Callable[..., Any], *given: Any) -> Any:
    """What was seen; None of what cannot be read, such as a tensor without numbers: the model that runs is
    not ours."""
    try:
        return see(*given)
    except Exception:  # pylint: disable=broad-except
        return None


def _joined(path: str, name: str) -> str:
    return "%s.%s" % (path, name) if path else name


def _config_of(model: Any) -> Optional[Mapping[str, Any]]:
    config: Any = getattr(model, "config", None)
    if hasattr(config, "to_dict"):
        config = config.to_dict()
    return config if isinstance(config, Mapping) else None


def _bound(function: Callable[..., Any], given: Any, named: Any) -> Dict[str, Any]:
    """Arguments by the names of parameters."""
    try:
        return dict(inspect.signature(function).bind_partial(*given, **named).arguments, **named)
    except Exception:  # pylint: disable=broad-except
        return dict(named)


def _turns(name: str, function: Callable[..., Any]) -> bool:
    """Whether a function turns vectors by a table: its name and its parameters say so."""
    try:
        words = list(inspect.signature(function).parameters)
    except Exception:  # pylint: disable=broad-except
        return False  # annotations and __signature__ are anything
    is_named = "rot" in name.lower() or "rope" in name.lower()
    return is_named and len(words) > 1 and not words[0].startswith(TABLES) and any(
        word.startswith(TABLES) for word in words[1:])


def _numbers(value: Any) -> Array:
    array = to_array(value)
    return arrays.bfloat16_to_float32(array) if array.dtype == np.uint16 else array


def _are_cos_and_sin(cos: Array, sin: Array) -> bool:
    """Whether the squares of two arrays add up to one number, as those of a table do whatever it is
    multiplied by; rows that were never filled, and what is not finite, say nothing."""
    if cos.shape != sin.shape or cos.ndim < 2 or cos.dtype.kind != "f" or cos.size == 0:
        return False
    squares = cos.astype(np.float64) ** 2 + sin.astype(np.float64) ** 2
    squares = squares[np.isfinite(squares) & (squares > 0)]
    return bool(squares.size > 0 and np.ptp(squares) <= 0.02 * squares.max())
