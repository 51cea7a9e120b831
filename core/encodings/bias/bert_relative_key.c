/* SPDX-License-Identifier: Apache-2.0
 * bert_relative_key.c - a learned vector for each distance, multiplied by the query and perhaps
 * by the key.
 *
 *     x = q - k + max_position_embeddings - 1,   bias = query . table[x] / sqrt(dim)
 *     relative_key_query:        bias = (query . table[x] + key . table[x]) / sqrt(dim)
 *
 * Distances are not clipped: no two positions may be max_position_embeddings apart, or more.
 * After Huang et al. 2020, Improve Transformer Models with Better Relative Position Embeddings,
 * methods 2 and 4; transformers modeling_bert.py, before 5.0.
 */
#include "core/encodings/bias/query_key.h"
#include "core/math/relative/lookup.h"

enum { INDEX, BIAS, QUERY_KEY_BIAS };
enum { TABLE, QUERIES, KEYS }; /* inputs */

struct bert_relative_key {
    struct query_key pairs;
    int64_t max_position_embeddings;
    bool scaled;
    struct pe_tensor table, queries, keys;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct bert_relative_key, pairs),
    {PE_FIELD(struct bert_relative_key, max_position_embeddings), .type = PE_INT,
     .required = true, .min = 1, .max = 0x1p40,
     .summary = "positions that the table is for, as in the config: it has twice as many rows, "
                "less 1"},
    {PE_FIELD(struct bert_relative_key, scaled), .type = PE_BOOL, .preset = 1,
     .summary = "divide the bias by the root of head_dim, as BERT divides its scores"},
    {PE_TENSOR_TABLE(struct bert_relative_key, table), .required = true,
     .summary = "learned vectors (distance_embedding of BERT), a row for each value of index"},
    {PE_TENSOR_TABLE(struct bert_relative_key, queries), .required = true,
     .summary = "query vectors: heads, q, head_dim; or q, head_dim of one head"},
    {PE_TENSOR_TABLE(struct bert_relative_key, keys), .required = true,
     .summary = "key vectors: heads, k, head_dim; or k, head_dim of one head"},
};

#define INDEX_NAMES "len", "q", "k", "max_position_embeddings"

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"), .label = "Index",
               .picture = "len=48&max_position_embeddings=48", .one_of = QUERY_KEY_ONE_OF,
               .sign = PE_NOT_NEGATIVE, .summary = "row of the table for each query and key",
               .by_default = true, .uses = PE_WORDS(INDEX_NAMES), .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias by queries",
              .one_of = QUERY_KEY_ONE_OF,
              .summary = "query . row: the bias of relative_key, added to the scaled scores",
              .uses = PE_WORDS(INDEX_NAMES, "scaled", "table", "queries"),
              .bound = LOOKUP_SCORES_BOUND},
    [QUERY_KEY_BIAS] = {PE_OUTPUT("query_key_bias", PE_F32, "heads", "q", "k"),
                        .label = "Bias by queries and keys", .one_of = QUERY_KEY_ONE_OF,
                        .summary = "query . row + key . row: the bias of relative_key_query, "
                                   "added to the scaled scores",
                        .bound = LOOKUP_SCORES_BOUND},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct bert_relative_key *b = values;

    lookup_one_head(&b->queries);
    lookup_one_head(&b->keys);
    query_key_resolve(args, offsetof(struct bert_relative_key, pairs), true, true, errors);
}

static uint64_t rows_of(const struct bert_relative_key *b)
{
    return (uint64_t)(2 * b->max_position_embeddings - 1);
}

static double spread(const struct pe_positions *positions)
{
    double low, high;

    pe_positions_range(positions, &low, &high);
    return high - low;
}

