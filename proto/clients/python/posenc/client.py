# SPDX-License-Identifier: Apache-2.0
"""A service as an object: every encoding is a method of it (encodings.py)."""

from __future__ import annotations

import json
import os
import ssl
import urllib.parse
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar

import numpy as np

from . import arrays, values
from .batch import REQUESTS_MAX, Request, Result, parameters_of, results_of, written
from .encodings import Encodings
from .errors import ServiceError
from .tensors import Tensors
from .transport import Answer, Transport

LONGEST_TARGET = 4000  # bytes of a target; longer requests are posted
SAFETENSORS = "application/x-safetensors"
JSON = "application/json"
T = TypeVar("T", bound=Tensors)


class Client(Encodings):
    """A posencd.

    url      http://host:port, https://..., or unix:/path/to/socket; POSENC_URL by default
    key      a key, where the service asks for one; POSENC_KEY by default
    timeout  seconds that one attempt may take
    retries  how often a request is sent again when the service is overloaded and says when
    tls      a context for https, as for a certificate of one's own

    Threads may share a client. It keeps its connections; `close`, or `with`, ends them."""

    def __init__(self, url: Optional[str] = None, *, key: Optional[str] = None, timeout: float = 60.0,
                 retries: int = 3, tls: Optional[ssl.SSLContext] = None) -> None:
        self._options = (key, timeout, retries, tls)
        self._made = self._make(url) if url else None

    def _make(self, url: str) -> Transport:
        key, timeout, retries, tls = self._options
        return Transport(url, key or os.environ.get("POSENC_KEY"), timeout, retries, tls)

    @property
    def _transport(self) -> Transport:
        """Made when it is first used, so that a program may set POSENC_URL after its imports."""
        if self._made is None:
            self._made = self._make(os.environ.get("POSENC_URL") or "http://localhost:8080")
        return self._made

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        if self._made is not None:
            self._made.close()

    # ---- encodings ------------------------------------------------------------------------------

    def _call(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
              answer: Type[T]) -> T:
        content = self._ask(encoding, kinds, given, "safetensors").content
        found, texts = arrays.read_safetensors(content)
        facts = json.loads(texts.get("facts", "{}"))
        warnings = json.loads(texts.get("warnings", "[]"))
        return answer(found, facts, warnings)

    def _ask(self, encoding: str, kinds: Mapping[str, str], given: Mapping[str, Any],
             form: str) -> Answer:
        texts: Dict[str, str] = {"format": form}
        sent: Dict[str, arrays.Array] = {}
        for name, value in given.items():
            kind = kinds.get(name, "word")
            if kind == "tensor" and not isinstance(value, str):
                sent[name] = values.vectors(value, given.get("in_dtype"))
            elif kind == "numbers" and isinstance(value, np.ndarray) and value.size > 64:
                sent[name] = np.asarray(value, dtype=np.float64)
            else:
                texts[name] = values.text_of(kind, value)
        if sent:
            texts.pop("in_dtype", None)
        target = "/v1/%s?%s" % (encoding, _query(texts))
        words = given.get("in_dtype") in ("bf16", "bfloat16")
        if len(target) <= LONGEST_TARGET:
            if not sent:
                return self._transport.ask("GET", target)
            return self._transport.ask("POST", target, arrays.write_safetensors(sent, words),
                                       {"Content-Type": SAFETENSORS})
        body: Dict[str, Any] = dict(texts)
        for name, array in sent.items():
            if arrays.element_name(array, words) == "BF16":
                array = arrays.bfloat16_to_float32(array)
            body[name] = {"shape": list(array.shape), "data": array.ravel().tolist()}
            body["in_dtype"] = _common_dtype(sent, words)
        return self._transport.ask("POST", "/v1/" + encoding, [json.dumps(body).encode()],
                                   {"Content-Type": JSON})

    def picture(self, encoding: str, **parameters: Any) -> bytes:
        """A PNG of an encoding's answer: picture("alibi", heads=8, len=64)."""
        return bytes(self._drawn(encoding, "png", parameters))

    def figure(self, encoding: str, **parameters: Any) -> str:
        """An SVG with axes of an encoding's answer: figure("rope", dim=64, pos=range(64))."""
        return self._drawn(encoding, "svg", parameters).decode()

    def _drawn(self, encoding: str, form: str, parameters: Mapping[str, Any]) -> bytearray:
        given = parameters_of((encoding, parameters), self._kinds)
        return self._ask(encoding, self._kinds[encoding], given, form).content

    def batch(self, requests: Sequence[Request]) -> List[Result]:
        """Many answers at once, in order: batch([("rope", {"dim": 8, "pos": range(4)}), ("alibi",
        {"heads": 8, "len": 16})]). A request that is refused has its RequestError in the list."""
        found: List[Result] = []
        for first in range(0, len(requests), REQUESTS_MAX):
            asked = list(requests[first:first + REQUESTS_MAX])
            body = {"requests": [written(request, self._kinds) for request in asked]}
            answer = self._transport.ask("POST", "/v1/batch", [json.dumps(body).encode()],
                                         {"Content-Type": JSON, "Accept": JSON})
            found += results_of(answer.json(), asked, self._answers)
        return found

    # ---- models, verify, descriptions ------------------------------------------------------------

    def _object(self, answer: Answer) -> Dict[str, Any]:
        found = answer.json()
        if not isinstance(found, dict):
            raise ServiceError("the answer is no object")
        return found

    def models(self) -> List[Dict[str, Any]]:
        """The published models whose positions are known: id, title, window, encodings ..."""
        return list(self._object(self._transport.ask("GET", "/v1/models"))["models"])

    def model(self, name: str) -> Dict[str, Any]:
        """One model: its facts, sources, and for each use of an encoding parameters and URLs."""
        return self._object(self._transport.ask("GET", "/v1/models/" + urllib.parse.quote(name)))

    def resolve(self, config: Mapping[str, Any]) -> Dict[str, Any]:
        """What a Hugging Face config.json means, as `model` says it of a published one."""
        return self._object(self._transport.ask("POST", "/v1/models/resolve",
                                                [json.dumps(config).encode()], {"Content-Type": JSON}))

    def tables(self, config: Mapping[str, Any], **parameters: Any) -> Tuple[Tensors, ...]:
        """The tables that a config.json means, one for each use of an encoding: tables(config,
        pos=range(4096)). More parameters replace those of the configuration."""
        found = []
        for use in self.resolve(config)["uses"]:
            if use["encoding"] is not None and "parameters" in use:
                name, given = use["encoding"], {**use["parameters"], **parameters}
                found.append(self._call(name, self._kinds[name], given, self._answers[name]))
        return tuple(found)

    def verify(self, tensors: Mapping[str, Any], **claim: Any) -> Dict[str, Any]:
        """What is right or wrong with numbers: verify({"cos": cos}, encoding="rope", dim=128,
        pos=range(64)). Without a claim they are identified."""
        kinds = self._kinds.get(claim.get("encoding", ""), {})
        texts = {name: values.text_of(kinds.get(name, "word"), value) for name, value in claim.items()}
        content = arrays.write_safetensors({name: np.asarray(one) for name, one in tensors.items()})
        return self._object(self._transport.ask(
            "POST", "/v1/verify?" + _query(texts), content,
            {"Content-Type": SAFETENSORS}))

    def encodings(self) -> List[Dict[str, Any]]:
        """Every encoding with its parameters and outputs."""
        return list(self._object(self._transport.ask("GET", "/v1/encodings"))["encodings"])

    def version(self) -> Dict[str, Any]:
        """The versions, limits and revisions of the service."""
        return self._object(self._transport.ask("GET", "/version"))


def _query(texts: Mapping[str, str]) -> str:
    """The query of names and texts; a plus sign is itself, and a blank is %20."""
    return urllib.parse.urlencode(texts, safe=",:;.", quote_via=urllib.parse.quote)


def _common_dtype(sent: Mapping[str, arrays.Array], words: bool) -> str:
    names = {arrays.element_name(array, words).lower() for array in sent.values()}
    if len(names) > 1:
        raise ValueError("arrays beside many positions have one dtype; got %s" % sorted(names))
    return names.pop()
