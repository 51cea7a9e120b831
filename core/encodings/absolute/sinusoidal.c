/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal.c - rows of sines and cosines whose wavelengths form a geometric ladder.
 *
 *     w_i = scale / granularity * base^(-i / denominator)
 *     PE(p, sine of pair i) = A sin(p w_i)    PE(p, cosine of pair i) = A cos(p w_i)
 *
 * denominator: dim/2 (Vaswani et al. 2017, section 3.5) or pairs - 1 (tensor2tensor's
 * get_timing_signal_1d, fairseq, Whisper). sinusoidal_columns.c has the ladder and the columns
 * of all variants, sinusoidal_derived.c the outputs that are computed from the ladder without
 * its rows, and sinusoidal_choices.c the choices. */
#include "core/encodings/absolute/sinusoidal.h"

#include <math.h>

#include "core/math/precomputed.h"
#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/wavelength.h"

enum {
    ROWS,
    INV_FREQ,
    WAVELENGTHS,
    SHIFT,
    SIMILARITY,
    SIMILARITY_MATRIX,
    CONTEXT_TURNS,
    CRITICAL_DIM
};

/* ---- parameters and outputs -------------------------------------------------------------- */

/* The parameters of comparisons come first, then dim, then those of the rows, and last those of
 * the /apply twin, whose list begins at dim's successor. */
enum { NOT_OF_ROWS = 5 };
static const struct pe_param params[] = {
    {PE_FIELD(struct sinusoidal, shift), .type = PE_REAL, .required = true, .min = -0x1p53,
     .max = 0x1p53, .unit = "positions",
     .summary = "k of the matrix M that shifts rows by k positions: PE(p+k) = M PE(p)"},
    {PE_FIELD(struct sinusoidal, distance), .type = PE_POSITIONS, .required = true,
     .fractions = true, .unit = "positions",
     .summary = "distances of the two rows that are compared, as 0:100"},
    {PE_FIELD(struct sinusoidal, context), .type = PE_REAL, .required = true, .min = 1,
     .max = 1e18, .unit = "positions",
     .summary = "length of the context in which the turns of a pair are counted"},
    {PE_FIELD(struct sinusoidal, measure), .type = PE_CHOICE, .choices = sinusoidal_measures,
     PE_OWN("posenc", DISTANCE, BASIC), .summary = "number by which two rows are compared"},
    {PE_FIELD(struct sinusoidal, dim), .type = PE_INT, .required = true, .min = 1, .max = 65536,
     .summary = "width of a row: two columns a frequency (d_model, embedding_dim)"},
    PE_ROW_POS(struct sinusoidal, true),
    PE_ROW_BASE(struct sinusoidal),
    {PE_FIELD(struct sinusoidal, ladder), .type = PE_CHOICE, .choices = sinusoidal_ladders},
    {PE_FIELD(struct sinusoidal, layout), .type = PE_CHOICE, .choices = sinusoidal_layouts},
    {PE_FIELD(struct sinusoidal, odd), .type = PE_CHOICE, .choices = sinusoidal_odds,
     PE_OWN("posenc", SHAPE, ADVANCED),
     .summary = "what an odd dim does, where a sine or a cosine has no partner"},
    {PE_FIELD(struct sinusoidal, scale), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1},
    {PE_FIELD(struct sinusoidal, granularity), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1, .unit = "positions", PE_OWN("PyTorch Geometric", POSITIONS, ADVANCED),
     .summary = "divisor of the positions: 1000 makes seconds of milliseconds"},
    {PE_FIELD(struct sinusoidal, amplitude), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1, .words = sinusoidal_amplitudes,
     .summary = "factor on every value of a row; unit-rows makes their norm 1, "
                "inverse-sqrt-dim is dim^-0.5"},
    {PE_FIELD(struct sinusoidal, min_timescale), .type = PE_REAL, .optional = true,
     .min = 1e-18, .max = 1e18, PE_OWN("tensor2tensor", FREQUENCIES, ADVANCED),
     .summary = "the highest frequency, which tensor2tensor multiplies by; base is then "
                "max_timescale, and the lowest frequency is min_timescale^2/base"},
    {PE_FIELD(struct sinusoidal, padding_idx), .type = PE_INT, .optional = true, .min = -0x1p53,
     .max = 0x1p53},
    {PE_FIELD(struct sinusoidal, allow_base_below_one), .type = PE_BOOL, .optional = true},
    {PE_FIELD(struct sinusoidal, profile), .type = PE_CHOICE, .choices = sinusoidal_profiles},
    {PE_FIELD(struct sinusoidal, preset), .type = PE_CHOICE, .choices = sinusoidal_presets,
     .optional = true, .expanded = true},
    COMBINE_ROWS(struct sinusoidal),
};

