/* SPDX-License-Identifier: Apache-2.0
 * resize_table_2d.c - a learned table of the patches of an image, row by row, at another size.
 *
 *     out[y, x] = sum_i sum_j w(y, i) w(x, j) table[i, j]     (resample.h has the weights)
 *
 * timm layers/pos_embed.py, resample_abs_pos_embed (bicubic, antialias, prefix tokens kept);
 * facebookresearch/dinov2 vision_transformer.py, interpolate_pos_encoding (scale_trick 0.1);
 * facebookresearch/sam3 sam3/model/vitdet.py (commit 99d02f28c8d34610ab35559b72642b01f10fdb1e),
 * get_abs_pos (tile); transformers modular_muse_glimmer.py (commit
 * 0173fbbadd0fcaf8d5e3bb2e4f223d897ba1a5ab), MuseGlimmerVisionPatchEmbedder (zeros). */
#include <math.h>

#include "core/encodings/absolute/resize_table.h"

enum { ROWS };

struct resize_table_2d {
    struct resize_table resize;
    struct pe_grid old_grid, new_grid;
};

static const struct pe_param params[] = {
    RESIZE_TABLE_ROWS(struct resize_table_2d, resize),
    {PE_FIELD(struct resize_table_2d, old_grid), .type = PE_GRID, .optional = true,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "patches of the table, HEIGHTxWIDTH, as 14x14; a square by default"},
    {PE_FIELD(struct resize_table_2d, new_grid), .type = PE_GRID, .required = true,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "patches of the result, HEIGHTxWIDTH, as 16x16"},
};

static const struct pe_output outputs[] = {
    [ROWS] =
        {PE_OUTPUT("rows", PE_F32, "row", "dim"), .label = "Resized table",
         .summary = "the resized table: prefix tokens, then the new grid row by row",
         .by_default = true,
         .bound =
             "0.501 ULP of the table's numbers; f64 2^-47 of the largest term, from its sum"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct resize_table_2d *v = values;
    uint64_t rows;
    int64_t side;

    if (resize_table_check(&v->resize, &rows, errors))
        return;
    side = (int64_t)sqrt((double)rows);
    if (v->old_grid.height == 0) {
        if ((uint64_t)(side * side) != rows) {
            pe_fail(errors, PE_MISSING_PARAMETER, "old_grid",
                    "is required: %llu rows of table, without the prefix, are no square",
                    (unsigned long long)rows);
            return;
        }
        v->old_grid = (struct pe_grid){side, side};
    }
    if ((uint64_t)v->old_grid.height * (uint64_t)v->old_grid.width != rows)
        pe_fail(errors, PE_CONFLICT, "old_grid",
                "must have as many places as table has rows without the prefix, %llu; "
                "got %lldx%lld",
                (unsigned long long)rows, (long long)v->old_grid.height,
                (long long)v->old_grid.width);
    else
        resize_table_resolve(&v->resize);
    resize_table_check_tile(&v->resize, "new_grid", &v->old_grid, &v->new_grid, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct resize_table_2d *v = values;

    return resize_table_plan_ns(&v->resize, &v->old_grid, &v->new_grid);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct resize_table_2d *v = values;

    resize_table_prepare(build, &v->resize, &v->old_grid, &v->new_grid);
}

const struct pe_encoding pe_encoding_resize_table_2d = {
    .name = "resize-table-2d",
    .title = "Learned table of image patches, resized",
    .formula = "rows[y, x] = sum over i, j of w(y, i) w(x, j) table[i, j]\n"
               "w as interpolation says, prefix tokens kept",
    .when_to_use =
        "A vision transformer with a learned table (ViT, DeiT, CLIP, DINOv2) on images of "
        "another size than in training. The defaults are those of timm "
        "(resample_abs_pos_embed); scale_trick=0.1&antialias=0 is DINO, interpolation=tile "
        "SAM 3, interpolation=linear&antialias=0&padding_mode=zeros Muse Glimmer.",
    .what_goes_wrong =
        "DINO passes the ratio of (new + 0.1) / old as scale_factor, which shifts every "
        "source coordinate. Bicubic without antialias (a = -0.75) and with it (a = -0.5) "
        "differ even where the table grows. The class token must be split off, and rows come "
        "before columns.",
    .picture = "table=0,5,1;2,3,0;4,1,2;6,0,5;8,2,9;6,4,7;4,6,4;2,8,1;0,9,0;3,7,3;5,4,6;7,1,9;"
               "9,0,8;6,2,5;3,4,2;1,6,0&new_grid=8x8",
    .summary = "a learned table of an image's patches at another size",
    .source = "timm layers/pos_embed.py, resample_abs_pos_embed; facebookresearch/dinov2 "
              "vision_transformer.py, interpolate_pos_encoding",
    .examples = PE_WORDS("table=0;1;2;3&new_grid=3x3",
                         "table=9;0;1;2;3;4;5&prefix_tokens=1&old_grid=2x3&new_grid=1x2",
                         "table=0;1;2;3&new_grid=3x4&antialias=0&scale_trick=0.1",
                         "table=0;1;2;3&new_grid=3x3&interpolation=bilinear&align_corners=1",
                         "table=0;1;2;3&new_grid=3x5&interpolation=tile",
                         "table=1;2;3;4&new_grid=4x4&interpolation=linear&antialias=0"
                         "&padding_mode=zeros"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct resize_table_2d, params, outputs),
    .resolve = resolve,
    .lengths = PE_WORDS("row=new_grid+prefix_tokens", "dim=table.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
