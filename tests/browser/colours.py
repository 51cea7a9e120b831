# SPDX-License-Identifier: Apache-2.0
"""colours.py - the colours that a value must have, computed apart from the page: stops at equal
steps, linear between them, 256 entries."""

import numpy

STOPS = {
    ("signed", "light"): "1f4e98 246dc4 4691dc 77b3e9 b0d3ef f3f1ec efc7ac e99c6f db713d c34816 9b311a",
    ("signed", "dark"): "5bcbef 15a6db 1e80b5 2a5d87 2a3d54 1d2025 533325 844820 b0640e d5870d ecb255",
    ("index", "light"): "440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725",
    ("mask", "light"): "e4e1da 2757b8", ("mask", "dark"): "23272d 8ab4ff",
}
STOPS["index", "dark"] = STOPS["index", "light"]
HIDDEN = {"light": "d8d6cf bdbab1", "dark": "2c3036 474d56"}


def rgb(words):
    return numpy.array([[int(word[i:i + 2], 16) for i in (0, 2, 4)] for word in words.split()], float)


def table(palette, theme):
    """256 colours (256, 3)."""
    stops = rgb(STOPS[palette, theme])
    at = numpy.linspace(0, len(stops) - 1, 256)
    return numpy.stack([numpy.interp(at, numpy.arange(len(stops)), stops[:, c])
                        for c in range(3)], 1)


def expected(values, theme):
    """(colours (..., 3), hidden (...)): the scale follows from the values."""
    if values.dtype == bool:
        return table("mask", theme)[values.astype(int) * 255], numpy.zeros(values.shape, bool)
    numbers = values.astype(float)
    if values.dtype.kind in "iu":
        hidden = numpy.zeros(values.shape, bool)
        low, high, palette = numbers.min(), numbers.max(), "index"
    else:
        hidden = numbers <= float(numpy.finfo(values.dtype).min)
        most = numpy.abs(numbers[~hidden]).max(initial=0) or 1.0
        low, high, palette = -most, most, "signed"
    share = numpy.clip((numpy.where(hidden, 0, numbers) - low) / ((high - low) or 1), 0, 1)
    return table(palette, theme)[numpy.floor(share * 255 + 0.5).astype(int)], hidden
