/* SPDX-License-Identifier: Apache-2.0
 * cope.c - contextual position encoding: positions counted by gates on the keys between.
 *
 *     gate[i][t] = sigmoid(logits[i][t]), position[i][j] = min(sum over t = j..i of gate[i][t],
 *     rows - 1),   z[n] = query i . table[n]
 *     bias[i][j] = z at the position: linear between its neighbours, or
 *     sum over n of softmax_n(-|position - n| / temperature) z[n]
 *
 * Keys after the query have no gate and mask_value; the last query is the last key.
 * Golovneva et al. 2024, Contextual Position Encoding, section 4; the soft form and talking
 * heads, which mix the logits before the gates, are those of x-transformers.
 */
#include <math.h>

#include "core/encodings/bias/cope.h"
#include "core/math/tensor_row.h"

static const struct pe_choice interpolations[] = {
    [COPE_LINEAR] = {"linear", NULL, "between the two rows beside the position", NULL},
    [COPE_SOFTMAX] = {"softmax", NULL, "all rows, by their distance", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct cope, logits), .type = PE_TENSOR, .table = true, .required = true,
     .summary = "scores before positions: heads, queries, keys; or of one head"},
    {PE_FIELD(struct cope, queries), .type = PE_TENSOR, .table = true, .optional = true,
     .summary = "vectors of the queries: heads, queries, dim; or of one head"},
    {PE_FIELD(struct cope, table), .type = PE_TENSOR, .table = true, .optional = true,
     .summary = "learned vectors, a row a position"},
    {PE_FIELD(struct cope, products), .type = PE_TENSOR, .table = true, .optional = true,
     .summary = "instead of queries and table: heads, queries, positions"},
    {PE_FIELD(struct cope, npos_max), .type = PE_INT, .min = 0, .max = 65536,
     .summary = "rows of the table, where out=positions ends; 0: it does not"},
    {PE_FIELD(struct cope, talking_heads), .type = PE_REALS, .matrix = true, .min = -1e18,
     .max = 1e18, .summary = "mixes the logits of all heads first, a row a head"},
    {PE_FIELD(struct cope, interpolation), .type = PE_CHOICE, .choices = interpolations,
     .summary = "what stands between rows"},
    {PE_FIELD(struct cope, temperature), .type = PE_REAL, .min = 1e-3, .max = 1e18,
     .preset = 0.05, .summary = "of interpolation=softmax: how soft"},
    CAUSAL_MASK_ROW(struct cope, mask_value),
};

#define COPE_NAMES "logits", "talking_heads", "mask_value"

static const struct pe_output outputs[] = {
    [COPE_BIAS] =
        {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"),
         .summary = "added to the attention scores", .by_default = true,
         .uses = PE_WORDS(COPE_NAMES, "queries", "table", "products", "interpolation",
                          "temperature"),
         .bound = "0.501 ULP; f64 2 ULP; and 2^-50 of the largest product times positions, "
                  "over temperature"},
    [COPE_POSITIONS] =
        {PE_OUTPUT("positions", PE_F32, "heads", "q", "k"),
         .summary = "how many keys the gates counted", .uses = PE_WORDS(COPE_NAMES, "npos_max"),
         .bound = "0.501 ULP; f64 1 ULP; of logits mixed, above 2^-20 of their terms"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct cope *c = values;

    tensor_row_widen(&c->logits, 3);
    tensor_row_widen(&c->queries, 3);
    tensor_row_widen(&c->products, 3);
    if (c->interpolation == COPE_LINEAR)
        c->temperature = NAN;
}

/* ---- rules ------------------------------------------------------------------------------- */

static void check_rows(const struct cope *c, const struct pe_tensor *rows, const char *name,
                       struct pe_errors *errors)
{
    if (tensor_row_check(rows, name, "heads,queries,columns", errors))
        return;
    if (rows->dims[0] != c->logits.dims[0] || rows->dims[1] != c->logits.dims[1])
        pe_fail(errors, PE_CONFLICT, name,
                "must have %llu heads of %llu queries, as logits; got %llu of %llu",
                (unsigned long long)c->logits.dims[0], (unsigned long long)c->logits.dims[1],
                (unsigned long long)rows->dims[0], (unsigned long long)rows->dims[1]);
}

static void check_products(const struct cope *c, struct pe_errors *errors)
{
    bool vectors = c->queries.rank > 0 && c->table.rank > 0;

    if (c->products.rank > 0) {
        if (c->queries.rank > 0 || c->table.rank > 0)
            pe_fail(errors, PE_CONFLICT, "products",
                    "stand for queries and table; leave those out");
        else
            check_rows(c, &c->products, "products", errors);
        return;
    }
    if (!vectors) {
        pe_fail(errors, PE_MISSING_PARAMETER, c->queries.rank > 0 ? "table" : "queries",
                "is required for out=bias: queries and table, or products");
        return;
    }
    check_rows(c, &c->queries, "queries", errors);
    if (!tensor_row_check(&c->table, "table", "positions,dim", errors) &&
        c->table.dims[1] != c->queries.dims[2])
        pe_fail(errors, PE_CONFLICT, "table", "must have %llu columns, as queries; got %llu",
                (unsigned long long)c->queries.dims[2], (unsigned long long)c->table.dims[1]);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct cope *c = values;
    const struct pe_reals *mix = &c->talking_heads;

    if (tensor_row_check(&c->logits, "logits", "heads,queries,keys", errors))
        return;
    if (c->logits.dims[1] > c->logits.dims[2])
        pe_fail(errors, PE_CONFLICT, "logits",
                "must have no more queries than keys; the last query is the last key");
    if (mix->rows > 0 && (mix->rows != c->logits.dims[0] || mix->cols != c->logits.dims[0]))
        pe_fail(errors, PE_CONFLICT, "talking_heads",
                "must have a row and a column a head, %llu; got %zu of %zu",
                (unsigned long long)c->logits.dims[0], mix->rows, mix->cols);
    if (pe_wants(args, COPE_BIAS)) {
        check_products(c, errors);
        if (PE_GIVEN(args, struct cope, temperature) && c->interpolation == COPE_LINEAR)
            pe_fail(errors, PE_CONFLICT, "temperature",
                    "has no effect without interpolation=softmax");
    }
    causal_check_value(args, c->mask_value,
                       pe_wants(args, COPE_BIAS) ? COPE_BIAS : COPE_POSITIONS, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct cope *c = values;

    for (size_t i = 0; i < 3; i++)
        dims[i] = c->logits.dims[i];
    return 3;
}

const struct pe_encoding pe_encoding_cope = {
    .name = "cope",
    .summary = "attention bias of positions that gates on the keys count",
    .source = "Golovneva et al. 2024, Contextual Position Encoding, section 4; x-transformers",
    .examples = PE_WORDS("logits=0,1;2,3&products=0.1,0.7;0.2,0.3",
                         "logits=0,1;2,3&queries=1,0;0,1&table=1,2;3,4;5,6",
                         "logits=0,1;2,3&out=positions",
                         "logits=0,1&products=1,2,3&interpolation=softmax&temperature=0.5"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct cope, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .prepare = cope_prepare,
};
