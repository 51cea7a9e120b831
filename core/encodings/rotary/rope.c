/* SPDX-License-Identifier: Apache-2.0
 * rope.c - rotary position embedding: cosines and sines of position * frequency, by which
 * pairs of coordinates of queries and keys are rotated.
 *
 *     w_i = base^(-2i/r), i = 0..r/2-1, changed by the scaling     cos = A cos(p w_i)
 *     r: the rotary width; A: the attention factor                 sin = A sin(p w_i)
 *
 * Su et al. 2021, RoFormer, section 3.4. ladder.h decides w_i and A; the scalings are in
 * core/math/scaling.
 */
#include <math.h>

#include "core/encodings/rotary/rope.h"
#include "core/math/trig/wavelength.h"

static const struct pe_param params[] = {
    PE_ROW_POS(struct rope, true),
    LADDER_ROWS(struct rope, ladder),
    {PE_FIELD(struct rope, pairing),
     PE_CHOICES({"half", PE_WORDS("neox", "rotate_half"),
                 "pair k is columns k and k + r/2: GPT-NeoX, Llama in Hugging Face", NULL,
                 NULL},
                {"adjacent", PE_WORDS("interleaved", "gptj"),
                 "pair k is columns 2k and 2k + 1: RoFormer, GPT-J, Meta's Llama", NULL, NULL}),
     .summary = "which columns of a head form a pair that turns together; cos and sin with "
                "width=half are the same for either"},
    {PE_FIELD(struct rope, width),
     PE_CHOICES(
         PE_ONE("half", "r/2 columns, one a pair, the same for every pairing"),
         PE_ONE("full",
                "r columns, each value twice, where pairing has the entries of the pair"))},
    {PE_FIELD(struct rope, table_order),
     PE_CHOICES(PE_ONE("cos-sin", "all cosines, then all sines: cos_sin_cache of vLLM"),
                PE_ONE("sin-cos", "all sines, then all cosines: timm, RoFormer, GPT-J"),
                {"interleaved", PE_WORDS("complex"),
                 "c0 s0 c1 s1 ...: ggml, the complex numbers of Meta's Llama", NULL, NULL}),
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "order of cosines and sines in a row of out=table"},
    {PE_FIELD(struct rope, context), .type = PE_REAL, .required = true, .min = 1, .max = 1e18,
     .unit = "positions",
     .summary =
         "length of a context in tokens, whose turns are counted or in which the slowest "
         "pair turns once"},
    {PE_FIELD(struct rope, distance), .type = PE_POSITIONS, .required = true, .fractions = true,
     .unit = "positions", .summary = "distances between a query and a key, as 0:100"},
    {PE_FIELD(struct rope, preset),
     PE_CHOICES(
         {"hf-llama", PE_WORDS("hf", "vllm", "gpt-neox"),
          "Llama in transformers, vLLM, GPT-NeoX",
          .stands_for = "pairing=half&profile=f32-pow"},
         {"meta-llama", PE_WORDS("torchtune"), "Llama in Meta's model.py, torchtune",
          .stands_for = "pairing=adjacent&profile=f32-pow"},
         {"deepseek", .summary = "DeepSeek in its own model.py",
          .stands_for = "pairing=adjacent&profile=f32-pow"},
         {"gpt-j", PE_WORDS("mesh-transformer-jax"),
          "GPT-J: tables computed by NumPy in float64",
          .stands_for = "pairing=adjacent&profile=f64"},
         {"flux", .summary = "Flux in black-forest-labs/flux math.py",
          .stands_for = "pairing=adjacent&profile=f64"},
         {"gemma", .summary = "Gemma in google-deepmind/gemma: position over timescale",
          .stands_for = "pairing=half&profile=f32-div"},
         {"keras-hub", .summary = "RotaryEmbedding of Keras Hub: powers in float32",
          .stands_for = "pairing=half&profile=f32-pow"},
         {"mlx", .summary = "mlx.nn.RoPE with traditional=False", .stands_for = "pairing=half"},
         {"ggml", PE_WORDS("llama.cpp"), "ggml_rope_ext of llama.cpp and its parameters",
          .stands_for = "scaling=ggml&profile=f32-acc"}),
     .optional = true, .expanded = true,
     .summary =
         "library whose convention is followed: sets pairing, profile and scaling, each of "
         "which may be given"},
};

