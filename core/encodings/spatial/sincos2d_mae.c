/* SPDX-License-Identifier: Apache-2.0
 * sincos2d_mae.c - sines and cosines of column and row, a half of the width each:
 *
 *     omega_i = base^(-i / (dim/4)), i = 0..dim/4-1    enc(p) = [sin(p omega) | cos(p omega)]
 *     row(h, w) = [enc(w) | enc(h)]
 *
 * The column comes first: the meshgrid of the reference puts it there, although the variable is
 * called emb_h; V-JEPA's function of this name puts the row first (order=hw). With base_size
 * positions are h base_size / (H interpolation_scale), as in PixArt. He et al. 2022, Masked
 * Autoencoders; facebookresearch/mae util/pos_embed.py; diffusers embeddings.py. */
#include <math.h>

#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

enum { ORDER_WH, ORDER_HW };

struct sincos2d_mae {
    struct combine combine; /* parameters of sincos2d-mae/apply */
    int64_t dim, cls_token;
    struct pe_grid grid;
    double base, interpolation_scale;
    struct pe_reals base_size;
    int order;
};

static const struct pe_choice orders[] = {
    [ORDER_WH] = {"wh", NULL, "the column in the first half: MAE, DiT, diffusers", NULL},
    [ORDER_HW] = {"hw", NULL, "the row in the first half: V-JEPA", NULL},
    {NULL, NULL, NULL, NULL}};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct sincos2d_mae, 4),
    SPATIAL_COLUMNS_ROW_GRID(struct sincos2d_mae),
    SPATIAL_COLUMNS_ROW_BASE(struct sincos2d_mae),
    {PE_FIELD(struct sincos2d_mae, cls_token), .type = PE_INT, .min = 0, .max = 65536,
     .summary = "rows of zeros in front (class token, extra tokens)"},
    {PE_FIELD(struct sincos2d_mae, base_size), .type = PE_REALS, .min = 1e-18, .max = 1e18,
     .summary = "size of training, 32 or 32,24 (rows, columns): the grid is stretched to it"},
    {PE_FIELD(struct sincos2d_mae, interpolation_scale), .type = PE_REAL, .optional = true,
     .min = 1e-18, .max = 1e18, .summary = "divides the positions; 1, with base_size"},
    {PE_FIELD(struct sincos2d_mae, order), .type = PE_CHOICE, .choices = orders,
     .summary = "whose columns come first"},
    COMBINE_ROWS(struct sincos2d_mae),
};

#define ROW_NAMES                                                                              \
    "grid", "dim", "base", "cls_token", "base_size", "interpolation_scale", "order"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(names, true, SPATIAL_COLUMNS_BOUND)};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct sincos2d_mae *s = values;

    if (s->base_size.cols > 0 && isnan(s->interpolation_scale))
        s->interpolation_scale = 1;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sincos2d_mae *s = values;

    if (s->base_size.cols == 0 && !isnan(s->interpolation_scale))
        pe_fail(errors, PE_CONFLICT, "interpolation_scale",
                "has no effect without base_size: give the size of training too");
    if (s->base_size.cols > 2)
        pe_fail(errors, PE_CONFLICT, "base_size", "must be one number or two; got %zu",
                s->base_size.cols);
}

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct sincos2d_mae *s = values;
    const size_t quarter = (size_t)s->dim / 4;
    const uint64_t sides[2] = {(uint64_t)s->grid.height, (uint64_t)s->grid.width};

    layout->points = axes_points_grid(2, sides);
    layout->cols = 4 * quarter;
    layout->blank = (uint64_t)s->cls_token;
    for (size_t half = 0; half < 2; half++) {
        const size_t axis = s->order == ORDER_WH ? 1 - half : half;
        const size_t first = half * quarter; /* pair */
        struct axes_ladder *ladder =
            spatial_columns_ladder(layout, axis, quarter, s->base, (double)quarter);

        spatial_columns_put(layout, 2 * first, 1, AXES_WAVE_SIN, first, quarter);
        spatial_columns_put(layout, 2 * first + quarter, 1, AXES_WAVE_COS, first, quarter);
        if (s->base_size.cols == 0)
            continue;
        ladder->divisor = s->interpolation_scale;
        layout->points.scale[axis].multiplier = s->base_size.values[axis % s->base_size.cols];
        layout->points.scale[axis].divisor = (double)sides[axis];
    }
}

const struct pe_encoding pe_encoding_sincos2d_mae = {
    .name = "sincos2d-mae",
    .summary = "sines and cosines of column and row, a half of the width each (MAE, DiT)",
    .source = "He et al. 2022, Masked Autoencoders Are Scalable Vision Learners; "
              "facebookresearch/mae util/pos_embed.py; diffusers embeddings.py",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=3x3&dim=16&cls_token=1",
                         "grid=4x6&dim=8&base_size=2&interpolation_scale=2",
                         "grid=2x2&dim=8&order=hw&base=100"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct sincos2d_mae, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("pos=grid+cls_token"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_sincos2d_mae_apply = {
    .name = "sincos2d-mae/apply",
    .summary = "patches with their sinusoids added, put beside or multiplied (MAE, DiT)",
    .source = "He et al. 2022, Masked Autoencoders; facebookresearch/mae models_mae.py",
    .examples = PE_WORDS("grid=1x1&x=1,2,3,4", "grid=1x1&x=1,2&combine=concat&dim=4"),
    COMBINE_APPLY(struct sincos2d_mae, pe_encoding_sincos2d_mae, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
