/* SPDX-License-Identifier: Apache-2.0
 * mrope.c - multimodal RoPE: one ladder of frequencies, whose pairs are assigned to axes of
 * time, rows and columns:
 *
 *     angle_i = pos[axis(i)] w_i, w_i = base^(-2i/r), i = 0..r/2-1, changed by the scaling
 *
 * With equal positions on all axes (text) it is RoPE. Wang et al. 2024, Qwen2-VL; the maps of
 * axes are in mrope_map.c, the frequencies in ladder.h. */
#include "core/encodings/rotary/mrope.h"
#include "core/math/precomputed.h"

enum { ATTENTION_FACTOR = SPATIAL_OUTPUTS };

static const struct pe_choice pairings[] = {
    {"half", PE_WORDS("neox", "rotate_half"),
     "pair k is columns k and k + r/2: Hugging Face, vLLM", NULL, NULL},
    {"adjacent", PE_WORDS("interleaved", "gptj"), "pair k is columns 2k and 2k + 1: ERNIE",
     NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* Maps the choices of pairing to pairings of a layout. */
static const int layout_pairings[] = {SPATIAL_HALF, SPATIAL_ADJACENT};

/* The struct has one member, so its arguments are read as a struct mrope. */
struct table {
    struct mrope mrope;
};

static const struct pe_param params[] = {
    LADDER_ROWS(struct table, mrope.ladder),
    MROPE_ROWS(struct table, mrope),
    {PE_FIELD_OF(struct table, mrope, pairing), .type = PE_CHOICE, .choices = pairings,
     .summary = "which columns of a head form a pair that turns together"},
    SPATIAL_ROW_WIDTH(struct table, mrope, SPATIAL_WIDTH_HALF),
};

static const char *const freq_names[] = {LADDER_NAMES, NULL};
static const char *const axis_names[] = {
    "dim",      "rotary_dim", "partial_rotary_factor", "mrope_section", "section_layout",
    "leftover", NULL};

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, freq_names, axis_names),
    [ATTENTION_FACTOR] = {PE_OUTPUT("attention_factor", PE_F32, NULL),
                          .label = "Attention factor", .sign = PE_NOT_NEGATIVE,
                          .picture = "dim=128&scaling=yarn&factor=4&"
                                     "original_max_position_embeddings=32768",
                          .summary = "factor by which cos and sin are multiplied",
                          .uses = freq_names, .bound = "0.501 ULP; f64 2 ULP"},
};

static bool wants_positions(const struct pe_args *args)
{
    return pe_wants(args, SPATIAL_COS) || pe_wants(args, SPATIAL_SIN) ||
           pe_wants(args, SPATIAL_ANGLES) || pe_wants(args, SPATIAL_COORDINATES);
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const bool positions = wants_positions(args);

    mrope_resolve(values, positions || pe_wants(args, SPATIAL_SECTION_AXIS), positions, errors);
}

static struct spatial_layout layout_of(const struct mrope *mrope)
{
    struct spatial_layout layout = mrope_layout(mrope);

    layout.pairing = layout_pairings[mrope->pairing];
    return layout;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    return output == ATTENTION_FACTOR ? 0 : spatial_shape(&layout, output, dims);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct mrope *mrope = values;
    struct spatial_layout layout = layout_of(mrope);

    if (!mrope_layout_build(build, mrope, pe_build_table(build), false, &layout))
        return;
    precomputed_scalar(build, ATTENTION_FACTOR, ladder_attention(&mrope->ladder));
    ladder_facts(build, &mrope->ladder);
    spatial_prepare(build, &layout);
}

const struct pe_encoding pe_encoding_mrope = {
    .name = "mrope",
    .title = "Multimodal RoPE (M-RoPE)",
    .formula =
        "angle of pair i = p_a w_i, where the axis a of a pair is given by mrope_section and "
        "section_layout",
    .when_to_use =
        "Qwen2-VL, Qwen3-VL, GLM-4.1V, ERNIE 4.5-VL and HunyuanVL turn some pairs by time, "
        "others by height and width. ids-mrope makes the ids of a prompt.",
    .what_goes_wrong =
        "The sections are the same numbers in Qwen2-VL and Qwen3-VL and are dealt in another "
        "way (section_layout); on text all axes are equal, so text-only tests pass. ERNIE "
        "lists height before time.",
    .picture =
        "pos.t=0,0,0,0,1,1,1,1&pos.h=0,0,1,1,0,0,1,1&pos.w=0,1,0,1,0,1,0,1&dim=32&base=100&"
        "mrope_section=6,5,5",
    .summary = "multimodal rotary embedding: pairs turn by time, row or column",
    .source =
        "Wang et al. 2024, Qwen2-VL; transformers modeling_qwen2_vl.py, "
        "modeling_qwen3_vl.py; vllm mrope.py, ernie45_vl_rope.py, xdrope.py; ggml ops.cpp "
        "ggml_mrope_cache_init; Wei et al. 2025 (VideoRoPE); Li et al. 2025 (HoPE)",
    .examples = PE_WORDS(
        "pos=0:4&dim=8&mrope_section=2,1,1",
        "pos.t=2&pos.h=3&pos.w=5&dim=8&mrope_section=2,1,1&out=angles,section_axis",
        "pos=0:4&dim=128&base=5000000&mrope_section=24,20,20&section_layout=interleaved&"
        "out=cos",
        "ids=0,0,0;1,2,3&dim=8&mrope_section=2,1,1&section_layout=openpangu&width=full",
        "ids=7,2,3,0&dim=8&mrope_section=1,1,1,1&section_layout=xdrope&scaling=ntk&"
        "factor=1000",
        "ids=2,3,5&dim=8&mrope_section=1,1,2&section_layout=ernie&pairing=adjacent&out=angles",
        "pos=3&dim=8&mrope_section=2,1,1&section_layout=hope&out=cos,sin",
        "dim=128&mrope_section=16,24,24,0&out=section_axis",
        "dim=128&base=1000000&scaling=yarn&factor=4&original_max_position_embeddings=32768"
        "&out=inv_freq,attention_factor"),
    .family = PE_ROTARY,
    .revision = 3,
    PE_TABLES(struct table, params, outputs),
    .resolve = resolve,
    .shape = shape,
    .plan_ns = ladder_first_plan_ns,
    .table_key = ladder_first_table_key,
    .table_build = ladder_first_table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
