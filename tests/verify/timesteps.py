# SPDX-License-Identifier: Apache-2.0
"""timesteps.py - cases of the embeddings of a diffusion's time, and of small codes of positions."""

import numpy as np

from additive import OFFSET, rows as sinusoids
from case import Case, RIGHT, f32, narrowed
from formulas import codes
from formulas.numbers import DOUBLE, positions
from formulas.sinusoids import timesteps
from kinds import Kind, single


def embedding(p):
    return timesteps(DOUBLE, p)


def drawn(random, p):
    """Times, width and options of a claim."""
    pos = random.choice(["0:1000:50", "0:16", "999,749,500,251,10,1"])
    shift, flip = random.choice([("1", 0), ("0", 0), ("0", 1), ("1", 1), ("0.5", 0)])
    return {"encoding": "timestep-embedding", "dim": random.choice([32, 64, 128, 256, 320]),
            "pos": pos, "downscale_freq_shift": shift, "flip_sin_to_cos": flip, **p}


TIMES = Kind("timesteps", "rows", embedding, single, drawn)
FLIPPED, SHIFTED = {"flip_sin_to_cos", "sin-cos-swapped", "layout"}, {"downscale_freq_shift",
                                                                      "base", "ladder"}


def right(random):
    claim = drawn(random, {})
    dtype = random.choice(["f32", "f32", "f64", "f16", "bf16"])
    return Case("timesteps/right-" + dtype, claim, {"rows": narrowed(embedding(claim), dtype)},
                RIGHT)


def right_preset(random):
    """DDPM, DiT and Flux, whose times lie in 0..1."""
    claim = {"encoding": "timestep-embedding", "dim": random.choice([64, 256]),
             "pos": "0:1000:100", "preset": random.choice(["ddpm", "dit", "wan"])}
    if random.choice([False, True]):
        claim.update(preset="flux", pos="0,0.125,0.25,0.5,0.75,1")
    return Case("timesteps/right-preset", claim, {"rows": f32(embedding(claim))}, RIGHT)


def shift_of(claim):
    return float(claim["downscale_freq_shift"])


def flipped_and_shifted(random):
    """DDPM's rows where DiT's are claimed."""
    claim = drawn(random, {"downscale_freq_shift": "0", "flip_sin_to_cos": 1})
    values = embedding({**claim, "downscale_freq_shift": 1, "flip_sin_to_cos": 0})
    return TIMES.case(random, "two-flip-shift", claim, values, (), both=[FLIPPED, SHIFTED])


# ---- NEZHA (Wei et al. 2019): interleaved sinusoids of the clipped distance, key - query -----


def relative(random):
    claim = {"encoding": "sinusoidal-relative", "len": random.choice([8, 20]),
             "dim": random.choice([16, 64]), "max_distance": random.choice([4, 8])}
    return claim, *nezha(claim)


def nezha(p):
    """The index of each pair, and a row for each number of the index."""
    at, most = np.arange(p["len"]), p["max_distance"]
    return (np.clip(at[None, :] - at[:, None], -most, most) + most,
            sinusoids({"dim": p.get("dim", 2), "pos": "0:%d" % (2 * most + 1)}))


def without_dim(claim):
    return {k: v for k, v in claim.items() if k != "dim"}


def right_relative(random):
    claim, index, table = relative(random)
    if random.choice([False, True]):
        return Case("timesteps/right-nezha-index", without_dim(claim), {"index": index}, RIGHT)
    return Case("timesteps/right-nezha", claim, {"vectors": f32(table[index])}, RIGHT)


def relative_transposed(random):
    claim, index, table = relative(random)
    if random.choice([False, True]):
        return Case("timesteps/nezha-transposed", without_dim(claim),
                    {"index": 2 * claim["max_distance"] - index}, {"transposed", "sign"})
    return Case("timesteps/nezha-transposed", claim,
                {"vectors": f32(table[2 * claim["max_distance"] - index])},
                {"transposed", "axes", "sign"})


def relative_distance(random):
    """Distances beyond it must occur, since without them it is an offset of positions."""
    most = random.choice([4, 8])
    claim = {"encoding": "sinusoidal-relative", "len": 20, "max_distance": most + 2}
    return Case("timesteps/nezha-distance", claim,
                {"index": nezha({**claim, "max_distance": most})[0]},
                "max_distance", {"max_distance": (most, most + 2)})


# ---- codes -----------------------------------------------------------------------------------


def integer(p):
    return p.get("start", 0) + p.get("step", 1) * np.arange(p["len"])


INTEGER = Kind("timesteps", "rows", integer, lambda random, values: values)
NORMALIZED = Kind("timesteps", "rows", lambda p: codes.normalized(DOUBLE, p), single)
BINARY = Kind("timesteps", "rows", codes.binary, single)


def rows_of_sinusoids(random):
    """Interleaved rows of the paper where a diffusion's rows are claimed."""
    claim = {"encoding": "timestep-embedding", "dim": random.choice([64, 128]), "pos": "0:32",
             "downscale_freq_shift": "0"}
    return Case("timesteps/encoding", claim, {"rows": f32(sinusoids(claim))},
                {"encoding", "layout", "columns-shuffled"})


ROWS = [right, right, right_preset, right_relative, right, right_preset, right_relative,
        INTEGER.right("integer", lambda random, values: values.astype(
            random.choice([np.int64, np.int32])),
                      encoding="integer", len=[8, 40], start=[0, 1, 10], step=[1, 2]),
        NORMALIZED.right("normalized", encoding="normalized", len=[5, 16, 33],
                         interval=["0..1", "-1..1"]),
        BINARY.right("binary", encoding="binary", dim=[6, 8], pos=["0:40", "3:43"]),
        # Ports of Stable Diffusion that end at 1/base; a base gives the same numbers as a shift.
        TIMES.wrong("other-shift", ("", SHIFTED, {"downscale_freq_shift": lambda p: [
            s for s in (0.0, 1.0) if s != shift_of(p)]}),
                    repair={"downscale_freq_shift": shift_of}),
        TIMES.wrong("flipped", ("", FLIPPED, {"flip_sin_to_cos": lambda p: 1 - p[
            "flip_sin_to_cos"]}), repair=["flip_sin_to_cos"]),
        TIMES.wrong("other-base", ("", {"base", "downscale_freq_shift"}, {
            "base": [100.0, 1000.0, 1e5]}), repair={"base": 10000}),
        # Times in 0..1 that were not multiplied, or times that were divided.
        TIMES.wrong("scaled", ("", {"scale", "time_factor", "position-scale", "pos"}, {
            "scale": [0.001, 0.5, 4.0]})),
        # Times counted from 1.
        TIMES.wrong("shifted", ("", OFFSET, {
            "pos": lambda p: np.array(positions(p["pos"])) + 1})),
        flipped_and_shifted, relative_transposed, relative_distance,
        INTEGER.wrong("integer-start", ("", {"start", "position-offset", "pos"}, {"start": [1, 2]}),
                      repair={"start": 0}, encoding="integer", len=[8, 40]),
        # Centres of cells in place of ends, or the other interval.
        NORMALIZED.wrong("normalized-", ("interval", "interval", {"interval": "-1..1"}),
                         ("centres", "endpoint", {"endpoint": "centres"}),
                         encoding="normalized", len=[8, 16, 33]),
        # The lowest bit first, or bits of -1 and 1.
        BINARY.wrong("binary-", ("signed", "signed", {"signed": 1}),
                     ("order", "bit_order", {"bit_order": "lsb-first"}),
                     encoding="binary", dim=[6, 8], pos="0:40"), rows_of_sinusoids]
