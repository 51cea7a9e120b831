/* SPDX-License-Identifier: Apache-2.0
 * deberta.c - disentangled attention: distances, far ones in buckets of the logarithm.
 *
 *     rel = q - k, mid = floor(position_buckets / 2), last = max_relative_positions - 1
 *     bucket = rel for |rel| <= mid, else
 *         sign(rel) (ceil(ln(|rel|/mid) / ln(last/mid) (mid - 1)) + mid)
 *
 *     x = clamp(bucket + S, 0, 2 S - 1),
 *     c2p = query . key_table[x], p2c = key . query_table[x]
 *     bias = (c2p + p2c) / sqrt(dim (1 + terms)), by which the scores are divided too
 *
 * Both codes take q - k for both terms; the paper writes k - q for p2c. S is half of the rows
 * of the tables. Without both numbers the bucket is rel itself. He et al. 2021, DeBERTa;
 * microsoft/DeBERTa da_utils.py, which clamps rel before, and transformers
 * modeling_deberta_v2.py, which does not.
 */
#include <math.h>

#include "core/encodings/bias/deberta.h"
#include "core/math/relative/bucket.h"
#include "core/math/relative/lookup.h"

static const struct pe_choice term_choices[] = {
    [DEBERTA_TERMS_BOTH] = {"both", PE_WORDS("c2p|p2c", "p2c|c2p"), "c2p and p2c", NULL},
    [DEBERTA_TERMS_C2P] = {"c2p", NULL, "content to position alone", NULL},
    [DEBERTA_TERMS_P2C] = {"p2c", NULL, "position to content alone", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct deberta, pairs),
    {PE_FIELD(struct deberta, position_buckets), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = 256, .summary = "buckets of one sign, half of them of one distance; -1: none"},
    {PE_FIELD(struct deberta, max_relative_positions), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = 512,
     .summary = "the last bucket begins at this distance less 1; -1: no buckets (where a "
                "config.json says -1, transformers takes max_position_embeddings)"},
    {PE_FIELD(struct deberta, clamp_distance), .type = PE_BOOL,
     .summary = "farther distances count as the last (microsoft/DeBERTa)"},
    {PE_FIELD(struct deberta, terms), .type = PE_CHOICE, .choices = term_choices,
     .summary = "what the bias is made of (pos_att_type)"},
    {PE_FIELD(struct deberta, queries), .type = PE_TENSOR, .table = true,
     .summary = "vectors: heads, positions, dim; or of one head"},
    {PE_FIELD(struct deberta, keys), .type = PE_TENSOR, .table = true,
     .summary = "vectors: heads, positions, dim; or of one head"},
    {PE_FIELD(struct deberta, key_table), .type = PE_TENSOR, .table = true,
     .summary = "relative positions as keys, projected: a row a bucket, heads first if many"},
    {PE_FIELD(struct deberta, query_table), .type = PE_TENSOR, .table = true,
     .summary =
         "relative positions as queries, projected: a row a bucket, heads first if many"},
};

#define BUCKET_NAMES                                                                           \
    "len", "q", "k", "position_buckets", "max_relative_positions", "clamp_distance"

