/* SPDX-License-Identifier: Apache-2.0
 * random_offset.c - positions moved at random while training, so that a model learns not to
 * rely on them.
 *
 *     shape   p + K,  K = below(max_offset + 1)
 *     cape    s (p + g + e_p),  g = G (2u - 1),  e_p = E (2u - 1),  s = exp((2u - 1) ln S)
 *
 * with a fresh unit u each, drawn in that order. Kiyono et al. 2021, SHAPE, section 3;
 * Likhomanenko et al. 2021, CAPE, section 3. The draws are those of core/math/random.h.
 */
#include "core/encoding.h"

#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"
#include "core/math/random.h"

enum { IDS, POSITIONS };
enum { METHOD_SHAPE, METHOD_CAPE };
enum { LOOK = 1 << 16 }; /* positions between two checks of the stop flag */

struct random_offset {
    int64_t len, max_offset, seed;
    double max_global_shift, max_local_shift, max_scale;
    int method;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct random_offset, len), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p52, .summary = "number of positions of the sequence"},
    {PE_FIELD(struct random_offset, method),
     PE_CHOICES(
         PE_ONE_AT_WITH(METHOD_SHAPE, "shape", "SHAPE: one whole offset for all positions",
                        "max_offset=100"),
         PE_ONE_AT_WITH(METHOD_CAPE, "cape",
                        "CAPE: a shift for all positions, one for each, and a scale",
                        "max_global_shift=5&max_local_shift=1&max_scale=1.1&out=positions")),
     .summary = "paper whose random change is made"},
    {PE_FIELD(struct random_offset, max_offset), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p52, .when = "method=shape", PE_OWN("Kiyono et al. 2021", POSITIONS, BASIC),
     .summary = "largest offset that may be drawn"},
    {PE_FIELD(struct random_offset, max_global_shift), .type = PE_REAL, .min = 0, .max = 1e15,
     .when = "method=cape", PE_OWN("Likhomanenko et al. 2021", POSITIONS, BASIC),
     .summary = "largest shift that is drawn for all positions together"},
    {PE_FIELD(struct random_offset, max_local_shift), .type = PE_REAL, .min = 0, .max = 1e15,
     .when = "method=cape", PE_OWN("Likhomanenko et al. 2021", POSITIONS, BASIC),
     .summary = "largest shift that is drawn for each position by itself"},
    {PE_FIELD(struct random_offset, max_scale), .type = PE_REAL, .min = 1, .max = 1e15,
     .preset = 1, .when = "method=cape", PE_OWN("Likhomanenko et al. 2021", POSITIONS, BASIC),
     .summary = "largest factor by which positions are stretched or squeezed"},
    RANDOM_ROW_SEED(struct random_offset),
};

static const struct pe_output outputs[] = {
    [IDS] = {PE_OUTPUT("ids", PE_I64, "token"), .label = "Ids", .sign = PE_NOT_NEGATIVE,
             .picture = "len=48&max_offset=100&seed=3",
             .summary = "whole position of each token, with method=shape", .by_default = true,
             .bound = "exact"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_F32, "token"), .label = "Positions",
                   .summary = "real position of each token, with either method",
                   .bound = "0.501 ULP; f64 1 ULP"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct random_offset *v = values;

    if (v->method == METHOD_CAPE && pe_wants(args, IDS))
        pe_fail(errors, PE_CONFLICT, "out",
                "must be positions with method=cape, whose positions are not whole");
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct random_offset *v = values;

    return (v->method == METHOD_CAPE ? 50 : 6) * (double)v->len;
}

/* Returns size * (2 unit - 1), exactly. */
static struct dd shift(struct random *random, double size)
{
    return elementary_product(size, 2 * random_unit(random) - 1);
}

static void fill_cape(struct pe_build *build, const struct random_offset *v, double *out)
{
    struct random random = random_seeded((uint64_t)v->seed);
    const struct dd all = shift(&random, v->max_global_shift);
    struct random later = random;

    for (int64_t p = 0; p < v->len; p++)
        random_next(&later); /* the scale is drawn last */
    const struct dd scale =
        elementary_exp_dd(elementary_multiply(elementary_log(v->max_scale), shift(&later, 1)));
    for (int64_t p = 0; p < v->len; p++) {
        struct dd position = elementary_add(all, shift(&random, v->max_local_shift));

        if (p % LOOK == 0 && pe_build_stopped(build))
            return;
        position =
            elementary_multiply(elementary_add(position, (struct dd){(double)p, 0}), scale);
        out[p] = position.hi + position.lo;
    }
}

static void fill_shape(struct pe_build *build, const struct random_offset *v, double *out)
{
    struct random random = random_seeded((uint64_t)v->seed);
    const double offset = (double)random_below(&random, (uint64_t)v->max_offset + 1);

    for (int64_t p = 0; p < v->len; p++)
        out[p] = (double)p + offset;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct random_offset *v = values;

    for (size_t output = IDS; output <= POSITIONS; output++) {
        if (!pe_build_wants(build, output))
            continue;
        double *out = precomputed_new(build, output, 1, (uint64_t)v->len);
        if (out)
            (v->method == METHOD_CAPE ? fill_cape : fill_shape)(build, v, out);
    }
}

const struct pe_encoding pe_encoding_random_offset = {
    .name = "random-offset",
    .title = "Random shifts in training (SHAPE, CAPE)",
    .formula = "shape: p + K; cape: s (p + g + e_p); K, g, e_p and s are random",
    .when_to_use =
        "SHAPE and CAPE move positions at random in training, so that the model learns "
        "distances rather than places. At inference nothing is drawn: use ordinary positions.",
    .what_goes_wrong =
        "One offset belongs to a sequence, not to a token or a layer. CAPE scales after it "
        "shifts, and its positions are real numbers, so a table of integer rows cannot serve "
        "it.",
    .picture = "len=48&method=cape&max_global_shift=5&max_local_shift=1&max_scale=1.1&seed=3",
    .summary = "positions moved at random, by seed: SHAPE and CAPE",
    .source = "Kiyono et al. 2021, SHAPE, section 3; Likhomanenko et al. 2021, CAPE, section 3",
    .examples = PE_WORDS("len=4&max_offset=100&seed=42",
                         "len=4&method=cape&max_global_shift=5&max_local_shift=0.5"
                         "&max_scale=1.03&out=positions&seed=42"),
    .family = PE_INDEX,
    .kind = PE_WHOLE,
    PE_TABLES(struct random_offset, params, outputs),
    .check = check,
    .lengths = PE_WORDS("token=len"),
    .most = PE_WORDS("ids=len+max_offset"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