#define LADDER_NAMES                                                                           \
    "dim", "base", "ladder", "odd", "scale", "granularity", "min_timescale",                   \
        "allow_base_below_one", "profile"

#define ROW_NAMES LADDER_NAMES, "pos", "layout", "amplitude", "padding_idx"

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .columns = PE_COLUMN_WAVE,
              .summary = "the encoding of each position, a row a position", .by_default = true,
              .uses = PE_WORDS(ROW_NAMES),
              .bound = "0.501 ULP; f64 1 ULP, 2 ULP with an amplitude by name"},
    [INV_FREQ] = {PE_OUTPUT("inv_freq", PE_F32, "pair"), .label = "Frequencies",
                  .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC, .columns = PE_COLUMN_PAIR,
                  .summary = "frequency of each pair, in radians per position",
                  .uses = PE_WORDS(LADDER_NAMES), .bound = "0.501 ULP; f64 0.5 ULP"},
    [WAVELENGTHS] = {PE_OUTPUT("wavelengths", PE_F32, "pair"), .label = "Wavelengths",
                     .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC,
                     .columns = PE_COLUMN_PAIR,
                     .summary = "wavelength of each pair, in positions per turn",
                     .uses = PE_WORDS(LADDER_NAMES), .bound = "0.501 ULP; f64 0.51 ULP"},
    [SHIFT] = {PE_OUTPUT("shift", PE_F32, "dim", "dim"), .label = "Shift matrix",
               .columns = PE_COLUMN_WAVE,
               .summary = "the matrix M with PE(p+shift) = M PE(p), where PE(p) is a column",
               .uses = PE_WORDS(LADDER_NAMES, "layout", "shift"),
               .bound = "0.501 ULP; f64 1 ULP"},
    [SIMILARITY] = {PE_OUTPUT("similarity", PE_F32, "distance"), .label = "Similarity",
                    .summary = "two rows compared, by the distance of their positions",
                    .uses = PE_WORDS(LADDER_NAMES, "amplitude", "distance", "measure"),
                    .bound = "dim * 2^-53 of the largest similarity, absolute"},
    [SIMILARITY_MATRIX] = {PE_OUTPUT("similarity_matrix", PE_F32, "pos", "pos"),
                           .label = "Similarity matrix",
                           .summary = "the rows of every two positions compared",
                           .uses = PE_WORDS(LADDER_NAMES, "amplitude", "pos", "measure"),
                           .bound = "dim * 2^-53 of the largest similarity, absolute"},
    [CONTEXT_TURNS] = {PE_OUTPUT("context_turns", PE_F32, "pair"),
                       .label = "Turns in the context", .sign = PE_NOT_NEGATIVE,
                       .scale = PE_LOGARITHMIC, .columns = PE_COLUMN_PAIR,
                       .summary = "number of turns of each pair within the context",
                       .uses = PE_WORDS(LADDER_NAMES, "context"),
                       .bound = "0.501 ULP; f64 2 ULP"},
    [CRITICAL_DIM] = {PE_OUTPUT("critical_dim", PE_F32, NULL), .label = "Critical dimension",
                      .sign = PE_NOT_NEGATIVE,
                      .summary =
                          "number of columns that turn more than once within the context",
                      .uses = PE_WORDS(LADDER_NAMES, "context"), .bound = "exact"},
};

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 1000 * (double)sinusoidal_pairs(values);
}

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct sinusoidal *s = values;

    if (!isnan(s->min_timescale)) {
        if (PE_GIVEN(args, struct sinusoidal, ladder) && s->ladder != LADDER_CLOSED) {
            pe_fail(errors, PE_CONFLICT, "ladder",
                    "must be geometric-closed or absent with min_timescale");
            return;
        }
        s->ladder = LADDER_CLOSED;
    }
    s->allow_base_below_one =
        s->allow_base_below_one && s->base < 1; /* above 1 the flag decides nothing */
    if (s->odd != ODD_ERROR && s->dim % 2 == 0)
        s->odd = ODD_ERROR; /* the policy of an odd width decides nothing */
    if (s->amplitude == SINUSOIDAL_UNIT_ROWS)
        s->amplitude = sqrt(2 / (double)s->dim);
    if (s->amplitude == SINUSOIDAL_INVERSE_SQRT_DIM)
        s->amplitude = sqrt(1 / (double)s->dim);
    if (s->measure == MEASURE_COSINE && !pe_wants(args, ROWS))
        s->amplitude = NAN; /* the cosine of two rows does not depend on their length */
}

static bool wants_matrix(const struct pe_args *args)
{
    return pe_wants(args, SHIFT) || pe_wants(args, SIMILARITY) ||
           pe_wants(args, SIMILARITY_MATRIX);
}

