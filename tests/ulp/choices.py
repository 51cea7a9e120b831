# SPDX-License-Identifier: Apache-2.0
"""choices.py - checks that some row draws every word that a parameter may have. The words come from
the schema, so a new word of any encoding fails until a row draws it, or a reason stands here."""

import os

from draw import Draw

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROUNDS = 40  # more rounds than any list of cases is long; cases are made, not asked

# (encoding, or its start and *; parameter): the words that no row draws, and the file under tests
# that tests them instead: known answers of the ports, or laws.
LADDER = "f64 f32-pow f32-exp f32-div f32-acc bf16-table"
TARGETS, TORCH = "freq position angle", "torch-avx2 torch-avx512"
LEFT = {
    ("alibi", "applies"): ("before_scale", "core/encodings/bias/test_alibi.c"),
    ("alibi", "distance_kind"): ("two-sided manhattan euclidean",
                                 "core/encodings/bias/test_alibi_forms.c"),
    ("alibi", "future"): ("zero", "core/encodings/bias/test_alibi_forms.c"),
    ("alibi", "non_pow2"): ("mpt naive_extra", "core/encodings/bias/test_alibi.c"),
    ("alphafold-relpos", "chain_rule"): ("chain", "core/encodings/bias/alphafold_relpos.txt"),
    ("alphafold-relpos", "version"): ("3", "core/encodings/bias/test_alphafold_relpos.c"),
    ("binary", "out_of_range"): ("error", "core/encodings/absolute/test_binary.c"),
    ("convert", "from"): ("grouped-2d tiled", "core/encodings/rotary/test_convert.c"),
    ("convert", "to"): ("grouped-2d tiled", "core/encodings/rotary/test_convert.c"),
    ("convert", "content"): ("rows table vectors weights", "core/encodings/rotary/test_convert.c"),
    ("cope", "interpolation"): ("softmax", "core/encodings/bias/cope.txt"),
    ("deberta", "terms"): ("c2p p2c", "core/encodings/bias/deberta.txt"),
    ("dynamic-bias", "future"): ("zero", "core/encodings/bias/dynamic_bias.txt"),
    ("fire", "future"): ("zero", "core/encodings/bias/fire.txt"),
    ("fope*", "pairing"): ("adjacent", "core/encodings/rotary/test_fope_apply.c"),
    ("fope*", "powf"): ("correct " + TORCH, "core/encodings/rotary/test_ladder_laws.c"),
    ("fope*", "profile"): (LADDER, "core/encodings/rotary/test_ladder_laws.c"),
    ("forgetting", "gate_kind"): ("logit", "core/encodings/bias/forgetting.txt"),
    ("graphormer-bias", "self_loops"): ("kept", "core/encodings/graph/graphormer_bias.txt"),
    ("ids-chatglm2d", "mask_token"): ("gmask mask", "core/encodings/index/test_ids_chatglm2d.c"),
    ("ids-from-mask", "convention"): ("arange", "core/encodings/index/ids_from_mask.txt"),
    ("ids-mrope", "advance"): ("max_hw", "core/encodings/index/ids_mrope.txt"),
    ("ids-mrope", "audio_tokens"): ("windows", "core/encodings/index/test_ids_mrope.c"),
    ("ids-mrope", "audio_in_video"): ("chunks time", "core/encodings/index/ids_mrope.txt"),
    ("ids-mrope", "id_axes"): ("hunyuan", "core/encodings/index/ids_mrope.txt"),
    ("ids-mrope", "padding_side"): ("left", "core/encodings/index/ids_mrope.txt"),
    ("ids-mrope", "preset"): ("qwen2-vl qwen2.5-vl qwen3-vl qwen2.5-omni qwen3-omni hunyuan-vl",
                              "core/encodings/index/test_ids_mrope.c"),
    ("ids-mrope", "split_videos"): ("frames", "core/encodings/index/test_ids_mrope.c"),
    ("ids-mrope", "time_rule"): ("trunc-f32", "core/encodings/index/ids_mrope.txt"),
    ("laplacian-pe", "drop"): ("trivial none", "core/encodings/graph/test_graphs.c"),
    ("laplacian-pe", "vector_norm"): ("l1 abs_max wavelength wavelength_asin wavelength_soft",
                               "core/encodings/graph/graphs.txt"),
    ("laplacian-pe", "laplacian"): ("rw", "core/encodings/graph/graphs.txt"),
    ("laplacian-pe", "pad"): ("nan", "core/encodings/graph/test_graphs.c"),
    ("laplacian-pe", "sign"): ("first_nonzero_positive none seeded-random",
                               "core/encodings/graph/graphs.txt"),
    ("learned*", "convention"): ("fairseq bart opt", "core/encodings/absolute/learned.txt"),
    ("learned*", "out_of_range"): ("hierarchical", "core/encodings/absolute/test_learned.c"),
    ("mask-convert", "from"): ("additive int", "core/encodings/mask/mask_convert.txt"),
    ("mask-convert", "input_true_means"): ("attend", "core/encodings/mask/test_mask_convert.c"),
    ("mrope", "powf"): (TORCH, "core/encodings/rotary/test_ladder_laws.c"),
    ("mrope/apply", "powf"): ("correct " + TORCH, "core/encodings/rotary/test_ladder_laws.c"),
    ("mrope/apply", "profile"): (LADDER, "core/encodings/rotary/axes/test_axes.c"),
    ("random-walk-pe", "weighting"): ("pyg graphgps", "core/encodings/graph/graphs.txt"),
    ("resize-table-relative", "preset"): ("swin-transformer beit timm-beit hf-beit",
                                          "core/encodings/bias/test_resize_table_relative.c"),
    ("rope-axes*", "coord_start"): ("centred", "core/encodings/rotary/axes/test_axes.c"),
    ("rope-axes*", "axis_order"): ("alternating frequency-major", "core/encodings/rotary/axes/test_axes.c"),
    ("rope-axes*", "pairing"): ("section-half", "core/encodings/rotary/axes/test_axes.c"),
    ("rope-axes*", "preset"): ("flux flux2 z-image lumina2 hunyuan-video qwen-image wan chrono-edit "
                               "cogvideox cosmos allegro lumina-next minimax-h3 ltx-video",
                               "core/encodings/rotary/axes/axes.txt"),
    ("rope-axes*", "split"): ("sixths eighths thirds", "core/encodings/rotary/axes/test_axes.c"),
    ("rope-golden-gate*", "directions"): ("angle", "core/encodings/rotary/axes/test_axes.c"),
    ("rope-nd*", "coord_range"): ("mochi", "core/encodings/rotary/axes/test_axes.c"),
    ("rope/apply", "powf"): (TORCH, "core/encodings/rotary/test_ladder_laws.c"),
    ("rope2d-chatglm*", "pairing"): ("adjacent half", "core/encodings/rotary/axes/axes.txt"),
    ("sincos2d-timm*", "ladder"): ("geometric-closed", "core/encodings/spatial/sincos2d_timm.txt"),
    ("sincos2d-timm*", "order"): ("wh", "core/encodings/spatial/sincos2d_timm.txt"),
    ("sincos2d-timm*", "preset"): ("moco-v3", "core/encodings/spatial/sincos2d_timm.txt"),
    ("swin-shift-mask", "fully_masked"): ("keep_self unmask_all", "core/encodings/bias/test_window.c"),
    ("t5", "convention"): ("tupe", "core/encodings/bias/t5.txt"),
    ("xpos*", "powf"): ("correct " + TORCH, "core/encodings/rotary/test_ladder_laws.c"),
    ("xpos*", "profile"): (LADDER, "core/encodings/rotary/test_ladder_laws.c"),
    ("xpos/apply", "centre"): ("floor_half torchscale", "core/encodings/rotary/test_xpos_apply.c"),
    ("xpos/apply", "pairing"): ("half", "core/encodings/rotary/test_xpos_apply.c"),
}
for name in ("fope*", "learnable-fourier/apply", "rope-golden-gate*", "rope-nd*", "rope2d-mixed*",
             "rope3d-vjepa2*", "vjepa2-rope", "xpos/apply"):
    LEFT[name, "rotate_math"] = "in_dtype", "core/encodings/rotary/test_rope_apply.c"
