/* SPDX-License-Identifier: Apache-2.0
 * four_term_expansion.c - scores of contents with positions added, split into four products.
 *
 *     M = scale wq wk^T,   xx = x_i M x_j, xp = x_i M p_j, px = p_i M x_j, pp = p_i M p_j,
 *     sum = (x_i + p_i) M (x_j + p_j)
 *
 * Dai et al. 2019, Transformer-XL, section 3.3, where two terms get learned vectors; T5 keeps
 * xx, TUPE xx and pp, DeBERTa xx, xp and px.
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/linear/dot.h"
#include "core/math/tensor_row.h"

enum { XX, XP, PX, PP, SUM };
enum { X, P, BOTH };     /* X and P: inputs; all three: sides of a term */
enum { DIM_MOST = 512 }; /* M is computed while planning */

struct four_term_expansion {
    struct pe_tensor x, position_vectors;
    struct pe_reals wq, wk;
    double softmax_scale;
};

static const struct pe_param params[] = {
    {PE_TENSOR_TABLE(struct four_term_expansion, x), .required = true,
     .summary = "content vectors, a row a token: 1,0;0,1"},
    {PE_TENSOR_TABLE(struct four_term_expansion, position_vectors), .required = true,
     PE_OWN("posenc", VECTORS, BASIC), .summary = "position vectors, a row a token: 0,1;1,1"},
    {PE_WEIGHTS(struct four_term_expansion, wq), .matrix = true,
     .summary =
         "weights of the query projection, a row a column of x; left out: no projection"},
    {PE_WEIGHTS(struct four_term_expansion, wk), .matrix = true,
     .summary = "weights of the key projection, a row a column of x; left out: no projection"},
    {PE_FIELD(struct four_term_expansion, softmax_scale), .type = PE_REAL, .min = -1e18,
     .max = 1e18, .preset = 1, .summary = "factor on the scores, dim^-0.5 in most models"},
};

