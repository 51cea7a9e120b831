# SPDX-License-Identifier: Apache-2.0
"""methods.py - how each golden method is requested from the service. A method is a row of METHODS:
the encoding's id, what the service must offer for the method to count as served, and a function
from a case to one question for each output. A new encoding adds its function and names it in its
row."""

import additive
import axes
import bias
import conventions
import indices
import relative
import rotary
import sinusoid


class Method:
    """serves(service, case) says whether the method's encoding is there; questions(case) is a dict
    from output names to questions, or None while there is no mapping (then a service that has the
    encoding fails its cases: what is served must be checked)."""

    def __init__(self, encoding, questions=None, needs=None):
        self.encoding, self.questions, self.needs = encoding, questions, needs

    def served(self, service, case):
        if self.encoding not in service.encodings:
            return False
        return self.needs is None or self.needs(service, self.encoding, case)


def choice(param, word):
    return lambda service, encoding, case: service.has_choice(encoding, param, word)


def output(name):
    return lambda service, encoding, case: service.has_output(encoding, name)


def apply_path(service, encoding, case):
    return service.has_apply(encoding)


METHODS = {
    "circle_ids": Method("ids-circle-rope", conventions.circle_ids),
    "alibi": Method("alibi", bias.alibi),
    "attention_temperature": Method("llama4-temperature", indices.attention_temperature),
    "beit_relative_position_index": Method("beit-index", relative.beit_index),
    "comrope": Method("comrope", conventions.comrope),
    "deberta_log_bucket": Method("deberta", relative.deberta_log_bucket),
    "deberta_relative_position": Method("deberta", relative.deberta_relative_position),
    "detr_sine_2d": Method("detr-sine", additive.detr_sine_2d),
    "dynamic_position_bias": Method("dynamic-bias", relative.dynamic_position_bias),
    "fourier_features": Method("pixel-fourier", additive.fourier_features),
    "gaussian_fourier_projection": Method("gaussian-fourier",
                                          additive.gaussian_fourier_projection),
    "grape_a": Method("grape-a", conventions.grape_a),
    "grape_m": Method("grape-m", conventions.grape_m),
    "grape_m_commuting": Method("rope-nd", conventions.grape_m_commuting),
    "hope_hyperboloid": Method("rope", conventions.hope_hyperboloid, apply_path),
    "levit_attention_bias_index": Method("levit-bias", relative.levit_index),
    "logn_scaling": Method("logn", indices.logn_scaling),
    "mrope": Method("mrope", axes.mrope),
    "mrope_ggml": Method("mrope", axes.mrope_ggml),
    "nerf_positional_encoding": Method("nerf", additive.nerf_positional_encoding),
    "point_sine_2d": Method("detr-query-sine", additive.point_sine_2d),
    "position_ids": Method("ids-from-mask", indices.position_ids),
    "qwen_ntk_alpha": Method("rope", rotary.qwen_ntk_alpha, choice("scaling_variant", "qwen")),
    "relative_key_sides": Method("shaw", conventions.relative_key_sides),
    "relative_sinusoid": Method("sinusoidal", sinusoid.relative),
    "rope": Method("rope", rotary.rope),
    "rope_2d_axial": Method("rope2d-axial", axes.axial),
    "rope_2d_dinov3": Method("rope2d-dinov3", axes.dinov3),
    "rope_2d_llama4_vision": Method("rope-vision-llama4", axes.llama4_vision),
    "rope_2d_lumina": Method("rope-axes", axes.lumina),
    "rope_2d_pixtral": Method("rope2d-pixtral", axes.pixtral),
    "rope_2d_qwen_vision": Method("rope2d-qwen-vit", axes.qwen_vision),
    "rope_2d_timm": Method("rope2d-timm-cat", axes.timm),
    "rope_3d": Method("rope-axes", axes.cogvideox),
    "rope_3d_apply": Method("rope-axes", axes.wan),
    "rope_apply": Method("rope", rotary.rope_apply, apply_path),
    "rope_axial": Method("rope-axes", axes.axial_blocks),
    "rope_axial_part": Method("rope-axes", conventions.axial_part, apply_path),
    "rope_heads": Method("rope-heads", conventions.heads),
    "omni_ids": Method("ids-mrope", conventions.omni_ids),
    "rope_by_angles": Method("rope-angles", conventions.by_angles),
    "rope_ggml": Method("rope", rotary.rope_ggml, apply_path),
    "rope_temporal_skip": Method("rope-axes", conventions.temporal_skip),
    "sam_random_fourier": Method("sam-random", additive.sam_random_fourier),
    "sincos_2d": Method("sincos2d-mae", additive.sincos_2d),
    "sinusoidal": Method("sinusoidal", sinusoid.sinusoidal),
    "sinusoidal_nd": Method("multidim-sine", additive.sinusoidal_nd),
    "swin_relative_position_index": Method("swin", relative.swin_index),
    "swinv2_log_cpb": Method("swinv2", relative.swinv2),
    "t5_bias": Method("t5", relative.t5_bias, output("bias")),
    "t5_relative_bucket": Method("t5", relative.t5_bucket),
    "timestep_embedding": Method("timestep-embedding", additive.timestep_embedding),
    "timing_signal": Method("sinusoidal", sinusoid.timing_signal),
    "wavlm_bias": Method("wavlm-bias", conventions.wavlm_bias),
    "xpos": Method("xpos", indices.xpos),
}
