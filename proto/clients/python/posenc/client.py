# SPDX-License-Identifier: Apache-2.0
"""A service as an object: every encoding is a method of it (encodings.py)."""

from __future__ import annotations

import os
import ssl
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, \
    Union, overload

import numpy as np

from . import calls, streams
from .batch import Request, Result, parameters_of
from .calls import Config
from .encodings import Encodings
from .messages import Call
from .tensors import Tensors
from .transport import Settings, Transport

R = TypeVar("R")
T = TypeVar("T", bound=Tensors)


class Client(Encodings):
    """A posencd.

    url      http://host:port, https://..., or unix:/path/to/socket; POSENC_URL by default
    key      a key, where the service asks for one; POSENC_KEY by default
    timeout  seconds that one attempt may take
    retries  how often a request is sent again when the service is overloaded or starts again
    tls      a context for https, as for a certificate of one's own
    cache    bytes of answers that are kept: the service is asked whether they are still right

    Threads may share a client, and a process of a pool gets one of its own. It keeps its connections;
    `close`, or `with`, ends them."""

    def __init__(self, url: Optional[str] = None, *, key: Optional[str] = None, timeout: float = 60.0,
                 retries: int = 3, tls: Optional[ssl.SSLContext] = None, cache: int = 0) -> None:
        self._settings = Settings(url, key, timeout, retries, tls, cache)
        self._made: Optional[Transport] = Transport(self._settings) if url else None

    def __getstate__(self) -> Settings:
        return self._settings

    def __setstate__(self, settings: Settings) -> None:
        self._settings, self._made = settings, None

    @property
    def _transport(self) -> Transport:
        """Made when it is first used, so that a program may set POSENC_URL after its imports."""
        if self._made is None:
            self._made = Transport(self._settings)
        return self._made

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        if self._made is not None:
            self._made.close()

    def _run(self, call: Call[R]) -> R:
        return call.read(self._transport.ask(call.sent))

    # ---- encodings ------------------------------------------------------------------------------

    def _call(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
              answer: Type[T]) -> T:
        return self._run(calls.encoding(encoding, given, answer))

    def picture(self, encoding: str, **parameters: Any) -> bytes:
        """A PNG of an encoding's answer: picture("alibi", heads=8, len=64)."""
        return bytes(self._run(calls.drawn(encoding, "png", parameters)))

    def figure(self, encoding: str, **parameters: Any) -> str:
        """An SVG with axes of an encoding's answer: figure("rope", dim=64, pos=range(64))."""
        return self._run(calls.drawn(encoding, "svg", parameters)).decode()

    @overload
    def stream(self, encoding: str, into: streams.Arrays, **parameters: Any) -> Tensors: ...

    @overload
    def stream(self, encoding: str, into: streams.File, **parameters: Any) -> int: ...

    def stream(self, encoding: str, into: Any, **parameters: Any) -> Union[Tensors, int]:
        """An answer that is read as it arrives, into memory or a file that is there already:
        stream("alibi", bias, heads=1, len=16384) fills an array, which has the dtype and the shape of the
        tensor, or arrays by the names of outputs, {"cos": cos, "sin": sin}, and returns them with their
        facts. stream("rope", "rope.safetensors", dim=128, pos="0:1000000") writes a path or a binary file,
        in the format= that is wished, and returns the number of bytes."""
        given = parameters_of((encoding, parameters), self._kinds)
        if isinstance(into, (np.ndarray, Mapping)):
            sent = calls.request(encoding, given, "safetensors")
            return self._transport.stream(sent, streams.into_arrays(into, self._answers[encoding]))
        sent = calls.request(encoding, given, str(given.pop("format", "safetensors")))
        return self._transport.stream(sent, streams.into_file(into))

    def batch(self, requests: Sequence[Request]) -> List[Result]:
        """Many answers at once, in order: batch([("rope", {"dim": 8, "pos": range(4)}), ("alibi",
        {"heads": 8, "len": 16})]). A request that is refused has its RequestError in the list."""
        return [one for call in calls.batches(requests) for one in self._run(call)]

    # ---- models, verify, descriptions ------------------------------------------------------------

    def models(self) -> List[Dict[str, Any]]:
        """The published models whose positions are known: id, title, window, encodings ..."""
        return self._run(calls.models())

    def model(self, name: str) -> Dict[str, Any]:
        """One model: its facts, sources, and for each use of an encoding parameters and URLs."""
        return self._run(calls.model(name))

    def resolve(self, config: Union["os.PathLike[str]", Mapping[str, Any]]) -> Dict[str, Any]:
        """What a Hugging Face config.json means, or the path of one, as `model` says it of a published
        one."""
        return self._run(calls.resolve(config))

    def tables(self, config: Config, **parameters: Any) -> Tuple[Tensors, ...]:
        """The tables of a model, one answer for each use of an encoding: tables("llama-3.1-8b",
        pos=range(4096)). It is a published model's name, whose tables but for masks these are; or what a
        config.json says, or the path of one: a text that ends with .json, a Path, or the Path of a
        checkpoint's folder. More parameters replace those of the model."""
        resolved = calls.configured(config)
        if resolved is None:
            return self._run(calls.tables_of(str(config), parameters))
        model = self._run(resolved)
        return tuple(self._run(call) for call in calls.tables(model, parameters))

    def verify(self, tensors: Mapping[str, Any], **claim: Any) -> Dict[str, Any]:
        """What is right or wrong with numbers: verify({"cos": cos}, encoding="rope", dim=128,
        pos=range(64)). Without a claim they are identified."""
        return self._run(calls.verify(tensors, claim))

    def encodings(self) -> List[Dict[str, Any]]:
        """Every encoding with its parameters and outputs."""
        return self._run(calls.encodings())

    def version(self) -> Dict[str, Any]:
        """The versions, limits and revisions of the service."""
        return self._run(calls.version())