static const char table_bound[] = "0.501 ULP; f64 1 ULP, 2 ULP with an attention factor; the "
                                  "profiles' own values are exact";

static const char *const ladder_names[] = {LADDER_NAMES, NULL};
static const char *const table_names[] = {LADDER_NAMES, "pos", "width", "pairing", NULL};
static const char *const packed_names[] = {LADDER_NAMES, "pos", "table_order", NULL};
static const char *const decay_names[] = {LADDER_NAMES, "distance", NULL};
static const char *const context_names[] = {LADDER_NAMES, "context", NULL};
static const char *const angle_names[] = {LADDER_NAMES, "pos", NULL};
static const char *const matrix_names[] = {LADDER_NAMES, "pos", "pairing", NULL};

static const struct pe_output outputs[] = {
    [ROPE_COS] = {PE_OUTPUT("cos", PE_F32, "pos", "width"), .label = "Cosines",
                  .columns = PE_COLUMN_PAIRED,
                  .summary = "cosines of position times frequency, times the attention factor",
                  .by_default = true, .uses = table_names, .bound = table_bound},
    [ROPE_SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "width"), .label = "Sines",
                  .columns = PE_COLUMN_PAIRED,
                  .summary = "sines of position times frequency, times the attention factor",
                  .group = "cos", .by_default = true, .uses = table_names,
                  .bound = table_bound},
    [ROPE_INV_FREQ] = {PE_OUTPUT("inv_freq", PE_F32, "pair"), .label = "Inverse frequencies",
                       .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC,
                       .columns = PE_COLUMN_PAIR,
                       .summary =
                           "frequency of each pair, in radians per position (inv_freq of "
                           "Hugging Face)",
                       .uses = ladder_names, .bound = "0.501 ULP; f64 0.5 ULP"},
    [ROPE_WAVELENGTHS] = {PE_OUTPUT("wavelengths", PE_F32, "pair"), .label = "Wavelengths",
                          .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC,
                          .columns = PE_COLUMN_PAIR,
                          .summary = "number of positions in which each pair turns once",
                          .uses = ladder_names, .bound = "0.501 ULP; f64 0.51 ULP"},
    [ROPE_MATRIX] = {PE_OUTPUT("matrix", PE_F32, "pos", "dim", "dim"),
                     .label = "Rotation matrices", .picture = "pos=0:8&dim=16&base=100",
                     .summary =
                         "rotation of each position as a matrix: rotated vector = matrix x",
                     .uses = matrix_names, .bound = table_bound},
    [ROPE_ATTENTION_FACTOR] = {PE_OUTPUT("attention_factor", PE_F32, NULL),
                               .label = "Attention factor", .sign = PE_NOT_NEGATIVE,
                               .picture = "dim=128&scaling=yarn&factor=4&"
                                          "original_max_position_embeddings=32768",
                               .summary = "factor by which cos and sin are multiplied",
                               .uses = ladder_names, .bound = "0.501 ULP; f64 2 ULP"},
    [ROPE_TURNS] = {PE_OUTPUT("turns", PE_F32, "pair"), .label = "Turns",
                    .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC, .columns = PE_COLUMN_PAIR,
                    .picture = "dim=128&base=500000&scaling=llama3",
                    .summary =
                        "turns that each pair makes in the trained context, before scaling",
                    .uses = ladder_names, .bound = "0.501 ULP; f64 2 ULP"},
    [ROPE_KEPT] =
        {PE_OUTPUT("kept", PE_F32, "pair"), .label = "Kept share", .sign = PE_NOT_NEGATIVE,
         .columns = PE_COLUMN_PAIR, .picture = "dim=128&base=500000&scaling=llama3",
         .summary =
             "frequency of each pair over the unscaled one: 1 where it is kept, 1/factor "
             "where divided, between where blended",
         .uses = ladder_names, .bound = "0.501 ULP; f64 2 ULP"},
    [ROPE_EFFECTIVE_BASE] = {PE_OUTPUT("effective_base", PE_F32, NULL),
                             .label = "Effective base", .sign = PE_NOT_NEGATIVE,
                             .picture = "dim=128&scaling=ntk&factor=4",
                             .summary = "base to which the scaling amounts",
                             .group = "attention_factor", .uses = ladder_names,
                             .bound = "0.501 ULP; f64 0.5 ULP"},
    [ROPE_NTK_ALPHA] = {PE_OUTPUT("ntk_alpha", PE_F32, NULL), .label = "NTK alpha",
                        .sign = PE_NOT_NEGATIVE,
                        .picture = "dim=128&scaling=dynamic&scaling_variant=qwen&"
                                   "max_position_embeddings=2048&seq_len=8192",
                        .summary = "whole number alpha by which scaling=dynamic with "
                                   "scaling_variant=qwen stretches the context",
                        .group = "attention_factor", .uses = ladder_names, .bound = "exact"},
    [ROPE_TABLE] = {PE_OUTPUT("table", PE_F32, "pos", "width"), .label = "Table",
                    .summary = "cosines and sines of a position in one row, in table_order",
                    .uses = packed_names, .bound = table_bound},
    [ROPE_MIN_THETA] = {PE_OUTPUT("min_theta", PE_F32, NULL), .label = "Least base",
                        .sign = PE_NOT_NEGATIVE,
                        .summary = "base at which the slowest pair turns once in the context",
                        .group = "attention_factor",
                        .uses =
                            PE_WORDS("dim", "rotary_dim", "partial_rotary_factor", "context"),
                        .bound = "0.501 ULP; f64 1 ULP"},
    [ROPE_DECAY] =
        {PE_OUTPUT("decay", PE_F32, "distance"), .label = "Decay", .sign = PE_NOT_NEGATIVE,
         .summary =
             "RoFormer's bound on a score at each distance: mean size of the partial sums of "
             "rotations",
         .uses = decay_names,
         .bound = "2^-50 of the decay at distance 0, absolute, then rounded to dtype"},
    [ROPE_SIMILARITY] = {PE_OUTPUT("similarity", PE_F32, "distance"), .label = "Similarity",
                         .summary = "mean cosine of the rotations at each distance: the score "
                                    "of two equal vectors of ones",
                         .group = "decay", .uses = decay_names,
                         .bound = "2^-51 absolute, then rounded to dtype"},
    [ROPE_CONTEXT_TURNS] = {PE_OUTPUT("context_turns", PE_F32, "pair"),
                            .label = "Turns in context", .sign = PE_NOT_NEGATIVE,
                            .scale = PE_LOGARITHMIC, .columns = PE_COLUMN_PAIR,
                            .summary =
                                "turns that each pair makes in the context, after scaling",
                            .uses = context_names, .bound = "0.501 ULP; f64 2 ULP"},
    [ROPE_CRITICAL_DIM] = {PE_OUTPUT("critical_dim", PE_F32, NULL),
                           .label = "Critical dimension", .sign = PE_NOT_NEGATIVE,
                           .summary =
                               "number of columns whose pairs turn more than once in the "
                               "context",
                           .group = "attention_factor", .uses = context_names,
                           .bound = "exact"},
    [ROPE_ANGLES] = {PE_OUTPUT("angles", PE_F32, "pos", "pair"), .label = "Angles",
                     .columns = PE_COLUMN_PAIR,
                     .summary = "angles by which pairs turn, in radians: position times "
                                "frequency (freqs of Hugging Face)",
                     .uses = angle_names,
                     .bound = "0.501 ULP; f64 1 ULP; the profiles' own values are exact"},
};

