# SPDX-License-Identifier: Apache-2.0
"""timesteps.py - cases of the embeddings of a diffusion's time, and of small codes of positions."""

import numpy as np

from additive import frequencies, rows as sinusoids
from case import Case, RIGHT, f32, narrowed


def embedding(times, dim, shift=1.0, flip=False, base=1e4, factor=1.0):
    """Ho et al. 2020, with the options of get_timestep_embedding of diffusers."""
    half = dim // 2
    w = base ** -(np.arange(half) / (half - shift))
    angles = factor * np.asarray(times, np.float64)[:, None] * w
    parts = [np.cos(angles), np.sin(angles)] if flip else [np.sin(angles), np.cos(angles)]
    return np.concatenate(parts + [np.zeros((len(angles), dim % 2))], -1)


def drawn(random):
    """Times, width and options of a case."""
    times, pos = random.choice([
        (list(range(0, 1000, 50)), "0:1000:50"), (list(range(16)), "0:16"),
        ([999, 749, 500, 251, 10, 1], "999,749,500,251,10,1")])
    options = random.choice([{"shift": 1.0}, {"shift": 0.0}, {"shift": 0.0, "flip": True},
                             {"shift": 1.0, "flip": True}, {"shift": 0.5}])
    dim = random.choice([32, 64, 128, 256, 320])
    claim = {"encoding": "timestep-embedding", "dim": dim, "pos": pos,
             "downscale_freq_shift": "%g" % options["shift"],
             "flip_sin_to_cos": int(options.get("flip", False))}
    return claim, times, dim, options


def right(random):
    claim, times, dim, options = drawn(random)
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    return Case("timesteps/right-" + dtype, claim,
                {"rows": narrowed(embedding(times, dim, **options), dtype)}, RIGHT)


def right_preset(random):
    """DDPM, DiT and Flux, whose times lie in 0..1."""
    dim, (name, options) = random.choice([64, 256]), random.choice([
        ("ddpm", {"shift": 1.0}), ("dit", {"shift": 0.0, "flip": True}),
        ("wan", {"shift": 0.0, "flip": True})])
    claim = {"encoding": "timestep-embedding", "dim": dim, "pos": "0:1000:100", "preset": name}
    values = embedding(range(0, 1000, 100), dim, **options)
    if random.choice([False, True]):
        claim.update(preset="flux", pos="0,0.125,0.25,0.5,0.75,1")
        values = embedding([0, .125, .25, .5, .75, 1], dim, 0.0, True, factor=1000.0)
    return Case("timesteps/right-preset", claim, {"rows": f32(values)}, RIGHT)


def other_shift(random):
    """Ports of Stable Diffusion that end at 1/base; a base gives the same numbers as a shift."""
    claim, times, dim, options = drawn(random)
    done = random.choice([s for s in (0.0, 1.0) if s != options["shift"]])
    values = embedding(times, dim, **{**options, "shift": done})
    return Case("timesteps/other-shift", claim, {"rows": f32(values)},
                {"downscale_freq_shift", "base", "ladder"},
                {"downscale_freq_shift": (done, options["shift"])})


def flipped(random):
    claim, times, dim, options = drawn(random)
    done = not options.get("flip", False)
    values = embedding(times, dim, **{**options, "flip": done})
    return Case("timesteps/flipped", claim, {"rows": f32(values)},
                {"flip_sin_to_cos", "sin-cos-swapped", "layout"},
                {"flip_sin_to_cos": (int(done), int(not done))})


def other_base(random):
    claim, times, dim, options = drawn(random)
    done = random.choice([100.0, 1000.0, 1e5])
    values = embedding(times, dim, base=done, **options)
    return Case("timesteps/other-base", claim, {"rows": f32(values)},
                {"base", "downscale_freq_shift"}, {"base": (done, 10000)})


def times_scaled(random):
    """Times in 0..1 that were not multiplied, or times that were divided."""
    claim, times, dim, options = drawn(random)
    done = random.choice([0.001, 0.5, 4.0])
    values = embedding(times, dim, factor=done, **options)
    return Case("timesteps/scaled", claim, {"rows": f32(values)},
                {"scale", "time_factor", "position-scale", "pos"})


def times_shifted(random):
    """Times counted from 1."""
    claim, times, dim, options = drawn(random)
    values = embedding(np.array(times) + 1, dim, **options)
    return Case("timesteps/shifted", claim, {"rows": f32(values)}, {"position-offset", "pos"})


def flipped_and_shifted(random):
    """DDPM's rows where DiT's are claimed."""
    claim, times, dim, _ = drawn(random)
    claim.update(downscale_freq_shift="0", flip_sin_to_cos=1)
    return Case("timesteps/two-flip-shift", claim, {"rows": f32(embedding(times, dim))}, (),
                found_both=[{"flip_sin_to_cos", "sin-cos-swapped", "layout"},
                            {"downscale_freq_shift", "base", "ladder"}])


