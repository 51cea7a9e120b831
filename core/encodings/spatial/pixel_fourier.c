/* SPDX-License-Identifier: Apache-2.0
 * pixel_fourier.c - sines and cosines of every coordinate at frequencies up to a resolution:
 *
 *     linear: b_i = pi (1 + i (max_freq/2 - 1) / (B-1))     i = 0..B-1; one band has pi
 *     log2:   b_i = pi (max_freq/2)^(i / (B-1))
 *     of each coordinate x: [x | sin(x b) | cos(x b)], grid-last: [sin(x b) | cos(x b) | x]
 *
 * A grid's coordinates run from -1 to 1 inclusive, rows first. Outputs have a row a
 * coordinate, not flattened, as ports differ in flattening. Jaegle et al. 2021, Perceiver; timm
 * layers/pos_embed_sincos.py; lucidrains/perceiver-pytorch fourier_encode. */
#include <math.h>

#include "core/encodings/spatial/spatial_columns.h"

enum { GRID_FIRST, GRID_LAST };

struct pixel_fourier {
    struct pe_reals coords;
    struct pe_grid grid;
    int64_t num_bands;
    double max_freq;
    bool linear_bands, concat_grid;
    int order;
};

static const struct pe_choice orders[] = {
    [GRID_FIRST] = {"grid-first", NULL, "the coordinate before its waves: timm", NULL},
    [GRID_LAST] = {"grid-last", NULL, "after them: Perceiver", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct pixel_fourier, grid), .type = PE_GRID, .optional = true,
     .summary = "rows and columns (feat_shape), 14x14"},
    {PE_FIELD(struct pixel_fourier, coords), .type = PE_REALS, .matrix = true, .min = -0x1p53,
     .max = 0x1p53, .summary = "or coordinates, a row a point, mostly in -1 .. 1"},
    {PE_FIELD(struct pixel_fourier, num_bands), .type = PE_INT, .min = 1, .max = 32768,
     .preset = 64, .summary = "B, how many frequencies"},
    {PE_FIELD(struct pixel_fourier, max_freq), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 224, .summary = "twice the last frequency over pi (max_res)"},
    {PE_FIELD(struct pixel_fourier, linear_bands), .type = PE_BOOL, .preset = 1,
     .summary = "evenly spaced frequencies, not powers"},
    {PE_FIELD(struct pixel_fourier, concat_grid), .type = PE_BOOL, .preset = 1,
     .summary = "the coordinate itself too (concat_input)"},
    {PE_FIELD(struct pixel_fourier, order), .type = PE_CHOICE, .choices = orders,
     .optional = true, .summary = "where it stands: first in a grid, last of coords"},
};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("features", PE_F32, "pos", "coordinate", "feature"),
     .summary = "the encoding of each coordinate of each point", .by_default = true,
     .bound = SPATIAL_COLUMNS_BOUND}};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct pixel_fourier *p = values;

    if (p->concat_grid && p->order < 0)
        p->order = p->coords.rows > 0 ? GRID_LAST : GRID_FIRST;
    if (p->num_bands == 1)
        p->max_freq = NAN; /* one band has no spacing to choose */
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pixel_fourier *p = values;

    if (p->coords.rows > 0 && p->grid.height > 0)
        pe_fail(errors, PE_CONFLICT, "coords", "cannot be given together with grid");
    if (p->coords.rows == 0 && p->grid.height == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "grid",
                "or coords is required: rows and columns, or coordinates");
    if (!p->concat_grid && PE_GIVEN(args, struct pixel_fourier, order))
        pe_fail(errors, PE_CONFLICT, "order", "has no effect with concat_grid=0");
    if (p->num_bands == 1 && PE_GIVEN(args, struct pixel_fourier, max_freq))
        pe_fail(errors, PE_CONFLICT, "max_freq",
                "has no effect with num_bands=1, whose frequency is pi");
    spatial_columns_check_given(&p->coords, "coords", errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct pixel_fourier *p = values;
    const uint64_t cols = 2 * (uint64_t)p->num_bands + (p->concat_grid ? 1 : 0);

    if (p->coords.rows > 0) {
        dims[0] = p->coords.rows;
        dims[1] = p->coords.cols;
        dims[2] = cols;
        return 3;
    }
    dims[0] = (uint64_t)p->grid.height;
    dims[1] = (uint64_t)p->grid.width;
    dims[2] = 2;
    dims[3] = cols;
    return 4;
}

/* Places point k of n at (2k - (n-1)) / (n-1), a single one at -1. */
static struct axes_points points_of(const struct pixel_fourier *p)
{
    const uint64_t sides[2] = {(uint64_t)p->grid.height, (uint64_t)p->grid.width};
    struct axes_points points;

    if (p->coords.rows > 0)
        return spatial_columns_given(&p->coords);
    points = axes_points_grid(2, sides);
    for (size_t a = 0; a < 2; a++) {
        const double last = sides[a] > 1 ? (double)sides[a] - 1 : 1;

        points.first[a] = -last;
        points.step[a] = 2;
        points.scale[a].divisor = last;
    }
    return points;
}

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct pixel_fourier *p = values;
    const size_t bands = (size_t)p->num_bands, cols = 2 * bands + (p->concat_grid ? 1 : 0);
    const size_t lead = p->concat_grid && p->order == GRID_FIRST ? 1 : 0;

    layout->points = points_of(p);
    layout->cols = cols;
    layout->blocks = layout->points.axes;
    for (size_t a = 0; a < layout->blocks; a++) {
        const size_t at = a * cols + lead;
        struct axes_ladder *ladder = spatial_columns_ladder(
            layout, a, bands, bands > 1 ? p->max_freq : 1, (double)bands - 1);

        ladder->pi = true;
        if (p->linear_bands) {
            ladder->kind = AXES_PIXEL_LINEAR;
        } else {
            ladder->power = 1;
            ladder->under = 2;
        }
        if (p->concat_grid)
            spatial_columns_put(layout, a * cols + (lead ? 0 : 2 * bands), 1, AXES_WAVE_NUMBER,
                                a, 1);
        spatial_columns_put(layout, at, 1, AXES_WAVE_SIN, a * bands, bands);
        spatial_columns_put(layout, at + bands, 1, AXES_WAVE_COS, a * bands, bands);
    }
}

const struct pe_encoding pe_encoding_pixel_fourier = {
    .name = "pixel-fourier",
    .summary = "sines and cosines of every coordinate up to a resolution (Perceiver, timm)",
    .source = "Jaegle et al. 2021, Perceiver; timm layers/pos_embed_sincos.py, FourierEmbed; "
              "lucidrains/perceiver-pytorch fourier_encode",
    .examples =
        PE_WORDS("grid=2x3&num_bands=2&max_freq=4", "coords=.3;-1&num_bands=2&max_freq=4",
                 "coords=.3,.5&num_bands=4&max_freq=8&linear_bands=0",
                 "grid=1x3&num_bands=3&concat_grid=0"),
    .family = PE_SPATIAL,
    PE_TABLES(struct pixel_fourier, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    SPATIAL_COLUMNS_HOOKS(lay_out),
};
