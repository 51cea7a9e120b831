/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier.c - learned directions in space, as angles that turn pairs or as features
 * of a small network:
 *
 *     a = Wr x                            cos a, sin a turn adjacent pairs of descriptors
 *     f = [cos a | sin a] / sqrt(dim)     rows = W2 gelu(W1 f + b1) + b2
 *
 * With size, x is (keypoint - size/2) / (max(size)/2). Lindenberger et al. 2023, LightGlue;
 * cvg/LightGlue lightglue.py. Li et al. 2021, Learnable Fourier Features for Multi-Dimensional
 * Spatial Positional Encoding. */
#include "core/encodings/spatial/learnable_fourier.h"

#include <math.h>
#include <string.h>

#include "core/encodings/spatial/spatial.h"
#include "core/math/number/elementary.h"

static const struct pe_param params[] = {
    LEARNABLE_FOURIER_ROWS_ANGLES,
    {PE_FIELD(struct learnable_fourier, width), .type = PE_CHOICE, .choices = spatial_widths,
     .preset = SPATIAL_WIDTH_HALF, .summary = "columns of cos and sin"},
    {PE_FIELD(struct learnable_fourier, w1), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18, .summary = "W1, a row a hidden unit, a column a feature"},
    {PE_FIELD(struct learnable_fourier, b1), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .summary = "b1, one a hidden unit"},
    {PE_FIELD(struct learnable_fourier, w2), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18, .summary = "W2, a row a column of the answer"},
    {PE_FIELD(struct learnable_fourier, b2), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .summary = "b2, one a column of the answer"},
};

