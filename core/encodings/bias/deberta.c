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
 * of the tables. Without position_buckets or max_relative_positions the bucket is rel itself.
 * He et al. 2021, DeBERTa; microsoft/DeBERTa da_utils.py, which clamps rel before, and
 * transformers modeling_deberta_v2.py, which does not.
 */
#include <math.h>

#include "core/encodings/bias/query_key.h"
#include "core/math/relative/bucket.h"
#include "core/math/relative/lookup.h"

enum { BUCKETS, C2P, P2C, BIAS };
enum { QUERIES, KEYS, KEY_TABLE, QUERY_TABLE }; /* inputs */
enum { TERMS_BOTH, TERMS_C2P, TERMS_P2C };

struct deberta {
    struct query_key pairs;
    int64_t position_buckets, max_relative_positions;
    bool clamp_distance;
    int terms;
    struct pe_tensor queries, keys, key_table, query_table; /* inputs, in this order */
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct deberta, pairs),
    {PE_FIELD(struct deberta, position_buckets), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = 256, PE_OWN("microsoft/DeBERTa", DISTANCE, BASIC),
     .summary = "number of buckets for either sign, the first half of a single distance; -1: "
                "each distance is its own"},
    {PE_FIELD(struct deberta, max_relative_positions), .type = PE_INT, .min = -1, .max = 0x1p40,
     .preset = 512, PE_OWN("microsoft/DeBERTa", DISTANCE, BASIC),
     .summary =
         "distance, plus 1, at which the last bucket begins; -1: no buckets (for -1 in a "
         "config.json transformers takes max_position_embeddings)"},
    {PE_FIELD(struct deberta, clamp_distance), .type = PE_BOOL,
     .when = "!position_buckets=-1|0&!max_relative_positions=-1|0",
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "distances beyond max_relative_positions count as the last (microsoft/DeBERTa; "
                "transformers does not)"},
    {PE_FIELD(struct deberta, terms),
     PE_CHOICES([TERMS_BOTH] = {"both", PE_WORDS("c2p|p2c", "p2c|c2p"),
                                "content to position and position to content", NULL, NULL},
                PE_ONE_AT(TERMS_C2P, "c2p",
                          "content to position alone: queries with key_table"),
                PE_ONE_AT(TERMS_P2C, "p2c",
                          "position to content alone: keys with query_table")),
     .summary = "terms of the bias, as pos_att_type of the config"},
    {PE_TENSOR_TABLE(struct deberta, queries),
     .summary = "query vectors: heads, q, head_dim; or q, head_dim of one head"},
    {PE_TENSOR_TABLE(struct deberta, keys),
     .summary = "key vectors: heads, k, head_dim; or k, head_dim of one head"},
    {PE_TENSOR_TABLE(struct deberta, key_table), PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "relative positions projected as keys: a row a bucket, heads first if many"},
    {PE_TENSOR_TABLE(struct deberta, query_table), PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "relative positions projected as queries: a row a bucket, heads first if many"},
};

#define BUCKET_NAMES                                                                           \
    "len", "q", "k", "position_buckets", "max_relative_positions", "clamp_distance"

static const struct pe_output outputs[] = {
    [BUCKETS] = {PE_OUTPUT("buckets", PE_I64, "q", "k"), .label = "Buckets",
                 .picture = "len=96&position_buckets=16&max_relative_positions=64",
                 .one_of = QUERY_KEY_ONE_OF,
                 .summary = "bucket of the difference query - key, negative for later keys",
                 .by_default = true, .uses = PE_WORDS(BUCKET_NAMES), .bound = "exact"},
    [C2P] = {PE_OUTPUT("c2p", PE_F32, "heads", "q", "k"), .label = "Content to position",
             .one_of = QUERY_KEY_ONE_OF "&queries&key_table",
             .summary = "term content to position, query . key_table[x], not scaled",
             .uses = PE_WORDS(BUCKET_NAMES, "queries", "key_table"),
             .bound = LOOKUP_SCORES_BOUND},
    [P2C] = {PE_OUTPUT("p2c", PE_F32, "heads", "q", "k"), .label = "Position to content",
             .one_of = QUERY_KEY_ONE_OF "&keys&query_table",
             .summary = "term position to content, key . query_table[x], not scaled",
             .uses = PE_WORDS(BUCKET_NAMES, "keys", "query_table"),
             .bound = LOOKUP_SCORES_BOUND},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .one_of = QUERY_KEY_ONE_OF "&queries|keys&key_table|query_table",
              .summary = "sum of the terms, scaled as the scores that it is added to",
              .bound = LOOKUP_SCORES_BOUND},
};

