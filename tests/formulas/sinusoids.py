# SPDX-License-Identifier: Apache-2.0
"""sinusoids.py - rows of sines and cosines of positions and of a diffusion's times."""

import numpy as np

from formulas.numbers import positions

LAYOUTS = ["interleaved", "interleaved-cs", "concat", "concat-cs"]
OPEN, CLOSED = "geometric-open", "geometric-closed"

# Conventions of libraries as their code has them.
PRESETS = {"vaswani": (OPEN, "interleaved"), "tensor2tensor": (CLOSED, "concat"),
           "fairseq": (CLOSED, "concat"), "marian": (OPEN, "concat"),
           "distilbert": (OPEN, "interleaved"), "whisper": (CLOSED, "concat"),
           "musicgen": (CLOSED, "concat-cs"), "transformer-xl": (OPEN, "concat"),
           "keras-hub": (OPEN, "interleaved"), "mlx": (CLOSED, "concat"),
           "x-transformers": (OPEN, "concat"), "pyg": (CLOSED, "concat"),
           "zero-first": (OPEN, "interleaved")}
# Factors of rows: of mlx its norm, and one that requests have as a word.
GAINS = {"mlx": lambda xp, dim: xp.sqrt(xp.real(2) / dim),
         "x-transformers": lambda xp, dim: xp.real(dim) ** -0.5,
         "inverse-sqrt-dim": lambda xp, dim: xp.real(dim) ** -0.5}


def frequencies(xp, p):
    """Vaswani et al. 2017 (open), tensor2tensor and fairseq (closed; one pair alone has 1). An odd
    width has the exponents of dim, of dim - 1 or of dim + 1, as its policy says."""
    dim, odd, base = p["dim"], p.get("odd"), xp.real(p.get("base", 10000))
    width = {"zero-pad": dim - 1, "ceil-truncate": dim + 1}.get(odd, dim)
    count = width // 2 if odd in (None, "zero-pad", "zero-last") else (width + 1) // 2
    if PRESETS.get(p.get("preset"), [p.get("ladder")])[0] == CLOSED:
        return base ** -(xp.arange(count) / max(count - 1, 1))
    return base ** -(2 * xp.arange(count) / width)


def arranged(sin, cos, layout):
    if layout.startswith("interleaved"):
        pair = [sin, cos] if layout == "interleaved" else [cos, sin]
        return np.stack(pair, -1).reshape(len(sin), -1)
    return np.concatenate([sin, cos] if layout == "concat" else [cos, sin], -1)


def rows(xp, p, w=None, w_cos=None, changed=lambda angles: angles):
    """The rows of positions; of other frequencies, with others of cosines, or with changed angles."""
    w = frequencies(xp, p) if w is None else w
    layout, odd, zero = PRESETS.get(p.get("preset"), [0, p.get("layout", "interleaved")])[1], \
        p.get("odd"), p.get("padding_idx", 0 if p.get("preset") == "zero-first" else None)
    pos = xp.real(positions(p["pos"]))
    scale = xp.real(p["scale"]) if "scale" in p else xp.real(1) / p.get("granularity", 1)
    angles = changed(pos[:, None] * w * scale)
    cos = xp.cos(angles if w_cos is None else pos[:, None] * w_cos)
    table = arranged(p.get("sign", 1) * xp.sin(angles), cos, layout)
    if odd in ("zero-pad", "zero-last"):
        table = np.concatenate([table, xp.real(np.zeros((len(table), 1)))], -1)
    if odd in ("extra-sin", "ceil-truncate"):
        table = table[:, :-1]
    gain = GAINS.get(p.get("amplitude", p.get("preset")))
    table = (gain(xp, p["dim"]) if gain else p.get("amplitude", 1)) * table
    table[[at == zero for at in pos]] = xp.real(0)
    return table


# Of each code: whether the last frequency is 1/base, whether cosines come first, and a factor.
TIMES = {"ddpm": (1, False, 1), "dit": (0, True, 1), "flux": (0, True, 1000),
         "edm-ddpmpp": (1, True, 1), "ggml": (0, True, 1), "wan": (0, True, 1)}


def timesteps(xp, p):
    """Ho et al. 2020, with the options of get_timestep_embedding of diffusers."""
    shift, flip, factor = TIMES.get(p.get("preset"), (
        xp.real(p.get("downscale_freq_shift", 1)), p.get("flip_sin_to_cos", 0), 1))
    half, factor = p["dim"] // 2, p.get("scale", p.get("time_factor", factor))
    w = xp.real(p.get("base", 10000)) ** -(xp.arange(half) / (half - shift))
    angles = xp.real(factor) * xp.real(positions(p["pos"]))[:, None] * w
    table = arranged(xp.sin(angles), xp.cos(angles), "concat-cs" if flip else "concat")
    return np.concatenate([table, xp.real(np.zeros((len(table), p["dim"] % 2)))], -1)


def zipformer(xp, p):
    """Yao et al. 2023: waves of atan(sqrt(d) ln(1 + |x| / sqrt(d)) 2 pi / (f d)); the last is 1."""
    d, x = p["dim"], np.array(positions(p["pos"]), float)
    c = xp.sqrt(xp.real(d))
    scale = 8 * xp.arctan(xp.real(1)) / (c * xp.real(p.get("length_factor", 1)))
    angle = xp.real(np.sign(x)) * xp.arctan(xp.log1p(xp.real(abs(x)) / c) * scale)
    angles = angle[:, None] * xp.arange(1, d // 2 + 1)
    rows = np.stack([xp.cos(angles), xp.sin(angles)], -1).reshape(len(x), d)
    rows[:, -1] = xp.real(1)
    return rows