/* ---- rules --------------------------------------------------------------------------- */

static bool wants_positions(const struct pe_args *args)
{
    return pe_wants(args, ROPE_COS) || pe_wants(args, ROPE_SIN) ||
           pe_wants(args, ROPE_MATRIX) || pe_wants(args, ROPE_TABLE) ||
           pe_wants(args, ROPE_ANGLES);
}

static bool sums_asked(const struct pe_args *args)
{
    return pe_wants(args, ROPE_DECAY) || pe_wants(args, ROPE_SIMILARITY);
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct rope *r = values;
    double low, high, last = NAN;

    if (wants_positions(args))
        last = 0; /* no positions: the shortest context */
    if (wants_positions(args) && pe_positions_count(r->pos) > 0) {
        pe_positions_range(r->pos, &low, &high);
        last = high + 1;
    }
    ladder_resolve(&r->ladder, last, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct ladder *ladder = &((const struct rope *)values)->ladder;

    if (pe_wants(args, ROPE_TURNS) && isnan(ladder_context(ladder)))
        pe_fail(errors, PE_CONFLICT, "out",
                "cannot be turns without a scaling that has "
                "original_max_position_embeddings");
    else if (pe_wants(args, ROPE_NTK_ALPHA) && ladder->scaling.scaling_variant != VARIANT_QWEN)
        pe_fail(errors, PE_CONFLICT, "out",
                "cannot be ntk_alpha without scaling=dynamic&scaling_variant=qwen");
    else if (pe_wants(args, ROPE_MIN_THETA) && ladder->rotary_dim < 4)
        pe_fail(errors, PE_CONFLICT, "dim",
                "must leave at least 4 rotary coordinates for out=min_theta: the first "
                "pair turns at the same rate for every base");
    else if (pe_wants(args, ROPE_MIN_THETA) && ((const struct rope *)values)->context < 7)
        pe_fail(errors, PE_OUT_OF_RANGE, "context",
                "must be at least 7, more than one turn of the first pair, for "
                "out=min_theta");
    else if (sums_asked(args))
        wavelength_check_sums(
            (double)pe_positions_count(((const struct rope *)values)->distance),
            ladder_pairs(ladder), errors);
}

/* ---- sizes and the shared table ------------------------------------------------------ */

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct rope *r = values;
    uint64_t pairs = ladder_pairs(&r->ladder);

    switch (output) {
    case ROPE_COS:
    case ROPE_SIN:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = r->width == ROPE_WIDTH_FULL ? 2 * pairs : pairs;
        return 2;
    case ROPE_ANGLES:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = pairs;
        return 2;
    case ROPE_TABLE:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = 2 * pairs;
        return 2;
    case ROPE_DECAY:
    case ROPE_SIMILARITY:
        dims[0] = pe_positions_count(r->distance);
        return 1;
    case ROPE_MATRIX:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = dims[2] = (uint64_t)r->ladder.dim;
        return 3;
    case ROPE_ATTENTION_FACTOR:
    case ROPE_EFFECTIVE_BASE:
    case ROPE_NTK_ALPHA:
    case ROPE_MIN_THETA:
    case ROPE_CRITICAL_DIM:
        return 0;
    default:
        dims[0] = pairs;
        return 1;
    }
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct rope *r = values;

    return ladder_key(&r->ladder, false, text, size);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct rope *r = values;
    struct rotation_table *table = ladder_table(&r->ladder, false);

    if (table)
        *bytes = table->bytes;
    return table;
}

