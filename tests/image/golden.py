# SPDX-License-Identifier: Apache-2.0
"""golden.py - asks a running service for every answer of tests/golden/digests, so that the numbers of a
program that was built elsewhere, or for another processor, are compared bit by bit."""

import hashlib
import os
import re
import struct
import urllib.parse

import numpy

from support.posencd import ROOT
from support.tensor_file import safetensors

LIST = os.path.join(ROOT, "tests", "golden", "digests")
TENSOR = re.compile(r"\[([0-9,]+)\]")


def questions():
    """(digest, question) of each line."""
    with open(LIST, encoding="ascii") as file:
        return [tuple(line.rstrip("\n").split("  ", 1)) for line in file]


def tensor(shape):
    """The numbers that a tensor of a question has: tests/golden/digest_answer.c makes the same."""
    index = numpy.arange(numpy.prod(shape), dtype=numpy.uint32)
    fixed = (index * numpy.uint32(2654435761) >> numpy.uint32(20)).astype(numpy.int32) - 2048
    return (fixed / 512).astype("<f4").reshape(shape)


def request(question):
    """The target of a question, and its body of safetensors or None."""
    encoding, _, query = question.partition("?")
    terms, shapes = [("format", "safetensors")], {}
    for term in query.split("&"):
        name, _, value = term.partition("=")
        found = TENSOR.fullmatch(value)
        if found:
            shapes[name] = [int(number) for number in found.group(1).split(",")]
        else:
            terms.append((name, value))
    body = safetensors({name: tensor(shape) for name, shape in shapes.items()}, 1) if shapes else None
    return "/v1/%s?%s" % (encoding, urllib.parse.urlencode(terms)), body


def ask(client, question):
    """The numbers of an answer, all its tensors one after the other."""
    target, body = request(question)
    if body is None:
        answer = client.get(target)
    else:
        answer = client.ask("POST", target, body, [("Content-Type", "application/x-safetensors")])
    assert answer.status == 200, (question, answer)
    return answer.body[8 + struct.unpack("<Q", answer.body[:8])[0]:]


def wrong(client):
    """The questions whose answers have another digest, and the number of all."""
    every = questions()
    return [question for digest, question in every
            if hashlib.sha256(ask(client, question)).hexdigest() != digest], len(every)
