/* SPDX-License-Identifier: Apache-2.0
 * fope.c - Fourier position embedding: every pair turns by a learned mix of frequencies.
 *
 *     cos_o = sum_i C[i][o] cos(p w_i)    sin_o = sum_i S[i][o] sin(p w_i)
 *
 * over the n_in frequencies that turn once in train_len, w_i > 2 pi / train_len, or the first
 * num_inv_freq. Pairs beyond n_out are filled by pad: ones is what the released code does
 * (cosine and sine 1: a turn of 45 degrees and a factor sqrt 2), identity what the paper says.
 * Hua et al. 2024, Fourier Position Embedding; vLLM fope.py.
 */
#include "core/encodings/rotary/fope.h"

#include <math.h>

#include "core/math/number/elementary.h"

enum { COS, SIN };
enum { PAD_ONES, PAD_IDENTITY };

const struct pe_choice fope_pads[] = {
    PE_ONE_AT(PAD_ONES, "ones", "cosine 1 and sine 1, as the released code and vLLM have it"),
    PE_ONE_AT(PAD_IDENTITY, "identity", "cosine 1 and sine 0: the pair is not turned"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    FOPE_ROWS,
    LADDER_ROWS(struct fope, ladder),
};

static const char bound[] = "0.501 ULP, where terms cancel 2^-50 of their sum of sizes; f64 "
                            "2^-50 of it";

static const struct pe_output outputs[] = {
    [COS] = {PE_OUTPUT("cos", PE_F32, "pos", "heads", "pair"), .label = "Cosines",
             .one_of = "num_inv_freq|train_len", .columns = PE_COLUMN_PAIR,
             .summary = "learned mix of cosines for each head and pair", .by_default = true,
             .uses = PE_WORDS(FOPE_NAMES), .bound = bound},
    [SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "heads", "pair"), .label = "Sines",
             .one_of = "num_inv_freq|train_len", .columns = PE_COLUMN_PAIR,
             .summary = "learned mix of sines for each head and pair", .group = "cos",
             .by_default = true, .uses = PE_WORDS(FOPE_NAMES), .bound = bound},
};

/* ---- rules ------------------------------------------------------------------------------- */

void fope_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct fope *f = values;
    double low, high;

    pe_positions_range(f->pos, &low, &high);
    ladder_resolve(&f->ladder, pe_positions_count(f->pos) ? high + 1 : NAN, errors);
}

static void check_columns(const struct fope *f, const struct pe_reals *coef, const char *name,
                          struct pe_errors *errors)
{
    size_t mixed = coef->rows / (size_t)f->heads;

    for (size_t head = 0; f->normalize_coefficients && head < (size_t)f->heads; head++) {
        for (size_t col = 0; col < coef->cols; col++) {
            double sum = 0;

            for (size_t i = 0; i < mixed; i++)
                sum += coef->values[(head * mixed + i) * coef->cols + col];
            if (fabs(sum) < 1e-100) {
                pe_fail(errors, PE_OUT_OF_RANGE, name,
                        "must have columns whose sums norm can divide by; that of column %zu "
                        "is %g",
                        col, sum);
                return;
            }
        }
    }
}

/* Counts the mixed frequencies; since frequencies fall, the mixed ones come first. */
static size_t count_mixed(const struct fope *f, const struct rotation_table *table)
{
    const double two_pi = 0x1.921fb54442d18p+2;
    size_t count = 0;

    if (f->num_inv_freq != PE_ABSENT_INT)
        return (size_t)f->num_inv_freq;
    while (count < table->pairs && table->freq[count].hi > two_pi / f->train_len)
        count++;
    return count;
}

/* With train_len the table decides the number of rows, so they are counted here. */
static enum pe_status check_count(const struct fope *f, const struct rotation_table *table,
                                  struct pe_errors *errors)
{
    size_t count = count_mixed(f, table);

    if (count * (size_t)f->heads != f->cos_coef.rows)
        return pe_fail(errors, PE_CONFLICT, "cos_coef",
                       "must have a row for every head and each of the %zu frequencies that "
                       "turn once in train_len; got %zu",
                       count, f->cos_coef.rows);
    return PE_OK;
}

/* Makes no table for 2^32 positions and more, which are refused for their number; if they are
 * not, fope_mix_new checks the rows. */
static void check_table(const struct fope *f, struct pe_errors *errors)
{
    const uint64_t many = UINT64_C(1) << 32;
    struct rotation_table *table;

    if (isnan(f->train_len) || pe_positions_count(f->pos) >= many)
        return;
    table = ladder_table(&f->ladder, false);
    if (!table) {
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        return;
    }
    check_count(f, table, errors);
    rotation_table_free(table);
}

