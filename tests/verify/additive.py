# SPDX-License-Identifier: Apache-2.0
"""additive.py - cases of sinusoidal rows, in the layouts and ladders of the libraries."""

import numpy as np

from case import Case, RIGHT, f32, narrowed


def frequencies(dim, ladder, base=1e4):
    """Vaswani et al. 2017 (open), tensor2tensor and fairseq (closed)."""
    m = dim // 2
    steps = m if ladder == "geometric-open" else m - 1
    return base ** -(np.arange(m) / steps)


def rows(positions, w, layout):
    angles = np.asarray(positions, np.float64)[:, None] * w
    sin, cos = np.sin(angles), np.cos(angles)
    if layout == "interleaved":
        return np.stack([sin, cos], -1).reshape(len(angles), -1)
    if layout == "concat":
        return np.concatenate([sin, cos], -1)
    return np.concatenate([cos, sin], -1)


def drawn(random):
    dim = random.choice([64, 128, 256, 512, 768])
    count, first = random.choice([16, 64, 128]), random.choice([0, 0, 1, 2, 1000])
    ladder = random.choice(["geometric-open", "geometric-closed"])
    layout = random.choice(["interleaved", "concat", "concat-cs"])
    claim = {"encoding": "sinusoidal", "dim": dim, "pos": "%d:%d" % (first, first + count),
             "ladder": ladder, "layout": layout}
    return claim, dim, range(first, first + count), ladder, layout


def right(random):
    claim, dim, positions, ladder, layout = drawn(random)
    dtype = random.choice(["f32", "f64", "f16", "bf16"])
    values = rows(positions, frequencies(dim, ladder), layout)
    return Case("additive/right-" + dtype, claim, {"rows": narrowed(values, dtype)}, RIGHT)


def other_layout(random):
    claim, dim, positions, ladder, layout = drawn(random)
    done = random.choice([o for o in ("interleaved", "concat", "concat-cs") if o != layout])
    values = rows(positions, frequencies(dim, ladder), done)
    return Case("additive/other-layout", claim, {"rows": f32(values)}, "layout",
                repair={"layout": (done, layout)})


def other_ladder(random):
    claim, dim, positions, ladder, layout = drawn(random)
    done = "geometric-open" if ladder == "geometric-closed" else "geometric-closed"
    values = rows(positions, frequencies(dim, done), layout)
    return Case("additive/other-ladder", claim, {"rows": f32(values)},
                {"ladder", "base"}, repair={"ladder": (done, ladder)})


def other_base(random):
    claim, dim, positions, ladder, layout = drawn(random)
    done = random.choice([100.0, 1000.0, 5000.0, 100000.0])
    values = rows(positions, frequencies(dim, ladder, done), layout)
    return Case("additive/other-base", claim, {"rows": f32(values)}, "base",
                repair={"base": (done, 10000)})


def shifted(random):
    """fairseq counts from padding_idx + 1, so its first row is row 2."""
    claim, dim, positions, ladder, layout = drawn(random)
    by = random.choice([1, 2, -1])
    values = rows(np.asarray(positions) + by, frequencies(dim, ladder), layout)
    return Case("additive/shifted", claim, {"rows": f32(values)}, {"position-offset", "pos"})


def amplified(random):
    claim, dim, positions, ladder, layout = drawn(random)
    by = random.choice([2.0, 0.5, dim ** -0.5])
    values = by * rows(positions, frequencies(dim, ladder), layout)
    return Case("additive/amplified", claim, {"rows": f32(values)}, "amplitude")


ROWS = [right, right, right, other_layout, other_ladder, other_base, shifted, amplified]
