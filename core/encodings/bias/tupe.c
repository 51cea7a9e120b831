/* SPDX-License-Identifier: Apache-2.0
 * tupe.c - scores of positions with projections of their own, and a class token untied from
 * them.
 *
 *     u_r = layer norm of row r of the table,   a[r][s] = (wq u_r + bq) . (wk u_s + bk)
 *                                                         / sqrt(2 dim / heads)
 *     bias[i][j] = a[i + 1][j + 1], but column 0 is a[1][1] and row 0 is a[0][0]
 *
 * plus relative_table, if given, at T5's buckets (variant tupe of t5). Scores of contents are
 * divided by this root too. Ke et al. 2021, Rethinking Positional Encoding in Language
 * Pre-training, section 3; guolinke/TUPE transformer_sentence_encoder.py.
 */
#include "core/encoding.h"

#include <math.h>

#include "core/encodings/bias/t5_buckets.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/mlp.h"
#include "core/math/precomputed.h"

enum { BIAS };

static const double most_products = 0x1p30; /* that many take some seconds */

struct tupe {
    int64_t len, heads, num_buckets, max_distance;
    bool layer_norm;
    struct pe_reals table, ln_weight, ln_bias, wq, bq, wk, bk, relative_table;
};

#define WEIGHTS(FIELD, MATRIX, WHEN, ...)                                                      \
    {                                                                                          \
        PE_FIELD(struct tupe, FIELD), .type = PE_REALS, .matrix = (MATRIX), .min = -1e9,       \
                                      .max = 1e9, .when = (WHEN), .summary = __VA_ARGS__       \
    }

static const struct pe_param params[] = {
    {PE_FIELD(struct tupe, len), .type = PE_INT, .required = true, .min = 0, .max = 0x1p20,
     .summary = "number of queries and of keys: both are 0:len"},
    {PE_FIELD(struct tupe, heads), .type = PE_INT, .min = 1, .max = 4096, .preset = 1,
     .summary = "number of heads, which share the rows of the projections in equal parts"},
    {PE_FIELD(struct tupe, table), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e9, .max = 1e9,
     .summary =
         "learned rows of positions: len + 1 or more, the first two for the class token"},
    {PE_FIELD(struct tupe, layer_norm), .type = PE_BOOL, .preset = 1,
     .summary = "rows of table are normalized to mean 0 and variance 1, with 1e-5 added"},
    WEIGHTS(ln_weight, false, "layer_norm",
            "factors on the normalized rows, one a column; 1 by default",
            PE_OWN("guolinke/TUPE", WEIGHTS, ADVANCED)),
    WEIGHTS(ln_bias, false, "layer_norm",
            "numbers that are added to the normalized rows, one a column; 0 by default",
            PE_OWN("guolinke/TUPE", WEIGHTS, ADVANCED)),
    WEIGHTS(wq, true, NULL,
            "weights of the query projection, a row an output; left out: no projection"),
    WEIGHTS(bq, false, NULL, "biases of the query projection, one an output; 0 by default",
            PE_OWN("guolinke/TUPE", WEIGHTS, ADVANCED)),
    WEIGHTS(wk, true, NULL,
            "weights of the key projection, a row an output; left out: no projection"),
    WEIGHTS(bk, false, NULL, "biases of the key projection, one an output; 0 by default",
            PE_OWN("guolinke/TUPE", WEIGHTS, ADVANCED)),
    WEIGHTS(relative_table, true, NULL,
            "learned biases of the buckets of T5, a row a bucket and one more",
            PE_OWN("guolinke/TUPE", WEIGHTS, ADVANCED)),
    {PE_FIELD(struct tupe, num_buckets), .type = PE_INT, .optional = true, .min = 4,
     .max = BUCKET_COUNT_MAX, .when = "relative_table",
     .summary = "number of buckets of relative_table; by default its rows less 1"},
    {PE_FIELD(struct tupe, max_distance), .type = PE_INT, .min = 2, .max = 0x1p40,
     .preset = 128, .when = "relative_table",
     .summary = "distance from which on all share one bucket of relative_table"},
};

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the scaled attention scores",
              .by_default = true,
              .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-30 of their terms"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct tupe *t = values;

    if (t->relative_table.rows > 0 && t->num_buckets == PE_ABSENT_INT)
        t->num_buckets = (int64_t)t->relative_table.rows - 1;
}

static void check_list(const char *name, const struct pe_reals *list, size_t dim,
                       struct pe_errors *errors)
{
    if (list->rows > 0 && list->cols != dim)
        pe_fail(errors, PE_CONFLICT, name,
                "must have %zu numbers, as table has columns; got %zu", dim, list->cols);
}

static void check_square(const char *name, const struct pe_reals *weights, size_t dim,
                         struct pe_errors *errors)
{
    if (weights->rows > 0 && (weights->rows != dim || weights->cols != dim))
        pe_fail(errors, PE_CONFLICT, name,
                "must have %zu rows of %zu, as table has columns; got %zu of %zu", dim, dim,
                weights->rows, weights->cols);
}

