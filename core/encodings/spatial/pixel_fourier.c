/* SPDX-License-Identifier: Apache-2.0
 * pixel_fourier.c - sines and cosines of every coordinate at frequencies up to a resolution:
 *
 *     linear: b_i = pi (1 + i (max_res/2 - 1) / (B-1))     i = 0..B-1; one frequency is pi
 *     log2:   b_i = pi (max_res/2)^(i / (B-1))
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
    int64_t num_freqs;
    double max_res;
    bool linear_bands, concat_grid;
    int order;
};

static const struct pe_choice orders[] = {
    PE_ONE_AT(GRID_FIRST, "grid-first", "the coordinate before its waves: timm"),
    PE_ONE_AT(GRID_LAST, "grid-last", "the coordinate after its waves: Perceiver"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct pixel_fourier, grid), .type = PE_GRID, .required = true, .when = "!coords",
     .summary = "pixels of the grid, HEIGHTxWIDTH, as 14x14: coordinates run from -1 to 1"},
    {PE_FIELD(struct pixel_fourier, coords), .type = PE_REALS, .matrix = true, .min = -0x1p53,
     .max = 0x1p53, .summary = "coordinates, a row a point, mostly in -1..1: 0.5,0.25;1,0"},
    {PE_FIELD(struct pixel_fourier, num_freqs), .type = PE_INT, .min = 1, .max = 32768,
     .preset = 64, .summary = "number of frequencies (num_bands)"},
    {PE_FIELD(struct pixel_fourier, max_res), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 224, .when = "!num_freqs=1",
     .summary = "resolution whose Nyquist frequency, pi max_res / 2, is the last one (max_freq "
                "of Perceiver)"},
    {PE_FIELD(struct pixel_fourier, linear_bands), .type = PE_BOOL, .preset = 1},
    {PE_FIELD(struct pixel_fourier, concat_grid), .type = PE_BOOL, .preset = 1,
     PE_OWN("timm", CONVENTION, BASIC),
     .summary = "put the coordinate itself beside its waves"},
    {PE_FIELD(struct pixel_fourier, order), .type = PE_CHOICE, .choices = orders,
     .optional = true, .when = "concat_grid",
     .summary = "where the coordinate stands: before its waves for a grid, after them for "
                "coords, by default"},
};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("features", PE_F32, "pos", "coordinate", "feature"), .label = "Features",
     .one_of = "grid|coords", .summary = "the encoding of each coordinate of each point",
     .by_default = true, .bound = SPATIAL_COLUMNS_BOUND}};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct pixel_fourier *p = values;

    if (p->concat_grid && p->order < 0)
        p->order = p->coords.rows > 0 ? GRID_LAST : GRID_FIRST;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pixel_fourier *p = values;

    spatial_columns_check_given(&p->coords, "coords", errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct pixel_fourier *p = values;
    const uint64_t cols = 2 * (uint64_t)p->num_freqs + (p->concat_grid ? 1 : 0);

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
    const size_t bands = (size_t)p->num_freqs, cols = 2 * bands + (p->concat_grid ? 1 : 0);
    const size_t lead = p->concat_grid && p->order == GRID_FIRST ? 1 : 0;

    layout->points = points_of(p);
    layout->cols = cols;
    layout->blocks = layout->points.axes;
    for (size_t a = 0; a < layout->blocks; a++) {
        const size_t at = a * cols + lead;
        struct axes_ladder *ladder = spatial_columns_ladder(
            layout, a, bands, bands > 1 ? p->max_res : 1, (double)bands - 1);

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
    .title = "Fourier features of pixels",
    .formula =
        "linear_bands: f_i = pi (1 + i (max_res/2 - 1) / (B-1)), i = 0..B-1, B = num_freqs\n"
        "else: f_i = pi (max_res/2)^(i / (B-1))\n"
        "of each coordinate x: [x | sin(x f) | cos(x f)], or [sin(x f) | cos(x f) | x] "
        "with order=grid-last",
    .when_to_use =
        "Inputs of Perceiver, and FourierEmbed of timm: images and volumes of a known "
        "resolution. Frequencies that double are those of nerf; random directions those "
        "of fourier-features.",
    .what_goes_wrong =
        "Ports flatten the coordinates and the features in different orders (timm "
        "interleaves the axes within each frequency), so that the answer keeps them "
        "apart. timm puts the coordinate first, Perceiver last. The grid has -1 and 1 "
        "at its outer pixels, and the frequencies contain pi already.",
    .picture = "grid=1x64&num_freqs=16&max_res=32",
    .summary = "sines and cosines of every coordinate up to a resolution (Perceiver, timm)",
    .source = "Jaegle et al. 2021, Perceiver; timm layers/pos_embed_sincos.py, FourierEmbed; "
              "lucidrains/perceiver-pytorch fourier_encode",
    .examples = PE_WORDS("grid=2x3&num_freqs=2&max_res=4", "coords=.3;-1&num_freqs=2&max_res=4",
                         "coords=.3,.5&num_freqs=4&max_res=8&linear_bands=0",
                         "grid=1x3&num_freqs=3&concat_grid=0"),
    .family = PE_SPATIAL,
    PE_TABLES(struct pixel_fourier, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    SPATIAL_COLUMNS_HOOKS(lay_out),
};
