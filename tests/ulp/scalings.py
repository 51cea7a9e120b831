# SPDX-License-Identifier: Apache-2.0
"""scalings.py - rotary frequencies for longer contexts: (parameters, frequencies, factor) of
each rule, from Chen et al. 2023 (linear), bloc97 and Su (NTK), Peng et al. 2023 (YaRN), Ding
et al. 2024 (LongRoPE), Llama 3.1's model card, Barbero et al. 2024 (proportional)."""

from mpmath import mp, mpf

from ladders import ladder, power


def clamp(value, low, high):
    return min(max(value, low), high)


def none(draw, width, base):
    return {}, ladder(base, width), mpf(1)


def linear(draw, width, base):
    s = draw.choice([4, 8, draw.real(1, 40)])
    return {"scaling": "linear", "factor": s}, [w / mpf(s) for w in ladder(base, width)], mpf(1)


def grown(base, growth, width):
    return mpf(base) * power(growth, mpf(width) / (width - 2))


def ntk(draw, width, base):
    s, variant = draw.choice([2, 8, draw.real(1, 40)]), draw.choice(["aware", "fixed", "plain",
                                                                    "mixed"])
    params = {"scaling": "ntk", "factor": s, "scaling_variant": variant}
    pairs = width // 2
    if variant == "aware":
        return params, ladder(grown(base, s, width), width), mpf(1)
    if variant == "plain":
        return params, ladder(mpf(base) * s, width), mpf(1)
    if variant == "fixed":
        return params, [w / power(s, mpf(2) / width)
                        for w in ladder(mpf(base) * s, width)], mpf(1)
    b = draw.choice([0.75, 1, draw.real(0.1, 2)])
    a = mp.log(mpf(s)) / power(pairs, mpf(b))
    return dict(params, mixed_b=b), [w / mp.exp(a * power(i + 1, mpf(b))) for i, w in
                                     enumerate(ladder(base, width))], mpf(1)


def dynamic(draw, width, base):
    trained, variant = draw.choice([2048, 4096]), draw.choice(["hf", "qwen"])
    length = draw.choice([trained, trained + 1, 2 * trained, draw.randint(1, 10 ** 6)])
    params = {"scaling": "dynamic", "seq_len": length, "max_position_embeddings": trained,
              "scaling_variant": variant}
    if variant == "qwen":
        reach = 1
        while reach * trained < length:
            reach *= 2
        return params, ladder(grown(base, 2 * reach - 1 if length > trained else 1, width),
                              width), mpf(1)
    s = draw.choice([2, draw.real(1, 9)])
    growth = mpf(s) * length / trained - (mpf(s) - 1) if length > trained else mpf(1)
    return dict(params, factor=s), ladder(grown(base, growth, width), width), mpf(1)


def turns_index(turns, trained, width, base):
    return width * mp.log(trained / (2 * mp.pi * turns)) / (2 * mp.log(mpf(base)))


def yarn_keep(draw, width, base, trained, params):
    fast, slow = draw.choice([(32, 1), (16, 2), (1, 1)])
    draw.maybe(params, truncate=0)
    low, high = (turns_index(b, trained, width, base) for b in (fast, slow))
    if params.get("truncate", 1):
        low, high = mp.floor(low), mp.ceil(high)
    low, high = max(low, mpf(0)), min(high, mpf(width - 1))
    high += mpf("0.001") if low == high else 0
    params.update(beta_fast=fast, beta_slow=slow)
    return [1 - clamp((i - low) / (high - low), 0, 1) for i in range(width // 2)]


def magnitude(s, k):
    return mpf(1) if s <= 1 else mp.mpf(k) * mp.log(mpf(s)) / 10 + 1


def yarn(draw, width, base):
    s, trained = draw.choice([4, 16, 40, draw.real(1, 64)]), draw.choice([2048, 4096, 32768])
    params = {"scaling": "yarn", "factor": s, "original_max_position_embeddings": trained}
    keep = yarn_keep(draw, width, base, trained, params)
    factor = magnitude(s, 1)
    if draw.chance():
        one, all_dim = draw.choice([(1, 0.707), (0.5, 1)])
        params.update(mscale=one, mscale_all_dim=all_dim)
        factor = magnitude(s, one) / magnitude(s, all_dim)
    elif draw.chance():
        params["attention_factor"] = draw.real(0.5, 2)
        factor = mpf(params["attention_factor"])
    return params, [w / mpf(s) * (1 - k) + w * k
                    for w, k in zip(ladder(base, width), keep)], factor


def llama3(draw, width, base):
    s, low, high = draw.choice([8, 32, draw.real(1, 16)]), 1, draw.choice([4, 1])
    trained, freq = 8192, []
    for w in ladder(base, width):
        wavelength = 2 * mp.pi / w
        if wavelength > mpf(trained) / low:
            freq.append(w / s)
        elif wavelength < mpf(trained) / high or low == high:
            freq.append(w)
        else:
            smooth = (trained / wavelength - low) / (high - low)
            freq.append((1 - smooth) * w / s + smooth * w)
    return {"scaling": "llama3", "factor": s, "low_freq_factor": low, "high_freq_factor": high,
            "original_max_position_embeddings": trained}, freq, mpf(1)


def longrope(draw, width, base):
    pairs, trained = width // 2, 4096
    lists = {which: [draw.real(1, 40) for _ in range(pairs)] for which in ("short", "long")}
    which, full = draw.choice(["short", "long"]), draw.choice([131072, 8192])
    params = {"scaling": "longrope", "which": which, "short_factor": lists["short"],
              "long_factor": lists["long"], "original_max_position_embeddings": trained,
              "max_position_embeddings": full}
    factor = mp.sqrt(1 + mp.log(mpf(full) / trained) / mp.log(trained))
    return params, [w / f for w, f in zip(ladder(base, width), lists[which])], factor


def factors(draw, width, base):
    divisors = [draw.real(0.5, 32) for _ in range(width // 2)]
    return {"scaling": "factors", "freq_factors": divisors}, [
        w / f for w, f in zip(ladder(base, width), divisors)], mpf(1)


SCALINGS = [none, linear, ntk, dynamic, yarn, llama3, longrope, factors]
