/* SPDX-License-Identifier: Apache-2.0
 * rope.c - rotary position embedding: cosines and sines of position * frequency, by which
 * pairs of coordinates of queries and keys are rotated.
 *
 *     w_i = base^(-2i/r) / factor,  i = 0..r/2-1     cos = cos(p w_i)   sin = sin(p w_i)
 *
 * r is the rotary width (rotary_dim, at most dim). Su et al. 2021, RoFormer, section 3.4;
 * linear scaling: Chen et al. 2023, Extending Context Window by Positional Interpolation.
 */
#include <math.h>
#include <stdio.h>

#include "core/encoding.h"
#include "core/encodings/rotary/rope_matrix.h"
#include "core/math/frequency.h"
#include "core/math/rotation.h"
#include "core/math/wavelength.h"

enum { COS, SIN, INV_FREQ, WAVELENGTHS, MATRIX, ATTENTION_FACTOR };
enum { TABLE_GROUP, INV_FREQ_GROUP, WAVELENGTHS_GROUP, MATRIX_GROUP, FACTOR_GROUP };
enum { SCALING_NONE, SCALING_LINEAR };
enum { PAIRING_HALF, PAIRING_ADJACENT };
enum { WIDTH_HALF, WIDTH_FULL };
enum { PROFILE_EXACT, PROFILE_F32_POW };

struct rope {
    const struct pe_positions *pos;
    int64_t dim, rotary_dim;
    double base, factor, partial_rotary_factor;
    int scaling, pairing, width, profile;
    bool allow_base_below_one;
};

