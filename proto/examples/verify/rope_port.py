# SPDX-License-Identifier: Apache-2.0
"""rope_port.py - stands for the code under test: cosines and sines of Llama 3.1 in NumPy."""

import numpy as np


def inverse_frequencies(dim=128, base=500000.0, factor=8.0, low=1.0, high=4.0, trained=8192):
    frequency = base ** (-np.arange(0, dim, 2) / dim)
    turns = trained * frequency / (2 * np.pi)
    keep = np.clip((turns - low) / (high - low), 0, 1)
    return frequency * (keep + (1 - keep) / factor)


def tables(count):
    angle = np.outer(np.arange(count), inverse_frequencies())
    return np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)


if __name__ == "__main__":
    cos, sin = tables(4096)
    np.savez("rope.npz", cos=cos, sin=sin)
