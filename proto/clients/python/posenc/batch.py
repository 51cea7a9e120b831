# SPDX-License-Identifier: Apache-2.0
"""Many requests in one: what is asked for, and what is answered."""

from __future__ import annotations

import base64
from typing import Any, Dict, List, Mapping, Optional, Tuple, Type, Union

import numpy as np

from . import arrays, values
from .errors import RequestError, ServiceError, of_answer
from .tensors import Tensors

REQUESTS_MAX = 1000  # of one request to a service; longer lists are sent in several
Request = Tuple[str, Mapping[str, Any]]
Result = Union[Tensors, RequestError]


def parameters_of(request: Request, kinds: Mapping[str, Mapping[str, str]]) -> Dict[str, Any]:
    """The parameters of a request by the service's names: pos.t of pos_t, from of from_. ValueError:
    there is no such encoding."""
    encoding, given = request
    if encoding not in kinds:
        raise ValueError("there is no encoding %s" % encoding)
    names = {name.replace(".", "_"): name for name in kinds[encoding]}
    return {names.get(name.rstrip("_"), name): value for name, value in given.items()
            if value is not None}


def written(request: Request, kinds: Mapping[str, Mapping[str, str]]) -> Dict[str, Any]:
    """A request as an item of the body."""
    given = values.of_torch(parameters_of(request, kinds), kinds[request[0]])
    params: Dict[str, Any] = {"data": "base64"}
    words = given.get("in_dtype") in ("bf16", "bfloat16")
    dtype: Optional[str] = None
    for name, value in given.items():
        kind = kinds[request[0]].get(name, "word")
        listed = values.many(kind, value)
        if kind == "tensor" and not isinstance(value, str):
            array = values.vectors(value, given.get("in_dtype"))
            found = arrays.element_name(array, words).lower()
            if dtype not in (None, found):
                raise ValueError("the arrays of one request have one dtype; got %s and %s" % (dtype, found))
            dtype = found
            if found == "bf16":
                array = arrays.bfloat16_to_float32(array)
            params[name] = {"shape": list(array.shape), "data": array.ravel().tolist()}
        elif listed is not None or (kind == "numbers" and isinstance(value, np.ndarray)):
            params[name] = np.asarray(value).tolist()
        else:
            params[name] = values.text_of(kind, value)
    if dtype is not None:
        params["in_dtype"] = dtype
    return {"encoding": request[0], "params": params}


def _tensors(result: Mapping[str, Any], answer: Type[Tensors]) -> Tensors:
    found = {one["name"]: arrays.of_bytes(bytearray(base64.b64decode(one["data"])), one["dtype"].upper(),
                                          one["shape"])
             for one in result["tensors"]}
    return answer(found, result["facts"], result.get("warnings", []))


def results_of(content: object, requests: List[Request],
               answers: Mapping[str, Type[Tensors]]) -> List[Result]:
    """The answers of a service, in the order of the requests."""
    try:
        responses = content["responses"]  # type: ignore[index]
        if len(responses) != len(requests):
            raise ValueError("%d answers to %d requests" % (len(responses), len(requests)))
        return [_tensors(one["result"], answers[request[0]]) if one["status"] == 200
                else of_answer(one["status"], one["problem"])
                for request, one in zip(requests, responses)]
    except (KeyError, TypeError, ValueError) as why:
        raise ServiceError("the answer to a batch is not what was asked for: %s" % why) from why