static void check_relative(const struct tupe *t, struct pe_errors *errors)
{
    if (t->relative_table.rows == 0)
        return;
    if (t->relative_table.rows != (size_t)t->num_buckets + 1 ||
        t->relative_table.cols != (size_t)t->heads)
        pe_fail(errors, PE_CONFLICT, "relative_table",
                "must have num_buckets + 1 rows, %lld, of one number a head, %lld; got %zu of "
                "%zu",
                (long long)t->num_buckets + 1, (long long)t->heads, t->relative_table.rows,
                t->relative_table.cols);
    t5_buckets_check(t->num_buckets, t->max_distance, true, errors);
}

static double products(const struct tupe *t)
{
    double len = (double)t->len, dim = (double)t->table.cols;

    return len * dim * (len + 2 * dim);
}

static enum pe_status check_sizes(const struct tupe *t, struct pe_errors *errors)
{
    enum pe_status status;

    if (t->table.rows < (size_t)t->len + 1 && t->len > 0)
        return pe_fail(errors, PE_CONFLICT, "table",
                       "must have len + 1 rows or more, %lld; got %zu", (long long)t->len + 1,
                       t->table.rows);
    if (products(t) <= most_products)
        return PE_OK;
    status = pe_fail(errors, PE_TOO_LARGE, "len", "needs %.0f products; at most %.0f",
                     products(t), most_products);
    pe_note_limit(errors, (uint64_t)most_products, (uint64_t)products(t));
    return status;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct tupe *t = values;
    size_t dim = t->table.cols;

    if (dim % (size_t)t->heads != 0)
        pe_fail(errors, PE_CONFLICT, "heads", "must divide the columns of table, %zu; got %lld",
                dim, (long long)t->heads);
    check_list("ln_weight", &t->ln_weight, dim, errors);
    check_list("ln_bias", &t->ln_bias, dim, errors);
    check_square("wq", &t->wq, dim, errors);
    check_list("bq", &t->bq, dim, errors);
    check_square("wk", &t->wk, dim, errors);
    check_list("bk", &t->bk, dim, errors);
    check_relative(t, errors);
    if (errors->count == 0)
        check_sizes(t, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct tupe *t = values;
    const double len = (double)t->len, dim = (double)t->table.cols;
    const double projections = (t->wq.rows > 0) + (t->wk.rows > 0);

    return len * dim * (7 * len + 20 * dim * projections + 100);
}

/* ---- rows -------------------------------------------------------------------------------- */

struct rows { /* high and low parts, [len + 1][dim] */
    double *high, *low;
};

static void project(const struct tupe *t, bool keys, const struct dd *row, struct dd *to)
{
    const struct pe_reals *weights = keys ? &t->wk : &t->wq, *bias = keys ? &t->bk : &t->bq;

    if (weights->rows > 0) {
        mlp_layer(weights, bias, row, to);
        return;
    }
    for (size_t i = 0; i < t->table.cols; i++)
        to[i] =
            bias->rows > 0 ? elementary_add(row[i], (struct dd){bias->values[i], 0}) : row[i];
}

/* Computes the projected rows of queries and keys. scratch: 2 dim double-doubles. */
static void make_rows(const struct pe_build *build, const struct tupe *t, struct rows *queries,
                      struct rows *keys, struct dd *scratch)
{
    size_t dim = t->table.cols;
    struct dd *row = scratch, *to = scratch + dim;

    for (size_t r = 0; r <= (size_t)t->len && !pe_build_stopped(build); r++) {
        for (size_t i = 0; i < dim; i++)
            row[i] = (struct dd){t->table.values[r * dim + i], 0};
        if (t->layer_norm)
            mlp_normalise(row, t->table.cols, &t->ln_weight, &t->ln_bias);
        for (int side = 0; side < 2; side++) {
            struct rows *rows = side ? keys : queries;

            project(t, side == 1, row, to);
            for (size_t i = 0; i < dim; i++) {
                rows->high[r * dim + i] = to[i].hi;
                rows->low[r * dim + i] = to[i].lo;
            }
        }
    }
}

/* ---- scores ------------------------------------------------------------------------------ */

struct scores {
    const struct tupe *tupe;
    struct rows queries, keys;
    const struct t5_buckets *buckets; /* NULL: no relative bias */
    struct dd scale;
};

static struct dd score(const struct scores *s, size_t head, size_t r, size_t c)
{
    size_t dim = s->tupe->table.cols, width = dim / (size_t)s->tupe->heads;
    const double *q = s->queries.high + r * dim + head * width;
    const double *k = s->keys.high + c * dim + head * width;
    const double *q_low = s->queries.low + r * dim + head * width;
    const double *k_low = s->keys.low + c * dim + head * width;
    double rest = 0;

