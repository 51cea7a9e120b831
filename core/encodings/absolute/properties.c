/* SPDX-License-Identifier: Apache-2.0
 * properties.c - properties of the rows of the sinusoid at the positions 0:len:
 *
 *     PE(p, 2i) = sin(p w_i), PE(p, 2i+1) = cos(p w_i), w_i = base^(-2i / dim)
 *     |PE(p) - PE(p + k)|^2 = sum_i 4 sin^2(k w_i / 2), whatever p
 *     |PE(p)| = sqrt(dim / 2)
 *     PE(p + k) = M_k PE(p)
 *
 * How far apart two rows are depends on k alone, so len - 1 sums find the nearest two.
 *
 * Vaswani et al. 2017, Attention Is All You Need, section 3.5.
 */
#include <math.h>

#include "core/encoding.h"
#include "core/math/precomputed.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/wavelength.h"

enum { MIN_DISTANCE, CLOSEST, ROW_NORM, SLOWEST_PERIOD }; /* outputs: groups of one number */

struct properties {
    int64_t dim, len;
    double base;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct properties, dim), .type = PE_INT, .required = true, .min = 2, .max = 8192,
     .multiple_of = 2},
    PE_ROW_BASE(struct properties),
    {PE_FIELD(struct properties, len), .type = PE_INT, .required = true, .min = 2, .max = 65536,
     .summary = "number of rows, those of positions 0:len"},
};

static const struct pe_output outputs[] = {
    [MIN_DISTANCE] = {PE_OUTPUT("min_distance", PE_F32, NULL), .label = "Smallest distance",
                      .sign = PE_NOT_NEGATIVE,
                      .summary = "smallest Euclidean distance of two different rows",
                      .by_default = true, .bound = "0.501 ULP; f64 4 ULP"},
    [CLOSEST] = {PE_OUTPUT("closest", PE_I64, NULL), .label = "Nearest rows",
                 .sign = PE_NOT_NEGATIVE,
                 .summary = "number of positions between the nearest two rows",
                 .by_default = true,
                 .bound = "exact where no other two are as near within 4 ULP of f64"},
    [ROW_NORM] = {PE_OUTPUT("row_norm", PE_F32, NULL), .label = "Norm of a row",
                  .sign = PE_NOT_NEGATIVE,
                  .summary = "Euclidean length of every row, sqrt(dim / 2)", .by_default = true,
                  .uses = PE_WORDS("dim"), .bound = "0.501 ULP; f64 1 ULP"},
    [SLOWEST_PERIOD] = {PE_OUTPUT("slowest_period", PE_F32, NULL),
                        .label = "Longest wavelength", .sign = PE_NOT_NEGATIVE,
                        .summary = "wavelength of the last pair, in positions",
                        .by_default = true, .uses = PE_WORDS("dim", "base"),
                        .bound = "0.501 ULP; f64 1 ULP"},
};

static bool wants_sums(const struct pe_args *args)
{
    return pe_wants(args, MIN_DISTANCE) || pe_wants(args, CLOSEST);
}

static double sines(const struct properties *p)
{
    return (double)p->len * (double)(p->dim / 2);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const double limit = 0x1p24, asked = sines(values);

    if (!wants_sums(args) || asked <= limit)
        return;
    pe_fail(errors, PE_TOO_LARGE, "len", "must keep len * dim / 2 within %.0f; got %.0f", limit,
            asked);
    pe_note_limit(errors, (uint64_t)limit, (uint64_t)asked);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    return (struct pe_interval){1, (double)((const struct properties *)values)->len - 1};
}

/* A frequency takes at most a microsecond, a sine forty nanoseconds. */
static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct properties *p = values;

    return 500 * (double)p->dim + (wants_sums(args) ? 42 * sines(p) : 0);
}

/* Returns the smallest squared distance of two rows; *k is how far apart they stand. */
static double nearest(struct pe_build *build, const struct properties *p,
                      const struct phase_freq *freq, int64_t *k)
{
    double least = INFINITY;

    for (int64_t i = 1; i < p->len && !pe_build_stopped(build); i++) {
        double square = wavelength_chords(freq, (size_t)p->dim / 2, (double)i);

        if (square < least) {
            least = square;
            *k = i;
        }
    }
    return least;
}

static void measure(struct pe_build *build, const struct properties *p,
                    const struct phase_freq *freq, bool sums, double result[])
{
    int64_t k = 1;

    if (sums) {
        result[MIN_DISTANCE] = sqrt(nearest(build, p, freq, &k));
        result[CLOSEST] = (double)k;
    }
    result[ROW_NORM] = sqrt((double)(p->dim / 2));
    result[SLOWEST_PERIOD] = wavelength_of(&freq[p->dim / 2 - 1]);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct properties *p = values;
    const struct pe_args *args = pe_build_args(build);
    const size_t pairs = (size_t)p->dim / 2;
    const struct frequency_ladder ladder = {.base = p->base,
                                            .denominator = (double)pairs,
                                            .count = pairs,
                                            .multiplier = 1,
                                            .divisor = 1};
    struct phase_freq *freq = pe_build_alloc(build, pairs * sizeof *freq);
    double result[PE_LEN(outputs)] = {0};

    if (!freq || !(frequency_build(freq, &ladder) || pe_build_no_memory(build)))
        return;
    measure(build, p, freq, wants_sums(args), result);
    for (size_t i = 0; i < PE_LEN(outputs); i++)
        precomputed_scalar(build, i, result[i]);
    pe_build_fact_text(build, "linear_shift",
                       "PE(p + k) = M_k PE(p) exactly: M_k turns pair i by k w_i, whatever p "
                       "(sinusoidal?out=shift)");
}

const struct pe_encoding pe_encoding_properties = {
    .name = "properties",
    .title = "Properties of sinusoidal rows",
    .formula = "min_distance = min over k < len of sqrt(sum over i of 4 sin^2(k w_i / 2))\n"
               "row_norm = sqrt(dim / 2), slowest_period = 2 pi / w_last\n"
               "w_i = base^(-2i/dim)",
    .when_to_use =
        "Before base and dim of a sinusoidal encoding are chosen: whether all rows of a "
        "context stay apart, by how much, and how long the slowest wave is. The rows "
        "themselves are sinusoidal.",
    .what_goes_wrong =
        "Distances are those of exact rows: rows in bfloat16 lie about 2^-8 of a value off, "
        "and neighbours of slow pairs become equal. Columns whose wavelength is longer than "
        "the context take part in min_distance but hardly change.",
    .picture = "dim=64&len=128",
    .summary =
        "what a sinusoid's rows are like over a range: nearest two, norm, slowest period",
    .source = "Vaswani et al. 2017, Attention Is All You Need, section 3.5",
    .examples = PE_WORDS("dim=8&len=16", "dim=512&len=512&out=min_distance,closest",
                         "dim=64&base=500000&out=slowest_period"),
    .family = PE_ABSOLUTE,
    .kind = PE_WHOLE,
    PE_TABLES(struct properties, params, outputs),
    .check = check,
    .range = range,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
