/* SPDX-License-Identifier: Apache-2.0
 * relative_projection.c - learned curves of the distance, mixed with weights of each query.
 *
 *     bias[h][i][j] = sum over c of curve_weights[h][i][c] curves[c][d],  d = q_i - k_j
 *     0 where d is outside 0 .. columns - 1
 *
 * On a grid curves and curve_weights have a first axis of two, rows and columns; d has column
 * d + max_dist - 1 of the 2 max_dist - 1 columns; both axes are summed, 0 where either d is
 * outside. x-transformers RelativeProjPositionalBias, and its vision example for the grid.
 */
#include <math.h>

#include "core/encodings/bias/query_key.h"
#include "core/math/linear/dot.h"
#include "core/math/relative/lookup.h"
#include "core/math/tensor_row.h"

enum { BIAS };
enum { CURVES, WEIGHTS }; /* inputs */

struct relative_projection {
    struct query_key pairs;
    struct pe_grid grid;
    struct pe_tensor curves, curve_weights;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct relative_projection, pairs),
    {PE_FIELD(struct relative_projection, grid), .type = PE_GRID,
     .summary = "patches of the image, HEIGHTxWIDTH, which q and k number row by row"},
    {PE_TENSOR_TABLE(struct relative_projection, curves), .required = true,
     PE_OWN("x-transformers", WEIGHTS, BASIC),
     .summary = "learned curves, a row a curve, a column a distance"},
    {PE_TENSOR_TABLE(struct relative_projection, curve_weights), .required = true,
     PE_OWN("x-transformers", WEIGHTS, BASIC),
     .summary = "share of each curve for each head and query, as heads, queries, curves"},
};

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .one_of = "len|q|grid&len|k|grid",
              .summary = "bias that is added to the attention scores", .by_default = true,
              .bound = LOOKUP_SCORES_BOUND},
};

static bool on_grid(const struct relative_projection *r)
{
    return r->grid.height > 0;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct relative_projection *r = values;

    if (!on_grid(r)) {
        tensor_row_widen(&r->curve_weights, 3);
        tensor_row_widen(&r->curves, 2);
    } else if (r->pairs.len == PE_ABSENT_INT && !r->pairs.q && !r->pairs.k) {
        r->pairs.len = r->grid.height * r->grid.width; /* every patch attends to every patch */
    }
    query_key_resolve(args, offsetof(struct relative_projection, pairs), true, true, errors);
}

