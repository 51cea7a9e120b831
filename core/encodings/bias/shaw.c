/* SPDX-License-Identifier: Apache-2.0
 * shaw.c - relative position representations: a learned vector for each clipped distance, added
 * to the key and to the value.
 *
 *     x = clamp(k - q, -left, right) + left
 *     score += query . table[x] / sqrt(dim)     value += sum over keys of p table[x]
 *
 * Shaw et al. 2018, Self-Attention with Relative Position Representations, section 3.2; left
 * and right differ in SeamlessM4T v2. A Music Transformer's skewing gives the same numbers.
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
    int64_t max_relative, left, right;
    bool scaled;
    struct pe_tensor table, queries, probabilities;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct shaw, pairs),
    {PE_FIELD(struct shaw, max_relative), .type = PE_INT, .optional = true, .expanded = true,
     .min = 0, .max = 0x1p40, .summary = "left and right in one: distances are clipped to it"},
    {PE_FIELD(struct shaw, left), .type = PE_INT, .optional = true, .min = 0, .max = 0x1p40,
     .summary = "keys farther before the query count as this far"},
    {PE_FIELD(struct shaw, right), .type = PE_INT, .optional = true, .min = 0, .max = 0x1p40,
     .summary = "keys farther after the query count as this far"},
    {PE_FIELD(struct shaw, scaled), .type = PE_BOOL, .preset = 1,
     .summary = "the bias is divided by the root of dim, as scores are"},
    {PE_TENSOR_TABLE(struct shaw, table), .required = true,
     .summary = "learned vectors, a row a distance; with three axes, heads first"},
    {PE_TENSOR_TABLE(struct shaw, queries), .required = true,
     .summary = "vectors of the queries: heads, positions, dim; or of one head"},
    {PE_TENSOR_TABLE(struct shaw, probabilities), .required = true,
     .summary = "shares of the keys: heads, queries, keys; or of one head"},
};

#define INDEX_NAMES "len", "q", "k", "max_relative", "left", "right"

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"),
               .summary = "row of the table for each query and key", .by_default = true,
               .uses = PE_WORDS(INDEX_NAMES), .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"),
              .summary = "added to the scaled scores",
              .uses = PE_WORDS(INDEX_NAMES, "scaled", "table", "queries"),
              .bound = LOOKUP_SCORES_BOUND},
    [VALUES] = {PE_OUTPUT("values", PE_F32, "heads", "q", "dim"),
                .summary = "added to the attended values",
                .uses = PE_WORDS(INDEX_NAMES, "table", "probabilities"),
                .bound = LOOKUP_SCORES_BOUND},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct shaw *s = values;
    bool sides = s->left != PE_ABSENT_INT || s->right != PE_ABSENT_INT;

    if (s->max_relative != PE_ABSENT_INT && sides) {
        pe_fail(errors, PE_CONFLICT, "max_relative", "means left and right; give it alone");
        return;
    }
    if (s->max_relative != PE_ABSENT_INT)
        s->left = s->right = s->max_relative;
    if (s->left == PE_ABSENT_INT || s->right == PE_ABSENT_INT) {
        pe_fail(errors, PE_MISSING_PARAMETER, sides ? "left" : "max_relative",
                sides ? "and right must be given, both"
                      : "is required, or left and right: where distances are clipped");
        return;
    }
    lookup_one_head(&s->queries);
    lookup_one_head(&s->probabilities);
    query_key_resolve(args, offsetof(struct shaw, pairs), true, true, errors);
}

static uint64_t rows_of(const struct shaw *s)
{
    return (uint64_t)(s->left + s->right + 1);
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
    double low = -(double)s->left, high = (double)s->right;

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
    .summary = "a learned vector for each clipped distance, in scores and values",
    .source = "Shaw et al. 2018, Self-Attention with Relative Position Representations, "
              "section 3.2; SeamlessM4T v2",
    .examples =
        PE_WORDS("len=4&max_relative=2", "len=4&left=2&right=1",
                 "len=2&max_relative=1&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1",
                 "len=2&max_relative=1&out=values&table=1,2;3,4;5,6&probabilities=1,0;0.5,0.5"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct shaw, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .prepare = prepare,
};