static const struct pe_output outputs[] = {
    [DEBERTA_BUCKETS] = {PE_OUTPUT("buckets", PE_I64, "q", "k"),
                         .summary = "bucketed difference of query and key", .by_default = true,
                         .uses = PE_WORDS(BUCKET_NAMES), .bound = "exact"},
    [DEBERTA_C2P] = {PE_OUTPUT("c2p", PE_F32, "heads", "q", "k"),
                     .summary = "content to position, not scaled",
                     .uses = PE_WORDS(BUCKET_NAMES, "queries", "key_table"),
                     .bound = LOOKUP_SCORES_BOUND},
    [DEBERTA_P2C] = {PE_OUTPUT("p2c", PE_F32, "heads", "q", "k"),
                     .summary = "position to content, not scaled",
                     .uses = PE_WORDS(BUCKET_NAMES, "keys", "query_table"),
                     .bound = LOOKUP_SCORES_BOUND},
    [DEBERTA_BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"),
                      .summary = "the terms scaled, added to scores scaled alike",
                      .uses = PE_WORDS(BUCKET_NAMES, "terms", "queries", "keys", "key_table",
                                       "query_table"),
                      .bound = LOOKUP_SCORES_BOUND},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool has_buckets(const struct deberta *d)
{
    return d->position_buckets > 0 && d->max_relative_positions > 0;
}

/* Without buckets the numbers decide nothing: canonical form says so in one way. */
static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct deberta *d = values;

    if (!has_buckets(d))
        d->position_buckets = d->max_relative_positions = -1;
    lookup_one_head(&d->queries);
    lookup_one_head(&d->keys);
    query_key_resolve(args, offsetof(struct deberta, pairs), true, true, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct deberta *d = values;
    int64_t middle = d->position_buckets / 2;

    if (deberta_terms_check(args, d, errors))
        return;
    if (!has_buckets(d) && d->clamp_distance) {
        pe_fail(errors, PE_CONFLICT, "clamp_distance",
                "has no effect without position_buckets and max_relative_positions "
                "above 0");
        return;
    }
    if (!has_buckets(d))
        return;
    if (middle < 1)
        pe_fail(errors, PE_CONFLICT, "position_buckets", "must be at least 2, or -1");
    else if (d->max_relative_positions - 1 <= middle)
        pe_fail(errors, PE_CONFLICT, "max_relative_positions",
                "must be above %lld, half of position_buckets and one; got %lld",
                (long long)middle + 1, (long long)d->max_relative_positions);
}

double deberta_bucket(const struct deberta *d, double difference)
{
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

double deberta_bucket_ns(const struct deberta *d)
{
    return has_buckets(d) ? 300 : 0; /* logarithms of almost all */
}

static void range(const struct pe_args *args, const void *values, size_t output, double *low,
                  double *high)
{
    const struct deberta *d = values;

    query_key_range(&d->pairs, low, high);
    *low = deberta_bucket(d, *low); /* buckets grow with the difference */
    *high = deberta_bucket(d, *high);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct deberta *d = values;

    return output == DEBERTA_BUCKETS ? query_key_shape(&d->pairs, dims)
                                     : deberta_terms_shape(d, output, dims);
}

static double bucket_at(const void *rule, double difference)
{
    return deberta_bucket(rule, difference);
}

static struct query_key_rows rows_of(const struct deberta *d)
{
    return (struct query_key_rows){.pairs = &d->pairs,
                                   .difference = bucket_at,
                                   .rule = d,
                                   .ns = deberta_bucket_ns(d)};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct query_key_rows rows = rows_of(values);
    const struct toeplitz matrix = query_key_outline(&rows);

    return pe_wants(args, DEBERTA_BUCKETS) ? toeplitz_plan_ns(&matrix) : 0;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct deberta *d = values;
    const struct query_key_rows rows = rows_of(d);

    if (pe_wants(pe_build_args(build), DEBERTA_BUCKETS))
        query_key_fill_rows(build, DEBERTA_BUCKETS, &rows);
    deberta_terms_fill(build, d);
    pe_build_fact_text(build, "sign", "buckets are of query - key");
}

const struct pe_encoding pe_encoding_deberta = {
    .name = "deberta",
    .summary = "differences of positions, far ones in buckets of the logarithm",
    .source = "He et al. 2021, DeBERTa and DeBERTaV3; microsoft/DeBERTa da_utils.py, "
              "transformers modeling_deberta_v2.py",
    .examples =
        PE_WORDS("len=4", "q=0:1024:128&k=0:1",
                 "q=0:1024:128&k=0:1&position_buckets=8&max_relative_positions=16",
                 "q=-3000,3000&k=0&clamp_distance=1",
                 "q=0:3&k=0:4&position_buckets=-1&max_relative_positions=-1",
                 "len=2&out=bias&position_buckets=-1&key_table=1,0;0,1&query_table=1,1;2,0"
                 "&queries=1,2;3,4&keys=1,0;0,1"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct deberta, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