def relative(random):
    """Wei et al. 2019 (NEZHA): interleaved sinusoids of the clipped distance, key - query."""
    count, dim, most = random.choice([8, 20]), random.choice([16, 64]), random.choice([4, 8])
    claim = {"encoding": "sinusoidal-relative", "len": count, "dim": dim, "max_distance": most}
    s = {"dim": dim, "base": 1e4, "ladder": "geometric-open", "layout": "interleaved",
         "positions": range(2 * most + 1)}
    at = np.arange(count)
    distance = np.clip(at[None, :] - at[:, None], -most, most)
    return claim, sinusoids(s), distance, most


def right_relative(random):
    claim, table, distance, most = relative(random)
    if random.choice([False, True]):
        return Case("timesteps/right-nezha-index", {k: v for k, v in claim.items() if k != "dim"},
                    {"index": distance + most}, RIGHT)
    return Case("timesteps/right-nezha", claim, {"vectors": f32(table[distance + most])}, RIGHT)


def relative_transposed(random):
    claim, table, distance, most = relative(random)
    if random.choice([False, True]):
        return Case("timesteps/nezha-transposed", {k: v for k, v in claim.items() if k != "dim"},
                    {"index": most - distance}, {"transposed", "sign"})
    return Case("timesteps/nezha-transposed", claim,
                {"vectors": f32(table[most - distance])}, {"transposed", "axes", "sign"})


def relative_distance(random):
    """Distances beyond it must occur, since without them it is an offset of positions."""
    at, most = np.arange(20), random.choice([4, 8])
    claim = {"encoding": "sinusoidal-relative", "len": 20, "max_distance": most + 2}
    return Case("timesteps/nezha-distance", claim,
                {"index": np.clip(at[None, :] - at[:, None], -most, most) + most},
                "max_distance", {"max_distance": (most, most + 2)})


def right_integer(random):
    count, start, step = random.choice([8, 40]), random.choice([0, 1, 10]), random.choice([1, 2])
    claim = {"encoding": "integer", "len": count, "start": start, "step": step}
    dtype = random.choice([np.int64, np.int32])
    return Case("timesteps/right-integer", claim,
                {"rows": (start + step * np.arange(count)).astype(dtype)}, RIGHT)


def integer_start(random):
    count, start = random.choice([8, 40]), random.choice([1, 2])
    return Case("timesteps/integer-start", {"encoding": "integer", "len": count},
                {"rows": start + np.arange(count)}, {"start", "position-offset", "pos"},
                {"start": (start, 0)})


def right_normalized(random):
    count = random.choice([5, 16, 33])
    values, interval = np.arange(count) / (count - 1), random.choice(["0..1", "-1..1"])
    claim = {"encoding": "normalized", "len": count, "interval": interval}
    values = values if interval == "0..1" else 2 * values - 1
    return Case("timesteps/right-normalized", claim, {"rows": f32(values)}, RIGHT)


def normalized_other(random):
    """Centres of cells in place of ends, or the other interval."""
    count = random.choice([8, 16, 33])
    claim = {"encoding": "normalized", "len": count}
    if random.choice([False, True]):
        return Case("timesteps/normalized-centres", claim,
                    {"rows": f32((np.arange(count) + .5) / count)}, "endpoint")
    return Case("timesteps/normalized-interval", claim,
                {"rows": f32(2 * np.arange(count) / (count - 1) - 1)}, "interval")


def binary(positions, dim):
    return np.array([[p >> bit & 1 for bit in reversed(range(dim))] for p in positions], float)


def right_binary(random):
    dim, first = random.choice([6, 8]), random.choice([0, 3])
    claim = {"encoding": "binary", "dim": dim, "pos": "%d:%d" % (first, first + 40)}
    return Case("timesteps/right-binary", claim,
                {"rows": f32(binary(range(first, first + 40), dim))}, RIGHT)


def binary_other(random):
    """The lowest bit first, or bits of -1 and 1."""
    dim = random.choice([6, 8])
    claim = {"encoding": "binary", "dim": dim, "pos": "0:40"}
    values = binary(range(40), dim)
    if random.choice([False, True]):
        return Case("timesteps/binary-order", claim, {"rows": f32(values[:, ::-1])}, "bit_order")
    return Case("timesteps/binary-signed", claim, {"rows": f32(2 * values - 1)}, "signed")


def rows_of_sinusoids(random):
    """Interleaved rows of the paper where a diffusion's rows are claimed."""
    dim = random.choice([64, 128])
    claim = {"encoding": "timestep-embedding", "dim": dim, "pos": "0:32",
             "downscale_freq_shift": "0"}
    s = {"dim": dim, "base": 1e4, "ladder": "geometric-open", "layout": "interleaved",
         "positions": range(32)}
    return Case("timesteps/encoding", claim, {"rows": f32(sinusoids(s, w=frequencies(s)))},
                {"encoding", "layout", "columns-shuffled"})


ROWS = [right, right, right_preset, right_relative, right, right_preset, right_relative,
        right_integer, right_normalized, right_binary, other_shift, flipped, other_base,
        times_scaled, times_shifted, flipped_and_shifted, relative_transposed, relative_distance,
        integer_start, normalized_other, binary_other, rows_of_sinusoids]
