/* SPDX-License-Identifier: Apache-2.0
 * sam_random.c - sines and cosines of random directions in an image:
 *
 *     c = 2 ((x + o) / W, (y + o) / H) - 1      a = 2 pi (c . G)      [sin a | cos a]
 *
 * of points (x, y) in pixels, o = point_offset, or of the centres of a grid's cells, o = 1/2. G
 * is the checkpoint's positional_encoding_gaussian_matrix: its first row belongs to x, and the
 * scale is in it. Kirillov et al. 2023, Segment Anything; segment-anything modeling/
 * prompt_encoder.py, sam2 modeling/position_encoding.py. */
#include "core/encodings/spatial/spatial_columns.h"
#include "core/math/number/elementary.h"

/* A point has the numerators 2 (x + o) - W and 2 (y + o) - H, exact as double-doubles. */
enum { X_HIGH, X_LOW, Y_HIGH, Y_LOW, NUMBERS };

struct sam_random {
    struct pe_reals g, points;
    struct pe_grid image_size, grid;
    double point_offset;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct sam_random, g), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18, PE_OWN("posenc", WEIGHTS, BASIC),
     .summary = "random directions G, a row for x and one for y "
                "(positional_encoding_gaussian_matrix)"},
    {PE_FIELD(struct sam_random, points), .type = PE_REALS, .matrix = true, .min = -0x1p51,
     .max = 0x1p51, .summary = "points as rows of x,y in pixels: 100,50;640,480"},
    {PE_FIELD(struct sam_random, image_size), .type = PE_GRID, .required = true,
     .when = "points",
     .summary = "pixels of the image that the points are in, HEIGHTxWIDTH, as 1024x1024"},
    {PE_FIELD(struct sam_random, point_offset), .type = PE_REAL, .min = -0x1p51, .max = 0x1p51,
     .when = "points", PE_OWN("posenc", POSITIONS, ADVANCED), .unit = "pixels",
     .summary = "added to x and y of points, in pixels: 0.5 in the prompt encoder"},
    {PE_FIELD(struct sam_random, grid), .type = PE_GRID, .required = true, .when = "!points",
     .summary = "cells of the image, HEIGHTxWIDTH, as 64x64, each encoded at its centre"},
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, true, PE_COLUMN_WAVE, SPATIAL_COLUMNS_DENSE_BOUND),
    SPATIAL_COLUMNS_OUTPUT_MAP(PE_WORDS("g", "grid"), false, SPATIAL_COLUMNS_DENSE_BOUND)};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sam_random *s = values;
    const bool points = s->points.rows > 0;

    if (s->g.rows != 2)
        pe_fail(errors, PE_CONFLICT, "g", "must have two rows, of x and of y; got %zu",
                s->g.rows);
    if (points && pe_wants(args, SPATIAL_COLUMNS_MAP))
        pe_fail(errors, PE_CONFLICT, "out", "cannot be map of points, which are no grid");
    if (points && s->points.cols != 2)
        pe_fail(errors, PE_CONFLICT, "points", "must have two columns, x and y; got %zu",
                s->points.cols);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct sam_random *s = values;
    const struct pe_grid points = {(int64_t)s->points.rows, 1};

    return spatial_columns_shape(output, 2 * s->g.cols, s->points.rows > 0 ? &points : &s->grid,
                                 dims);
}

static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct sam_random *s = context;
    const double sides[2] = {(double)s->image_size.width, (double)s->image_size.height};

    for (size_t a = 0; a < 2; a++) {
        const struct dd twice = {2 * s->points.values[2 * row + a], 0};
        const struct dd number =
            elementary_add(twice, elementary_sum(2 * s->point_offset, -sides[a]));

        numbers[2 * a] = number.hi;
        numbers[2 * a + 1] = number.lo;
    }
}

static struct axes_points points_of(const struct sam_random *s)
{
    struct axes_points points = axes_points_none(NUMBERS);

    points.rows = s->points.rows;
    points.compute = compute;
    points.context = s;
    points.scale[X_HIGH].divisor = points.scale[X_LOW].divisor = (double)s->image_size.width;
    points.scale[Y_HIGH].divisor = points.scale[Y_LOW].divisor = (double)s->image_size.height;
    return points;
}

/* Places cell k of n at (2k + 1 - n) / n; the axis of rows comes first. */
static struct axes_points cells_of(const struct sam_random *s)
{
    const uint64_t sides[2] = {(uint64_t)s->grid.height, (uint64_t)s->grid.width};
    struct axes_points points = axes_points_grid(2, sides);

    for (size_t a = 0; a < 2; a++) {
        points.first[a] = 1 - (double)sides[a];
        points.step[a] = 2;
        points.scale[a].divisor = (double)sides[a];
    }
    return points;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct sam_random *s = values;

    return spatial_columns_plan_ns(NUMBERS * (double)s->g.cols);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct sam_random *s = values;
    const bool points = s->points.rows > 0;
    const size_t count = s->g.cols;
    struct spatial_columns layout = {.points = points ? points_of(s) : cells_of(s),
                                     .pairs = count,
                                     .cols = 2 * count,
                                     .width = (uint64_t)s->grid.width};
    double *matrix = pe_build_alloc(build, layout.points.axes * count * sizeof *matrix);

    for (size_t i = 0; matrix && i < layout.points.axes * count; i++) {
        const size_t axis = points ? i / count / 2 : 1 - i / count; /* 0: x */

        matrix[i] = s->g.values[axis * count + i % count];
    }
    spatial_columns_put(&layout, 0, 1, AXES_WAVE_SIN, 0, count);
    spatial_columns_put(&layout, count, 1, AXES_WAVE_COS, 0, count);
    if (matrix && spatial_columns_dense(build, &layout, matrix, true))
        spatial_columns_serve(build, &layout);
}

const struct pe_encoding pe_encoding_sam_random = {
    .name = "sam-random",
    .title = "Segment Anything: random spatial encoding",
    .formula =
        "c = 2 ((x + point_offset) / W, (y + point_offset) / H) - 1, where image_size = HxW\n"
        "a = 2 pi (c . G)\n"
        "row = [sin a | cos a]; cells of a grid are points at their centres",
    .when_to_use =
        "Points and boxes that prompt Segment Anything and SAM 2, and the image of "
        "Segment Anything, with the matrix of the checkpoint. Random directions of a "
        "model of one's own are those of fourier-features.",
    .what_goes_wrong =
        "Points are x,y, but image_size is height and width. The prompt encoder adds "
        "0.5 to points before they are divided (point_offset=0.5). The first row of G "
        "belongs to x, the scale of the checkpoint is already in G, and sines come "
        "before cosines.",
    .picture = "g=.1,1.3,-.9,1.0,-.3,-.3,1.9,.2,-.0,.7,1.1,-.0,.6,-1.0,-.4,-.4;"
               "-1.3,-1.5,-1.6,-.2,-.2,-.3,.1,-1.3,-.1,.2,.8,-.8,-.4,-2.0,-.5,-2.2&grid=12x16",
    .summary = "sines and cosines of random directions in an image (Segment Anything)",
    .source = "Kirillov et al. 2023, Segment Anything; segment-anything modeling/"
              "prompt_encoder.py, PositionEmbeddingRandom",
    .examples = PE_WORDS("g=1,-.5;.5,2&grid=2x3", "g=1,-.5;.5,2&points=1,2&image_size=4x4",
                         "g=1,-.5;.5,2&points=1,2;7,0&image_size=3x7&point_offset=0.5",
                         "g=1,-.5;.5,2&grid=2x3&out=map"),
    .family = PE_SPATIAL,
    PE_TABLES(struct sam_random, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
