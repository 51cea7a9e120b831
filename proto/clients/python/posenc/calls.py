# SPDX-License-Identifier: Apache-2.0
"""What is sent for each call of a client, and what its answer means."""

from __future__ import annotations

import io
import json
import os
import pathlib
import urllib.parse
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

import numpy as np

from . import arrays, values
from .batch import REQUESTS_MAX, Request, Result, parameters_of, results_of, written
from .encodings import _ANSWERS, _KINDS
from .errors import ServiceError
from .foreign import to_array
from .messages import Answer, Call, Sent
from .tensors import Tensors

LONGEST_TARGET = 4000  # bytes of a target; longer requests are posted
NAMELESS = "arr_0"  # what numpy.savez calls an array without a name
SAFETENSORS = {"Content-Type": "application/x-safetensors"}
JSON = {"Content-Type": "application/json"}
Config = Union[str, "os.PathLike[str]", Mapping[str, Any]]
T = TypeVar("T", bound=Tensors)


# ---- encodings ---------------------------------------------------------------------------------------

def encoding(name: str, given: Mapping[str, Any], answer: Type[T]) -> Call[T]:
    """The tensors of an encoding."""
    def read(got: Answer) -> T:
        found, texts = arrays.read_safetensors(got.content)
        return answer(found, *arrays.facts_of(texts))
    return Call(request(name, given, "safetensors"), read)


def request(name: str, given: Mapping[str, Any], form: str) -> Sent:
    """A request for an encoding in a format: parameters are texts of the query. Vectors and long lists are
    a file of tensors."""
    given = values.of_torch(given, _KINDS[name])
    texts: Dict[str, str] = {"format": form}
    sent: Dict[str, arrays.Array] = {}
    vectors = False
    for parameter, value in given.items():
        kind = _KINDS[name].get(parameter, "word")
        listed = values.many(kind, value)
        if kind == "tensor" and not isinstance(value, str):
            sent[parameter] = values.vectors(value, given.get("in_dtype"))
            vectors = True
        elif listed is not None:
            sent[parameter] = listed
        else:
            texts[parameter] = values.text_of(kind, value)
    if vectors:
        texts.pop("in_dtype", None)
    target = "/v1/%s?%s" % (name, _query(texts))
    words = given.get("in_dtype") in ("bf16", "bfloat16")
    if len(target) <= LONGEST_TARGET:
        if not sent:
            return Sent("GET", target)
        return Sent("POST", target, arrays.write_safetensors(sent, words), SAFETENSORS)
    return Sent("POST", "/v1/" + name, [json.dumps(_members(name, texts, sent, words)).encode()], JSON)


def _members(name: str, texts: Mapping[str, str], sent: Mapping[str, arrays.Array],
             words: bool) -> Dict[str, Any]:
    """Parameters whose texts fill no query, as a body of JSON."""
    body: Dict[str, Any] = dict(texts)
    dtypes = set()
    for parameter, array in sent.items():
        if _KINDS[name].get(parameter) != "tensor":
            body[parameter] = array.tolist()
            continue
        dtypes.add(arrays.element_name(array, words).lower())
        if "bf16" in dtypes:
            array = arrays.bfloat16_to_float32(array)
        body[parameter] = {"shape": list(array.shape), "data": array.ravel().tolist()}
    if len(dtypes) > 1:
        raise ValueError("arrays beside long texts have one dtype; got %s" % sorted(dtypes))
    return {**body, "in_dtype": dtypes.pop()} if dtypes else body


def drawn(name: str, form: str, parameters: Mapping[str, Any]) -> Call[bytearray]:
    """A picture of an encoding's answer."""
    return Call(request(name, parameters_of((name, parameters), _KINDS), form), lambda got: got.content)


def batches(requests: Sequence[Request]) -> List[Call[List[Result]]]:
    """Many answers, in as many requests to the service as they need."""
    return [_batch(list(requests[first:first + REQUESTS_MAX]))
            for first in range(0, len(requests), REQUESTS_MAX)]


def _batch(asked: List[Request]) -> Call[List[Result]]:
    body = {"requests": [written(one, _KINDS) for one in asked]}
    sent = Sent("POST", "/v1/batch", [json.dumps(body).encode()], {**JSON, "Accept": "application/json"})
    return Call(sent, lambda got: results_of(got.json(), asked, _ANSWERS))


# ---- models, verify, descriptions --------------------------------------------------------------------

def _object(got: Answer) -> Dict[str, Any]:
    found = got.json()
    if not isinstance(found, dict):
        raise ServiceError("the answer is no object")
    return found


def _list(target: str, member: str) -> Call[List[Dict[str, Any]]]:
    return Call(Sent("GET", target), lambda got: list(_object(got)[member]))


def models() -> Call[List[Dict[str, Any]]]:
    return _list("/v1/models", "models")


def encodings() -> Call[List[Dict[str, Any]]]:
    return _list("/v1/encodings", "encodings")


def version() -> Call[Dict[str, Any]]:
    return Call(Sent("GET", "/version"), _object)


def model(name: str) -> Call[Dict[str, Any]]:
    return Call(Sent("GET", "/v1/models/" + urllib.parse.quote(name)), _object)


def resolve(config: Union["os.PathLike[str]", Mapping[str, Any]]) -> Call[Dict[str, Any]]:
    return Call(Sent("POST", "/v1/models/resolve", [_content(config)], JSON), _object)


