/* SPDX-License-Identifier: Apache-2.0
 * sincos2d_timm.c - sines of row and column, then their cosines:
 *
 *     b_i = base^(-i / (dim/4)), i = 0..dim/4-1
 *     row(h, w) = [sin hb, sin wb, cos hb, cos wb]
 *
 * With interleave_sin_cos it is [sin hb, cos hb, sin wb, cos wb]. reverse_coord exchanges h and
 * w everywhere, so that points follow column by column. timm layers/pos_embed_sincos.py,
 * build_sincos2d_pos_embed. Relatives: simple ViT and big_vision (column first, closed ladder,
 * b_i = base^(-i / (dim/4 - 1))); MoCo v3, whose "w" is the slow index of its meshgrid. */
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

enum { LADDER_OPEN, LADDER_CLOSED };
enum { ORDER_HW, ORDER_WH };

struct sincos2d_timm {
    struct combine combine; /* parameters of sincos2d-timm/apply */
    int64_t dim;
    struct pe_grid grid;
    double base;
    int ladder, order, preset;
    bool reverse_coord, interleave_sin_cos;
};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct sincos2d_timm, 4),
    SPATIAL_COLUMNS_ROW_GRID(struct sincos2d_timm),
    SPATIAL_COLUMNS_ROW_BASE(struct sincos2d_timm, NULL),
    {PE_FIELD(struct sincos2d_timm, ladder),
     PE_CHOICES([LADDER_OPEN] = {"geometric-open", PE_WORDS("open"),
                                 "base^(-i / (dim/4)), which ends before 1/base: timm, MoCo v3",
                                 NULL, NULL},
                [LADDER_CLOSED] =
                    {"geometric-closed", PE_WORDS("closed"),
                     "base^(-i / (dim/4 - 1)), which ends at 1/base: simple ViT, big_vision",
                     NULL, NULL}),
     .summary = "where the geometric frequencies end"},
    {PE_FIELD(struct sincos2d_timm, interleave_sin_cos), .type = PE_BOOL,
     PE_OWN("timm", CONVENTION, BASIC),
     .summary = "put the cosines of a coordinate after its sines, before the other coordinate"},
    {PE_FIELD(struct sincos2d_timm, reverse_coord), .type = PE_BOOL,
     PE_OWN("timm", CONVENTION, ADVANCED),
     .summary = "exchange row and column, in the columns and in the order of the points"},
    {PE_FIELD(struct sincos2d_timm, order),
     PE_CHOICES(PE_ONE_AT(ORDER_HW, "hw", "the row before the column: timm"),
                PE_ONE_AT(ORDER_WH, "wh", "the column before the row: simple ViT, big_vision")),
     .when = "!reverse_coord", .summary = "which coordinate has the first columns"},
    {PE_FIELD(struct sincos2d_timm, preset),
     PE_CHOICES({"simple-vit", PE_WORDS("big-vision"),
                 "posemb_sincos_2d of big_vision and vit-pytorch",
                 .stands_for = "interleave_sin_cos=1&order=wh&ladder=geometric-closed"},
                {"moco-v3", .summary = "MoCo v3, build_2d_sincos_position_embedding of vits.py",
                 .stands_for = "interleave_sin_cos=1&reverse_coord=1"}),
     .optional = true, .expanded = true},
    COMBINE_ROWS(struct sincos2d_timm),
};

#define ROW_NAMES                                                                              \
    "grid", "dim", "base", "ladder", "interleave_sin_cos", "reverse_coord", "order"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(names, true, PE_COLUMN_AXES_WAVE, SPATIAL_COLUMNS_BOUND)};

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct sincos2d_timm *s = values;
    const size_t quarter = (size_t)s->dim / 4;
    const uint64_t height = (uint64_t)s->grid.height, width = (uint64_t)s->grid.width;
    const uint64_t sides[2] = {s->reverse_coord ? width : height,
                               s->reverse_coord ? height : width}; /* axis 0 varies slowest */
    const double of = s->ladder == LADDER_CLOSED ? (double)quarter - 1 : (double)quarter;

    layout->points = axes_points_grid(2, sides);
    layout->cols = 4 * quarter;
    for (size_t half = 0; half < 2; half++) {
        const size_t sine = s->interleave_sin_cos ? 2 * half : half;
        const size_t cosine = s->interleave_sin_cos ? 2 * half + 1 : half + 2;
        const size_t first = half * quarter; /* pair */

        spatial_columns_ladder(layout, s->order == ORDER_WH ? 1 - half : half, quarter, s->base,
                               of);
        spatial_columns_put(layout, sine * quarter, 1, AXES_WAVE_SIN, first, quarter);
        spatial_columns_put(layout, cosine * quarter, 1, AXES_WAVE_COS, first, quarter);
    }
}

const struct pe_encoding pe_encoding_sincos2d_timm = {
    .name = "sincos2d-timm",
    .title = "timm: sines and cosines of row and column",
    .formula = "b_i = base^(-i / (dim/4)), i = 0..dim/4-1, or base^(-i / (dim/4 - 1)) with "
               "ladder=geometric-closed\n"
               "row(h, w) = [sin hb | sin wb | cos hb | cos wb]\n"
               "with interleave_sin_cos [sin hb | cos hb | sin wb | cos wb]",
    .when_to_use =
        "Models of timm with fixed positions, simple ViT and big_vision "
        "(preset=simple-vit), MoCo v3 (preset=moco-v3). MAE, DiT and diffusers have the "
        "columns of sincos2d-mae.",
    .what_goes_wrong =
        "simple ViT has the column first and a ladder that ends at 1/base, timm "
        "neither. MoCo v3 calls the slow index of its meshgrid w: on its square grids "
        "the row comes first in fact. reverse_coord also changes the order of the "
        "points, column by column.",
    .picture = "grid=8x8&dim=64",
    .summary = "sines of row and column, then their cosines (timm, simple ViT, MoCo v3)",
    .source = "timm layers/pos_embed_sincos.py, build_sincos2d_pos_embed; Beyer et al. 2022, "
              "Better plain ViT baselines; Chen et al. 2021, MoCo v3",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=4x3&dim=32&interleave_sin_cos=1",
                         "grid=2x2&dim=8&reverse_coord=1", "grid=3x2&dim=16&preset=simple-vit",
                         "grid=2x3&dim=8&preset=moco-v3"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct sincos2d_timm, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .lengths = PE_WORDS("pos=grid"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_sincos2d_timm_apply = {
    .name = "sincos2d-timm/apply",
    .title = "timm: patches with their sines and cosines",
    .picture = "grid=2x2&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;0,0,1,0,0,0,0,0;0,0,0,1,0,0,0,0",
    .summary = "patches with their sinusoids added, put beside or multiplied (timm)",
    .source = "Beyer et al. 2022; timm layers/pos_embed_sincos.py",
    .examples = PE_WORDS("grid=1x1&x=1,2,3,4", "grid=1x1&x=1,2&combine=concat&dim=4"),
    COMBINE_APPLY(struct sincos2d_timm, pe_encoding_sincos2d_timm, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
