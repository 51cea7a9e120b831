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
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

enum { ORDER_WH, ORDER_HW };

struct sincos2d_mae {
    struct combine combine; /* parameters of sincos2d-mae/apply */
    int64_t dim, prefix_tokens;
    struct pe_grid grid;
    double base, interpolation_scale;
    struct pe_reals base_size;
    int order;
};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct sincos2d_mae, 4),
    SPATIAL_COLUMNS_ROW_GRID(struct sincos2d_mae),
    SPATIAL_COLUMNS_ROW_BASE(struct sincos2d_mae, NULL),
    {PE_FIELD(struct sincos2d_mae, prefix_tokens), .type = PE_INT, .min = 0, .max = 65536,
     .summary = "rows of zeros before those of the grid (class token, extra tokens)"},
    {PE_FIELD(struct sincos2d_mae, base_size), .type = PE_REALS, .min = 1e-18, .max = 1e18,
     PE_OWN("diffusers", POSITIONS, ADVANCED),
     .summary = "size of the grid in training, 32 or 32,24 (rows, columns), which positions "
                "are scaled to; absent: they are not scaled"},
    {PE_FIELD(struct sincos2d_mae, interpolation_scale), .type = PE_REAL, .min = 1e-18,
     .max = 1e18, .preset = 1, .when = "base_size", PE_OWN("diffusers", POSITIONS, ADVANCED),
     .summary = "divisor of the positions, beside base_size"},
    {PE_FIELD(struct sincos2d_mae, order),
     PE_CHOICES(PE_ONE_AT(ORDER_WH, "wh", "the column in the first half: MAE, DiT, diffusers"),
                PE_ONE_AT(ORDER_HW, "hw", "the row in the first half: V-JEPA")),
     .summary = "which coordinate has the first half of the columns"},
    COMBINE_ROWS(struct sincos2d_mae),
};

#define ROW_NAMES                                                                              \
    "grid", "dim", "base", "prefix_tokens", "base_size", "interpolation_scale", "order"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(names, true, PE_COLUMN_AXES_WAVE, SPATIAL_COLUMNS_BOUND)};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sincos2d_mae *s = values;

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
    layout->blank = (uint64_t)s->prefix_tokens;
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
    .title = "MAE: sines and cosines of column and row",
    .formula = "omega_i = base^(-i / (dim/4)), i = 0..dim/4-1, enc(p) = [sin(p omega) | cos(p "
               "omega)]\n"
               "row(h, w) = [enc(w) | enc(h)], or [enc(h) | enc(w)] with order=hw\n"
               "with base_size h and w are multiplied by base_size / (side of the grid "
               "interpolation_scale)",
    .when_to_use =
        "Vision Transformers with fixed positions: MAE, I-JEPA, DiT, SiT, and PixArt "
        "with base_size; V-JEPA with order=hw. timm, simple ViT and MoCo v3 order the "
        "columns otherwise (sincos2d-timm); videos take sincos3d.",
    .what_goes_wrong =
        "The column has the first half of the width: the meshgrid of the reference puts "
        "it there although the variable is called emb_h, so that ports which follow the "
        "name swap the halves. The class token has a row of zeros (prefix_tokens=1), "
        "not the row of a position. All sines of a half come before its cosines.",
    .picture = "grid=8x8&dim=64",
    .summary = "sines and cosines of column and row, a half of the width each (MAE, DiT)",
    .source = "He et al. 2022, Masked Autoencoders Are Scalable Vision Learners; "
              "facebookresearch/mae util/pos_embed.py; diffusers embeddings.py",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=3x3&dim=16&prefix_tokens=1",
                         "grid=4x6&dim=8&base_size=2&interpolation_scale=2",
                         "grid=2x2&dim=8&order=hw&base=100"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct sincos2d_mae, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .check = check,
    .lengths = PE_WORDS("pos=grid+prefix_tokens"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_sincos2d_mae_apply = {
    .name = "sincos2d-mae/apply",
    .title = "MAE: patches with their sines and cosines",
    .picture = "grid=2x2&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;0,0,1,0,0,0,0,0;0,0,0,1,0,0,0,0",
    .summary = "patches with their sinusoids added, put beside or multiplied (MAE, DiT)",
    .source = "He et al. 2022, Masked Autoencoders; facebookresearch/mae models_mae.py",
    .examples = PE_WORDS("grid=1x1&x=1,2,3,4", "grid=1x1&x=1,2&combine=concat&dim=4"),
    COMBINE_APPLY(struct sincos2d_mae, pe_encoding_sincos2d_mae, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