def configured(config: Config) -> Optional[Call[Dict[str, Any]]]:
    """What resolves a configuration, or a file of one; None of a published model's name."""
    if not isinstance(config, str):
        return resolve(config)
    return resolve(pathlib.Path(config)) if config.endswith(".json") else None


def _content(config: Union["os.PathLike[str]", Mapping[str, Any]]) -> bytes:
    """A configuration as JSON: of a path the file, or config.json of the folder, as checkpoints have it."""
    if not hasattr(config, "__fspath__"):
        return json.dumps(config).encode()
    path = os.fspath(config)
    with open(os.path.join(path, "config.json") if os.path.isdir(path) else path, "rb") as file:
        return file.read()


def tables(found: Mapping[str, Any], parameters: Mapping[str, Any]) -> List[Call[Tensors]]:
    """The tables of a configuration, one for each use of an encoding."""
    return [encoding(use["encoding"], {**use["parameters"], **parameters}, _ANSWERS[use["encoding"]])
            for use in found["uses"] if use["encoding"] is not None and "parameters" in use]


def tables_of(name: str, parameters: Mapping[str, Any]) -> Call[Tuple[Tensors, ...]]:
    """All tables of a published model but masks, unless masks= says otherwise: one answer for each
    encoding of each group of layers."""
    kinds = {parameter: kind for one in _KINDS.values() for parameter, kind in one.items()}
    texts = {"masks": "none", **{parameter: values.text_of(kinds.get(parameter, "word"), value)
                                 for parameter, value in parameters.items()}}

    def read(got: Answer) -> Tuple[Tensors, ...]:
        found, texts = arrays.read_safetensors(got.content)
        groups: Dict[str, Dict[str, arrays.Array]] = {}
        for full, array in found.items():
            use, output = full.rsplit(".", 1)
            groups.setdefault(use, {})[output] = array
        order = [use for use in json.loads(texts["parameters"]) if use in groups]
        return tuple(_ANSWERS[use.rsplit(".", 1)[1]](groups[use], {}, ()) for use in order)
    return Call(Sent("GET", "/v1/models/%s/tables?%s" % (urllib.parse.quote(name), _query(texts))), read)


def claim_texts(claim: Mapping[str, Any]) -> Dict[str, str]:
    """The words of a claim; without an encoding, parameters have the kind that all encodings give them."""
    kinds = _KINDS.get(claim.get("encoding", "")) or {
        parameter: kind for one in _KINDS.values() for parameter, kind in one.items()}
    return {name: values.text_of(kinds.get(name, "word"), value) for name, value in claim.items()}


def tensor_file(tensors: Mapping[str, Any],
                texts: Optional[Mapping[str, str]] = None) -> List[arrays.Piece]:
    """Tensors of any library as a file, with texts as its metadata; words of uint16 are bfloat16."""
    return arrays.write_safetensors({name: to_array(one) for name, one in tensors.items()}, True, texts)


def judged(tensors: Mapping[str, Any],
           claim: Mapping[str, Any]) -> Tuple[Dict[str, str], List[arrays.Piece], Dict[str, str]]:
    """What is sent to be judged: words, the pieces of a file, and its type. Words that fill no query are the
    claim in the metadata of the file, and so many positions a tensor of their own. One array without a name
    is a file of a format without names, where nothing has to be beside it."""
    texts = claim_texts(claim)
    tensors = dict(tensors)
    if len(texts.get("pos", "")) > LONGEST_TARGET and "position_ids" not in tensors:
        listed = values.many("positions", claim["pos"])
        if listed is not None:
            del texts["pos"]
            tensors["position_ids"] = listed
    beside = _moved(texts)
    if list(tensors) == [""] and not beside:
        return (texts, *_nameless(to_array(tensors[""]), texts))
    if "" in tensors:
        tensors[texts.pop("tensor", NAMELESS)] = tensors.pop("")
    return texts, tensor_file(tensors, beside), SAFETENSORS


def _moved(texts: Dict[str, str]) -> Dict[str, str]:
    """Takes the longest texts of a claim, until the others fit into a query; returns them as the metadata of
    a file."""
    moved: Dict[str, str] = {}
    while len(_query(texts)) > LONGEST_TARGET:
        longest = max(texts, key=lambda name: len(texts[name]))
        moved[longest] = texts.pop(longest)
    config = {"config": moved.pop("config")} if "config" in moved else {}
    return {"claim": _query(moved), **config} if moved or config else {}


def _nameless(array: arrays.Array, texts: Dict[str, str]) -> Tuple[List[arrays.Piece], Dict[str, str]]:
    """An array as npy, which has no bfloat16: that is raw bytes, which words describe."""
    if arrays.element_name(array, True) == "BF16":
        texts.update(in_dtype="bf16", shape=",".join(map(str, array.shape)))
        return [np.ascontiguousarray(array).tobytes()], {"Content-Type": "application/octet-stream"}
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return [file.getvalue()], {"Content-Type": "application/x-npy"}


def verify(tensors: Mapping[str, Any], claim: Mapping[str, Any]) -> Call[Dict[str, Any]]:
    texts, pieces, kind = judged(tensors, claim)
    return Call(Sent("POST", "/v1/verify?" + _query(texts), pieces, kind), _object)


def _query(texts: Mapping[str, str]) -> str:
    """The query of names and texts; a plus sign is itself, and a blank is %20."""
    return urllib.parse.urlencode(texts, safe=",:;.", quote_via=urllib.parse.quote)
