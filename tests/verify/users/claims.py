# SPDX-License-Identifier: Apache-2.0
"""claims.py - random claims of an encoding: an example of it with other sizes, positions, numbers
and choices, by the types of its parameters alone. What the service refuses is drawn again."""

import zlib

import numpy as np

TRIES = 24
LARGEST = 48  # of a size that is drawn
WORDS = ("out", "dtype")  # what an answer is, not what it is of


def spans(random, text):
    """Positions as a slice from somewhere else, of another length; lists stay."""
    first, colon, rest = text.partition(":")
    if not colon or not first.isdigit() or not rest.isdigit():
        return text
    start = int(random.choice([0, 0, 0, int(first), 1, 7, 100]))
    return "%d:%d" % (start, start + int(random.integers(2, LARGEST)))


def whole(random, param, text):
    low, high = param.get("minimum", 0), min(param.get("maximum", LARGEST), LARGEST)
    value = int(text) if text.lstrip("-").isdigit() else low
    near = [value, value, value + 1, 2 * value, int(random.integers(low, max(high, low + 1)))]
    return str(int(np.clip(random.choice(near), low, max(value, param.get("maximum", value * 2)))))


def real(random, text):
    try:
        value = float(text)
    except ValueError:
        return text
    return "%.3g" % (value * float(random.choice([0.5, 0.75, 1, 1, 1.5, 2])))


def grid(random):
    return "x".join(str(int(random.choice([2, 3, 4, 6, 8, 12]))) for _ in range(2))


def changed(random, param, text):
    """Another value of a parameter that an example gives."""
    kind = param["type"]
    if kind == "positions":
        return spans(random, text)
    if kind == "integer":
        return whole(random, param, text)
    if kind == "number":
        return real(random, text)
    if kind == "grid":
        return grid(random)
    if kind == "choice":
        return str(random.choice([choice["name"] for choice in param["choices"]]))
    if kind == "numbers" and text.replace(",", "").isdigit() and max(map(int, text.split(","))) > 1:
        return ",".join(str(int(random.integers(1, 9))) for _ in range(random.integers(2, 6)))
    return text


def drawn(random, entry, words):
    """The words of an example, each value another one every second time, and now and then a
    choice that the example leaves open."""
    params = {param["name"]: param for param in entry["params"]}
    given = dict(word.partition("=")[::2] for word in words)
    claim = {}
    for name, text in given.items():
        is_kept = name in WORDS or name not in params or random.random() < 0.4
        claim[name] = text if is_kept else changed(random, params[name], text)
    for name, param in params.items():
        if name not in given and param["type"] == "choice" and random.random() < 0.1 and \
                name not in ("profile", "preset", "model", "in_dtype"):
            claim[name] = str(random.choice([choice["name"] for choice in param["choices"]]))
    return ["%s=%s" % pair for pair in claim.items()]


def claims(entry, examples, seed, number):
    """Up to TRIES lists of words, the last of which is an example itself; examples: their words."""
    random = np.random.default_rng([seed, zlib.crc32(entry["name"].encode()), number])
    words = examples[int(random.integers(len(examples)))]
    for _ in range(TRIES):
        yield drawn(random, entry, words)
    yield words