static void check_grid(const struct relative_projection *r, struct pe_errors *errors)
{
    query_key_check_patches(&r->pairs, &r->grid, errors);
    if (r->curves.dims[0] != 2 || r->curve_weights.dims[0] != 2)
        pe_fail(errors, PE_CONFLICT, r->curves.dims[0] != 2 ? "curves" : "curve_weights",
                "must have a first axis of 2 on a grid, rows and columns");
    if (r->curves.dims[2] % 2 == 0)
        pe_fail(errors, PE_CONFLICT, "curves",
                "must have an odd number of columns on a grid, 2 max_dist - 1; got %llu",
                (unsigned long long)r->curves.dims[2]);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct relative_projection *r = values;
    size_t grid = on_grid(r);
    uint64_t queries = pe_positions_count(r->pairs.q);

    if (tensor_row_check(&r->curves, "curves", grid ? "axes,curves,columns" : "curves,columns",
                         errors) ||
        tensor_row_check(&r->curve_weights, "curve_weights",
                         grid ? "axes,heads,queries,curves" : "heads,queries,curves", errors))
        return;
    if (r->curve_weights.dims[1 + grid] != queries ||
        r->curve_weights.dims[2 + grid] != r->curves.dims[grid])
        pe_fail(errors, PE_CONFLICT, "curve_weights",
                "must hold %llu queries of %llu curves; got %llu of %llu",
                (unsigned long long)queries, (unsigned long long)r->curves.dims[grid],
                (unsigned long long)r->curve_weights.dims[1 + grid],
                (unsigned long long)r->curve_weights.dims[2 + grid]);
    if (grid)
        check_grid(r, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct relative_projection *r = values;

    dims[0] = r->curve_weights.dims[on_grid(r)];
    return 1 + query_key_shape(&r->pairs, dims + 1);
}

/* ---- values ------------------------------------------------------------------------------ */

/* Finds the column of the curves along each axis for two positions. Returns false when a
 * distance lies outside the columns. */
static bool columns_of(const struct relative_projection *r, double query, double key,
                       uint64_t columns[2])
{
    uint64_t width = r->curves.dims[r->curves.rank - 1];
    double at[2] = {query - key, 0}, across = (double)r->grid.width;

    if (on_grid(r)) {
        double middle = (double)(width / 2);

        at[0] = floor(query / across) - floor(key / across);
        at[1] = (query - key) - at[0] * across + middle;
        at[0] += middle;
    }
    for (size_t axis = 0; axis < r->curves.rank - 1; axis++) {
        if (at[axis] < 0 || at[axis] >= (double)width)
            return false;
        columns[axis] = (uint64_t)at[axis];
    }
    return true;
}

/* Returns the bias. column: scratch, a double a curve; weights: those of all axes. */
static double mix(const struct relative_projection *r, const void *data, const double *weights,
                  const uint64_t columns[2], double *column)
{
    size_t axes = r->curves.rank - 1;
    uint64_t width = r->curves.dims[axes], count = r->curves.dims[axes - 1];
    struct dd sum = {0, 0};

    for (size_t axis = 0; axis < axes; axis++) {
        for (uint64_t c = 0; c < count; c++)
            column[c] =
                tensor_row_at(&r->curves, data, (axis * count + c) * width + columns[axis]);
        sum = dot_add(sum, weights + axis * count, column, (size_t)count);
    }
    return isfinite(sum.hi + sum.lo) ? sum.hi + sum.lo : sum.hi;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct relative_projection *r = state;
    size_t axes = r->curves.rank - 1;
    uint64_t queries = pe_positions_count(r->pairs.q), count = r->curves.dims[axes - 1];
    uint64_t rows = r->curve_weights.dims[axes - 1] * queries, columns[2] = {0, 0};
    double *weights = scratch, *column = weights + axes * count;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        double query = pe_positions_at(r->pairs.q, (rect->row + row) % queries);

        for (size_t axis = 0; axis < axes; axis++)
            tensor_row(&r->curve_weights, input[WEIGHTS], axis * rows + rect->row + row, 0,
                       count, weights + axis * count);
        for (uint64_t col = 0; col < rect->cols; col++) {
            double key = pe_positions_at(r->pairs.k, rect->col + col);

            out[0][row * rect->cols + col] =
                columns_of(r, query, key, columns)
                    ? mix(r, input[CURVES], weights, columns, column)
                    : 0;
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct relative_projection *r = state;

    return 3 * r->curves.dims[r->curves.rank - 2] * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct relative_projection *r = state;

    return 20 + 10 * (double)(r->curves.dims[r->curves.rank - 2] * (r->curves.rank - 1));
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

const struct pe_encoding pe_encoding_relative_projection = {
    .name = "relative-projection",
    .title = "Relative projection bias",
    .formula =
        "bias[h][i][j] = sum over c of curve_weights[h][i][c] curves[c][i - j], 0 outside "
        "the curves",
    .when_to_use =
        "x-transformers lets each query choose, by weights from its content, among learned "
        "curves of the distance. shaw learns a vector for each distance instead.",
    .what_goes_wrong =
        "Keys after the query, and keys farther than the curves are long, get 0: curves must "
        "be as long as the context.",
    .picture =
        "len=12&curves=1,0.717,0.513,0.368,0.264,0.189,0.135,0.097,0.069,0.05,0.036,0.026;0,"
        "0.479,0.841,0.997,0.909,0.598,0.141,-0.351,-0.757,-0.978,-0.959,-0.706&"
        "curve_weights=1,0;0.909,0.091;0.818,0.182;0.727,0.273;0.636,0.364;0.545,0.455;0.455,"
        "0.545;0.364,0.636;0.273,0.727;0.182,0.818;0.091,0.909;0,1",
    .summary = "curves of the distance, which each query mixes for itself",
    .source = "x-transformers RelativeProjPositionalBias",
    .examples = PE_WORDS("len=2&curves=0,1;1,1&curve_weights=1,0.5;2,1",
                         "q=2,3&k=0&curves=0,1,2;1,1,1&curve_weights=1,0.5;1,0.5"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct relative_projection, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .filler = &filler,
};
