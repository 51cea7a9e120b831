# SPDX-License-Identifier: Apache-2.0
"""recipes.py - inv_freq as PyTorch code computes it on a CPU: float32 throughout, one torch
operation a step, for the scalings that models use. From the formulas (Peng et al. 2023 for
YaRN, Ding et al. 2024 for LongRoPE, Llama 3.1's model card) in the order of operations that
transformers and vLLM share."""

import math
import os

os.environ["ATEN_CPU_CAPABILITY"] = "avx2"  # the build whose differences the exceptions list


class NoRecipe(Exception):
    """This scaling has no float32 code that all frameworks share."""


def inv_freq(params):
    """A NumPy array of r/2 frequencies, from the canonical parameters of an answer."""
    import torch
    torch.set_num_threads(1)
    width = params["rotary_dim"]
    exponent = torch.arange(0, width, 2, dtype=torch.int64).float() / width
    power = params["base"] ** exponent
    rule = RULES.get(params["scaling"])
    if rule is None:
        raise NoRecipe("no float32 recipe for scaling=%s" % params["scaling"])
    return rule(torch, params, power).numpy()


def none(torch, params, power):
    return 1.0 / power


def linear(torch, params, power):
    return (1.0 / power) / params["factor"]


def dynamic(torch, params, power):
    """The length is a tensor of the forward pass, so that the base becomes float32."""
    width = params["rotary_dim"]
    if params.get("scaling_variant") == "alpha":  # modeling_hunyuan.py: numbers of Python alone
        exponent = torch.arange(0, width, 2, dtype=torch.int64).float() / width
        return 1.0 / ((params["base"] * params["factor"] ** (width / (width - 2))) ** exponent)
    if params.get("scaling_variant") == "qwen":  # get_ntk_alpha of Qwen's modeling_qwen.py
        longer = params["seq_len"] / params["max_position_embeddings"]
        alpha = max(2 ** math.ceil(math.log2(longer) + 1) - 1, 1)
        exponent = torch.arange(0, width, 2).float() / width
        return 1.0 / ((params["base"] * alpha ** (width / (width - 2))) ** exponent)
    factor = params["factor"]
    length = torch.tensor(int(params["seq_len"]))
    grown = factor * length / params["max_position_embeddings"] - (factor - 1)
    base = params["base"] * grown ** (width / (width - 2))
    exponent = torch.arange(0, width, 2, dtype=torch.int64).float() / width
    return 1.0 / (base ** exponent)


def llama3(torch, params, power):
    plain = 1.0 / power
    length, factor = params["original_max_position_embeddings"], params["factor"]
    low, high = params["low_freq_factor"], params["high_freq_factor"]
    wavelength = 2 * math.pi / plain
    divided = torch.where(wavelength > length / low, plain / factor, plain)
    if low == high:
        return divided
    smooth = (length / wavelength - low) / (high - low)
    blended = (1 - smooth) * plain / factor + smooth * plain
    between = (wavelength >= length / high) & (wavelength <= length / low)
    return torch.where(between, blended, divided)


def yarn(torch, params, power):
    width, base = params["rotary_dim"], params["base"]
    length, factor = params["original_max_position_embeddings"], params["factor"]

    def index_of(turns):
        return width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))
    low, high = index_of(params["beta_fast"]), index_of(params["beta_slow"])
    if params["truncate"] in (1, "1", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, width - 1)
    if low == high:
        high += 0.001
    ramp = (torch.arange(width // 2, dtype=torch.float32) - low) / (high - low)
    keep = 1 - torch.clamp(ramp, 0, 1)
    return 1.0 / (factor * power) * (1 - keep) + 1.0 / power * keep


def longrope(torch, params, power):
    divisors = torch.tensor(params[params["longrope_list"] + "_factor"], dtype=torch.float32)
    return 1.0 / (divisors * power)


def proportional(torch, params, power):
    turning = int(params["partial_rotary_factor"] * params["dim"] // 2)
    plain = 1.0 / power
    plain[turning:] = 0
    return plain / params["factor"]


RULES = {"none": none, "linear": linear, "dynamic": dynamic, "llama3": llama3, "yarn": yarn, "longrope": longrope,
         "proportional": proportional}