#define TERM(NUMBER, NAME, LABEL, SUMMARY)                                                     \
    [NUMBER] = {PE_OUTPUT(NAME, PE_F32, "q", "k"), .label = LABEL, .summary = SUMMARY,         \
                .by_default = true,                                                            \
                .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-40 of their terms"}

static const struct pe_output outputs[] = {
    TERM(XX, "xx", "Content, content",
         "scores of the content of the query and the content of the key"),
    TERM(XP, "xp", "Content, position",
         "scores of the content of the query and the position of the key"),
    TERM(PX, "px", "Position, content",
         "scores of the position of the query and the content of the key"),
    TERM(PP, "pp", "Position, position",
         "scores of the position of the query and the position of the key"),
    TERM(SUM, "sum", "Sum", "sum of all four terms: scores of contents with positions added"),
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check_weights(const struct four_term_expansion *f, struct pe_errors *errors)
{
    uint64_t dim = f->x.dims[1];

    if (f->wq.rows > 0 && f->wq.rows != dim)
        pe_fail(errors, PE_CONFLICT, "wq", "must have %llu rows, as x has columns; got %zu",
                (unsigned long long)dim, f->wq.rows);
    if (f->wk.rows > 0 && f->wk.rows != dim)
        pe_fail(errors, PE_CONFLICT, "wk", "must have %llu rows, as x has columns; got %zu",
                (unsigned long long)dim, f->wk.rows);
    if ((f->wq.rows > 0 ? f->wq.cols : dim) != (f->wk.rows > 0 ? f->wk.cols : dim))
        pe_fail(errors, PE_CONFLICT, "wk",
                "must have rows as wide as those of wq; without one they have %llu elements",
                (unsigned long long)dim);
    if ((f->wq.rows > 0 || f->wk.rows > 0) && dim > DIM_MOST)
        pe_fail(errors, PE_CONFLICT, "x",
                "must have at most %d columns with wq or wk; got %llu", DIM_MOST,
                (unsigned long long)dim);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct four_term_expansion *f = values;

    if (tensor_row_check(&f->x, "x", "tokens,dim", errors) ||
        tensor_row_check(&f->position_vectors, "position_vectors", "tokens,dim", errors))
        return;
    if (f->x.dims[0] != f->position_vectors.dims[0] ||
        f->x.dims[1] != f->position_vectors.dims[1])
        pe_fail(errors, PE_CONFLICT, "position_vectors",
                "must have the shape of x, %llu rows of %llu", (unsigned long long)f->x.dims[0],
                (unsigned long long)f->x.dims[1]);
    check_weights(f, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct four_term_expansion *f = values;
    double dim = (double)f->x.dims[1], wide = (double)(f->wq.rows ? f->wq.cols : f->wk.cols);

    return 20 * dim * dim * wide;
}

/* ---- M ----------------------------------------------------------------------------------- */

struct term {
    const struct four_term_expansion *values;
    size_t dim;
    double *high, *low; /* M transposed, [key's dim][query's dim]; NULL: scale alone */
    int query, key;     /* X, P or BOTH */
};

static double weight_at(const struct pe_reals *weights, size_t row, size_t col)
{
    return weights->rows > 0 ? weights->values[row * weights->cols + col] : row == col;
}

static bool make_map(struct pe_build *build, struct term *term)
{
    const struct four_term_expansion *f = term->values;
    size_t dim = term->dim, wide = f->wq.rows ? f->wq.cols : f->wk.rows ? f->wk.cols : 0;

    if (wide == 0)
        return true;
    term->high = pe_build_alloc(build, dim * dim * sizeof(double));
    term->low = pe_build_alloc(build, dim * dim * sizeof(double));
    if (!term->high || !term->low)
        return false;
    for (size_t at = 0; at < dim * dim; at++) {
        struct dd sum = {0, 0};

        for (size_t c = 0; c < wide; c++)
            sum = elementary_add(sum, elementary_product(weight_at(&f->wq, at % dim, c),
                                                         weight_at(&f->wk, at / dim, c)));
        sum = elementary_multiply(sum, (struct dd){f->softmax_scale, 0});
        term->high[at] = sum.hi;
        term->low[at] = sum.lo;
    }
    return true;
}

/* Computes the row times M as high + low. */
static void project(const struct term *term, const double *row, double *high, double *low)
{
    size_t dim = term->dim;

    for (size_t to = 0; to < dim; to++) {
        struct dd sum = {0, 0};

        if (!term->high) {
            sum = elementary_product(row[to], term->values->softmax_scale);
        } else {
            double rest = 0;

            for (size_t from = 0; from < dim; from++)
                rest += row[from] * term->low[to * dim + from];
            sum = dot_add((struct dd){0, 0}, row, term->high + to * dim, dim);
            sum = elementary_add(sum, (struct dd){rest, 0});
        }
        high[to] = sum.hi;
        low[to] = isfinite(sum.lo) ? sum.lo : 0;
    }
}

/* ---- one matrix -------------------------------------------------------------------------- */

/* Adds (high + low) . row to the sum for each side of the key. */
static struct dd meet(const struct term *term, const double *high, const double *low,
                      const void *const input[], uint64_t key, double *row, struct dd sum)
{
    for (int side = X; side <= P; side++) {
        const struct pe_tensor *from =
            side == X ? &term->values->x : &term->values->position_vectors;
        double rest = 0;

        if (term->key != side && term->key != BOTH)
            continue;
        tensor_row(from, input[side], key, 0, term->dim, row);
        for (size_t i = 0; i < term->dim; i++)
            rest += low[i] * row[i];
        sum = dot_add(sum, high, row, term->dim);
        sum = isfinite(rest) ? elementary_add(sum, (struct dd){rest, 0}) : sum;
    }
    return sum;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct term *term = state;
    size_t dim = term->dim;
    double *row = scratch, *maps = row + dim; /* high and low of x, then of p */

    for (uint64_t i = 0; out[0] && i < rect->rows; i++) {
        for (int side = X; side <= P; side++) {
            tensor_row(side == X ? &term->values->x : &term->values->position_vectors,
                       input[side], rect->row + i, 0, dim, row);
            project(term, row, maps + (size_t)side * 2 * dim,
                    maps + ((size_t)side * 2 + 1) * dim);
        }
        for (uint64_t col = 0; col < rect->cols; col++) {
            struct dd sum = {0, 0};

            for (int side = X; side <= P; side++) {
                const double *high = maps + (size_t)side * 2 * dim;

                if (term->query == side || term->query == BOTH)
                    sum = meet(term, high, high + dim, input, rect->col + col, row, sum);
            }
            out[0][i * rect->cols + col] = isfinite(sum.hi + sum.lo) ? sum.hi + sum.lo : sum.hi;
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    return 5 * ((const struct term *)state)->dim * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct term *term = state;

    return 20 * (double)term->dim;
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

static void prepare(struct pe_build *build, const void *values)
{
    static const int sides[][2] =
        {[XX] = {X, X}, [XP] = {X, P}, [PX] = {P, X}, [PP] = {P, P}, [SUM] = {BOTH, BOTH}};
    const struct four_term_expansion *f = values;
    struct term *terms = pe_build_alloc(build, PE_LEN(sides) * sizeof *terms);
    struct term like = {.values = f, .dim = (size_t)f->x.dims[1]};

    if (!terms || !make_map(build, &like))
        return;
    for (size_t output = 0; output < PE_LEN(sides); output++) {
        terms[output] = like;
        terms[output].query = sides[output][0];
        terms[output].key = sides[output][1];
        pe_build_fill(build, output, &filler, &terms[output]);
    }
}

const struct pe_encoding pe_encoding_four_term_expansion = {
    .name = "four-term-expansion",
    .title = "Four terms of an attention score",
    .formula = "(x_i + p_i) M (x_j + p_j) = x_i M x_j + x_i M p_j + p_i M x_j + p_i M p_j, M = "
               "softmax_scale wq wk^T",
    .when_to_use =
        "It shows what positions that are added to contents contribute to scores, and which "
        "terms T5, TUPE, DeBERTa and Transformer-XL keep.",
    .what_goes_wrong =
        "Projections are shared by contents and positions here; TUPE and DeBERTa give "
        "positions projections of their own, which is another model.",
    .picture =
        "x=0,0.746,-0.994,0.578;0.992,-0.757,0.017,0.734;-0.256,-0.551,0.989,-0.768;-0.926,"
        "0.899,-0.272,-0.537;0.494,0.319,-0.919,0.906;0.798,-0.981,0.509,0.303;-0.7,-0.066,"
        "0.788,-0.984;-0.618,0.998,-0.712,-0.05;0.859,-0.191,-0.605,0.997;0.397,-0.949,0.868,"
        "-0.207;-0.961,0.435,0.381,-0.943;-0.149,0.837,-0.966,0.45&position_vectors=0,1,0,1;"
        "0.841,0.54,0.1,0.995;0.909,-0.416,0.199,0.98;0.141,-0.99,0.296,0.955;-0.757,-0.654,"
        "0.389,0.921;-0.959,0.284,0.479,0.878;-0.279,0.96,0.565,0.825;0.657,0.754,0.644,"
        "0.765;0.989,-0.146,0.717,0.697;0.412,-0.911,0.783,0.622;-0.544,-0.839,0.841,0.54;-1,"
        "0.004,0.891,0.454",
    .summary = "scores split into what contents and positions contribute",
    .source = "Dai et al. 2019, Transformer-XL, section 3.3",
    .examples = PE_WORDS("x=1,0;0,1&position_vectors=0,1;1,1",
                         "x=1,0;0,1&position_vectors=0,1;1,1&out=sum&softmax_scale=0.5",
                         "x=1,0;0,1&position_vectors=0,1;1,1&wq=1,2,3;4,5,6&wk=1,0,1;0,1,0"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct four_term_expansion, params, outputs),
    .check = check,
    .lengths = PE_WORDS("q=x.0", "k=x.0"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
