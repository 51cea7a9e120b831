# SPDX-License-Identifier: Apache-2.0
"""question.py - the request for one output of a case, and how its answer becomes the array."""

import numpy as np

from cases import Inexpressible


class Tensor:
    """A tensor of the service: /v1/{encoding}?params&out=... in any dtype."""

    def __init__(self, encoding, out, params, shape=None):
        self.encoding, self.out, self.params, self.shape = encoding, out, params, shape

    def fetch(self, service, dtype, profile=None):
        params = dict(self.params, out=self.out, **({"profile": profile} if profile else {}))
        array = service.array(self.encoding, params, dtype)
        return array if self.shape is None else reshape(array, self.shape)


class Stack:
    """Several questions joined along a new axis (a batch that the service answers one by one)."""

    def __init__(self, questions, axis):
        self.questions, self.axis = questions, axis

    def fetch(self, service, dtype, profile=None):
        return np.stack([question.fetch(service, dtype, profile)
                         for question in self.questions], axis=self.axis)


class Picked:
    """Some rows of a table, in the case's order."""

    def __init__(self, question, rows):
        self.question, self.rows = question, rows

    def fetch(self, service, dtype, profile=None):
        return self.question.fetch(service, dtype, profile)[np.asarray(self.rows, dtype=int)]


class Joined:
    """Several tensors side by side along an axis."""

    def __init__(self, questions, axis):
        self.questions, self.axis = questions, axis

    def fetch(self, service, dtype, profile=None):
        return np.concatenate([question.fetch(service, dtype, profile)
                               for question in self.questions], axis=self.axis)


class Apply:
    """Vectors that the service transforms: POST /v1/{encoding}/apply, in any dtype. The answer has
    the dtype of the vectors, so they are sent in the dtype that is asked for."""

    def __init__(self, encoding, params, vectors):
        self.encoding, self.params = encoding, params
        self.vectors = np.asarray(vectors, dtype=np.float64)

    def fetch(self, service, dtype, profile=None):
        params = dict(self.params, **({"profile": profile} if profile else {}))
        return service.apply(self.encoding, params, self.vectors, dtype)


class Body:
    """A tensor that the service makes of tensors of several axes, sent as a JSON body."""

    def __init__(self, encoding, out, params):
        self.encoding, self.out, self.params = encoding, out, params

    def fetch(self, service, dtype, profile=None):
        return service.post(self.encoding, dict(self.params, out=self.out), dtype)


class Padded:
    """A question's rows, then vectors that are not transformed: padding behind a sequence."""

    def __init__(self, question, rest):
        self.question, self.rest = question, rest

    def fetch(self, service, dtype, profile=None):
        rows = self.question.fetch(service, dtype, profile)
        if not self.rest:
            return rows
        return np.concatenate([rows, np.asarray(self.rest, dtype=rows.dtype)])


class Fact:
    """A number that answers state beside their tensors (attention_factor)."""

    def __init__(self, encoding, name, params, shape):
        self.encoding, self.name, self.params, self.shape = encoding, name, params, shape

    def fetch(self, service, dtype, profile=None):
        params = dict(self.params, **({"profile": profile} if profile else {}))
        value = service.fact(self.encoding, params, self.name)
        kind = {"f32": np.float32, "f64": np.float64}[dtype]
        return np.full(self.shape, value, dtype=np.float64).astype(kind)


class Same:
    """Two requests for the same numbers: both are sent, and must agree."""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def fetch(self, service, dtype, profile=None):
        first = self.first.fetch(service, dtype, profile)
        second = self.second.fetch(service, dtype, profile)
        if not np.array_equal(first, second):
            raise ValueError("%s and %s differ: %r, %r" % (
                type(self.first).__name__, type(self.second).__name__, first, second))
        return first


def reshape(array, shape):
    """Drops or adds axes of length 1, and joins or splits leading neighbours (rows and columns
    of a grid as one axis of places); any other difference stays visible."""
    shape = tuple(shape)
    ours, theirs = ([n for n in sizes if n != 1] for sizes in (array.shape, shape))
    if ours == theirs or ours[-1:] == theirs[-1:] and (refines(ours, theirs) or
                                                       refines(theirs, ours)):
        return array.reshape(shape)
    return array


def refines(fine, coarse):
    """Each axis of `coarse` is a run of neighbours of `fine` as one."""
    left = list(fine)
    for size in coarse:
        product = 1
        while left and product < size:
            product *= left.pop(0)
        if product != size:
            return False
    return not left


def all_used(case):
    """Every entry of a case must have been read."""
    case.params.finish()
    case.inputs.finish()


def alone(case, question, name=None):
    """The question for a case's only output, which has this name if one is given."""
    all_used(case)
    names = [output.name for output in case.outputs]
    if len(names) != 1 or name not in (None, names[0]):
        raise Inexpressible("outputs %s" % names)
    return {names[0]: question}


def each(case, encoding, asked):
    """A tensor for each output, of its own name."""
    return {output.name: Tensor(encoding, output.name, asked, output.shape)
            for output in case.outputs}
