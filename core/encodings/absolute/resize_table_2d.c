/* SPDX-License-Identifier: Apache-2.0
 * resize_table_2d.c - a learned table of the patches of an image, row by row, at another size.
 *
 *     out[y, x] = sum_i sum_j w(y, i) w(x, j) table[i, j]     (resample.h has the weights)
 *
 * timm layers/pos_embed.py, resample_abs_pos_embed (bicubic, antialias, prefix tokens kept);
 * facebookresearch/dinov2 vision_transformer.py, interpolate_pos_encoding (scale_trick 0.1). */
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
     .summary = "the table's grid, 14x14; by default the square of its rows"},
    {PE_FIELD(struct resize_table_2d, new_grid), .type = PE_GRID, .required = true,
     .summary = "the grid that is wanted, 16x16"},
};

static const struct pe_output outputs[] = {
    [ROWS] =
        {PE_OUTPUT("rows", PE_F32, "rows", "dim"),
         .summary = "the resized table, row by row of the new grid", .by_default = true,
         .bound =
             "0.501 ULP of the table's numbers; f64 2^-47 of the largest term, from its sum"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct resize_table_2d *v = values;
    bool given = PE_GIVEN(args, struct resize_table_2d, resize.antialias);
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
        resize_table_resolve(&v->resize, given, errors);
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
    .summary = "a learned table of an image's patches at another size",
    .source = "timm layers/pos_embed.py, resample_abs_pos_embed; facebookresearch/dinov2 "
              "vision_transformer.py, interpolate_pos_encoding",
    .examples = PE_WORDS("table=0;1;2;3&new_grid=3x3",
                         "table=9;0;1;2;3;4;5&num_prefix_tokens=1&old_grid=2x3&new_grid=1x2",
                         "table=0;1;2;3&new_grid=3x4&antialias=0&scale_trick=0.1",
                         "table=0;1;2;3&new_grid=3x3&mode=bilinear&align_corners=1"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct resize_table_2d, params, outputs),
    .resolve = resolve,
    .lengths = PE_WORDS("rows=new_grid+num_prefix_tokens", "dim=table.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
