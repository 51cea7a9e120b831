/* SPDX-License-Identifier: Apache-2.0
 * cope.c - contextual position encoding: a position is the sum of gates over the keys between.
 *
 *     gate[i][t] = sigmoid(scores[i][t]), position[i][j] = min(sum over t = j..i of gate[i][t],
 *     rows - 1),   z[n] = query i . table[n]
 *     bias[i][j] = z at the position: linear between its neighbours, or
 *     sum over n of softmax_n(-|position - n| / temperature) z[n]
 *
 * Later keys have no gate, and the bias mask_value; the last query stands at the last key.
 * Golovneva et al. 2024, Contextual Position Encoding, section 4; the soft form and talking
 * heads, which mix the scores before the gates, are those of x-transformers.
 */
#include <math.h>

#include "core/encodings/bias/causal.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/mlp.h"
#include "core/math/tensor_row.h"

enum { BIAS, POSITIONS };                  /* outputs */
enum { SCORES, QUERIES, TABLE, PRODUCTS }; /* inputs */
enum { LINEAR, SOFTMAX };

struct cope {
    struct pe_tensor scores, queries, table, products;
    struct pe_reals talking_heads;
    int64_t npos_max;
    int interpolation;
    double temperature, mask_value;
};

static const struct pe_param params[] = {
    {PE_TENSOR_TABLE(struct cope, scores), .required = true,
     .summary = "attention scores without positions: heads, q, k; or q, k of one head"},
    {PE_TENSOR_TABLE(struct cope, queries), .required = true, .when = "!products",
     .summary = "query vectors: heads, q, head_dim; or q, head_dim of one head"},
    {PE_TENSOR_TABLE(struct cope, table), .required = true, .when = "!products",
     .summary = "learned vectors of the positions, a row a position from 0 on"},
    {PE_TENSOR_TABLE(struct cope, products), .optional = true,
     PE_OWN("posenc", VECTORS, ADVANCED),
     .summary = "products of queries and table, in place of both: heads, q, positions"},
    {PE_FIELD(struct cope, npos_max), .type = PE_INT, .min = 0, .max = 65536,
     PE_OWN("Golovneva et al. 2024", SHAPE, ADVANCED),
     .summary = "number of rows of the table: positions stop at the last one; 0: they do not"},
    {PE_WEIGHTS(struct cope, talking_heads), .matrix = true,
     PE_OWN("x-transformers", WEIGHTS, ADVANCED),
     .summary = "matrix that mixes the scores of all heads before the gates, a row a head"},
    {PE_FIELD(struct cope, interpolation),
     PE_CHOICES(
         PE_ONE_AT(LINEAR, "linear",
                   "linearly between the two rows beside the position (the paper)"),
         PE_ONE_AT(
             SOFTMAX, "softmax",
             "mean of all rows, weighted by a softmax of their distances (x-transformers)")),
     .summary = "how a position between rows of the table is looked up"},
    {PE_FIELD(struct cope, temperature), .type = PE_REAL, .min = 1e-3, .max = 1e18,
     .preset = 0.05, .when = "interpolation=softmax",
     PE_OWN("x-transformers", DISTANCE, ADVANCED),
     .summary = "divisor of the distances of rows before their softmax: small is sharp"},
    CAUSAL_MASK_ROW(struct cope, mask_value, NULL),
};

#define SHARED_NAMES "scores", "talking_heads", "mask_value"

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the attention scores", .by_default = true,
              .one_of = "queries|products&table|products",
              .uses = PE_WORDS(SHARED_NAMES, "queries", "table", "products", "interpolation",
                               "temperature"),
              .bound =
                  "0.501 ULP; f64 2 ULP; and 2^-50 of the largest product times positions, "
                  "over temperature"},
    [POSITIONS] = {PE_OUTPUT("positions", PE_F32, "heads", "q", "k"), .label = "Positions",
                   .summary = "sum of the gates from each key to the query",
                   .uses = PE_WORDS(SHARED_NAMES, "npos_max"),
                   .bound =
                       "0.501 ULP; f64 1 ULP; of scores mixed, above 2^-20 of their terms"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct cope *c = values;

    tensor_row_widen(&c->scores, 3);
    tensor_row_widen(&c->queries, 3);
    tensor_row_widen(&c->products, 3);
    if (c->interpolation == LINEAR)
        c->temperature = NAN;
}

/* ---- rules ------------------------------------------------------------------------------- */

static void check_rows(const struct cope *c, const struct pe_tensor *rows, const char *name,
                       struct pe_errors *errors)
{
    if (tensor_row_check(rows, name, "heads,queries,columns", errors))
        return;
    if (rows->dims[0] != c->scores.dims[0] || rows->dims[1] != c->scores.dims[1])
        pe_fail(errors, PE_CONFLICT, name,
                "must have %llu heads of %llu queries, as scores; got %llu of %llu",
                (unsigned long long)c->scores.dims[0], (unsigned long long)c->scores.dims[1],
                (unsigned long long)rows->dims[0], (unsigned long long)rows->dims[1]);
}