void fope_check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct fope *f = values;
    size_t heads = (size_t)f->heads, pairs = ladder_pairs(&f->ladder);

    if ((f->num_inv_freq == PE_ABSENT_INT) == isnan(f->train_len))
        pe_fail(errors, PE_CONFLICT, "num_inv_freq",
                "or train_len says which frequencies are mixed; give one of them");
    if (f->cos_coef.rows != f->sin_coef.rows || f->cos_coef.cols != f->sin_coef.cols) {
        pe_fail(errors, PE_CONFLICT, "sin_coef",
                "must have the shape of cos_coef, %zu rows of %zu; got %zu of %zu",
                f->cos_coef.rows, f->cos_coef.cols, f->sin_coef.rows, f->sin_coef.cols);
        return;
    }
    if (f->cos_coef.cols > pairs)
        pe_fail(errors, PE_CONFLICT, "cos_coef",
                "must have at most %zu columns, a pair each; "
                "got %zu",
                pairs, f->cos_coef.cols);
    if (f->num_inv_freq != PE_ABSENT_INT && (size_t)f->num_inv_freq > pairs)
        pe_fail(errors, PE_CONFLICT, "num_inv_freq", "must be at most the pairs, %zu; got %lld",
                pairs, (long long)f->num_inv_freq);
    if (f->cos_coef.rows % heads != 0 || (f->num_inv_freq != PE_ABSENT_INT &&
                                          f->cos_coef.rows != heads * (size_t)f->num_inv_freq))
        pe_fail(errors, PE_CONFLICT, "cos_coef",
                "must have a row for every head and frequency; got %zu", f->cos_coef.rows);
    if (errors->count == 0)
        check_table(f, errors);
    if (errors->count == 0) {
        check_columns(f, &f->cos_coef, "cos_coef", errors);
        check_columns(f, &f->sin_coef, "sin_coef", errors);
    }
}

/* ---- filling ----------------------------------------------------------------------------- */

struct fope_mix {
    const struct fope *values;
    size_t mixed;     /* number of mixed frequencies */
    double *norms[2]; /* [heads][columns]: sums of columns, or NULL */
    struct rotation rotation;
};

/* Returns sum_i coef[i][col] waves[i], compensated, over the norm where norms are given. */
static double mixed(const struct fope_mix *mix, size_t slot, size_t head, size_t col,
                    const double *waves)
{
    const struct pe_reals *coef = slot ? &mix->values->sin_coef : &mix->values->cos_coef;
    struct dd sum = {0, 0};

    if (col >= coef->cols)
        return slot == SIN && mix->values->pad == PAD_IDENTITY ? 0 : 1;
    for (size_t i = 0; i < mix->mixed; i++)
        sum = elementary_add(
            sum, elementary_product(coef->values[(head * mix->mixed + i) * coef->cols + col],
                                    waves[i]));
    return mix->norms[slot] ? (sum.hi + sum.lo) / mix->norms[slot][head * coef->cols + col]
                            : sum.hi + sum.lo;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct fope_mix *mix = state;
    size_t heads = (size_t)mix->values->heads;
    double *waves[2] = {scratch, (double *)scratch + (mix->mixed + 7) / 8 * 8};
    void *rest = waves[1] + (mix->mixed + 7) / 8 * 8;
    uint64_t filled = UINT64_MAX;

    for (uint64_t row = 0; rect->cols > 0 && row < rect->rows; row++) {
        uint64_t number = (rect->row + row) / heads;
        struct pe_rect line = {number, 1, 0, mix->mixed};

        if (number != filled)
            rotation_filler.reference(&mix->rotation, &line, waves, input, rest);
        filled = number;
        for (size_t slot = 0; slot < 2; slot++) {
            for (uint64_t col = 0; out[slot] && col < rect->cols; col++)
                out[slot][row * rect->cols + col] =
                    mixed(mix, slot, (size_t)((rect->row + row) % heads),
                          (size_t)(rect->col + col), waves[slot]);
        }
    }
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    const struct fope_mix *mix = state;
    size_t rest =
        rotation_filler.scratch ? rotation_filler.scratch(&mix->rotation, mix->mixed) : 0;

    return 2 * (mix->mixed + 7) / 8 * 8 * sizeof(double) + 128 + rest;
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_of, .ns_per_element = 400};

