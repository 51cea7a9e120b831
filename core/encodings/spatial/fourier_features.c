/* SPDX-License-Identifier: Apache-2.0
 * fourier_features.c - cosines and sines of random directions in space:
 *
 *     row = [amplitude_i cos(2 pi B_i . v) | amplitude_i sin(2 pi B_i . v)], i = 0..num_freqs-1
 *
 * B is given, a row a feature and a column a coordinate, or drawn as sigma times a normal, row
 * by row. Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency Functions in
 * Low Dimensional Domains; tancik/fourier-feature-networks. */
#include "core/encodings/absolute/drawn.h"
#include "core/encodings/spatial/spatial_columns.h"
#include "core/math/precomputed.h"

enum { ROWS, DIRECTIONS };

struct fourier_features {
    struct pe_reals coords, b, amplitudes;
    int64_t num_freqs, seed;
    double sigma;
};

static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_COORDS(struct fourier_features),
    {PE_FIELD(struct fourier_features, b), .type = PE_REALS, .matrix = true, .min = -1e18,
     .max = 1e18,
     .summary =
         "directions B, in turns a unit: a row a frequency, a column a coordinate: 1,0;0,2"},
    {PE_FIELD(struct fourier_features, num_freqs), .type = PE_INT, .required = true, .min = 1,
     .max = 8192, .when = "!b", .summary = "number of directions that are drawn at random"},
    {PE_FIELD(struct fourier_features, sigma), .type = PE_REAL, .min = 1e-18, .max = 1e12,
     .preset = 10, .when = "!b", .unit = "turns",
     .summary = "standard deviation of the entries of random directions, in turns a unit"},
    {PE_FIELD(struct fourier_features, seed), .type = PE_INT, .min = 0, .max = 0x1p53,
     .when = "!b",
     .summary = "seed of the random directions: the same seed gives the same bytes"},
    {PE_FIELD(struct fourier_features, amplitudes), .type = PE_REALS, .min = -1e18, .max = 1e18,
     PE_OWN("Tancik et al. 2020", WEIGHTS, ADVANCED),
     .summary = "factor on the cosine and the sine of each direction; 1 for all by default"},
};

#define B_NAMES "coords", "b", "num_freqs", "sigma", "seed"

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .columns = PE_COLUMN_WAVE, .one_of = "b|num_freqs",
              .summary = "the encoding of each point, all cosines before all sines",
              .by_default = true,
              .bound = "0.501 ULP; f64 2 ULP, where terms cancel 2^-52 of their size"},
    [DIRECTIONS] = {PE_OUTPUT("directions", PE_F32, "feature", "coordinate"),
                    .label = "Directions", .one_of = "b|num_freqs",
                    .summary = "the directions B, as given or drawn: a row a frequency",
                    .uses = PE_WORDS(B_NAMES), .bound = "0.501 ULP; f64 0.501 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t count_of(const struct fourier_features *t)
{
    return t->b.rows > 0 ? t->b.rows : (size_t)t->num_freqs;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct fourier_features *t = values;

    if (t->b.rows > 0 && t->b.cols != t->coords.cols)
        pe_fail(errors, PE_CONFLICT, "b", "must have a column a coordinate, %zu; got %zu",
                t->coords.cols, t->b.cols);
    if (t->amplitudes.cols > 0 && t->amplitudes.cols != count_of(t))
        pe_fail(errors, PE_CONFLICT, "amplitudes",
                "must have a number a direction, %zu; got %zu", count_of(t),
                t->amplitudes.cols);
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
        !take_amplitudes(build, &t->amplitudes, &layout))
        return;
    precomputed_show(build, DIRECTIONS, b, axes);
    spatial_columns_put(&layout, 0, 1, AXES_WAVE_COS, 0, count);
    spatial_columns_put(&layout, count, 1, AXES_WAVE_SIN, 0, count);
    spatial_columns_serve(build, &layout);
}

const struct pe_encoding pe_encoding_fourier_features = {
    .name = "fourier-features",
    .title = "Random Fourier features",
    .formula = "row = [amplitude_i cos(2 pi B_i . v) | amplitude_i sin(2 pi B_i . v)], i = "
               "0..num_freqs-1\n"
               "B = b, or sigma times normal numbers drawn from seed",
    .when_to_use =
        "Networks of low-dimensional coordinates (images, shapes, scenes) that must "
        "learn fine detail; a larger sigma shows finer detail. Frequencies along the "
        "axes are those of nerf; a single number, such as a noise level, takes "
        "gaussian-fourier.",
    .what_goes_wrong =
        "Cosines come before sines, unlike in most encodings. B counts turns: 2 pi "
        "multiplies it. Random directions belong to the weights of the model: no seed "
        "draws the numbers that a framework has drawn, so that trained networks need b. "
        "What Perceiver calls Fourier features is pixel-fourier.",
    .picture = "coords=0,0;0.03125,0.015625;0.0625,0.03125;0.09375,0.046875;0.125,0.0625;"
               "0.15625,0.078125;0.1875,0.09375;0.21875,0.109375;0.25,0.125;0.28125,0.140625;"
               "0.3125,0.15625;0.34375,0.171875;0.375,0.1875;0.40625,0.203125;0.4375,0.21875;"
               "0.46875,0.234375;0.5,0.25;0.53125,0.265625;0.5625,0.28125;0.59375,0.296875;"
               "0.625,0.3125;0.65625,0.328125;0.6875,0.34375;0.71875,0.359375;0.75,0.375;"
               "0.78125,0.390625;0.8125,0.40625;0.84375,0.421875;0.875,0.4375;0.90625,0.453125;"
               "0.9375,0.46875;0.96875,0.484375;1,0.5&num_freqs=32&sigma=2",
    .summary = "cosines and sines of random directions in space (Tancik)",
    .source =
        "Tancik et al. 2020, Fourier Features Let Networks Learn High Frequency Functions "
        "in Low Dimensional Domains; tancik/fourier-feature-networks",
    .examples =
        PE_WORDS("coords=.1,.2&b=1,0;0,2", "coords=.1,.2;.5,1&b=1,0;0,2&amplitudes=1,.5",
                 "coords=.1,.2,.3&num_freqs=4&sigma=2&seed=42",
                 "coords=.1,.2&num_freqs=3&out=directions"),
    .family = PE_SPATIAL,
    PE_TABLES(struct fourier_features, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
