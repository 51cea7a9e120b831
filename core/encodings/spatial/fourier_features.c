/* SPDX-License-Identifier: Apache-2.0
 * fourier_features.c - cosines and sines of random directions in space:
 *
 *     row = [a_i cos(2 pi B_i . v) | a_i sin(2 pi B_i . v)], i = 0..f-1
 *
 * B is given, a row a feature and a column a coordinate, or drawn as sigma times a normal, row
 * by row. Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency Functions in
 * Low Dimensional Domains; tancik/fourier-feature-networks. */
#include <math.h>

#include "core/encodings/absolute/drawn.h"
#include "core/encodings/spatial/spatial_columns.h"
#include "core/math/precomputed.h"

enum { ROWS, DIRECTIONS };

struct fourier_features {
    struct pe_reals coords, b, a;
    int64_t f, seed;
    double sigma;
};

static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_COORDS(struct fourier_features),
    {PE_FIELD(struct fourier_features, b), .type = PE_REALS, .matrix = true, .min = -1e18,
     .max = 1e18, .summary = "B, in turns: a row a feature, a column a coordinate: 1,0;0,2"},
    {PE_FIELD(struct fourier_features, f), .type = PE_INT, .optional = true, .min = 1,
     .max = 8192, .summary = "or how many rows of B are drawn"},
    {PE_FIELD(struct fourier_features, sigma), .type = PE_REAL, .optional = true, .min = 1e-18,
     .max = 1e12, .summary = "deviation of what is drawn; 10"},
    {PE_FIELD(struct fourier_features, seed), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p53, .summary = "what B is drawn from; 0"},
    {PE_FIELD(struct fourier_features, a), .type = PE_REALS, .min = -1e18, .max = 1e18,
     .summary = "amplitudes, one a feature; 1"},
};

#define B_NAMES "coords", "b", "f", "sigma", "seed"

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .summary = "the encoding of each point",
              .by_default = true,
              .bound = "0.501 ULP; f64 2 ULP, where terms cancel 2^-52 of their size"},
    [DIRECTIONS] = {PE_OUTPUT("directions", PE_F32, "feature", "coordinate"),
                    .summary = "B as given or drawn", .uses = PE_WORDS(B_NAMES),
                    .bound = "0.501 ULP; f64 0.501 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t count_of(const struct fourier_features *t)
{
    return t->b.rows > 0 ? t->b.rows : (size_t)t->f;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct fourier_features *t = values;

    if (t->b.rows > 0)
        return;
    if (isnan(t->sigma))
        t->sigma = 10;
    if (t->seed == PE_ABSENT_INT)
        t->seed = 0;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct fourier_features *t = values;

    if (t->b.rows == 0 && t->f == PE_ABSENT_INT)
        pe_fail(errors, PE_MISSING_PARAMETER, "b",
                "or f is required: the directions, or how many are drawn");
    else if (t->b.rows > 0 &&
             (t->f != PE_ABSENT_INT || !isnan(t->sigma) || t->seed != PE_ABSENT_INT))
        pe_fail(errors, PE_CONFLICT, "b",
                "is used as it is: f, sigma and seed are for a B that is drawn");
    if (errors->count > 0)
        return;
    if (t->b.rows > 0 && t->b.cols != t->coords.cols)
        pe_fail(errors, PE_CONFLICT, "b", "must have a column a coordinate, %zu; got %zu",
                t->coords.cols, t->b.cols);
    if (t->a.cols > 0 && t->a.cols != count_of(t))
        pe_fail(errors, PE_CONFLICT, "a", "must have a number a feature, %zu; got %zu",
                count_of(t), t->a.cols);
    spatial_columns_check_given(&t->coords, "coords", errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct fourier_features *t = values;

    dims[0] = output == ROWS ? t->coords.rows : count_of(t);
    dims[1] = output == ROWS ? 2 * count_of(t) : t->coords.cols;
    return 2;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct fourier_features *t = values;

    return drawn_plan_ns(&t->b, (double)count_of(t) * (double)t->coords.cols);
}

/* ---- filling ----------------------------------------------------------------------------- */

/* Transposes B, so that it has a row a coordinate. */
static double *turned(struct pe_build *build, const double *b, size_t rows, size_t cols)
{
    double *values = pe_build_alloc(build, rows * cols * sizeof *values);

    for (size_t i = 0; values && i < rows * cols; i++)
        values[i % cols * rows + i / cols] = b[i];
    return values;
}

/* Gives both halves of the row the same amplitudes. */
static bool take_amplitudes(struct pe_build *build, const struct pe_reals *a,
                            struct spatial_columns *layout)
{
    double *amplitude;

    if (a->cols == 0)
        return true;
    layout->amplitude = amplitude = pe_build_alloc(build, 2 * a->cols * sizeof *amplitude);
    for (size_t i = 0; amplitude && i < 2 * a->cols; i++)
        amplitude[i] = a->values[i % a->cols];
    return amplitude != NULL;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct fourier_features *t = values;
    const size_t count = count_of(t), axes = t->coords.cols;
    const double *b = drawn_weights(build, &t->b, count, axes, t->sigma, (uint64_t)t->seed);
    struct spatial_columns layout = {.points = spatial_columns_given(&t->coords),
                                     .pairs = count,
                                     .cols = 2 * count};
    const double *matrix = b ? turned(build, b, count, axes) : NULL;

    if (!matrix || !spatial_columns_dense(build, &layout, matrix, true) ||
        !take_amplitudes(build, &t->a, &layout))
        return;
    precomputed_show(build, DIRECTIONS, b, axes);
    spatial_columns_put(&layout, 0, 1, AXES_WAVE_COS, 0, count);
    spatial_columns_put(&layout, count, 1, AXES_WAVE_SIN, 0, count);
    spatial_columns_serve(build, &layout);
}

const struct pe_encoding pe_encoding_fourier_features = {
    .name = "fourier-features",
    .summary = "cosines and sines of random directions in space (Tancik)",
    .source =
        "Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency Functions "
        "in Low Dimensional Domains; tancik/fourier-feature-networks",
    .examples =
        PE_WORDS("coords=.1,.2&b=1,0;0,2", "coords=.1,.2;.5,1&b=1,0;0,2&a=1,.5",
                 "coords=.1,.2,.3&f=4&sigma=2&seed=42", "coords=.1,.2&f=3&out=directions"),
    .family = PE_SPATIAL,
    PE_TABLES(struct fourier_features, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
