# SPDX-License-Identifier: Apache-2.0
"""profiles.py - rotary tables by the steps of the frameworks: each operation rounded to float32,
bfloat16 or double, functions rounded correctly, from the comments of Hugging Face's, vLLM's,
Gemma's and ggml's code about what they compute."""

from mpmath import mp, mpf

BITS = {"f32": 24, "bf16": 8, "f64": 53}


def rounded(value, kind="f32"):
    """To nearest, ties to even (normal range)."""
    if mpf(value) == 0:
        return mpf(0)
    with mp.workprec(BITS[kind]):
        return +mpf(value)


def powers(base, width):
    """powf(base, 2i/r), where the exponent is rounded first."""
    return [rounded(mp.power(rounded(base), rounded(mpf(2 * i) / width)))
            for i in range(width // 2)]


def exponentials(base, width):
    """expf(2i * (-ln(base)/r)): the way of PyTorch's tutorial."""
    rate = rounded(-mp.log(mpf(base)) / width)
    return [rounded(mp.exp(rounded(2 * i * rate))) for i in range(width // 2)]


def angles(profile, params, width, pos):
    """The frequencies for one position. params: base, and factor of scaling=linear or
    freq_factors."""
    base, target = params["base"], params.get("scale_target", "freq")
    divisors = [rounded(f) for f in params.get("freq_factors",
                                               [params.get("factor", 1)] * (width // 2))]
    at = rounded(pos)
    if profile == "f32-acc":
        return chain(params, width, at, divisors)
    if target == "position":
        at, divisors = rounded(at / divisors[0]), [1] * (width // 2)
    last = divisors if target == "angle" else [1] * (width // 2)
    first = divisors if target == "freq" else [1] * (width // 2)
    if profile == "f32-div":
        made = [rounded(at / rounded(p * d)) for p, d in zip(powers(base, width), first)]
    elif profile == "f32-exp":
        made = [rounded(at * rounded(w / d)) for w, d in zip(exponentials(base, width), first)]
    elif "freq_factors" in params and target == "freq":
        made = [rounded(at * rounded(1 / rounded(d * p)))
                for p, d in zip(powers(base, width), first)]
    else:
        made = [rounded(at * rounded(rounded(1 / p) / d))
                for p, d in zip(powers(base, width), first)]
    return [rounded(a / d) for a, d in zip(made, last)]


def chain(params, width, at, divisors):
    """ggml multiplies along the row; linear is its freq_scale, 1/s."""
    ratio = rounded(mp.power(rounded(params["base"]), rounded(mpf(-2) / width)))
    listed, made = "freq_factors" in params, []
    scale = mpf(1) if listed else rounded(1 / divisors[0])
    for i in range(width // 2):
        made.append(rounded(scale * (rounded(at / divisors[i]) if listed else at)))
        at = rounded(at * ratio)
    return made


def waves(profile, params, width, pos):
    """(cosines, sines) of a position under the profile."""
    if profile == "f64":
        made = [rounded(mpf(pos) * rounded(1 / p, "f64"), "f64") for p in (
            rounded(mp.power(params["base"], rounded(mpf(2 * i) / width, "f64")), "f64")
            for i in range(width // 2))]
        return [[rounded(wave(a), "f64") for a in made] for wave in (mp.cos, mp.sin)]
    made = angles(profile, params, width, pos)
    tables = [[rounded(wave(a)) for a in made] for wave in (mp.cos, mp.sin)]
    if profile == "bf16-table":
        tables = [[rounded(v, "bf16") for v in row] for row in tables]
    return tables


def drawn(draw, width):
    """(profile, parameters) in turn, each profile with parameters that it accepts."""
    profile, more = draw.turn(ASKED)
    params = {"base": draw.choice([10000, 500000, 1e6]), "profile": profile}
    scaling = more.get("scaling")
    if scaling == "linear":
        params["factor"] = draw.choice([3, 8, draw.real(1, 40)])
    elif scaling == "factors":
        params["freq_factors"] = [draw.real(1, 32) for _ in range(width // 2)]
    return profile, dict(params, **more)


LINEAR, FACTORS = {"scaling": "linear"}, {"scaling": "factors"}
ASKED = [("f64", {}), ("f32-pow", {}), ("f32-pow", {"powf": "correct"}), ("f32-pow", LINEAR),
         ("f32-pow", dict(LINEAR, scale_target="freq")),
         ("f32-pow", dict(LINEAR, scale_target="position")),
         ("f32-pow", dict(LINEAR, scale_target="angle")), ("f32-pow", FACTORS),
         ("f32-pow", dict(FACTORS, scale_target="angle")), ("f32-exp", {}), ("f32-exp", LINEAR),
         ("f32-exp", dict(LINEAR, scale_target="position")), ("f32-div", {}),
         ("f32-div", LINEAR), ("f32-div", dict(LINEAR, scale_target="angle")), ("f32-acc", {}),
         ("f32-acc", LINEAR), ("f32-acc", FACTORS), ("bf16-table", {}), ("bf16-table", LINEAR)]