/* Counts the wanted elements that are a sum over all pairs. */
static double sums_asked(const struct pe_args *args, const struct sinusoidal *s)
{
    double rows = s->pos ? (double)pe_positions_count(s->pos) : 0, sums = 0;

    if (pe_wants(args, SIMILARITY))
        sums += (double)pe_positions_count(s->distance);
    if (pe_wants(args, SIMILARITY_MATRIX))
        sums += rows * rows;
    return sums;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sinusoidal *s = values;

    if (!(s->scale / s->granularity >= 1e-18 && s->scale / s->granularity <= 1e18))
        pe_fail(errors, PE_OUT_OF_RANGE, "granularity",
                "must leave scale/granularity within 1e-18..1e18; got %g",
                s->scale / s->granularity);
    if (s->base < 1 && !s->allow_base_below_one)
        pe_fail(errors, PE_OUT_OF_RANGE, "base",
                "is below 1, so that frequencies grow; give allow_base_below_one=1 if meant");
    if (s->dim % 2 == 1 && s->odd == ODD_ERROR)
        pe_fail(errors, PE_CONFLICT, "dim",
                "must be even unless odd= says what an odd width means (extra-sin, zero-pad, "
                "zero-last, ceil-truncate); got %lld",
                (long long)s->dim);
    if (s->ladder == LADDER_CLOSED && (s->odd == ODD_EXTRA_SIN || s->odd == ODD_ZERO_LAST))
        pe_fail(errors, PE_CONFLICT, "odd",
                "must be zero-pad or ceil-truncate with ladder=geometric-closed, which has no "
                "exponent by dim");
    if (s->dim % 2 == 1 && s->odd != ODD_ERROR && s->odd != ODD_ZERO_PAD && wants_matrix(args))
        pe_fail(
            errors, PE_CONFLICT, "odd",
            "must be zero-pad here: a sine without its cosine has no shift and no similarity");
    if (s->dim == 1 && s->odd == ODD_ZERO_PAD && wants_matrix(args))
        pe_fail(errors, PE_CONFLICT, "dim",
                "must be at least 2 here: one column is all padding");
    if (errors->count == 0)
        wavelength_check_sums(sums_asked(args, s), sinusoidal_pairs(s), errors);
}

/* ---- sizes and the shared table ---------------------------------------------------------- */

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct sinusoidal *s = values;

    dims[0] = dims[1] = (uint64_t)s->dim;
    switch (output) {
    case ROWS:
        dims[0] = pe_positions_count(s->pos);
        return 2;
    case SIMILARITY:
        dims[0] = pe_positions_count(s->distance);
        return 1;
    case SIMILARITY_MATRIX:
        dims[0] = dims[1] = pe_positions_count(s->pos);
        return 2;
    case SHIFT:
        return 2;
    case CRITICAL_DIM:
        return 0;
    default:
        dims[0] = sinusoidal_pairs(s);
        return 1;
    }
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct sinusoidal *s = values;
    struct frequency_ladder ladder = sinusoidal_ladder(s);

    return rotation_table_key(&ladder, false, text, size);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct sinusoidal *s = values;
    struct frequency_ladder ladder = sinusoidal_ladder(s);
    struct rotation_table *table = rotation_table_new(&ladder, false);

    if (table)
        *bytes = table->bytes;
    return table;
}

static size_t table_grow(void *table, const struct pe_args *args, const void *values,
                         enum pe_growth growth)
{
    const struct sinusoidal *s = values;

    return pe_wants(args, ROWS)
               ? rotation_table_grow(
                     table, rotation_fast_positions(s->pos, pe_args_dtype(args, ROWS)), growth)
               : 0;
}

/* ---- how each output is filled ----------------------------------------------------------- */

/* Fills a group of a number for each pair. */
static void prepare_vector(struct pe_build *build, const struct sinusoidal *s,
                           const struct rotation_table *table, size_t group)
{
    double *vector = precomputed_new(build, group, 1, table->pairs);

    for (size_t i = 0; vector && i < table->pairs; i++) {
        const struct phase_freq *freq = &table->freq[i];

        vector[i] = group == INV_FREQ      ? freq->hi
                    : group == WAVELENGTHS ? wavelength_of(freq)
                                           : s->context / wavelength_of(freq);
    }
}

/* Counts the columns whose pairs turn more than once in the context L: 2 |{i : lambda_i < L}|.
 * For Vaswani's ladder that is 2 ceil(d/2 ln(L / 2 pi) / ln base) within 0 .. d, the critical
 * dimension of Liu et al. 2023, Scaling Laws of RoPE-based Extrapolation. */