static void check_distances(const struct bert_relative_key *b, struct pe_errors *errors)
{
    double low, high, most = (double)(b->max_position_embeddings - 1);
    const char *name = spread(b->pairs.q) >= spread(b->pairs.k) ? "q" : "k";

    query_key_range(&b->pairs, &low, &high);
    if (low >= -most && high <= most)
        return;
    pe_fail(errors, PE_OUT_OF_RANGE, b->pairs.len != PE_ABSENT_INT ? "len" : name,
            "must keep queries and keys within %.0f of each other, max_position_embeddings "
            "less 1: "
            "distances are not clipped; got %.0f",
            most, high > most ? high : -low);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct bert_relative_key *b = values;
    bool both = pe_wants(args, QUERY_KEY_BIAS), any = both || pe_wants(args, BIAS);

    if (any)
        lookup_check_vectors(&b->queries, "queries", "queries", pe_positions_count(b->pairs.q),
                             errors);
    if (errors->count == 0 && both)
        lookup_check_vectors(&b->keys, "keys", "keys", pe_positions_count(b->pairs.k), errors);
    if (errors->count == 0 && both)
        lookup_check_alike(&b->keys, "keys", &b->queries, errors);
    if (errors->count == 0 && any)
        lookup_check_rows(&b->table, "table", rows_of(b), &b->queries, errors);
    if (errors->count == 0)
        check_distances(b, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    return (struct pe_interval){0, (double)(rows_of(values) - 1)};
}

static double row_at(const void *rule, double difference)
{
    return difference +
           (double)(((const struct bert_relative_key *)rule)->max_position_embeddings - 1);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct bert_relative_key *b = values;
    const struct query_key_rows *rows = query_key_rows_new(
        build, &(struct query_key_rows){.pairs = &b->pairs, .difference = row_at, .rule = b});
    struct lookup_scores scores = {.queries = pe_positions_count(b->pairs.q),
                                   .scale = lookup_scale(b->scaled, b->queries.dims[2])};

    if (!rows)
        return;
    query_key_fill_rows(build, INDEX, rows);
    scores.products[scores.count++] = (struct lookup_product){query_key_lookup(rows),
                                                              {&b->queries, QUERIES},
                                                              {&b->table, TABLE},
                                                              false};
    lookup_fill_scores(build, BIAS, &scores);
    scores.products[scores.count++] = (struct lookup_product){query_key_lookup(rows),
                                                              {&b->keys, KEYS},
                                                              {&b->table, TABLE},
                                                              true};
    lookup_fill_scores(build, QUERY_KEY_BIAS, &scores);
    pe_build_fact_text(build, "sign", "rows are of query - key");
}

const struct pe_encoding pe_encoding_bert_relative_key = {
    .name = "bert-relative-key",
    .title = "BERT relative keys",
    .formula =
        "bias = query . table[x] / sqrt(head_dim), x = q - k + max_position_embeddings - 1; "
        "relative_key_query: (query . table[x] + key . table[x]) / sqrt(head_dim)",
    .when_to_use =
        "BERT, ALBERT, ELECTRA and other Hugging Face models before transformers 5.0 "
        "use it where position_embedding_type is relative_key or relative_key_query. "
        "shaw clips distances and counts key - query.",
    .what_goes_wrong =
        "Rows count query - key, the opposite of Shaw, and distances are not clipped: longer "
        "texts read outside the table. The bias joins the scores before they are divided by "
        "sqrt(head_dim). In decoding the query stands at the last key.",
    .picture = "len=8&max_position_embeddings=8"
               "&table=-3;-2;-2;-1;-1;0;2;4;2;0;-1;-1;-2;-2;-3"
               "&queries=1;1;0.5;0.5;-0.5;-0.5;-1;-1&keys=1;-1;1;-1;1;-1;1;-1",
    .summary = "a learned vector for each distance, in scores (relative_key, _key_query)",
    .source = "Huang et al. 2020, Improve Transformer Models with Better Relative Position "
              "Embeddings; transformers modeling_bert.py",
    .examples = PE_WORDS(
        "len=3&max_position_embeddings=3", "q=2:3&k=0:3&max_position_embeddings=4",
        "len=2&max_position_embeddings=2&out=bias&table=1,2;3,4;5,6&queries=1,0;0,1",
        "len=2&max_position_embeddings=2&out=query_key_bias&table=1,2;3,4;5,6&queries=1,0;0,1"
        "&keys=1,1;2,0"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct bert_relative_key, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .lengths = PE_WORDS("heads=queries.0"),
    .prepare = prepare,
};