static const struct pe_output outputs[] = {
    [LEARNABLE_FOURIER_COS] = {PE_OUTPUT("cos", PE_F32, "pos", "width"),
                               .summary = "cosine of each pair's angle", .by_default = true,
                               .uses = PE_WORDS(LEARNABLE_FOURIER_NAMES, "width"),
                               .bound = SPATIAL_COLUMNS_DENSE_BOUND},
    [LEARNABLE_FOURIER_SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "width"),
                               .summary = "sine of each pair's angle", .by_default = true,
                               .uses = PE_WORDS(LEARNABLE_FOURIER_NAMES, "width"),
                               .bound = SPATIAL_COLUMNS_DENSE_BOUND},
    [LEARNABLE_FOURIER_ANGLES] = {PE_OUTPUT("angles", PE_F32, "pos", "pair"),
                                  .summary = "radians of each pair",
                                  .uses = PE_WORDS(LEARNABLE_FOURIER_NAMES),
                                  .bound = SPATIAL_COLUMNS_DENSE_BOUND},
    [LEARNABLE_FOURIER_FEATURES] =
        {PE_OUTPUT("features", PE_F32, "pos", "dim"),
         .summary = "f, cosines and then sines over the root of their number",
         .uses = PE_WORDS(LEARNABLE_FOURIER_NAMES),
         .bound = "0.501 ULP; f64 3 ULP, where terms cancel 2^-52 of their "
                  "size"},
    [LEARNABLE_FOURIER_ROWS] =
        {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .summary = "features through the network",
         .uses = PE_WORDS(LEARNABLE_FOURIER_NAMES, "w1", "b1", "w2", "b2"),
         .bound = "0.501 ULP, f64 1 ULP; where terms cancel 2^-50 of their size"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void check_network(const struct learnable_fourier *l, struct pe_errors *errors)
{
    const struct {
        const char *name;
        size_t got, right;
    } sizes[] = {{"w1", l->w1.cols, 2 * l->wr.rows},
                 {"b1", l->b1.cols, l->w1.rows},
                 {"w2", l->w2.cols, l->w1.rows},
                 {"b2", l->b2.cols, l->w2.rows}};

    for (size_t i = 0; i < PE_LEN(sizes); i++) {
        if (sizes[i].got != sizes[i].right)
            pe_fail(errors, PE_CONFLICT, sizes[i].name, "must have %zu columns; got %zu",
                    sizes[i].right, sizes[i].got);
    }
}

void learnable_fourier_check(const struct learnable_fourier *l, struct pe_errors *errors)
{
    if (l->wr.cols != l->coords.cols)
        pe_fail(errors, PE_CONFLICT, "wr", "must have a column a coordinate, %zu; got %zu",
                l->coords.cols, l->wr.cols);
    if (l->size.cols > 0 && (l->size.cols != 2 || l->coords.cols != 2))
        pe_fail(errors, PE_CONFLICT, "size",
                "must be width and height, of coordinates x and y; got %zu numbers and %zu "
                "coordinates",
                l->size.cols, l->coords.cols);
    spatial_columns_check_given(&l->coords, "coords", errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct learnable_fourier *l = values;

    learnable_fourier_check(l, errors);
    if (pe_wants(args, LEARNABLE_FOURIER_ROWS))
        check_network(l, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct learnable_fourier *l = values;
    const uint64_t pairs = l->wr.rows;

    dims[0] = l->coords.rows;
    if (output == LEARNABLE_FOURIER_ROWS)
        dims[1] = l->w2.rows;
    else if (output == LEARNABLE_FOURIER_ANGLES)
        dims[1] = pairs;
    else if (output == LEARNABLE_FOURIER_FEATURES)
        dims[1] = 2 * pairs;
    else
        dims[1] = l->width == SPATIAL_WIDTH_FULL ? 2 * pairs : pairs;
    return 2;
}

/* ---- points ------------------------------------------------------------------------------ */

/* Numerators 2 keypoint - size are exact as double-doubles: two numbers a coordinate. */
static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct learnable_fourier *l = context;

    for (size_t a = 0; a < 2; a++) {
        const struct dd number =
            elementary_sum(2 * l->coords.values[2 * row + a], -l->size.values[a]);

        numbers[2 * a] = number.hi;
        numbers[2 * a + 1] = number.lo;
    }
}

struct axes_points learnable_fourier_points(const struct learnable_fourier *l)
{
    struct axes_points points;

    if (l->size.cols == 0)
        return spatial_columns_given(&l->coords);
    points = axes_points_none(4);
    points.rows = l->coords.rows;
    points.compute = compute;
    points.context = l;
    for (size_t a = 0; a < 4; a++)
        points.scale[a].divisor = fmax(l->size.values[0], l->size.values[1]);
    return points;
}

double *learnable_fourier_matrix(struct pe_build *build, const struct learnable_fourier *l)
{
    const size_t pairs = l->wr.rows, each = l->size.cols > 0 ? 2 : 1;
    const size_t axes = each * l->wr.cols;
    double *values = pe_build_alloc(build, axes * pairs * sizeof *values);

    for (size_t i = 0; values && i < axes * pairs; i++)
        values[i] = l->wr.values[i % pairs * l->wr.cols + i / pairs / each];
    return values;
}

/* ---- filling ----------------------------------------------------------------------------- */

static void lay_out(const struct learnable_fourier *l, size_t output,
                    struct axes_column *column)
{
    const size_t pairs = l->wr.rows;
    const bool full = l->width == SPATIAL_WIDTH_FULL;
    const enum axes_wave wave = output == LEARNABLE_FOURIER_COS ? AXES_WAVE_COS : AXES_WAVE_SIN;

    if (output == LEARNABLE_FOURIER_ANGLES) {
        axes_columns_put(column, 0, 1, AXES_WAVE_ANGLE, 0, pairs);
    } else if (output == LEARNABLE_FOURIER_COS || output == LEARNABLE_FOURIER_SIN) {
        axes_columns_put(column, 0, full ? 2 : 1, wave, 0, pairs);
        if (full)
            axes_columns_put(column, 1, 2, wave, 0, pairs);
    } else {
        axes_columns_put(column, 0, 1, AXES_WAVE_COS, 0, pairs);
        axes_columns_put(column, pairs, 1, AXES_WAVE_SIN, 0, pairs);
    }
}

static struct axes_columns *columns_of(struct pe_build *build,
                                       const struct learnable_fourier *l,
                                       struct spatial_columns *wanted, size_t output)
{
    struct axes_columns *columns;
    struct axes_column *column;
    double *amplitude;
    uint64_t dims[PE_MAX_RANK];

    shape(NULL, l, output == LEARNABLE_FOURIER_ROWS ? LEARNABLE_FOURIER_FEATURES : output,
          dims);
    wanted->cols = (size_t)dims[1];
    columns = spatial_columns_new(build, wanted, &column);
    if (!columns)
        return NULL;
    lay_out(l, output, column);
    if (output < LEARNABLE_FOURIER_FEATURES)
        return columns;
    columns->amplitude = amplitude = pe_build_alloc(build, wanted->cols * sizeof *amplitude);
    for (size_t i = 0; amplitude && i < wanted->cols; i++)
        amplitude[i] = sqrt(1 / (double)wanted->cols);
    return amplitude ? columns : NULL;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct learnable_fourier *l = values;

    return spatial_columns_plan_ns(2 * (double)l->wr.cols * (double)l->wr.rows);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct learnable_fourier *l = values;
    struct spatial_columns wanted = {.points = learnable_fourier_points(l),
                                     .pairs = l->wr.rows};
    const double *matrix = learnable_fourier_matrix(build, l);
    bool right = matrix && spatial_columns_dense(build, &wanted, matrix, false);

    for (size_t i = 0; right && i < PE_LEN(outputs); i++) {
        struct axes_columns *columns;

        if (!pe_wants(pe_build_args(build), i))
            continue;
        columns = columns_of(build, l, &wanted, i);
        right = columns != NULL;
        if (right && i == LEARNABLE_FOURIER_ROWS)
            right = learnable_fourier_network(build, l, columns);
        else if (right)
            pe_build_fill(build, i, &axes_columns_filler, columns);
    }
}

const struct pe_encoding pe_encoding_learnable_fourier = {
    .name = "learnable-fourier",
    .summary = "learned directions in space, as angles or through a network (LightGlue)",
    .source =
        "Lindenberger et al. 2023, LightGlue; cvg/LightGlue lightglue.py; Li et al. 2021, "
        "Learnable Fourier Features for Multi-Dimensional Spatial Positional Encoding",
    .examples = PE_WORDS(
        "coords=.5,-.375&wr=1,0;0,2", "coords=480,120;0,0&wr=1,0;0,2&size=640,480&width=full",
        "coords=.5,-.375&wr=1,0;0,2&out=angles,features",
        "coords=.5;1&wr=2&w1=1,2;0,-1;.5,.5&b1=0,1,-1&w2=1,2,3&b2=.5&out=rows"),
    .family = PE_SPATIAL,
    PE_TABLES(struct learnable_fourier, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