static size_t table_grow(void *table, const struct pe_args *args, const void *values,
                         enum pe_growth growth)
{
    const struct rope *r = values;
    const bool shown =
        pe_wants(args, ROPE_COS) || pe_wants(args, ROPE_SIN) || pe_wants(args, ROPE_TABLE);

    return shown && r->ladder.profile == PROFILE_EXACT
               ? rotation_table_grow(
                     table, rotation_fast_positions(r->pos, pe_args_dtype(args, ROPE_COS)),
                     growth)
               : 0;
}

const struct pe_encoding pe_encoding_rope = {
    .name = "rope",
    .title = "Rotary position embedding (RoPE)",
    .formula =
        "w_i = base^(-2i/r), i = 0 .. r/2 - 1, changed by scaling; cos = A cos(p w_i), sin = "
        "A sin(p w_i); r = rotary_dim, A = attention factor",
    .when_to_use =
        "Nearly all language models since 2022 use it: Llama, Mistral, Qwen, Gemma, Phi, "
        "DeepSeek. Give base (rope_theta), dim (head_dim) and the rope_scaling of the "
        "config, or name a model. rope/apply turns vectors.",
    .what_goes_wrong =
        "Weights are made for one pairing: the other one gives the same shapes and other "
        "scores. float32 angles lose about 1e-7 of the angle, 0.07 radians at position one "
        "million. A scaling that is left out changes only long contexts, so short tests pass.",
    .picture = "pos=0:64&dim=64&context=4096&distance=0:256",
    .summary = "rotary position embedding: cosines and sines that rotate queries and keys",
    .source = "Su et al. 2021, RoFormer, section 3.4; scalings: Chen et al. 2023, Peng et al. "
              "2023 (YaRN), Ding et al. 2024 (LongRoPE), transformers modeling_rope_utils.py",
    .examples = PE_WORDS(
        "pos=0:4&dim=8", "pos=0:4&dim=128&base=500000&out=cos",
        "pos=4096&dim=128&scaling=linear&factor=8&base=1000000",
        "dim=80&partial_rotary_factor=0.4&out=inv_freq",
        "pos=0:2&dim=8&pairing=adjacent&width=full&profile=f32-pow",
        "pos=1&dim=4&pairing=adjacent&out=matrix", "pos=0:4&dim=128&base=500000&scaling=llama3",
        "dim=128&base=1000000&scaling=yarn&factor=4"
        "&original_max_position_embeddings=32768&out=kept,turns",
        "dim=8&scaling=dynamic&factor=2&max_position_embeddings=2048&seq_len=4096"
        "&out=inv_freq,effective_base",
        "dim=8&scaling=ntk&factor=4&out=inv_freq,effective_base",
        "dim=16&scaling=ntk-by-parts&scaling_variant=part-ntk&factor=4"
        "&original_max_position_embeddings=2048&out=inv_freq",
        "pos=0:4&dim=8&scaling=longrope&short_factor=1,1.5,4,32&long_factor=2,3,8,64"
        "&original_max_position_embeddings=4096&max_position_embeddings=131072",
        "dim=8&scaling=factors&freq_factors=1,2,4,8&out=inv_freq",
        "dim=16&scaling=proportional&partial_rotary_factor=0.25&out=inv_freq",
        "pos=0:4&dim=8&scaling=ggml&freq_scale=0.25&ext_factor=1"
        "&original_max_position_embeddings=2048&profile=f32-acc",
        "dim=8&resonance=1&out=wavelengths", "pos=0:4&dim=8&out=table&table_order=sin-cos",
        "pos=0:4&dim=8&out=angles", "pos=0:4&dim=8&preset=meta-llama",
        "dim=128&context=131072&out=min_theta",
        "dim=128&context=4096&out=context_turns,critical_dim",
        "dim=128&distance=0:100&out=decay,similarity"),
    .family = PE_ROTARY,
    .revision = 2,
    PE_TABLES(struct rope, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = ladder_first_plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_grow = table_grow,
    .table_free = rotation_table_free,
    .prepare = rope_fill_prepare,
};
