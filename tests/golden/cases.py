# SPDX-License-Identifier: Apache-2.0
"""cases.py - golden cases as README.md describes them: index, arrays, tolerances."""

import json
import os

import numpy as np

FORMAT_VERSION = 1
# For each tolerance: the array that it belongs to, and the dtype of the answer.
TRUTHS = {"vs_truth_float32": "f32", "vs_truth_float64": "f64",
          "vs_truth_bfloat16": "bf16", "vs_truth_float16": "f16"}


class Inexpressible(Exception):
    """A case has something that our requests cannot express: a failure, not a reason to skip."""


class Taken:
    """A dict whose every entry must be used: an entry that is not read cannot be ignored."""

    def __init__(self, values, what):
        self.values, self.what, self.left = dict(values or {}), what, set(values or {})

    def take(self, *names, default=None):
        """The value under the first of the names that exists."""
        found = [name for name in names if name in self.values]
        self.left -= set(found)
        return self.values[found[0]] if found else default

    def neutral(self, *names):
        """Marks names that describe a model and change no number here as used."""
        self.left -= set(names)

    def finish(self):
        if self.left:
            raise Inexpressible("no request for %s %s" % (self.what, ", ".join(
                "%s=%r" % (name, self.values[name]) for name in sorted(self.left))))


class Output:
    """A tensor that a case expects."""

    def __init__(self, folder, entry):
        self.name, self.dtype, self.shape = entry["name"], entry["dtype"], tuple(entry["shape"])
        self.axes, self.exact = entry.get("axes", ()), entry["compare"] == "exact"
        self.tolerance = entry.get("tolerance", {})
        self.position_axis = entry.get("position_axis")
        self.reference = load(folder, entry["file"], self.shape)
        truth = entry.get("truth_file")
        self.truth = load(folder, truth, self.shape) if truth else None


class Case:
    """One case: parameters and inputs as the reference's own code takes them."""

    def __init__(self, folder, entry):
        self.id, self.method, self.variant = entry["id"], entry["method"], entry.get("variant")
        self.pairing, self.parity = entry.get("pairing"), entry.get("float32_parity")
        self.folder, self.entry = folder, entry

    @property
    def title(self):
        return self.method + ("/" + self.variant if self.variant else "")

    def open(self):
        """Loads arrays; parameters and inputs forget which entries were used."""
        self.params = Taken(self.entry.get("params"), "parameter")
        self.inputs = Taken({name: self._input(value) for name, value
                             in (self.entry.get("inputs") or {}).items()}, "input")
        self.outputs = [Output(self.folder, entry) for entry in self.entry["outputs"]]
        self.narrow = {"bfloat16": "bf16", "float16": "f16", None: None}[
            self.params.take("output_dtype")]

    def _input(self, value):
        if isinstance(value, dict) and "file" in value:
            return load(self.folder, value["file"], tuple(value["shape"])).tolist()
        return value

    def output(self, name):
        return next(output for output in self.outputs if output.name == name)


def load(folder, name, shape):
    array = np.load(os.path.join(folder, name), allow_pickle=False)
    if array.shape != shape:
        raise ValueError("%s has shape %s, the index says %s" % (name, array.shape, shape))
    return array


def read_index(folder):
    with open(os.path.join(folder, "index.json"), encoding="utf-8") as text:
        index = json.load(text)
    if index["format_version"] != FORMAT_VERSION:
        raise ValueError("format_version %r, this runner reads 1" % index["format_version"])
    cases = [Case(folder, entry) for entry in index["cases"]]
    if not cases:
        raise ValueError("no cases in the index")
    if len({case.id for case in cases}) != len(cases):
        raise ValueError("two cases with the same id")
    return cases


def allowed(expected, tolerance, position_axis):
    """abs + rel * |expected|, element by element."""
    known = {"abs", "rel", "abs_by_position"}
    if set(tolerance) - known:
        raise Inexpressible("tolerance with %s" % sorted(set(tolerance) - known))
    absolute = np.float64(tolerance.get("abs", 0.0))
    if "abs_by_position" in tolerance:
        by_position = np.asarray(tolerance["abs_by_position"], dtype=np.float64)
        shape = [1] * expected.ndim
        shape[position_axis] = by_position.size
        absolute = by_position.reshape(shape)
    with np.errstate(invalid="ignore"):  # infinite values are compared for equality
        return absolute + np.float64(tolerance.get("rel", 0.0)) * np.abs(expected)


def compare(actual, expected, tolerance, position_axis):
    """None, or a sentence about the worst element."""
    if actual.shape != expected.shape:
        return "shape %s, expected %s" % (actual.shape, expected.shape)
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(expected)
    same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
    limit = np.broadcast_to(allowed(expected, tolerance, position_axis), expected.shape)
    with np.errstate(invalid="ignore"):
        error = np.abs(actual - expected)
        wrong = np.where(finite, ~(error <= limit), ~same)
    if not wrong.any():
        return None
    beyond = np.where(finite & np.isfinite(error), error - limit, np.inf)
    excess = np.where(wrong, beyond, -np.inf)
    worst = np.unravel_index(int(np.argmax(excess)), expected.shape)
    return "%d of %d elements differ, worst at %s: %r, expected %r, allowed +-%.3g" % (
        wrong.sum(), wrong.size, list(map(int, worst)), float(actual[worst]),
        float(expected[worst]), float(limit[worst]))


def compare_exact(actual, expected):
    if actual.shape != expected.shape:
        return "shape %s, expected %s" % (actual.shape, expected.shape)
    wrong = actual.astype(np.int64) != expected.astype(np.int64)
    if not wrong.any():
        return None
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    return "%d of %d integers differ, first at %s: %d, expected %d" % (
        wrong.sum(), wrong.size, list(first), actual[first], expected[first])


def ulps(actual, expected):
    """Signed distance in float32 steps, expected - actual; both zeros are one."""
    def ordered(values):
        bits = np.ascontiguousarray(values, dtype=np.float32).view(np.int32).astype(np.int64)
        return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)
    return ordered(expected) - ordered(actual)