static void prepare_critical_dim(struct pe_build *build, const struct sinusoidal *s,
                                 const struct rotation_table *table)
{
    double *dim = precomputed_new(build, CRITICAL_DIM, 1, 1);

    for (size_t i = 0; dim && i < table->pairs; i++)
        *dim += wavelength_below(&table->freq[i], s->context) ? 2 : 0;
    if (dim)
        *dim = fmin(*dim, (double)s->dim); /* an odd dim may show one wave of its last pair */
}

static void prepare_rows(struct pe_build *build, const struct sinusoidal *s,
                         const struct rotation_table *table)
{
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);

    if (!rotation)
        return;
    rotation->table = table;
    rotation->pos = s->pos;
    rotation->amplitude = s->amplitude;
    rotation->zero_position = s->padding_idx == PE_ABSENT_INT ? NAN : (double)s->padding_idx;
    rotation->cols = (size_t)s->dim;
    rotation->band_count = sinusoidal_bands(s, rotation->bands);
    rotation_plan(build, ROWS, rotation);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct sinusoidal *s = values;
    const struct pe_args *args = pe_build_args(build);
    const struct rotation_table *table = pe_build_table(build);

    for (size_t group = ROWS; group <= CRITICAL_DIM; group++) {
        if (!pe_wants(args, group))
            continue;
        if (group == ROWS)
            prepare_rows(build, s, table);
        else if (group == SHIFT)
            sinusoidal_shift_prepare(build, SHIFT, s, table);
        else if (group == SIMILARITY || group == SIMILARITY_MATRIX)
            sinusoidal_similarity_prepare(build, group, s, table, group == SIMILARITY);
        else if (group == CRITICAL_DIM)
            prepare_critical_dim(build, s, table);
        else
            prepare_vector(build, s, table, group);
    }
    pe_build_fact(build, "pairs", (double)table->pairs);
    if (table->pairs > 0)
        pe_build_fact(build, "longest_wavelength",
                      wavelength_of(&table->freq[table->pairs - 1]));
}

const struct pe_encoding pe_encoding_sinusoidal = {
    .name = "sinusoidal",
    .title = "Sinusoidal positional encoding",
    .formula = "rows[p, 2i] = amplitude * sin(p w_i), rows[p, 2i+1] = amplitude * cos(p w_i)\n"
               "w_i = scale / granularity * base^(-i/d), i = 0 .. dim/2 - 1\n"
               "d = dim/2 (geometric-open), dim/2 - 1 (geometric-closed)",
    .when_to_use =
        "Rows that are added to embeddings, without a table to learn or to outgrow: the "
        "original Transformer, Marian, Whisper's encoder, MusicGen. Positions may be "
        "fractions or times. Decoders of today rotate queries and keys instead (rope).",
    .what_goes_wrong =
        "The two ladders share their first frequency only: tensor2tensor, fairseq and Whisper "
        "end at 1/base, the paper and RoPE do not. Whether sines and cosines alternate or "
        "fill halves shows in no shape and no norm. Angles in float32 are off by 2e-4 at "
        "position 5000 and by 5e-3 at 100000, and fairseq counts from padding_idx + 1.",
    .picture = "pos=0:128&dim=64&shift=5&distance=-64:65&context=512",
    .summary = "sines and cosines of the position at geometrically spaced frequencies",
    .source =
        "Vaswani et al. 2017, Attention Is All You Need, section 3.5; ladders and layouts "
        "of tensor2tensor, fairseq, Marian, Whisper, MusicGen, MLX",
    .examples =
        PE_WORDS("pos=0:4&dim=8", "pos=0:4&dim=4&base=100",
                 "pos=0:16&dim=512&preset=tensor2tensor", "dim=8&out=wavelengths",
                 "dim=4&base=100&out=shift&shift=2", "dim=512&out=similarity&distance=0:10"),
    .family = PE_ABSOLUTE,
    PE_TABLES_PART(struct sinusoidal, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_grow = table_grow,
    .table_free = rotation_table_free,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_sinusoidal_apply = {
    .name = "sinusoidal/apply",
    .title = "Vectors with sinusoidal positions",
    .picture = "pos=0:8&x=" COMBINE_PICTURE_X,
    .summary = "embeddings with their sinusoids added, put beside or multiplied",
    .source = "Vaswani et al. 2017, section 3.5; scale: section 3.4",
    .examples = PE_WORDS("pos=1&x=1,2", "pos=1&x=1,2&combine=concat&dim=4&x_scale=sqrt_dim"),
    COMBINE_APPLY(struct sinusoidal, pe_encoding_sinusoidal, PE_ABSOLUTE, NOT_OF_ROWS,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
};
