/* SPDX-License-Identifier: Apache-2.0
 * t5.c - one learned number for each bucket of distances; far distances share buckets.
 *
 *     n = |k - q|, e = buckets of one direction / 2
 *     bucket = n for n < e, else min(e + floor(ln(n/e) / ln(max_distance/e) (2e - e)), 2e - 1)
 *     future keys have the second half of the buckets, or, in a decoder, bucket 0
 *
 * Raffel et al. 2020, T5, section 2.1; transformers modeling_t5.py. TUPE (Ke et al. 2021)
 * gives position 0, its class token, buckets of its own.
 */
#include "core/encodings/bias/query_key.h"
#include "core/encodings/bias/t5_buckets.h"
#include "core/math/relative/lookup.h"

enum { BUCKETS, BIAS };
enum { CONVENTION_T5, CONVENTION_TUPE };

struct t5 {
    struct query_key pairs;
    int64_t num_buckets, max_distance, head_dim;
    double bias_scale;
    int convention;
    bool bidirectional;
    struct pe_tensor table;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct t5, pairs),
    {PE_FIELD(struct t5, num_buckets), .type = PE_INT, .min = 2, .max = BUCKET_COUNT_MAX,
     .preset = 32, .summary = "number of buckets (relative_attention_num_buckets)"},
    {PE_FIELD(struct t5, max_distance), .type = PE_INT, .min = 2, .max = 0x1p40, .preset = 128,
     .summary =
         "distance from which on all share one bucket (relative_attention_max_distance)"},
    {PE_FIELD(struct t5, bidirectional), .type = PE_BOOL, .preset = 1,
     PE_OWN("transformers", DISTANCE, BASIC),
     .summary =
         "keys after the query have half of the buckets, as in an encoder; a decoder has 0"},
    {PE_FIELD(struct t5, convention),
     PE_CHOICES([CONVENTION_T5] = {"t5", PE_WORDS("mt5", "umt5", "mpnet"),
                                   "T5, mT5, UMT5, MPNet: position 0 has no bucket of its own",
                                   NULL, NULL},
                PE_ONE_AT(CONVENTION_TUPE, "tupe",
                          "TUPE: the query at position 0 has bucket num_buckets/2, the key "
                          "there bucket num_buckets")),
     .summary = "model whose rule for position 0 is followed"},
    {PE_TENSOR_TABLE(struct t5, table), .required = true,
     .summary = "learned biases, a row a bucket, a column a head: 0.1,0.2;0.3,0.4"},
    {PE_FIELD(struct t5, bias_scale), .type = PE_REAL, .min = -1e18, .max = 1e18, .preset = 1,
     PE_OWN("posenc", WEIGHTS, ADVANCED), .summary = "factor on the biases"},
    {PE_FIELD(struct t5, head_dim), .type = PE_INT, .optional = true, .min = 1, .max = 65536,
     .summary = "width of a head, by whose root x-transformers multiplies the biases"},
};

#define BUCKET_NAMES                                                                           \
    "len", "q", "k", "num_buckets", "max_distance", "bidirectional", "convention"

static const struct pe_output outputs[] = {
    [BUCKETS] = {PE_OUTPUT("buckets", PE_I64, "q", "k"), .label = "Buckets",
                 .one_of = QUERY_KEY_ONE_OF, .sign = PE_NOT_NEGATIVE,
                 .picture = "len=64&num_buckets=32&max_distance=64",
                 .summary = "row of the table of biases for each query and key",
                 .by_default = true, .uses = PE_WORDS(BUCKET_NAMES), .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .one_of = QUERY_KEY_ONE_OF,
              .summary = "bias that is added to the attention scores", .bound = LOOKUP_BOUND},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    query_key_resolve(args, offsetof(struct t5, pairs), true, true, errors);
}