static bool sum_columns(struct pe_build *build, struct fope_mix *mix, size_t slot)
{
    const struct pe_reals *coef = slot ? &mix->values->sin_coef : &mix->values->cos_coef;
    size_t heads = (size_t)mix->values->heads;
    double *sums;

    if (!mix->values->normalize_coefficients)
        return true;
    sums = mix->norms[slot] = pe_build_alloc(build, heads * coef->cols * sizeof *sums);
    for (size_t at = 0; sums && at < coef->rows * coef->cols; at++)
        sums[at / coef->cols / mix->mixed * coef->cols + at % coef->cols] += coef->values[at];
    return sums != NULL;
}

struct fope_mix *fope_mix_new(struct pe_build *build, const struct fope *f)
{
    const struct rotation_table *table = pe_build_table(build);
    struct fope_mix *mix = pe_build_alloc(build, sizeof *mix);
    size_t count = count_mixed(f, table);

    if (check_count(f, table, pe_build_errors(build)))
        return NULL;
    if (mix)
        *mix = (struct fope_mix){.values = f,
                                 .mixed = count,
                                 .rotation = {.table = table,
                                              .pos = f->pos,
                                              .zero_position = NAN,
                                              .cols = count,
                                              .band_count = 2,
                                              .bands = {{0, ROTATION_COS, 0, count, 0, 1},
                                                        {1, ROTATION_SIN, 0, count, 0, 1}}}};
    if (!mix || !ladder_profile_rotation(build, &f->ladder, table, &mix->rotation) ||
        !sum_columns(build, mix, COS) || !sum_columns(build, mix, SIN))
        return NULL;
    ladder_facts(build, &f->ladder);
    pe_build_fact(build, "frequencies", (double)count);
    return mix;
}

size_t fope_row_bytes(const struct fope_mix *mix)
{
    return 2 * mix->rotation.table->pairs * sizeof(double);
}

void fope_row(const struct fope_mix *mix, double position, size_t head, double *cosine,
              double *sine, void *scratch)
{
    const size_t pairs = mix->rotation.table->pairs;
    double *waves = scratch;

    rotation_row(&mix->rotation, 0, mix->mixed, position, waves + pairs, waves);
    for (size_t col = 0; col < pairs; col++) {
        cosine[col] = mixed(mix, COS, head, col, waves);
        sine[col] = mixed(mix, SIN, head, col, waves + pairs);
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct fope_mix *mix = fope_mix_new(build, values);

    if (mix)
        pe_build_fill(build, COS, &filler, mix);
}

const struct pe_encoding pe_encoding_fope = {
    .name = "fope",
    .title = "Fourier position embedding (FoPE)",
    .formula = "cos_j(p) = sum over i of cos_coef[i][j] cos(p w_i), sin_j(p) = sum over i of "
               "sin_coef[i][j] sin(p w_i)",
    .when_to_use =
        "FoPE replaces each frequency of RoPE by a learned mix, so that noise of one "
        "frequency does not spoil the others; OLMo experiments and vLLM have it.",
    .what_goes_wrong =
        "Pairs without coefficients have cosine 1 and sine 1 in the released code, which is "
        "no rotation: pad=identity is what one expects and not what weights were trained "
        "with. The frequencies that are mixed are the highest ones.",
    .picture =
        "pos=0:32&dim=16&num_inv_freq=4&cos_coef=1,0.3,0.2;0.3,1,0.3;0.2,0.3,1;0.1,0.2,0.3&"
        "sin_coef=1,0.3,0.2;0.3,1,0.3;0.2,0.3,1;0.1,0.2,0.3",
    .summary = "Fourier position embedding: rotary tables of learned mixes of frequencies",
    .source = "Hua et al. 2024, Fourier Position Embedding; vLLM fope.py",
    .examples = PE_WORDS("pos=0:4&dim=8&num_inv_freq=2&cos_coef=1,0;0,1&sin_coef=1,0;0,1",
                         "pos=0:2&dim=8&train_len=64&cos_coef=1,2;3,4&sin_coef=1,1;1,1&"
                         "normalize_coefficients=1",
                         "pos=3&dim=4&heads=2&num_inv_freq=1&cos_coef=1;2&sin_coef=1;2&"
                         "pad=identity"),
    .family = PE_ROTARY,
    .revision = 2,
    PE_TABLES(struct fope, params, outputs),
    .resolve = fope_resolve,
    .check = fope_check,
    .lengths = PE_WORDS("pair=rotary_dim/2"),
    .plan_ns = ladder_first_plan_ns,
    .table_key = ladder_first_table_key,
    .table_build = ladder_first_table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
