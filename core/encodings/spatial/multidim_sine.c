/* SPDX-License-Identifier: Apache-2.0
 * multidim_sine.c - one sinusoid for each axis, one after the other, for arrays of 1 to 3 axes:
 *
 *     e = 2 ceil(dim / (2n)),  w_i = base^(-2i/e)     of each axis [s0 c0 s1 c1 ...], e columns
 *
 * The columns of all n axes, the first axis first, are cut to dim, which may drop a cosine or
 * most of the last axis. tatp22/multidim-positional-encoding torch_encodings.py. */
#include <math.h>

#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

enum { MOST_AXES = 3 };

struct multidim_sine {
    struct combine combine; /* parameters of multidim-sine/apply */
    int64_t dim;
    struct pe_reals grid_sizes;
    double base;
};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct multidim_sine, 1),
    {PE_FIELD(struct multidim_sine, grid_sizes), .type = PE_REALS, .required = true, .min = 1,
     .max = 65536, .summary = "lengths of 1 to 3 axes, the last one fastest: 5,7"},
    SPATIAL_COLUMNS_ROW_BASE(struct multidim_sine, NULL),
    COMBINE_ROWS(struct multidim_sine),
};

#define ROW_NAMES "grid_sizes", "dim", "base"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("table", PE_F32, "axis", "dim"), .label = "Table",
     .columns = PE_COLUMN_AXES_WAVE,
     .summary = "the encoding of each element of the array, in the shape of the array",
     .by_default = true, .uses = names, .bound = SPATIAL_COLUMNS_BOUND}};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct multidim_sine *m = values;

    if (m->grid_sizes.cols > MOST_AXES) {
        pe_fail(errors, PE_CONFLICT, "grid_sizes", "must have 1 to %d axes; got %zu", MOST_AXES,
                m->grid_sizes.cols);
        return;
    }
    for (size_t a = 0; a < m->grid_sizes.cols; a++) {
        if (m->grid_sizes.values[a] != trunc(m->grid_sizes.values[a])) {
            pe_fail(errors, PE_BAD_VALUE, "grid_sizes", "must be whole numbers; got %g",
                    m->grid_sizes.values[a]);
            return;
        }
    }
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct multidim_sine *m = values;

    for (size_t a = 0; a < m->grid_sizes.cols; a++)
        dims[a] = (uint64_t)m->grid_sizes.values[a];
    dims[m->grid_sizes.cols] = (uint64_t)m->dim;
    return m->grid_sizes.cols + 1;
}

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct multidim_sine *m = values;
    const size_t axes = m->grid_sizes.cols, dim = (size_t)m->dim;
    const size_t pairs = (dim + 2 * axes - 1) / (2 * axes); /* pairs of one axis */
    uint64_t sides[PE_MAX_RANK];

    shape(NULL, m, 0, sides);
    layout->points = axes_points_grid(axes, sides);
    layout->cols = dim;
    for (size_t a = 0; a < axes; a++)
        spatial_columns_ladder(layout, a, pairs, m->base, (double)pairs);
    spatial_columns_put(layout, 0, 2, AXES_WAVE_SIN, 0, (dim + 1) / 2);
    spatial_columns_put(layout, 1, 2, AXES_WAVE_COS, 0, dim / 2);
}

const struct pe_encoding pe_encoding_multidim_sine = {
    .name = "multidim-sine",
    .title = "Sinusoids of arrays of one to three axes",
    .formula = "e = 2 ceil(dim / (2n)) for n axes, w_i = base^(-2i/e), i = 0..e/2-1\n"
               "of each axis [sin(p w_0), cos(p w_0), sin(p w_1), ...], first axis first, cut "
               "to dim columns",
    .when_to_use =
        "Code that calls the package positional-encodings (tatp22) on sequences, images "
        "or volumes. Vision Transformers with fixed positions take sincos2d-mae or "
        "sincos2d-timm, whose columns are ordered otherwise.",
    .what_goes_wrong =
        "Each axis has an even number of columns, rounded up, and the row is cut to "
        "dim: unless dim is a multiple of twice the number of axes, the last axis has "
        "fewer columns than the others. Sines and cosines alternate, unlike in "
        "sincos2d-mae. Each frequency spans the columns of an axis, not dim.",
    .picture = "grid_sizes=8,12&dim=64",
    .summary = "a sinusoid an axis for arrays of one to three axes (tatp22)",
    .source = "tatp22/multidim-positional-encoding positional_encodings/torch_encodings.py",
    .examples = PE_WORDS("grid_sizes=2,3&dim=8", "grid_sizes=5,7&dim=32",
                         "grid_sizes=2,2,3&dim=7&base=100", "grid_sizes=4&dim=6"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct multidim_sine, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .check = check,
    .shape = shape,
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_multidim_sine_apply = {
    .name = "multidim-sine/apply",
    .title = "Vectors of an array with their sinusoids",
    .picture =
        "grid_sizes=2,2&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;0,0,1,0,0,0,0,0;0,0,0,1,0,0,0,0",
    .summary = "vectors of an array with their sinusoids added, put beside or multiplied",
    .source = "tatp22/multidim-positional-encoding torch_encodings.py, Summer",
    .examples = PE_WORDS("grid_sizes=1&x=1,2,3,4", "grid_sizes=1,1&x=1,2&combine=concat&dim=4"),
    COMBINE_APPLY(struct multidim_sine, pe_encoding_multidim_sine, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
