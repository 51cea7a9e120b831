#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""variants.py - methods of the goldens in spellings that no case has.

    tests/golden/variants.py [--url URL]

References name and shape the same thing in several ways: a batch of masks, a grid as one axis or
as two, a configuration with a dictionary for each type of layer. Each row of VARIANTS says one
thing twice; both must become requests, and their answers be equal. The last line is "N passed,
N failed"."""

import os
import sys

import numpy as np

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

from cases import Case, Inexpressible, Taken  # noqa: E402
from methods import METHODS  # noqa: E402
from service import Refused, Service, arguments, served  # noqa: E402

HALF = {"pairing": "half"}
VLLM = {"head_size": 8, "rotary_dim": 8, "is_neox_style": True}
YARN = {"rope_theta": 1e6, "factor": 4.0, "original_max_position_embeddings": 32768}
LONG = {"short_factor": [1.0, 1.1, 1.2, 1.3], "long_factor": [2.0, 3.0, 4.0, 5.0],
        "original_max_position_embeddings": 64, "rope_theta": 1e4}
MASKS = [[[0, 0, 1], [0, 0, 1]], [[0, 0, 0], [0, 1, 1]]]
X = np.linspace(-1, 1, 4 * 8).reshape(4, 8).tolist()
LAYERS = {"full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
          "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}


class Said:
    """A case as its index has it, without the expected values: (name, shape) of one output."""

    def __init__(self, method, output, shape, variant=None, pairing=None, inputs=None, **params):
        self.method, self.output, self.shape = method, output, tuple(shape)
        self.variant, self.pairing = variant, pairing
        self.inputs, self.params = inputs or {}, params

    def ask(self, service):
        case = Case("", {"id": "", "method": self.method, "variant": self.variant,
                         "pairing": self.pairing})
        case.params, case.inputs = Taken(self.params, "parameter"), Taken(self.inputs, "input")
        case.outputs = [Expected(self.output, self.shape)]
        return METHODS[self.method].questions(case)[self.output].fetch(service, "f64")


class Expected:
    """The properties of an output that decide the question."""

    def __init__(self, name, shape):
        self.name, self.shape, self.axes = name, shape, ()


class Beside:
    """One output of several cases, joined along a new axis or the first one."""

    def __init__(self, join, *said):
        self.join, self.said = join, said

    def ask(self, service):
        return self.join([one.ask(service) for one in self.said])


def rope(variant, positions, **params):
    return Said("rope", "cos", (len(positions), 4), variant, "half", {"positions": positions},
                **params)


def applied(variant, positions=(0, 1, 7, 50), x=None, **params):
    return Said("rope_apply", "q_rotated", (4, 8), variant, "half",
                {"positions": list(positions), "q": x or X}, **params)


def detr(mask, shape):
    return Said("detr_sine_2d", "pos", shape, inputs={"mask": mask}, num_pos_feats=4,
                normalize=True)


def wan(x):
    return Said("rope_3d_apply", "rotated", (len(x), 8), inputs={"x": x}, grid_fhw=[1, 1, 2],
                head_dim=8, axes_dim=[4, 2, 2])


def buckets(differences):
    return Said("t5_relative_bucket", "bucket", np.shape(differences), bidirectional=True,
                inputs={"relative_position": differences})


def lumina(shape, **grid):
    return Said("rope_2d_lumina", "cos", shape, embed_dim=16, linear_factor=2.0, ntk_factor=3.0,
                **grid)


def deberta(**names):
    return Said("deberta_log_bucket", "bucket", (3,), inputs={"relative_pos": [-300, 4, 90]},
                **names)


VARIANTS = {
    "a batch of masks": (
        detr(MASKS, (2, 8, 2, 3)),
        Beside(np.stack, detr(MASKS[0], (8, 2, 3)), detr(MASKS[1], (8, 2, 3)))),
    "padding behind the sequence of a grid": (
        wan(X), Beside(np.concatenate, wan(X[:2]), Said(
            "rope_apply", "q_rotated", (2, 8), "default", "half", head_dim=8,
            inputs={"positions": [0, 0], "q": X[2:]}))),
    "differences of two axes": (
        buckets([[0, 5, -9], [200, -1, 33]]),
        Beside(np.stack, buckets([0, 5, -9]), buckets([200, -1, 33]))),
    "places of a grid along one axis or two": (
        lumina((3, 4, 8), len_h=3, len_w=4),
        Beside(lambda one: one[0].reshape(3, 4, 8), lumina((12, 8), grid=[3, 4]))),
    "parameters of a type of layer": (
        rope("linear", [0, 3], head_dim=8, rope_parameters=LAYERS, layer_type="full_attention"),
        rope("linear", [0, 3], head_dim=8, rope_theta=1e6,
             rope_scaling={"type": "linear", "factor": 8.0})),
    "the fraction of a head beside its parameters": (
        rope("proportional", [1, 2], head_dim=8, rotary_dim=8, partial_rotary_factor=.5,
             rope_parameters={"rope_type": "proportional", "rope_theta": 1e4}),
        rope("proportional", [1, 2], head_dim=8, rotary_dim=8, rope_parameters={
            "rope_type": "proportional", "rope_theta": 1e4, "partial_rotary_factor": .5})),
    "vLLM's YaRN without its temperature": (
        applied("yarn", rope_parameters=dict(YARN, attn_factor=1.5, apply_yarn_scaling=False),
                max_position=131072, **VLLM),
        applied("yarn", head_dim=8, rope_theta=1e6, rope_scaling=dict(
            YARN, rope_type="yarn", attention_factor=1.5))),
    "vLLM's longrope, which the model's length decides": (
        applied("longrope", rope_parameters=LONG, max_position=2048, **VLLM),
        applied("longrope", head_dim=8, rope_theta=1e4, max_position_embeddings=2048,
                rope_scaling=LONG, seq_len=2048)),
    "interpolated positions": (
        Said("rope_apply", "rotated", (4, 8), None, "half", {"x": X}, dim=8, length=4,
             interpolation_factor=4.0),
        Said("rope_apply", "rotated", (4, 8), None, "half",
             {"x": X, "positions": [0, .25, .5, .75]}, dim=8, length=4)),
    "a frequency's base by another name": (
        Said("sinusoidal", "table", (2, 8), inputs={"positions": [1, 9]}, dim=8, theta=500),
        Said("sinusoidal", "table", (2, 8), inputs={"positions": [1, 9]}, d_model=8, base=500)),
    "buckets by the names of another port": (
        deberta(bucket_size=32, max_position=128),
        deberta(position_buckets=32, max_relative_positions=128)),
    "queries of a shrunk grid counted": (
        Said("levit_attention_bias_index", "attention_bias_idxs", (4, 16), resolution=4,
             stride=2, resolution_=2),
        Said("levit_attention_bias_index", "attention_bias_idxs", (4, 16), resolution=4,
             stride=2)),
}

# A case that cannot be expressed must not be taken for another one.
REFUSED = {
    "a parameter that nobody knows": rope("default", [0, 3], head_dim=8, rope_theta=1e4,
                                          rope_swing=2),
    "a count of queries that does not follow": Said(
        "levit_attention_bias_index", "attention_bias_idxs", (4, 16), resolution=4, stride=2,
        resolution_=3),
    "positions and base changed together": Said(
        "rope_apply", "rotated", (4, 8), None, "half", {"x": X}, dim=8, length=4,
        interpolation_factor=4.0, base_rescale_factor=2.0),
}


def fault_of(service, one, other):
    first, second = one.ask(service), other.ask(service)
    if first.shape != second.shape:
        return "shapes %s and %s" % (first.shape, second.shape)
    if not np.array_equal(first, second):
        return "%d of %d elements differ" % (np.sum(first != second), first.size)
    return None


def is_refused(service, said):
    try:
        said.ask(service)
    except Inexpressible:
        return True
    return False


def run(url):
    service, faults = Service(url), {}
    for title, (one, other) in VARIANTS.items():
        try:
            faults[title] = fault_of(service, one, other)
        except (Inexpressible, Refused, KeyError, TypeError, ValueError) as fault:
            faults[title] = "%s: %s" % (type(fault).__name__, fault)
    for title, said in REFUSED.items():
        faults[title] = None if is_refused(service, said) else "was asked"
    for title, fault in faults.items():
        if fault:
            print("FAIL %s: %s" % (title, fault))
    failed = sum(fault is not None for fault in faults.values())
    print("%d passed, %d failed" % (len(faults) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(served(arguments(__doc__), run))