    for (size_t i = 0; i < width; i++)
        rest += q[i] * k_low[i] + q_low[i] * k[i];
    return elementary_multiply(dot_add((struct dd){rest, 0}, q, k, width), s->scale);
}

static double value_at(const struct scores *s, size_t head, size_t i, size_t j)
{
    const struct tupe *t = s->tupe;
    struct dd sum = i == 0   ? score(s, head, 0, 0)
                    : j == 0 ? score(s, head, 1, 1)
                             : score(s, head, i + 1, j + 1);
    double bucket;

    if (s->buckets) {
        bucket = i == 0   ? (double)(t->num_buckets / 2)
                 : j == 0 ? (double)t->num_buckets
                          : t5_buckets_of(s->buckets, (double)i - (double)j);
        sum = elementary_add(
            sum,
            (struct dd){t->relative_table.values[(size_t)bucket * (size_t)t->heads + head], 0});
    }
    return sum.hi + sum.lo;
}

static void fill(struct pe_build *build, const struct tupe *t, double *values)
{
    size_t dim = t->table.cols, len = (size_t)t->len, bytes = (len + 1) * dim * sizeof(double);
    double *parts[4];
    struct dd *scratch = pe_build_alloc(build, 2 * dim * sizeof *scratch);
    struct scores scores = {.tupe = t};

    for (int i = 0; i < 4; i++) {
        parts[i] = pe_build_alloc(build, bytes);
        if (!parts[i])
            return;
    }
    if (t->relative_table.rows > 0) {
        scores.buckets = t5_buckets_new(build, t->num_buckets, t->max_distance, true);
        if (!scores.buckets)
            return;
    }
    if (!scratch)
        return;
    scores.queries = (struct rows){parts[0], parts[1]};
    scores.keys = (struct rows){parts[2], parts[3]};
    scores.scale = elementary_divide(
        (struct dd){1, 0},
        elementary_sqrt((struct dd){2 * (double)(dim / (size_t)t->heads), 0}));
    make_rows(build, t, &scores.queries, &scores.keys, scratch);
    for (size_t row = 0; row < (size_t)t->heads * len; row++) {
        if (pe_build_stopped(build))
            return;
        for (size_t i = 0; i < len; i++)
            values[row * len + i] = value_at(&scores, row / len, row % len, i);
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct tupe *t = values;
    double *out = precomputed_new(build, BIAS, (uint64_t)(t->heads * t->len), (uint64_t)t->len);

    if (out && t->len > 0)
        fill(build, t, out);
    pe_build_fact_text(build, "applies", "after_scale");
}

const struct pe_encoding pe_encoding_tupe = {
    .name = "tupe",
    .title = "TUPE",
    .formula =
        "a[r][s] = (wq u_r + bq) . (wk u_s + bk) / sqrt(2 dim / heads); bias[i][j] = a[i + "
        "1][j + 1], but column 0 is a[1][1] and row 0 is a[0][0]; plus relative_table at "
        "T5's buckets",
    .when_to_use =
        "TUPE computes the scores of positions with projections of their own and adds them "
        "to those of contents, once for all layers; Graphormer and Uni-Mol follow it.",
    .what_goes_wrong =
        "Scores of contents are divided by sqrt(2 dim / heads) too, not by sqrt(dim / "
        "heads). The class token is untied: its row and its column have one number each.",
    .picture =
        "len=12&layer_norm=1&table=0,1,0,1,0,1,0,1;0.841,0.878,0.327,0.969,0.199,0.986,0.142,"
        "0.992;0.909,0.54,0.618,0.878,0.389,0.945,0.282,0.969;0.141,0.071,0.841,0.732,0.565,"
        "0.878,0.416,0.931;-0.757,-0.416,0.972,0.54,0.717,0.786,0.541,0.878;-0.959,-0.801,"
        "0.995,0.315,0.841,0.672,0.655,0.811;-0.279,-0.99,0.909,0.071,0.932,0.54,0.756,0.732;"
        "0.657,-0.936,0.723,-0.178,0.985,0.393,0.841,0.641;0.989,-0.654,0.457,-0.416,1,0.235,"
        "0.91,0.54;0.412,-0.211,0.141,-0.628,0.974,0.071,0.96,0.431;-0.544,0.284,-0.191,"
        "-0.801,0.909,-0.096,0.99,0.315;-1,0.709,-0.501,-0.924,0.808,-0.26,1,0.195;-0.537,"
        "0.96,-0.757,-0.99,0.675,-0.416,0.99,0.071",
    .summary = "scores of positions with projections of their own, the class token untied",
    .source = "Ke et al. 2021, Rethinking Positional Encoding in Language Pre-training; "
              "guolinke/TUPE",
    .examples =
        PE_WORDS("len=2&table=2,0;0,1;1,-1&layer_norm=0", "len=2&table=2,0;0,1;1,-1&heads=2",
                 "len=2&table=2,0;0,1;1,-1&ln_weight=1,2&ln_bias=0,1&wq=1,2;3,4&bq=1,0"
                 "&relative_table=1;2;3;4;5&max_distance=3"),
    .family = PE_BIAS,
    .kind = PE_WHOLE,
    PE_TABLES(struct tupe, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("q=len", "k=len"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
