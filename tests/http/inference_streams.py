# SPDX-License-Identifier: Apache-2.0
"""inference_streams.py - reads inference.streams, and an answer to infer as strictly as the
strictest client does."""

import ast
import json
import os

import numpy

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inference.streams")
DTYPES = {"FP64": "<f8", "FP32": "<f4", "FP16": "<f2", "BF16": "<u2", "INT64": "<i8",
          "INT32": "<i4", "UINT8": "|u1", "BOOL": "|b1"}
MEMBERS = {"model_name", "model_version", "id", "parameters", "outputs"}
OUTPUT_MEMBERS = {"name", "datatype", "shape", "parameters", "data"}
LENGTH = "Inference-Header-Content-Length"


class Stream:
    """A request of a client: its bytes, and the lines of expectations as pairs."""

    def __init__(self, name):
        self.name, self.bytes, self.expected, self.client = name, b"", [], None


def streams():
    found = []
    with open(PATH, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#") or not line.strip():
                continue
            if not line.startswith(" "):
                found.append(Stream(line.strip()))
            elif line.strip()[:2] in ("b'", 'b"'):
                found[-1].bytes += ast.literal_eval(line.strip())
            else:
                name, _, value = line.strip().partition(": ")
                if name == "client":
                    found[-1].client = value
                else:
                    found[-1].expected.append((name, value))
    return found


class Infer:
    """An answer to infer; its outputs as arrays by name. A member that the protocol has not, a byte
    too many or a type that does not fit is an assertion."""

    def __init__(self, answer):
        length = answer.header(LENGTH)
        self.forms = set()
        text = answer.body if length is None else answer.body[:int(length)]
        self.message = json.loads(text)
        assert set(self.message) <= MEMBERS, self.message.keys()
        rest = b"" if length is None else answer.body[int(length):]
        self.outputs = {}
        for output in self.message["outputs"]:
            assert set(output) <= OUTPUT_MEMBERS, output.keys()
            rest = self.take(output, rest)
        assert rest == b"", "%d bytes behind the last output" % len(rest)
        kind = answer.header("content-type")
        assert kind == ("application/json" if length is None else "application/octet-stream"), kind

    def take(self, output, rest):
        dtype = numpy.dtype(DTYPES[output["datatype"]])
        size = output.get("parameters", {}).get("binary_data_size")
        if size is None:
            self.forms.add("json")
            kinds = {"BOOL": bool}.get(output["datatype"], (int, float, str))
            assert all(isinstance(number, kinds) for number in output["data"])
            words = {"NaN": numpy.nan, "Infinity": numpy.inf, "-Infinity": -numpy.inf}
            array = numpy.array([words.get(number, number) if isinstance(number, str) else number
                                 for number in output["data"]], dtype)
        else:
            self.forms.add("binary")
            assert "data" not in output and len(rest) >= size
            array = numpy.frombuffer(rest[:size], dtype)
            rest = rest[size:]
        self.outputs[output["name"]] = array.reshape(output["shape"])
        return rest

    def form(self):
        return self.forms.pop() if len(self.forms) == 1 else "mixed"


def pointed(document, pointer):
    """The value at a JSON pointer."""
    for word in pointer.split("/")[1:]:
        document = document[int(word)] if isinstance(document, list) else document[word]
    return document
