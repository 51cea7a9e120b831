/* SPDX-License-Identifier: Apache-2.0
 * shaw.c - relative position representations: a learned vector for each clipped distance, added
 * to the key and to the value.
 *
 *     x = clamp(k - q, -max_left, max_right) + max_left
 *     score += query . table[x] / sqrt(dim)     value += sum over keys of p table[x]
 *
 * Shaw et al. 2018, Self-Attention with Relative Position Representations, section 3.2; left
 * and right differ in SeamlessM4T v2 and w2v-BERT 2.0 (64 and 8). A Music Transformer's skewing
 * gives the same numbers.
 */
#include <math.h>

#include "core/encodings/bias/query_key.h"
#include "core/math/linear/dot.h"
#include "core/math/relative/lookup.h"
#include "core/math/tensor_row.h"

enum { INDEX, BIAS, VALUES };
enum { TABLE, QUERIES, PROBABILITIES }; /* inputs */

struct shaw {
    struct query_key pairs;
    int64_t max_distance, max_left, max_right;
    bool scaled;
    struct pe_tensor table, queries, probabilities;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct shaw, pairs),
    {PE_FIELD(struct shaw, max_distance), .type = PE_INT, .optional = true, .expanded = true,
     .min = 0, .max = 0x1p40,
     .summary = "distance to which both sides are clipped: max_left and max_right in one"},
    {PE_FIELD(struct shaw, max_left), .type = PE_INT, .optional = true, .min = 0, .max = 0x1p40,
     PE_OWN("transformers", DISTANCE, ADVANCED),
     .summary = "distance to which keys before the query are clipped"},
    {PE_FIELD(struct shaw, max_right), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p40, PE_OWN("transformers", DISTANCE, ADVANCED),
     .summary = "distance to which keys after the query are clipped"},
    {PE_FIELD(struct shaw, scaled), .type = PE_BOOL, .preset = 1,
     .summary = "whether the bias is divided by the root of dim, as scores are"},
    {PE_TENSOR_TABLE(struct shaw, table), .required = true,
     .summary =
         "learned vectors, a row a clipped distance; with three axes the first is the head"},
    {PE_TENSOR_TABLE(struct shaw, queries), .required = true,
     .summary = "query vectors, as heads, positions, dim; or of one head"},
    {PE_TENSOR_TABLE(struct shaw, probabilities), .required = true,
     PE_OWN("posenc", VECTORS, ADVANCED),
     .summary = "attention probabilities, as heads, queries, keys; or of one head"},
};

#define INDEX_NAMES "len", "q", "k", "max_distance", "max_left", "max_right"
#define INDEX_ONE_OF QUERY_KEY_ONE_OF "&max_distance|max_left&max_distance|max_right"

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"), .label = "Index", .one_of = INDEX_ONE_OF,
               .sign = PE_NOT_NEGATIVE, .picture = "len=48&max_distance=16",
               .summary = "row of the table for each query and key", .by_default = true,
               .uses = PE_WORDS(INDEX_NAMES), .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .one_of = INDEX_ONE_OF,
              .summary = "bias that is added to the scaled attention scores",
              .uses = PE_WORDS(INDEX_NAMES, "scaled", "table", "queries"),
              .bound = LOOKUP_SCORES_BOUND},
    [VALUES] = {PE_OUTPUT("values", PE_F32, "heads", "q", "dim"), .label = "Values",
                .one_of = INDEX_ONE_OF,
                .summary = "vectors that are added to the attended values",
                .uses = PE_WORDS(INDEX_NAMES, "table", "probabilities"),
                .bound = LOOKUP_SCORES_BOUND},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct shaw *s = values;
    bool sides = s->max_left != PE_ABSENT_INT || s->max_right != PE_ABSENT_INT;

    if (s->max_distance != PE_ABSENT_INT && sides) {
        pe_fail(errors, PE_CONFLICT, "max_distance", "means left and right; give it alone");
        return;
    }
    if (s->max_distance != PE_ABSENT_INT)
        s->max_left = s->max_right = s->max_distance;
    if (s->max_left == PE_ABSENT_INT || s->max_right == PE_ABSENT_INT) {
        pe_fail(errors, PE_MISSING_PARAMETER, sides ? "max_left" : "max_distance",
                sides ? "and max_right must be given, both"
                      : "is required, or max_left and max_right: where distances are clipped");
        return;
    }
    lookup_one_head(&s->queries);
    lookup_one_head(&s->probabilities);
    query_key_resolve(args, offsetof(struct shaw, pairs), true, true, errors);
}