static void check_products(const struct cope *c, struct pe_errors *errors)
{
    if (c->products.rank > 0) {
        check_rows(c, &c->products, "products", errors);
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

    if (tensor_row_check(&c->scores, "scores", "heads,queries,keys", errors))
        return;
    if (c->scores.dims[1] > c->scores.dims[2])
        pe_fail(errors, PE_CONFLICT, "scores",
                "must have no more queries than keys; the last query is the last key");
    if (mix->rows > 0 && (mix->rows != c->scores.dims[0] || mix->cols != c->scores.dims[0]))
        pe_fail(errors, PE_CONFLICT, "talking_heads",
                "must have a row and a column a head, %llu; got %zu of %zu",
                (unsigned long long)c->scores.dims[0], mix->rows, mix->cols);
    if (pe_wants(args, BIAS))
        check_products(c, errors);
    causal_check_value(args, c->mask_value, pe_wants(args, BIAS) ? BIAS : POSITIONS, errors);
}

/* ---- positions that gates count, and products there -------------------------------------- */

struct state {
    const struct cope *cope;
    double mask;
    bool bias;
};

/* Returns the count of positions that have a row. */
static uint64_t rows_of(const struct cope *c)
{
    if (c->products.rank > 0)
        return c->products.dims[2];
    return c->table.rank > 0 ? c->table.dims[0] : 0;
}

static struct dd score_at(const struct cope *c, const void *data, uint64_t head, uint64_t query,
                          uint64_t key)
{
    uint64_t heads = c->scores.dims[0], queries = c->scores.dims[1], keys = c->scores.dims[2];
    struct dd sum = {0, 0};

    if (c->talking_heads.rows == 0) {
        sum.hi = tensor_row_at(&c->scores, data, (head * queries + query) * keys + key);
        return sum;
    }
    for (uint64_t g = 0; g < heads; g++) {
        double score = tensor_row_at(&c->scores, data, (g * queries + query) * keys + key);

        sum = dot_add(sum, &c->talking_heads.values[head * heads + g], &score, 1);
    }
    return sum;
}

/* Writes z of all positions: high parts, then low parts. scratch: 2 dim doubles. */
static void read_products(const struct cope *c, const void *const input[], uint64_t row,
                          double *z, double *scratch)
{
    uint64_t rows = rows_of(c), dim = c->table.rank > 0 ? c->table.dims[1] : 0;

    if (c->products.rank > 0) {
        tensor_row(&c->products, input[PRODUCTS], row, 0, rows, z);
        for (uint64_t n = 0; n < rows; n++)
            z[rows + n] = 0;
        return;
    }
    tensor_row(&c->queries, input[QUERIES], row, 0, dim, scratch);
    for (uint64_t n = 0; n < rows; n++) {
        struct dd sum = {0, 0};

        tensor_row(&c->table, input[TABLE], n, 0, dim, scratch + dim);
        sum = dot_add(sum, scratch, scratch + dim, dim);
        z[n] = sum.hi;
        z[rows + n] = sum.lo;
    }
}

static struct dd minus(struct dd x)
{
    return (struct dd){-x.hi, -x.lo};
}

/* Interpolates between the two rows beside a position of 0 .. rows - 1. */
static double linear(const double *z, uint64_t rows, struct dd position)
{
    double below = floor(position.hi);
    struct dd part, low, high;
    uint64_t n;

    if (below == position.hi && position.lo < 0)
        below -= 1;
    part = elementary_add(position, (struct dd){-below, 0});
    n = (uint64_t)below;
    low = (struct dd){z[n], z[rows + n]};
    if (n + 1 >= rows)
        return low.hi;
    high = elementary_add((struct dd){z[n + 1], z[rows + n + 1]}, minus(low));
    return elementary_add(low, elementary_multiply(part, high)).hi;
}

/* Averages all rows with weights exp(-(|position - n| - distance of the nearest) /
 * temperature). */
static double soft(const double *z, uint64_t rows, struct dd position, double temperature)
{
    const struct dd by = {temperature, 0};
    double near =
        floor(position.hi + .5) < (double)rows ? floor(position.hi + .5) : (double)(rows - 1);
    struct dd nearest = elementary_add(position, (struct dd){-near, 0});
    struct dd sum = {0, 0}, weights = {0, 0};

    nearest = nearest.hi < 0 ? minus(nearest) : nearest;
    for (uint64_t n = 0; n < rows; n++) {
        struct dd away = elementary_add(position, (struct dd){-(double)n, 0}), weight;

        away = elementary_add(away.hi < 0 ? minus(away) : away, minus(nearest));
        away = minus(elementary_divide(away, by));
        if (away.hi < -700)
            continue;
        weight = elementary_exp_dd(away);
        weights = elementary_add(weights, weight);
        sum = elementary_add(sum, elementary_multiply(weight, (struct dd){z[n], z[rows + n]}));
    }
    return elementary_divide(sum, weights).hi;
}

static double value_at(const struct state *s, const double *z, struct dd position)
{
    const struct cope *c = s->cope;
    uint64_t rows = s->bias ? rows_of(c) : (uint64_t)c->npos_max;

    if (rows > 0 && position.hi >= (double)(rows - 1))
        position = (struct dd){(double)(rows - 1), 0};
    if (!s->bias || isnan(position.hi))
        return position.hi;
    return c->interpolation == SOFTMAX ? soft(z, rows, position, c->temperature)
                                       : linear(z, rows, position);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    const struct cope *c = s->cope;
    uint64_t queries = c->scores.dims[1], behind = c->scores.dims[2] - queries;
    uint64_t end = rect->col + rect->cols;
    double *z = scratch;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / queries, query = (rect->row + row) % queries;
        double *to = out[0] + row * rect->cols;
        struct dd position = {0, 0};

        if (s->bias)
            read_products(c, input, rect->row + row, z, z + 2 * rows_of(c));
        for (uint64_t j = end; j-- > rect->col && j > behind + query;)
            to[j - rect->col] = s->mask;
        for (uint64_t j = behind + query + 1; j-- > rect->col;) {
            position =
                elementary_add(position, mlp_share(score_at(c, input[SCORES], head, query, j)));
            if (j < end)
                to[j - rect->col] = value_at(s, z, position);
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct cope *c = ((const struct state *)state)->cope;
    size_t dim = c->table.rank > 0 ? c->table.dims[1] : 0;

    return 2 * (rows_of(c) + dim) * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct state *s = state;
    const struct cope *c = s->cope;
    double rows = (double)rows_of(c), keys = (double)c->scores.dims[2];
    double dim = c->table.rank > 0 ? (double)c->table.dims[1] : 1;
    double mixed = c->talking_heads.rows > 0 ? 20 * (double)c->scores.dims[0] : 0;

    if (!s->bias)
        return 200 + mixed;
    return 250 + mixed + 5 * rows * dim / keys + (c->interpolation == SOFTMAX ? 30 * rows : 0);
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

static void prepare(struct pe_build *build, const void *values)
{
    const struct cope *c = values;
    struct state *states = pe_build_alloc(build, 2 * sizeof *states);

    if (!states)
        return;
    for (size_t output = BIAS; output <= POSITIONS; output++) {
        states[output] = (struct state){
            c, causal_mask(pe_build_args(build), c->mask_value, output), output == BIAS};
        pe_build_fill(build, output, &filler, &states[output]);
    }
}

const struct pe_encoding pe_encoding_cope = {
    .name = "cope",
    .title = "CoPE: contextual position encoding",
    .formula = "position[i][j] = min(sum over t = j..i of sigmoid(scores[i][t]), rows - 1); "
               "bias[i][j] = query i . table at that position, interpolated between rows",
    .when_to_use = "CoPE counts what the scores attend to, such as sentences, and not tokens; "
                   "it was tried on counting and copying tasks. It needs the scores of each "
                   "layer, so that no bias can be kept between requests.",
    .what_goes_wrong =
        "Keys after the query must have no gate: some ports rely on masked scores, and "
        "without "
        "the mask the future leaks into all positions. Positions count from the query back, "
        "the query's own key included, and the last query stands at the last key.",
    .picture = "scores=0,0,0,0,0,0,0,0;-2,0,0,0,0,0,0,0;0,2,0,0,0,0,0,0;-2,2,-2,0,0,0,0,0;"
               "2,0,-2,2,0,0,0,0;0,0,2,-2,0,0,0,0;2,2,-2,-2,0,2,0,0;0,-2,2,-2,0,2,-2,0"
               "&queries=1;1;1;1;1;1;1;1&table=4;3;2;1;0;-1;-2;-3&mask_value=-inf",
    .summary = "attention bias of positions that gates on the keys count",
    .source = "Golovneva et al. 2024, Contextual Position Encoding, section 4; x-transformers",
    .examples = PE_WORDS("scores=0,1;2,3&products=0.1,0.7;0.2,0.3",
                         "scores=0,1;2,3&queries=1,0;0,1&table=1,2;3,4;5,6",
                         "scores=0,1;2,3&out=positions",
                         "scores=0,1&products=1,2,3&interpolation=softmax&temperature=0.5"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct cope, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("heads=scores.0", "q=scores.1", "k=scores.2"),
    .prepare = prepare,
};
