/* SPDX-License-Identifier: Apache-2.0
 * rope.c - rotary position embedding: cosines and sines of position * frequency, by which
 * pairs of coordinates of queries and keys are rotated.
 *
 *     w_i = base^(-2i/r), i = 0..r/2-1, changed by the scaling     cos = A cos(p w_i)
 *     r: the rotary width; A: the attention factor                 sin = A sin(p w_i)
 *
 * Su et al. 2021, RoFormer, section 3.4. What decides w_i and A is ladder.h; the scalings are
 * core/math/scaling.
 */
#include <math.h>

#include "core/encoding.h"
#include "core/encodings/rotary/ladder.h"
#include "core/encodings/rotary/rope_matrix.h"
#include "core/math/wavelength.h"

enum {
    COS,
    SIN,
    INV_FREQ,
    WAVELENGTHS,
    MATRIX,
    ATTENTION_FACTOR,
    TURNS,
    KEPT,
    EFFECTIVE_BASE,
    NTK_ALPHA,
};
enum {
    TABLE_GROUP,
    INV_FREQ_GROUP,
    WAVELENGTHS_GROUP,
    MATRIX_GROUP,
    FACTOR_GROUP,
    TURNS_GROUP,
    KEPT_GROUP,
    BASE_GROUP,
    ALPHA_GROUP,
};
enum { PAIRING_HALF, PAIRING_ADJACENT };
enum { WIDTH_HALF, WIDTH_FULL };

struct rope {
    const struct pe_positions *pos;
    struct ladder ladder;
    int pairing, width;
};