static uint64_t rows_of(const struct shaw *s)
{
    return (uint64_t)(s->max_left + s->max_right + 1);
}

static enum pe_status check_probabilities(const struct shaw *s, struct pe_errors *errors)
{
    const uint64_t *shape = s->probabilities.dims;
    uint64_t queries = pe_positions_count(s->pairs.q), keys = pe_positions_count(s->pairs.k);
    enum pe_status status =
        lookup_check_vectors(&s->probabilities, "probabilities", "queries", queries, errors);
    struct pe_tensor as_wide = s->probabilities; /* these heads, the table's width */

    if (status)
        return status;
    if (shape[2] != keys)
        return pe_fail(errors, PE_CONFLICT, "probabilities",
                       "must hold %llu keys along axis 2; got %llu", (unsigned long long)keys,
                       (unsigned long long)shape[2]);
    as_wide.dims[2] = s->table.dims[s->table.rank - 1];
    return lookup_check_rows(&s->table, "table", rows_of(s), &as_wide, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct shaw *s = values;

    if (pe_wants(args, BIAS)) {
        lookup_check_vectors(&s->queries, "queries", "queries", pe_positions_count(s->pairs.q),
                             errors);
        if (errors->count == 0)
            lookup_check_rows(&s->table, "table", rows_of(s), &s->queries, errors);
    }
    if (errors->count == 0 && pe_wants(args, VALUES))
        check_probabilities(s, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    return (struct pe_interval){0, (double)(rows_of(values) - 1)};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct shaw *s = values;

    if (output == INDEX)
        return query_key_shape(&s->pairs, dims);
    dims[0] = output == BIAS ? s->queries.dims[0] : s->probabilities.dims[0];
    query_key_shape(&s->pairs, dims + 1);
    if (output == VALUES)
        dims[2] = s->table.dims[s->table.rank - 1];
    return 3;
}

static double clip(const void *rule, double difference)
{
    const struct shaw *s = rule;
    double low = -(double)s->max_left, high = (double)s->max_right;

    return fmin(fmax(-difference, low), high) - low;
}

/* ---- values ------------------------------------------------------------------------------ */

enum { RUN = 256 };

struct attended {
    const struct shaw *shaw;
    struct lookup lookup;
};

/* Returns one element: the sum over all keys of p table[x][col]. */
static double attend(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct attended *a = state;
    const struct shaw *s = a->shaw;
    uint64_t head = row / s->probabilities.dims[1], query = row % s->probabilities.dims[1];
    uint64_t keys = s->probabilities.dims[2], width = s->table.dims[s->table.rank - 1];
    uint64_t first = s->table.rank == 3 ? head * s->table.dims[1] : 0;
    double shares[RUN], rows[RUN];
    struct dd sum = {0, 0};

    for (uint64_t key = 0; key < keys; key += RUN) {
        size_t run = keys - key < RUN ? (size_t)(keys - key) : RUN;

        tensor_row(&s->probabilities, input[PROBABILITIES], row, key, run, shares);
        a->lookup.row(a->lookup.rule, query, key, run, rows);
        for (size_t t = 0; t < run; t++)
            rows[t] = tensor_row_at(&s->table, input[TABLE],
                                    (first + (uint64_t)rows[t]) * width + col);
        sum = dot_add(sum, shares, rows, run);
    }
    return sum.hi + sum.lo;
}

static double values_cost(const void *state, enum pe_dtype dtype)
{
    const struct attended *a = state;

    return 20 * (double)a->shaw->probabilities.dims[2];
}

static const struct pe_filler values_filler = {.element = attend, .cost = values_cost};

/* ---- outputs ----------------------------------------------------------------------------- */

static void prepare(struct pe_build *build, const void *values)
{
    const struct shaw *s = values;
    const struct query_key_rows *rows = query_key_rows_new(
        build, &(struct query_key_rows){.pairs = &s->pairs, .difference = clip, .rule = s});
    struct attended *attended = pe_build_alloc(build, sizeof *attended);
    struct lookup_scores scores = {.count = 1,
                                   .queries = pe_positions_count(s->pairs.q),
                                   .scale = lookup_scale(s->scaled, s->queries.dims[2])};

    if (!rows || !attended)
        return;
    *attended = (struct attended){s, query_key_lookup(rows)};
    scores.products[0] = (struct lookup_product){attended->lookup,
                                                 {&s->queries, QUERIES},
                                                 {&s->table, TABLE},
                                                 false};
    query_key_fill_rows(build, INDEX, rows);
    lookup_fill_scores(build, BIAS, &scores);
    pe_build_fill(build, VALUES, &values_filler, attended);
    pe_build_fact_text(build, "sign", "rows are of key - query");
}

const struct pe_encoding pe_encoding_shaw = {
    .name = "shaw",
    .title = "Relative position representations (Shaw)",
    .formula = "x = clamp(k - q, -max_left, max_right) + max_left; score += query . table[x] / "
               "sqrt(dim); value += sum over keys of p table[x]",
    .when_to_use =
        "The first relative positions: Music Transformer, SeamlessM4T v2 and wav2vec2-BERT "
        "use them; w2v-BERT 2.0 clips at max_left=64 and max_right=8. Biases without vectors "
        "(t5) are cheaper.",
    .what_goes_wrong =
        "x counts key - query: with query - key the table is turned round, which symmetric "
        "tests do not show. The first row is the farthest key before the query. The table of "
        "values is another one than that of keys.",
    .picture =
        "len=8&max_distance=4&table=0,0.841,0.909,0.141;0.841,0.909,0.141,-0.757;0.909,0.141,"
        "-0.757,-0.959;0.141,-0.757,-0.959,-0.279;-0.757,-0.959,-0.279,0.657;-0.959,-0.279,"
        "0.657,0.989;-0.279,0.657,0.989,0.412;0.657,0.989,0.412,-0.544;0.989,0.412,-0.544,-1&"
        "queries=1,0.54,-0.416,-0.99;0.765,-0.129,-0.904,-0.848;0.17,-0.737,-0.967,-0.307;"
        "-0.505,-0.999,-0.575,0.378;-0.942,-0.791,0.087,0.886;-0.936,-0.211,0.709,0.977;"
        "-0.49,0.469,0.997,0.608;0.187,0.927,0.816,-0.046&probabilities=1,0.6,0.36,0.216,"
        "0.13,0.078,0.047,0.028;0.6,1,0.6,0.36,0.216,0.13,0.078,0.047;0.36,0.6,1,0.6,0.36,"
        "0.216,0.13,0.078;0.216,0.36,0.6,1,0.6,0.36,0.216,0.13;0.13,0.216,0.36,0.6,1,0.6,"
        "0.36,0.216;0.078,0.13,0.216,0.36,0.6,1,0.6,0.36;0.047,0.078,0.13,0.216,0.36,0.6,1,"
        "0.6;0.028,0.047,0.078,0.13,0.216,0.36,0.6,1",
    .summary = "a learned vector for each clipped distance, in scores and values",
    .source = "Shaw et al. 2018, Self-Attention with Relative Position Representations, "
              "section 3.2; SeamlessM4T v2",
    .examples = PE_WORDS("len=4&max_distance=2", "len=4&max_left=2&max_right=1",
                         "len=2&max_distance=1&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1",
                         "len=2&max_distance=1&out=values&table=1,2;3,4;5,6&probabilities=1,0;"
                         "0.5,0.5"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct shaw, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
