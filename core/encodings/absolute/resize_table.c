/* SPDX-License-Identifier: Apache-2.0
 * resize_table.c - resizes a learned table: the rows and the columns of its grid are resampled
 * by one rule, each channel alone. */
#include "core/encodings/absolute/resize_table.h"

#include <math.h>

#include "core/math/resample/resample_plane.h"
#include "core/math/tensor_row.h"

const struct pe_choice resize_table_paddings[] = {
    PE_ONE("border", "the row at the end is repeated, as interpolate of torch does"),
    PE_ONE("zeros", "there is nothing: the weight is lost, as padding_mode of grid_sample"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice resize_table_interpolations[] = {
    PE_ONE_AT(RESAMPLE_NEAREST, "nearest", "row d of the result is row floor(d old / new)"),
    PE_ONE_AT(RESAMPLE_NEAREST_EXACT, "nearest-exact",
              "row d of the result is row floor((d + 1/2) old / new)"),
    [RESAMPLE_LINEAR] = {"linear", PE_WORDS("bilinear"),
                         "weighted means of the two nearest rows an axis", NULL, NULL},
    [RESAMPLE_CUBIC] = {"bicubic", PE_WORDS("cubic"),
                        "the cubic kernel of Keys on four rows an axis", NULL, NULL},
    PE_ONE_AT(RESAMPLE_LANCZOS, "lanczos",
              "the Lanczos kernel of Pillow on six rows an axis, always with "
              "antialias"),
    PE_ONE_AT(RESAMPLE_TILE, "tile",
              "row d of the result is row d mod old: the table is repeated (SAM 3, abs_win)"),
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- rules ------------------------------------------------------------------------------ */

void resize_table_resolve(struct resize_table *v)
{
    const bool kernel =
        v->interpolation == RESAMPLE_LINEAR || v->interpolation == RESAMPLE_CUBIC;

    v->antialias =
        v->interpolation == RESAMPLE_LANCZOS || (kernel && !v->align_corners && v->antialias);
    if (v->interpolation == RESAMPLE_CUBIC && isnan(v->cubic_a))
        v->cubic_a = v->antialias ? -0.5 : -0.75;
}

enum pe_status resize_table_check(const struct resize_table *v, uint64_t *rows,
                                  struct pe_errors *errors)
{
    enum pe_status status = tensor_row_check(&v->table, "table", "rows,dim", errors);

    if (status)
        return status;
    if ((uint64_t)v->prefix_tokens >= v->table.dims[0])
        return pe_fail(errors, PE_CONFLICT, "prefix_tokens",
                       "must leave rows of table, which has %llu; got %lld",
                       (unsigned long long)v->table.dims[0], (long long)v->prefix_tokens);
    *rows = v->table.dims[0] - (uint64_t)v->prefix_tokens;
    return PE_OK;
}

void resize_table_check_tile(const struct resize_table *v, const char *name,
                             const struct pe_grid *from, const struct pe_grid *to,
                             struct pe_errors *errors)
{
    if (v->interpolation == RESAMPLE_TILE &&
        (to->height < from->height || to->width < from->width))
        pe_fail(errors, PE_CONFLICT, name,
                "must be no smaller than the table with interpolation=tile, which repeats it; "
                "for a part of the table send that part");
}

/* ---- weights ---------------------------------------------------------------------------- */

static struct resample axis_of(const struct resize_table *v, int64_t from, int64_t to)
{
    return (struct resample){.before = (uint64_t)from,
                             .after = (uint64_t)to,
                             .mode = (enum resample_mode)v->interpolation,
                             .antialias = v->antialias,
                             .align_corners = v->align_corners,
                             .zero_edge = v->padding_mode == 1,
                             .trick = v->scale_trick,
                             .cubic_a = v->cubic_a};
}

double resize_table_plan_ns(const struct resize_table *v, const struct pe_grid *from,
                            const struct pe_grid *to)
{
    struct resample rows = axis_of(v, from->height, to->height);
    struct resample cols = axis_of(v, from->width, to->width);
    double weights = (double)resample_stride(&rows) * (double)to->height +
                     (double)resample_stride(&cols) * (double)to->width;

    return weights * (v->interpolation == RESAMPLE_LANCZOS ? 1500 : 200);
}

void resize_table_prepare(struct pe_build *build, const struct resize_table *v,
                          const struct pe_grid *from, const struct pe_grid *to)
{
    struct resample rows = axis_of(v, from->height, to->height);
    struct resample cols = axis_of(v, from->width, to->width);
    struct resample_plane *plane = pe_build_alloc(build, sizeof *plane);

    if (!plane || !resample_make(build, &rows, &plane->rows) ||
        !resample_make(build, &cols, &plane->cols))
        return;
    plane->table = &v->table;
    plane->from = *from;
    plane->to = *to;
    plane->prefix = (uint64_t)v->prefix_tokens;
    plane->cancelled = 0x1p-10; /* 2^-47 of the terms' magnitude is lost to rounding */
    pe_build_fill(build, 0, &resample_plane_filler, plane);
}
