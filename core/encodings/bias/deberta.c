/* SPDX-License-Identifier: Apache-2.0
 * deberta.c - disentangled attention: distances, far ones in buckets of the logarithm.
 *
 *     rel = q - k, mid = floor(position_buckets / 2), last = max_relative_positions - 1
 *     bucket = rel for |rel| <= mid, else
 *         sign(rel) (ceil(ln(|rel|/mid) / ln(last/mid) (mid - 1)) + mid)
 *
 * He et al. 2021, DeBERTa; microsoft/DeBERTa da_utils.py, which clamps rel before, and
 * transformers modeling_deberta_v2.py, which does not. Without both numbers: rel itself.
 */
#include <math.h>

#include "core/encodings/bias/pairs.h"
#include "core/math/bucket.h"

enum { BUCKETS };

struct deberta {
    struct pairs pairs;
    int64_t position_buckets, max_relative_positions;
    bool clamp_distance;
};

static const struct pe_param params[] = {
    PAIRS_ROWS(struct deberta, pairs),
    {PE_FIELD(struct deberta, position_buckets), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = 256, .summary = "buckets of one sign, half of them of one distance; -1: none"},
    {PE_FIELD(struct deberta, max_relative_positions), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = 512,
     .summary = "the last bucket begins at this distance less 1; -1: no buckets"},
    {PE_FIELD(struct deberta, clamp_distance), .type = PE_BOOL,
     .summary = "farther distances count as the last (microsoft/DeBERTa)"},
};

#define BUCKET_NAMES                                                                           \
    "len", "q", "k", "position_buckets", "max_relative_positions", "clamp_distance"

static const struct pe_output outputs[] = {
    [BUCKETS] = {"buckets",
                 "bucketed difference of query and key",
                 {"q", "k"},
                 BUCKETS,
                 PE_I64,
                 true,
                 PE_WORDS(BUCKET_NAMES),
                 "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool has_buckets(const struct deberta *d)
{
    return d->position_buckets > 0 && d->max_relative_positions > 0;
}

/* Without buckets the numbers decide nothing: canonical form says so in one way. */
static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct deberta *d = values;

    if (!has_buckets(d))
        d->position_buckets = d->max_relative_positions = -1;
    return pairs_resolve(args, offsetof(struct deberta, pairs), true, true, errors);
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct deberta *d = values;
    int64_t middle = d->position_buckets / 2;

    (void)args;
    if (!has_buckets(d))
        return d->clamp_distance ? pe_fail(errors, PE_CONFLICT, "clamp_distance",
                                           "has no effect without position_buckets and "
                                           "max_relative_positions above 0")
                                 : PE_OK;
    if (middle < 1)
        return pe_fail(errors, PE_CONFLICT, "position_buckets", "must be at least 2, or -1");
    if (d->max_relative_positions - 1 <= middle)
        return pe_fail(errors, PE_CONFLICT, "max_relative_positions",
                       "must be above %lld, half of position_buckets and one; got %lld",
                       (long long)middle + 1, (long long)d->max_relative_positions);
    return PE_OK;
}

static double bucket_at(const void *rule, double difference)
{
    const struct deberta *d = rule;
    int64_t middle = d->position_buckets / 2, n = (int64_t)fabs(difference);
    double bucket;

    if (!has_buckets(d))
        return difference;
    if (d->clamp_distance && n >= d->max_relative_positions)
        n = d->max_relative_positions - 1;
    if (n <= middle)
        return copysign((double)n, difference);
    bucket = ceil(bucket_steps(n, middle, d->max_relative_positions - 1, middle - 1)) +
             (double)middle;
    return copysign(bucket, difference);
}

static void range(const struct pe_args *args, const void *values, size_t output, double *low,
                  double *high)
{
    const struct deberta *d = values;

    (void)args;
    (void)output;
    pairs_range(&d->pairs, low, high);
    *low = bucket_at(d, *low); /* buckets grow with the difference */
    *high = bucket_at(d, *high);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct deberta *d = values;

    (void)args;
    (void)output;
    return pairs_shape(&d->pairs, dims);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct deberta *d = values;

    if (!pairs_fill_difference(build, BUCKETS, bucket_at, d, &d->pairs))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    pe_build_fact_text(build, "sign", "buckets are of query - key");
    return PE_OK;
}

const struct pe_encoding pe_encoding_deberta = {
    .name = "deberta",
    .summary = "differences of positions, far ones in buckets of the logarithm",
    .source = "He et al. 2021, DeBERTa and DeBERTaV3; microsoft/DeBERTa da_utils.py, "
              "transformers modeling_deberta_v2.py",
    .examples = PE_WORDS("len=4", "q=0:1024:128&k=0:1",
                         "q=0:1024:128&k=0:1&position_buckets=8&max_relative_positions=16",
                         "q=-3000,3000&k=0&clamp_distance=1",
                         "q=0:3&k=0:4&position_buckets=-1&max_relative_positions=-1"),
    .family = PE_BIAS,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct deberta),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