/* ---- terms ------------------------------------------------------------------------------- */

/* One term: vectors of queries or keys, and the table that they are multiplied with. */
struct term {
    const struct pe_tensor *vectors, *table;
    const char *vectors_name, *table_name;
    size_t vectors_input, table_input;
    const struct pe_positions *positions;
    bool of_key;
};

static struct term term_of(const struct deberta *d, bool p2c)
{
    if (p2c)
        return (struct term){&d->keys, &d->query_table, "keys",     "query_table",
                             KEYS,     QUERY_TABLE,     d->pairs.k, true};
    return (struct term){&d->queries, &d->key_table, "queries",  "key_table",
                         QUERIES,     KEY_TABLE,     d->pairs.q, false};
}

static bool in_bias(const struct deberta *d, bool p2c)
{
    return d->terms != (p2c ? TERMS_C2P : TERMS_P2C);
}

static uint64_t table_rows(const struct pe_tensor *table)
{
    return table->rank < 2 ? 0 : table->dims[table->rank - 2];
}

/* ---- rules ------------------------------------------------------------------------------- */

static bool has_buckets(const struct deberta *d)
{
    return d->position_buckets > 0 && d->max_relative_positions > 0;
}

/* Without buckets position_buckets and max_relative_positions have no effect: both are -1. */
static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct deberta *d = values;

    if (!has_buckets(d))
        d->position_buckets = d->max_relative_positions = -1;
    lookup_one_head(&d->queries);
    lookup_one_head(&d->keys);
    query_key_resolve(args, offsetof(struct deberta, pairs), true, true, errors);
}

static enum pe_status check_rows(const struct deberta *d, const struct term *term,
                                 struct pe_errors *errors)
{
    uint64_t rows = table_rows(term->table);

    if (d->position_buckets > 0)
        rows = 2 * (uint64_t)d->position_buckets;
    else if (rows % 2 != 0)
        return pe_fail(errors, PE_CONFLICT, term->table_name,
                       "must have an even count of rows, half for either sign; got %llu",
                       (unsigned long long)rows);
    return lookup_check_rows(term->table, term->table_name, rows, term->vectors, errors);
}

static enum pe_status check_term(const struct deberta *d, bool p2c, struct pe_errors *errors)
{
    struct term term = term_of(d, p2c);
    enum pe_status status;

    if (term.vectors->rank == 0 || term.table->rank == 0)
        return pe_fail(errors, PE_MISSING_PARAMETER,
                       term.vectors->rank == 0 ? term.vectors_name : term.table_name,
                       "is required for %s", p2c ? "p2c" : "c2p");
    status = lookup_check_vectors(term.vectors, term.vectors_name, term.vectors_name,
                                  pe_positions_count(term.positions), errors);
    return status ? status : check_rows(d, &term, errors);
}

static void check_terms(const struct pe_args *args, const struct deberta *d,
                        struct pe_errors *errors)
{
    bool bias = pe_wants(args, BIAS), both = bias && d->terms == TERMS_BOTH;

    if (pe_wants(args, C2P) || (bias && in_bias(d, false)))
        check_term(d, false, errors);
    if (errors->count == 0 && (pe_wants(args, P2C) || (bias && in_bias(d, true))))
        check_term(d, true, errors);
    if (both && errors->count == 0)
        lookup_check_alike(&d->keys, "keys", &d->queries, errors);
    if (both && errors->count == 0 && table_rows(&d->key_table) != table_rows(&d->query_table))
        pe_fail(errors, PE_CONFLICT, "query_table",
                "must have as many rows as key_table, %llu; got %llu",
                (unsigned long long)table_rows(&d->key_table),
                (unsigned long long)table_rows(&d->query_table));
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct deberta *d = values;
    int64_t middle = d->position_buckets / 2;

    check_terms(args, d, errors);
    if (errors->count > 0)
        return;
    if (!has_buckets(d))
        return;
    if (middle < 1)
        pe_fail(errors, PE_CONFLICT, "position_buckets", "must be at least 2, or -1");
    else if (d->max_relative_positions - 1 <= middle)
        pe_fail(errors, PE_CONFLICT, "max_relative_positions",
                "must be above %lld, half of position_buckets and one; got %lld",
                (long long)middle + 1, (long long)d->max_relative_positions);
}

