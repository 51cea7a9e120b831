/* SPDX-License-Identifier: Apache-2.0
 * resample_plane.c - see resample_plane.h. */
#include "core/math/resample/resample_plane.h"

#include "core/math/resample/resample_strip.h"
#include "core/math/tensor_row.h"

enum { CHUNK = 64 /* channels at a time */ };

static uint64_t places(const struct pe_grid *grid)
{
    return (uint64_t)grid->height * (uint64_t)grid->width;
}

/* Returns true if a row of the output repeats a row of the table, whose number *at becomes;
 * else the row is a place of the new grid, and *at becomes the number of the place. */
static bool is_kept(const struct resample_plane *p, uint64_t row, uint64_t *at)
{
    if (row >= p->prefix && row - p->prefix < places(&p->to)) {
        *at = row - p->prefix;
        return false;
    }
    *at = row < p->prefix ? row : row - places(&p->to) + places(&p->from);
    return true;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct resample_plane *p = state;
    uint64_t at;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        double *to = out[0] + r * rect->cols;

        if (is_kept(p, rect->row + r, &at))
            tensor_row(p->table, input[0], at, rect->col, rect->cols, to);
        else
            resample_place_fill(p, input[0], at, rect->col, rect->cols, to);
    }
}

/* Writes columns of a row of the table. */
static void copy_row(const struct resample_plane *p, const void *data, uint64_t row,
                     const struct pe_rect *rect, enum pe_dtype dtype, char *to)
{
    double values[CHUNK];

    for (uint64_t done = 0, part; done < rect->cols; done += part) {
        part = rect->cols - done < CHUNK ? rect->cols - done : CHUNK;
        tensor_row(p->table, data, row, rect->col + done, part, values);
        pe_dtype_from_f64(dtype, to + done * pe_dtype_size(dtype), values, (size_t)part);
    }
}

static bool fill_typed(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                       void *const out[], const void *const input[], void *scratch)
{
    const struct resample_plane *p = state;
    const size_t row_bytes = (size_t)rect->cols * pe_dtype_size(dtype);
    struct resample_strip strip = {.plane = p,
                                   .data = input[0],
                                   .col = rect->col,
                                   .cols = rect->cols,
                                   .dtype = dtype};
    uint64_t at;

    if (!resample_strip_pays(p, dtype))
        return false;
    for (uint64_t r = 0, rows; out[0] && r < rect->rows; r += rows) {
        char *to = (char *)out[0] + r * row_bytes;

        rows = 1;
        if (is_kept(p, rect->row + r, &at)) {
            copy_row(p, input[0], at, rect, dtype, to);
            continue;
        }
        strip.first = at;
        strip.most = rect->rows - r;
        rows = resample_strip_fill(&strip, to, scratch);
    }
    return true;
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    return RESAMPLE_STRIP_SCRATCH;
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct resample_plane *p = state;
    const double rows = (double)p->rows.stride, cols = (double)p->cols.stride;
    const double channels = (double)p->table->dims[1];

    if (!resample_strip_pays(p, dtype))
        return 2 * rows * cols;
    return 2 + 5 * (rows * (double)p->from.width / (double)p->to.width + cols) /
                   (channels < CHUNK ? channels : CHUNK);
}

const struct pe_filler resample_plane_filler = {
    .reference = fill, .vectors = fill_typed, .scratch = scratch_bytes, .cost = cost};