static const struct pe_choice scalings[] = {
    {"none", PE_WORDS("default"), "the frequencies as trained", NULL},
    {"linear", NULL, "w / factor (position interpolation)", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice pairings[] = {
    {"half", PE_WORDS("neox"), "pairs (k, k + r/2): GPT-NeoX, Hugging Face's Llama", NULL},
    {"adjacent", PE_WORDS("interleaved", "gptj"),
     "pairs (2k, 2k + 1): RoFormer, GPT-J, Meta's Llama", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice widths[] = {
    {"half", NULL, "r/2 columns, the same for every pairing", NULL},
    {"full", NULL, "r columns, each value twice as the pairing wants", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_choice profiles[] = {
    {"exact", NULL, "the real number, rounded once", NULL},
    {"f32-pow", NULL,
     "the float32 steps of Hugging Face, vLLM, Meta; functions correctly rounded", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    PE_ROW_POS(struct rope, true),
    {PE_FIELD(struct rope, dim), .type = PE_INT, .required = true, .min = 2, .max = 65536,
     .multiple_of = 2, .summary = "width of a head (head_dim)"},
    {PE_FIELD(struct rope, rotary_dim), .type = PE_INT, .optional = true, .min = 2,
     .max = 65536, .multiple_of = 2,
     .summary = "coordinates that rotate, the first of the head; dim by default"},
    {PE_FIELD(struct rope, partial_rotary_factor), .type = PE_REAL, .optional = true,
     .expanded = true, .above_min = true, .max = 1,
     .summary = "rotary_dim as a fraction of dim (rotary_pct)"},
    PE_ROW_BASE(struct rope),
    {PE_FIELD(struct rope, scaling), .type = PE_CHOICE, .choices = scalings,
     .summary = "how frequencies are changed for a longer context (rope_type)"},
    {PE_FIELD(struct rope, factor), .type = PE_REAL, .optional = true, .min = 1e-18,
     .max = 1e18, .summary = "scaling factor"},
    {PE_FIELD(struct rope, pairing), .type = PE_CHOICE, .choices = pairings,
     .summary = "which coordinates rotate together"},
    {PE_FIELD(struct rope, width), .type = PE_CHOICE, .choices = widths,
     .summary = "columns of cos and sin"},
    {PE_FIELD(struct rope, profile), .type = PE_CHOICE, .choices = profiles,
     .summary = "whose arithmetic"},
    {PE_FIELD(struct rope, allow_base_below_one), .type = PE_BOOL, .optional = true,
     .summary = "accept a base below 1 (frequencies that grow)"},
};

#define LADDER_NAMES                                                                           \
    "dim", "rotary_dim", "partial_rotary_factor", "base", "scaling", "factor", "profile",      \
        "allow_base_below_one"

static const char table_bound[] = "0.501 ULP; f64 1 ULP; profile f32-pow: its float32 values";

static const struct pe_output outputs[] = {
    [COS] = {"cos",
             "cosine of position times frequency",
             {"pos", "width"},
             TABLE_GROUP,
             PE_F32,
             true,
             PE_WORDS(LADDER_NAMES, "pos", "width", "pairing"),
             table_bound},
    [SIN] = {"sin",
             "sine of position times frequency",
             {"pos", "width"},
             TABLE_GROUP,
             PE_F32,
             true,
             PE_WORDS(LADDER_NAMES, "pos", "width", "pairing"),
             table_bound},
    [INV_FREQ] = {"inv_freq",
                  "radians per position of each pair",
                  {"pair"},
                  INV_FREQ_GROUP,
                  PE_F32,
                  false,
                  PE_WORDS(LADDER_NAMES),
                  "0.501 ULP; f64 0.5 ULP"},
    [WAVELENGTHS] = {"wavelengths",
                     "positions per turn of each pair",
                     {"pair"},
                     WAVELENGTHS_GROUP,
                     PE_F32,
                     false,
                     PE_WORDS(LADDER_NAMES),
                     "0.501 ULP; f64 0.51 ULP"},
    [MATRIX] = {"matrix",
                "the rotation itself: rotated = matrix x",
                {"pos", "dim", "dim"},
                MATRIX_GROUP,
                PE_F32,
                false,
                PE_WORDS(LADDER_NAMES, "pos", "pairing"),
                table_bound},
    [ATTENTION_FACTOR] = {"attention_factor",
                          "what cos and sin are multiplied by",
                          {NULL},
                          FACTOR_GROUP,
                          PE_F32,
                          false,
                          PE_WORDS(LADDER_NAMES),
                          "0.501 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct rope *r = values;

    (void)args;
    r->allow_base_below_one = r->allow_base_below_one && r->base < 1; /* else it says nothing */
    if (r->rotary_dim != PE_ABSENT_INT && !isnan(r->partial_rotary_factor))
        return pe_fail(errors, PE_CONFLICT, "partial_rotary_factor",
                       "and rotary_dim say the same thing; give one");
    if (!isnan(r->partial_rotary_factor))
        r->rotary_dim = (int64_t)((double)r->dim * r->partial_rotary_factor);
    if (r->rotary_dim == PE_ABSENT_INT)
        r->rotary_dim = r->dim;
    return PE_OK;
}

static void check_width(const struct rope *r, struct pe_errors *errors)
{
    bool from_fraction = !isnan(r->partial_rotary_factor);

    if (from_fraction && (r->rotary_dim < 2 || r->rotary_dim % 2 != 0))
        pe_fail(errors, PE_CONFLICT, "partial_rotary_factor",
                "must give an even width of at least 2; trunc(%lld * %g) is %lld",
                (long long)r->dim, r->partial_rotary_factor, (long long)r->rotary_dim);
    if (r->rotary_dim > r->dim)
        pe_fail(errors, PE_CONFLICT, "rotary_dim", "must be at most dim, %lld; got %lld",
                (long long)r->dim, (long long)r->rotary_dim);
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct rope *r = values;

    (void)args;
    check_width(r, errors);
    if (r->base < 1 && !r->allow_base_below_one)
        pe_fail(errors, PE_OUT_OF_RANGE, "base",
                "is below 1, so that frequencies grow; give allow_base_below_one=1 if meant");
    if (r->scaling == SCALING_LINEAR && isnan(r->factor))
        pe_fail(errors, PE_MISSING_PARAMETER, "factor", "is required with scaling=linear");
    if (r->scaling == SCALING_NONE && !isnan(r->factor))
        pe_fail(errors, PE_CONFLICT, "factor",
                "has no effect without a scaling that uses it; add scaling=linear");
    return errors->count ? errors->at[0].status : PE_OK;
}

/* ---- sizes and the shared table ---------------------------------------------------------- */

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct rope *r = values;
    uint64_t pairs = (uint64_t)r->rotary_dim / 2;

    (void)args;
    switch (output) {
    case COS:
    case SIN:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = r->width == WIDTH_FULL ? 2 * pairs : pairs;
        return 2;
    case MATRIX:
        dims[0] = pe_positions_count(r->pos);
        dims[1] = dims[2] = (uint64_t)r->dim;
        return 3;
    case ATTENTION_FACTOR:
        return 0;
    default:
        dims[0] = pairs;
        return 1;
    }
}

static struct frequency_ladder ladder_of(const struct rope *r)
{
    return (struct frequency_ladder){
        .base = r->base,
        .denominator = (double)r->rotary_dim / 2,
        .count = (size_t)r->rotary_dim / 2,
        .multiplier = 1,
        .divisor = r->scaling == SCALING_LINEAR ? r->factor : 1,
    };
}

static bool wants_fine(const struct pe_args *args, const struct rope *r)
{
    bool tables = pe_wants(args, COS) || pe_wants(args, SIN);

    return tables && r->profile == PROFILE_EXACT && pe_args_dtype(args, COS) != PE_F64 &&
           pe_positions_whole(r->pos) && pe_positions_count(r->pos) >= ROTATION_FINE_FROM;
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct rope *r = values;
    struct frequency_ladder ladder = ladder_of(r);

    return (size_t)snprintf(text, size, "base=%a divisor=%a pairs=%zu fine=%d", ladder.base,
                            ladder.divisor, ladder.count, wants_fine(args, r));
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct rope *r = values;
    struct frequency_ladder ladder = ladder_of(r);
    struct rotation_table *table = rotation_table_new(&ladder, wants_fine(args, r));

    if (table)
        *bytes = table->bytes;
    return table;
}

/* ---- how each output is filled ----------------------------------------------------------- */

static size_t bands_of(const struct rope *r, struct rotation_band *bands)
{
    size_t pairs = (size_t)r->rotary_dim / 2, count = 0;

    for (size_t slot = 0; slot < 2; slot++) {
        enum rotation_wave wave = slot == 0 ? ROTATION_COS : ROTATION_SIN;
        size_t step = r->width == WIDTH_FULL && r->pairing == PAIRING_ADJACENT ? 2 : 1;

        bands[count++] = (struct rotation_band){slot, wave, 0, pairs, 0, step};
        if (r->width == WIDTH_FULL)
            bands[count++] =
                (struct rotation_band){slot, wave, 0, pairs, step == 2 ? 1 : pairs, step};
    }
    return count;
}

/* Frequencies of the f32-pow profile, kept by the plan; *freq NULL for exact. */
static bool profile_frequencies(struct pe_build *build, const struct rope *r, float **freq)
{
    size_t pairs = (size_t)r->rotary_dim / 2;

    *freq = NULL;
    if (r->profile == PROFILE_EXACT)
        return true;
    *freq = pe_build_alloc(build, pairs * sizeof **freq);
    if (!*freq)
        return false;
    frequency_build_f32_pow(*freq, pairs, r->base, (size_t)r->rotary_dim,
                            r->scaling == SCALING_LINEAR ? r->factor : 1);
    return true;
}

static bool prepare_vector(struct pe_build *build, size_t group,
                           const struct rotation_table *table, const float *f32_freq)
{
    double *vector = pe_build_alloc(build, table->pairs * sizeof *vector);

    for (size_t i = 0; vector && i < table->pairs; i++) {
        struct phase_freq freq = table->freq[i];

        if (f32_freq) {
            freq.hi = (double)f32_freq[i];
            freq.lo = 0;
        }
        vector[i] = group == INV_FREQ_GROUP ? freq.hi : wavelength_of(&freq);
    }
    if (vector)
        pe_build_fill(build, group, &wavelength_vector_filler, vector);
    return vector != NULL;
}

static bool prepare_matrix(struct pe_build *build, const struct rope *r,
                           const struct rotation *rotation)
{
    struct rope narrow = *r; /* one cosine and one sine a pair */
    struct rotation half = *rotation;

    narrow.width = WIDTH_HALF;
    half.cols = (size_t)r->rotary_dim / 2;
    half.band_count = bands_of(&narrow, half.bands);
    return rope_matrix_prepare(build, MATRIX_GROUP, &half, (size_t)r->dim,
                               r->pairing == PAIRING_ADJACENT);
}

static bool prepare_tables(struct pe_build *build, const struct rope *r,
                           const struct rotation_table *table, const float *f32_freq)
{
    const struct pe_args *args = pe_build_args(build);
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);

    if (!rotation)
        return false;
    *rotation = (struct rotation){.table = table,
                                  .pos = r->pos,
                                  .amplitude = 1,
                                  .zero_position = NAN,
                                  .f32_freq = f32_freq};
    rotation->cols = (size_t)r->rotary_dim / (r->width == WIDTH_FULL ? 1 : 2);
    rotation->band_count = bands_of(r, rotation->bands);
    if (pe_wants(args, COS) || pe_wants(args, SIN))
        pe_build_fill(build, TABLE_GROUP, &rotation_filler, rotation);
    return !pe_wants(args, MATRIX) || prepare_matrix(build, r, rotation);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    static const double one = 1;
    const struct rope *r = values;
    const struct pe_args *args = pe_build_args(build);
    const struct rotation_table *table = pe_build_table(build);
    float *f32_freq;

    if (!profile_frequencies(build, r, &f32_freq) ||
        !prepare_tables(build, r, table, f32_freq) ||
        (pe_wants(args, INV_FREQ) && !prepare_vector(build, INV_FREQ_GROUP, table, f32_freq)) ||
        (pe_wants(args, WAVELENGTHS) &&
         !prepare_vector(build, WAVELENGTHS_GROUP, table, f32_freq)))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (pe_wants(args, ATTENTION_FACTOR))
        pe_build_fill(build, FACTOR_GROUP, &wavelength_vector_filler, &one);
    pe_build_fact(build, "attention_factor", 1);
    pe_build_fact(build, "effective_base", r->base);
    if (r->scaling != SCALING_NONE && r->factor < 1)
        pe_build_warn(build, "factor is below 1: it shortens the context");
    return PE_OK;
}

const struct pe_encoding pe_encoding_rope = {
    .name = "rope",
    .summary = "rotary position embedding: cosines and sines that rotate queries and keys",
    .source = "Su et al. 2021, RoFormer, section 3.4; Chen et al. 2023, Position Interpolation",
    .examples = PE_WORDS("pos=0:4&dim=8", "pos=0:4&dim=128&base=500000&out=cos",
                         "pos=4096&dim=128&scaling=linear&factor=8&base=1000000",
                         "dim=80&partial_rotary_factor=0.4&out=inv_freq",
                         "pos=0:2&dim=8&pairing=adjacent&width=full&profile=f32-pow",
                         "pos=1&dim=4&pairing=adjacent&out=matrix"),
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