static const struct pe_choice pairings[] = {
    {"half", PE_WORDS("neox"), "pairs (k, k + r/2): GPT-NeoX, Hugging Face's Llama", NULL},
    {"adjacent", PE_WORDS("interleaved", "gptj"),
     "pairs (2k, 2k + 1): RoFormer, GPT-J, Meta's Llama", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice widths[] = {
    {"half", NULL, "r/2 columns, the same for every pairing", NULL},
    {"full", NULL, "r columns, each value twice as the pairing wants", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    PE_ROW_POS(struct rope, true),
    LADDER_ROWS(struct rope, ladder),
    {PE_FIELD(struct rope, pairing), .type = PE_CHOICE, .choices = pairings,
     .summary = "which coordinates rotate together"},
    {PE_FIELD(struct rope, width), .type = PE_CHOICE, .choices = widths,
     .summary = "columns of cos and sin"},
};

static const char table_bound[] = "0.501 ULP; f64 1 ULP, 2 ULP with an attention factor; the "
                                  "profiles' own values are exact";

static const char *const ladder_names[] = {LADDER_NAMES, NULL};
static const char *const table_names[] = {LADDER_NAMES, "pos", "width", "pairing", NULL};
static const char *const matrix_names[] = {LADDER_NAMES, "pos", "pairing", NULL};

static const struct pe_output outputs[] = {
    [COS] = {"cos",
             "cosine of position times frequency",
             {"pos", "width"},
             TABLE_GROUP,
             PE_F32,
             true,
             table_names,
             table_bound},
    [SIN] = {"sin",
             "sine of position times frequency",
             {"pos", "width"},
             TABLE_GROUP,
             PE_F32,
             true,
             table_names,
             table_bound},
    [INV_FREQ] = {"inv_freq",
                  "radians per position of each pair",
                  {"pair"},
                  INV_FREQ_GROUP,
                  PE_F32,
                  false,
                  ladder_names,
                  "0.501 ULP; f64 0.5 ULP"},
    [WAVELENGTHS] = {"wavelengths",
                     "positions per turn of each pair",
                     {"pair"},
                     WAVELENGTHS_GROUP,
                     PE_F32,
                     false,
                     ladder_names,
                     "0.501 ULP; f64 0.51 ULP"},
    [MATRIX] = {"matrix",
                "the rotation itself: rotated = matrix x",
                {"pos", "dim", "dim"},
                MATRIX_GROUP,
                PE_F32,
                false,
                matrix_names,
                table_bound},
    [ATTENTION_FACTOR] = {"attention_factor",
                          "what cos and sin are multiplied by",
                          {NULL},
                          FACTOR_GROUP,
                          PE_F32,
                          false,
                          ladder_names,
                          "0.501 ULP; f64 2 ULP"},
    [TURNS] = {"turns",
               "turns of each unscaled pair in the original context",
               {"pair"},
               TURNS_GROUP,
               PE_F32,
               false,
               ladder_names,
               "0.501 ULP; f64 2 ULP"},
    [KEPT] = {"kept",
              "frequency over the unscaled one: 1 kept, 1/factor divided, between blended",
              {"pair"},
              KEPT_GROUP,
              PE_F32,
              false,
              ladder_names,
              "0.501 ULP; f64 1 ULP"},
    [EFFECTIVE_BASE] = {"effective_base",
                        "the base that the scaling amounts to",
                        {NULL},
                        BASE_GROUP,
                        PE_F32,
                        false,
                        ladder_names,
                        "0.501 ULP; f64 2 ULP"},
    [NTK_ALPHA] = {"ntk_alpha",
                   "dynamic, variant qwen: its whole alpha",
                   {NULL},
                   ALPHA_GROUP,
                   PE_F32,
                   false,
                   ladder_names,
                   "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool wants_positions(const struct pe_args *args)
{
    return pe_wants(args, COS) || pe_wants(args, SIN) || pe_wants(args, MATRIX);
}

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct rope *r = values;
    double low, high, last = NAN;

    if (wants_positions(args) && pe_positions_count(r->pos) > 0) {
        pe_positions_range(r->pos, &low, &high);
        last = high + 1;
    }
    return ladder_resolve(&r->ladder, last, errors);
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct scaling *s = &((const struct rope *)values)->ladder.scaling;

    if (pe_wants(args, TURNS) && isnan(s->original_max_position_embeddings))
        return pe_fail(errors, PE_CONFLICT, "out",
                       "cannot be turns without a scaling that has "
                       "original_max_position_embeddings");
    if (pe_wants(args, NTK_ALPHA) && s->scaling_variant != VARIANT_QWEN)
        return pe_fail(errors, PE_CONFLICT, "out",
                       "cannot be ntk_alpha without scaling=dynamic&scaling_variant=qwen");
    return PE_OK;
}

/* ---- sizes and the shared table ------------------------------------------------------------ */

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct rope *r = values;
    uint64_t pairs = ladder_pairs(&r->ladder);

    (void)args;
    switch (output) {
    case COS:
    case SIN:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = r->width == WIDTH_FULL ? 2 * pairs : pairs;
        return 2;
    case MATRIX:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = dims[2] = (uint64_t)r->ladder.dim;
        return 3;
    case ATTENTION_FACTOR:
    case EFFECTIVE_BASE:
    case NTK_ALPHA:
        return 0;
    default:
        dims[0] = pairs;
        return 1;
    }
}

static bool wants_fine(const struct pe_args *args, const struct rope *r)
{
    return (pe_wants(args, COS) || pe_wants(args, SIN)) &&
           ladder_wants_fine(&r->ladder, r->pos, pe_args_dtype(args, COS));
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct rope *r = values;

    return ladder_key(&r->ladder, wants_fine(args, r), text, size);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct rope *r = values;
    struct rotation_table *table = ladder_table(&r->ladder, wants_fine(args, r));

    if (table)
        *bytes = table->bytes;
    return table;
}

/* ---- how each output is filled ---------------------------------------------------------------- */

static size_t bands_of(const struct rope *r, int width, struct rotation_band *bands)
{
    size_t pairs = ladder_pairs(&r->ladder), count = 0;

    for (size_t slot = 0; slot < 2; slot++) {
        enum rotation_wave wave = slot == 0 ? ROTATION_COS : ROTATION_SIN;
        size_t step = width == WIDTH_FULL && r->pairing == PAIRING_ADJACENT ? 2 : 1;

        bands[count++] = (struct rotation_band){slot, wave, 0, pairs, 0, step};
        if (width == WIDTH_FULL)
            bands[count++] =
                (struct rotation_band){slot, wave, 0, pairs, step == 2 ? 1 : pairs, step};
    }
    return count;
}

static double *new_vector(struct pe_build *build, size_t group, size_t count)
{
    double *vector = pe_build_alloc(build, count * sizeof *vector);

    if (vector)
        pe_build_fill(build, group, &wavelength_vector_filler, vector);
    return vector;
}

static bool prepare_frequencies(struct pe_build *build, const struct rope *r,
                                const struct rotation *rotation)
{
    const struct pe_args *args = pe_build_args(build);
    size_t pairs = ladder_pairs(&r->ladder);
    double *vectors[2] = {NULL, NULL};

    for (size_t k = 0; k < 2; k++) {
        if (!pe_wants(args, k == 0 ? INV_FREQ : WAVELENGTHS))
            continue;
        vectors[k] = new_vector(build, k == 0 ? INV_FREQ_GROUP : WAVELENGTHS_GROUP, pairs);
        if (!vectors[k])
            return false;
    }
    for (size_t i = 0; i < pairs; i++) {
        struct phase_freq freq = ladder_profile_frequency(rotation, i);

        if (vectors[0])
            vectors[0][i] = freq.hi;
        if (vectors[1])
            vectors[1][i] = wavelength_of(&freq);
    }
    return true;
}

/* What the scaling did to each pair, against the same ladder without it. */
static bool prepare_changes(struct pe_build *build, const struct rope *r,
                            const struct rotation_table *table)
{
    const struct pe_args *args = pe_build_args(build);
    size_t pairs = table->pairs;
    double *turns = NULL, *kept = NULL;
    struct ladder plain = r->ladder;
    struct rotation_table *before;

    if (!pe_wants(args, TURNS) && !pe_wants(args, KEPT))
        return true;
    plain.scaling.kind = SCALING_none;
    plain.resonance = -1;
    before = ladder_table(&plain, false);
    if (before && pe_wants(args, TURNS))
        turns = new_vector(build, TURNS_GROUP, pairs);
    if (before && pe_wants(args, KEPT))
        kept = new_vector(build, KEPT_GROUP, pairs);
    for (size_t i = 0; before && i < pairs; i++) {
        if (turns)
            turns[i] = r->ladder.scaling.original_max_position_embeddings /
                       wavelength_of(&before->freq[i]);
        if (kept)
            kept[i] = table->freq[i].hi / before->freq[i].hi;
    }
    rotation_table_free(before);
    return before && (turns || !pe_wants(args, TURNS)) && (kept || !pe_wants(args, KEPT));
}

static bool prepare_scalars(struct pe_build *build, const struct rope *r)
{
    const struct pe_args *args = pe_build_args(build);
    const struct {
        size_t output, group;
        double value;
    } scalars[] = {
        {ATTENTION_FACTOR, FACTOR_GROUP, ladder_attention(&r->ladder)},
        {EFFECTIVE_BASE, BASE_GROUP, ladder_effective_base(&r->ladder)},
        {NTK_ALPHA, ALPHA_GROUP, r->ladder.scaling.alpha},
    };

    for (size_t i = 0; i < PE_LEN(scalars); i++) {
        double *value;

        if (!pe_wants(args, scalars[i].output))
            continue;
        value = new_vector(build, scalars[i].group, 1);
        if (!value)
            return false;
        *value = scalars[i].value;
    }
    return true;
}

static bool prepare_tables(struct pe_build *build, const struct rope *r,
                           const struct rotation *rotation)
{
    const struct pe_args *args = pe_build_args(build);
    struct rotation half = *rotation; /* one cosine and one sine a pair */

    half.cols = ladder_pairs(&r->ladder);
    half.band_count = bands_of(r, WIDTH_HALF, half.bands);
    if (pe_wants(args, COS) || pe_wants(args, SIN))
        pe_build_fill(build, TABLE_GROUP, &rotation_filler, rotation);
    return !pe_wants(args, MATRIX) ||
           rope_matrix_prepare(build, MATRIX_GROUP, &half, (size_t)r->ladder.dim,
                               r->pairing == PAIRING_ADJACENT);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct rope *r = values;
    const struct rotation_table *table = pe_build_table(build);
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);

    if (!rotation || !ladder_profile_rotation(build, &r->ladder, table, rotation))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    rotation->pos = r->pos;
    rotation->cols = ladder_pairs(&r->ladder) * (r->width == WIDTH_FULL ? 2 : 1);
    rotation->band_count = bands_of(r, r->width, rotation->bands);
    if (!prepare_tables(build, r, rotation) || !prepare_frequencies(build, r, rotation) ||
        !prepare_changes(build, r, table) || !prepare_scalars(build, r))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    ladder_facts(build, &r->ladder);
    return PE_OK;
}

const struct pe_encoding pe_encoding_rope = {
    .name = "rope",
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
        "&out=inv_freq,effective_base"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