/* Returns the count of the table's rows. The class token of TUPE has a row of its own. */
static uint64_t rows_of(const struct t5 *t)
{
    return (uint64_t)t->num_buckets + (t->convention == CONVENTION_TUPE);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct t5 *t = values;

    if (pe_wants(args, BIAS))
        lookup_check_bias(&t->table, "table", rows_of(t), false, errors);
    if (t->convention == CONVENTION_TUPE && !t->bidirectional)
        pe_fail(errors, PE_CONFLICT, "convention",
                "must be t5 with bidirectional=0: TUPE has both directions");
    else
        t5_buckets_check(t->num_buckets, t->max_distance, t->bidirectional, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct t5 *t = values;

    return (struct pe_interval){0, (double)(rows_of(t) - 1)};
}

/* ---- buckets ----------------------------------------------------------------------------- */

struct tupe {
    const struct t5_buckets *buckets;
    double num_buckets;
};

static double tupe_bucket(const void *rule, double query, double key)
{
    const struct tupe *tupe = rule;

    if (query == 0)
        return tupe->num_buckets / 2;
    return key == 0 ? tupe->num_buckets : t5_buckets_of(tupe->buckets, query - key);
}

/* Returns scale sqrt(head_dim). */
static struct dd scale_of(const struct t5 *t)
{
    struct dd scale = {t->bias_scale, 0};

    if (t->head_dim == PE_ABSENT_INT)
        return scale;
    return elementary_multiply(scale, elementary_sqrt((struct dd){(double)t->head_dim, 0}));
}

/* Without buckets and tupe (NULL) the result has a cost but no values, for plan_ns. */
static struct query_key_rows pairs_of(const struct t5 *t, const struct t5_buckets *buckets,
                                      const struct tupe *tupe)
{
    const double ns = 3; /* a bucket is found by a search */

    return t->convention == CONVENTION_T5
               ? (struct query_key_rows){&t->pairs, NULL, t5_buckets_of, buckets, ns, NULL}
               : (struct query_key_rows){&t->pairs, tupe_bucket, NULL, tupe, ns, NULL};
}

static struct lookup_bias bias_of(const struct t5 *t, const struct query_key_rows *rows,
                                  const struct toeplitz *differences)
{
    return (struct lookup_bias){.lookup = query_key_lookup(rows),
                                .differences = differences,
                                .most_difference =
                                    t->convention == CONVENTION_T5 ? t->max_distance : 0,
                                .table = {&t->table, 0},
                                .queries = pe_positions_count(t->pairs.q),
                                .keys = pe_positions_count(t->pairs.k),
                                .scale = scale_of(t)};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct t5 *t = values;
    const struct query_key_rows rows = pairs_of(t, NULL, NULL);
    const struct toeplitz matrix = query_key_outline(&rows);
    const struct lookup_bias bias = bias_of(t, &rows, &matrix);

    return 2000 * (double)t->num_buckets +
           (pe_wants(args, BUCKETS) ? toeplitz_plan_ns(&matrix) : 0) +
           (pe_wants(args, BIAS) ? lookup_plan_ns(&bias) : 0);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct t5 *t = values;
    const struct t5_buckets *buckets =
        t5_buckets_new(build, t->num_buckets, t->max_distance, t->bidirectional);
    struct tupe *tupe = pe_build_alloc(build, sizeof *tupe);
    const struct query_key_rows of = pairs_of(t, buckets, tupe);
    const struct query_key_rows *rows = query_key_rows_new(build, &of);
    struct lookup_bias bias;

    if (!buckets || !tupe || !rows)
        return;
    *tupe = (struct tupe){buckets, (double)t->num_buckets};
    bias = bias_of(t, rows, query_key_toeplitz(build, rows));
    query_key_fill_rows(build, BUCKETS, rows);
    lookup_fill_bias(build, BIAS, &bias);
    pe_build_fact_text(build, "sign", "buckets are of key - query");
}

const struct pe_encoding pe_encoding_t5 = {
    .name = "t5",
    .title = "T5 relative position bias",
    .formula =
        "n = |k - q|, e = half of the buckets of one direction; bucket = n for n < e, else e "
        "+ floor(ln(n / e) / ln(max_distance / e) e), at most 2e - 1",
    .when_to_use =
        "T5 and its descendants learn one number for each bucket and head, shared by all "
        "layers. Scores have no dim^-0.5 in T5.",
    .what_goes_wrong =
        "The bucket is of key - query; in a decoder (bidirectional=0) all keys after the "
        "query share bucket 0 and all buckets serve the past. float32 logarithms put "
        "distances at bucket bounds elsewhere in some ports.",
    .picture = "len=48&num_buckets=8&max_distance=16&table=0;-1;-2;-3;0.5;-0.5;-1.5;-2.5",
    .summary = "buckets of distances, near ones one each, far ones by the logarithm",
    .source = "Raffel et al. 2020, T5, section 2.1; transformers modeling_t5.py; TUPE (Ke et "
              "al. 2021)",
    .examples = PE_WORDS("len=4", "q=0:1&k=-100:101:10", "q=200:201&k=0:201:25&bidirectional=0",
                         "len=3&convention=tupe", "len=4&num_buckets=10&max_distance=20",
                         "len=3&out=bias&num_buckets=4&max_distance=3&table=1,2;3,4;5,6;7,8"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct t5, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .lengths = PE_WORDS("heads=table.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