/* Returns the bucket of a difference, query - key. */
static double log_bucket(const void *values, double difference)
{
    const struct deberta *d = values;
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

static double bucket_ns(const struct deberta *d)
{
    return has_buckets(d) ? 300 : 0; /* almost every difference takes logarithms */
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct deberta *d = values;
    double low, high;

    query_key_range(&d->pairs, &low, &high);
    /* buckets grow with the difference */
    return (struct pe_interval){log_bucket(d, low), log_bucket(d, high)};
}

static bool takes_keys(const struct deberta *d, size_t output)
{
    return output == P2C || (output == BIAS && !in_bias(d, false));
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct deberta *d = values;

    if (output == BUCKETS)
        return query_key_shape(&d->pairs, dims);
    dims[0] = takes_keys(d, output) ? d->keys.dims[0] : d->queries.dims[0];
    return 1 + query_key_shape(&d->pairs, dims + 1);
}

static struct query_key_rows rows_of(const struct deberta *d)
{
    return (struct query_key_rows){.pairs = &d->pairs,
                                   .difference = log_bucket,
                                   .rule = d,
                                   .ns = bucket_ns(d)};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct query_key_rows rows = rows_of(values);
    const struct toeplitz matrix = query_key_outline(&rows);

    return pe_wants(args, BUCKETS) ? toeplitz_plan_ns(&matrix) : 0;
}

/* ---- rows -------------------------------------------------------------------------------- */

struct rule {
    const struct deberta *deberta;
    double span; /* half of the table's rows */
};

static double row_at(const void *context, double difference)
{
    const struct rule *rule = context;
    double row = log_bucket(rule->deberta, difference) + rule->span;

    return fmin(fmax(row, 0), 2 * rule->span - 1);
}

/* Makes the product of a term; its rule and rows live in the plan's memory. */
static bool make_product(struct pe_build *build, const struct deberta *d, bool p2c,
                         struct lookup_product *product)
{
    struct term term = term_of(d, p2c);
    struct rule *rule = pe_build_alloc(build, sizeof *rule);
    const struct query_key_rows *rows = query_key_rows_new(
        build, &(struct query_key_rows){&d->pairs, NULL, row_at, rule, bucket_ns(d), NULL});

    if (!rule || !rows)
        return false;
    *rule = (struct rule){d, (double)(table_rows(term.table) / 2)};
    *product = (struct lookup_product){.lookup = query_key_lookup(rows),
                                       .vectors = {term.vectors, term.vectors_input},
                                       .table = {term.table, term.table_input},
                                       .of_key = term.of_key};
    return true;
}

static void fill(struct pe_build *build, const struct deberta *d, size_t output)
{
    struct lookup_scores scores = {.queries = pe_positions_count(d->pairs.q), .scale = {1, 0}};

    for (int p2c = 0; p2c < 2; p2c++) {
        bool wanted = output == BIAS ? in_bias(d, p2c) : output == (p2c ? P2C : C2P);

        if (wanted && !make_product(build, d, p2c, &scores.products[scores.count++]))
            return;
    }
    if (output == BIAS)
        scores.scale =
            lookup_scale(true, (scores.count + 1) * scores.products[0].vectors.tensor->dims[2]);
    lookup_fill_scores(build, output, &scores);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct deberta *d = values;
    const struct query_key_rows rows = rows_of(d);

    query_key_fill_rows(build, BUCKETS, &rows);
    for (size_t output = C2P; output <= BIAS; output++)
        if (pe_wants(pe_build_args(build), output))
            fill(build, d, output);
    pe_build_fact_text(build, "sign", "buckets are of query - key");
}

const struct pe_encoding pe_encoding_deberta = {
    .name = "deberta",
    .title = "DeBERTa: disentangled attention",
    .formula = "bias = (query . key_table[x] + key . query_table[x]) / sqrt(3 head_dim), "
               "x = clamp(bucket + S, 0, 2 S - 1), S half of the rows; bucket = q - k up to "
               "position_buckets / 2, then by its logarithm",
    .when_to_use =
        "DeBERTa takes position_buckets=-1, DeBERTa V2 and V3 the default buckets. t5 "
        "buckets distances for a bias without vectors.",
    .what_goes_wrong =
        "The paper writes k - q for position to content, both public codes take q - k "
        "for both "
        "terms. Scores and bias are divided by sqrt(head_dim (1 + terms)), not by "
        "sqrt(head_dim). microsoft/DeBERTa clamps far distances, transformers does not. "
        "Float32 logarithms put distances at the edges into the wrong bucket.",
    .picture = "len=8&position_buckets=4&max_relative_positions=8"
               "&key_table=-2;-1;0;2;3;1;0;-1&query_table=1;2;0;-1;4;-1;0;2"
               "&queries=1;1;0.5;0.5;-0.5;-0.5;-1;-1&keys=1;-1;1;-1;1;-1;1;-1",
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
