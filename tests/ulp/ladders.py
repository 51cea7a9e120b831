# SPDX-License-Identifier: Apache-2.0
"""ladders.py - angular frequencies and rows of sines and cosines, as the papers define them."""

from mpmath import mp, mpf


def power(base, exponent):
    return mp.power(mpf(base), exponent)


def ladder(base, width):
    """base^(-2i/width) of every pair of an even width (Vaswani et al. 2017)."""
    return [power(base, -mpf(2 * i) / width) for i in range(width // 2)]


def linspace(low, high, count):
    low, high = mpf(low), mpf(high)
    return [low + (high - low) * i / (count - 1) if i else low for i in range(count)]


def pixel_linear(max_freq, bands):
    return [mp.pi * value for value in linspace(1, mpf(max_freq) / 2, bands)]


def pixel_log(max_freq, bands):
    return [mp.pi * mpf(2) ** e for e in linspace(0, mp.log(max_freq, 2) - 1, bands)]


def times(position, frequencies):
    return [mpf(position) * w for w in frequencies]


def raster(*sizes):
    """Index tuples of a grid, the last axis fastest."""
    places = [()]
    for size in sizes:
        places = [place + (i,) for place in places for i in range(size)]
    return places


def as_map(rows, height, width):
    """Rows of a raster as (channel, height, width)."""
    return [[channel[y * width:(y + 1) * width] for y in range(height)]
            for channel in zip(*rows)]