for name in ("fope*", "mrope/apply", "xpos*"):
    LEFT[name, "scale_target"] = TARGETS, "core/encodings/rotary/test_ladder_target.c"
for name in ("rope-axes", "rope-vision-llama4", "rope2d-axial", "rope2d-chatglm", "rope2d-loftr",
             "rope2d-moonvit", "rope2d-pixtral", "rope2d-qwen-vit", "rope3d-vjepa2",
             "vjepa2-rope"):
    LEFT[name + "*", "profile"] = "f64 f32-pow", "core/encodings/rotary/axes/test_axes.c"


def words_of(encoding):
    """{parameter: {word: every spelling of it}}"""
    return {param["name"]: {choice["name"]: {choice["name"], *choice.get("aliases", [])}
                            for choice in param["choices"]}
            for param in encoding["params"] if param["type"] == "choice"}


def spelled(value):
    return str(int(value)) if isinstance(value, bool) else str(value)


def drawn(row, name, encoding, wanted):
    """{parameter: words that cases ask for, or leave to the default}; stops when no word is
    left."""
    words = words_of(encoding)
    uses = {output["name"]: set(output["uses"]) | {"preset"} for output in encoding["outputs"]}
    defaults = {param["name"]: param.get("default") for param in encoding["params"]}
    seen = {param: set() for param in words}
    for number in range(ROUNDS):
        if all(wanted[param] <= seen[param] for param in words):
            break
        for case in row(Draw(name, number)):
            for param in set(words) & uses[case.out]:
                value = case.params.get(param, defaults[param])
                seen[param] |= {word for word, ways in words[param].items()
                                if value is not None and spelled(value) in ways}
    return seen


def left(name, param):
    """(words, the file that tests them)"""
    whole = name.split("/")[0] + "*"
    return LEFT.get((name, param)) or LEFT.get((whole, param)) or ("", None)


def missing(row, name, encoding):
    """Sentences about words that no row draws, and about reasons that no longer apply."""
    words, told = words_of(encoding), []
    excused = {param: set(left(name, param)[0].split()) for param in words}
    told += ["choices.py names %s, which is no file" % place for param in words
             for place in [left(name, param)[1]] if place and not os.path.exists(
                 os.path.join(TESTS, place))]
    seen = drawn(row, name, encoding, {p: set(words[p]) - excused[p] for p in words})
    for param in words:
        for word in words[param]:
            if word not in seen[param] and word not in excused[param]:
                told.append("%s=%s is drawn by no row" % (param, word))
            elif word in seen[param] and word in excused[param] and (name, param) in LEFT:
                told.append("%s=%s is drawn: it need not stand in choices.py" % (param, word))
    return told
