/* SPDX-License-Identifier: Apache-2.0
 * resize_table.c - a learned table at another size: rows and columns of its grid are resampled
 * by the same rule, each channel alone. */
#include "core/encodings/absolute/resize_table.h"

#include <math.h>

#include "core/math/tensor_row.h"

enum { CHUNK = 128 };

const struct pe_choice resize_table_modes[] = {
    [RESAMPLE_NEAREST] = {"nearest", NULL, "floor(d old / new)", NULL},
    [RESAMPLE_NEAREST_EXACT] = {"nearest-exact", NULL, "floor((d + 1/2) old / new)", NULL},
    [RESAMPLE_LINEAR] = {"linear", PE_WORDS("bilinear"), "two places an axis", NULL},
    [RESAMPLE_CUBIC] = {"bicubic", PE_WORDS("cubic"), "Keys' kernel, four places an axis",
                        NULL},
    [RESAMPLE_LANCZOS] = {"lanczos", NULL, "PIL's, six places an axis, antialiased", NULL},
    {NULL, NULL, NULL, NULL}};

/* ---- rules ------------------------------------------------------------------------------ */

static enum pe_status resolve_antialias(struct resize_table *v, bool given,
                                        struct pe_errors *errors)
{
    bool nearest = v->mode == RESAMPLE_NEAREST || v->mode == RESAMPLE_NEAREST_EXACT;
    bool wanted = v->mode == RESAMPLE_LANCZOS || (!nearest && !v->align_corners);

    if (given && v->antialias != wanted && (nearest || v->mode == RESAMPLE_LANCZOS))
        return pe_fail(errors, PE_CONFLICT, "antialias", "is %d with mode=%s; got %d", wanted,
                       resize_table_modes[v->mode].name, v->antialias);
    if (given && v->antialias && v->align_corners)
        return pe_fail(errors, PE_CONFLICT, "antialias",
                       "does not go with align_corners=1; give one of them");
    if (!given || !wanted)
        v->antialias = wanted;
    return PE_OK;
}

enum pe_status resize_table_resolve(struct resize_table *v, bool antialias_given,
                                    struct pe_errors *errors)
{
    bool spread = v->mode == RESAMPLE_LINEAR || v->mode == RESAMPLE_CUBIC;
    enum pe_status status;

    if (v->align_corners && !spread)
        return pe_fail(errors, PE_CONFLICT, "align_corners", "has no effect with mode=%s",
                       resize_table_modes[v->mode].name);
    status = resolve_antialias(v, antialias_given, errors);
    if (status)
        return status;
    if (v->align_corners && v->scale_trick != 0)
        return pe_fail(errors, PE_CONFLICT, "scale_trick",
                       "has no effect with align_corners=1; leave it out");
    if (v->mode != RESAMPLE_CUBIC && !isnan(v->cubic_a))
        return pe_fail(errors, PE_CONFLICT, "cubic_a", "has no effect with mode=%s",
                       resize_table_modes[v->mode].name);
    if (v->mode == RESAMPLE_CUBIC && isnan(v->cubic_a))
        v->cubic_a = v->antialias ? -0.5 : -0.75;
    return PE_OK;
}

enum pe_status resize_table_check(const struct resize_table *v, uint64_t *rows,
                                  struct pe_errors *errors)
{
    enum pe_status status = tensor_row_check(&v->table, "table", "rows,dim", errors);

    if (status)
        return status;
    if ((uint64_t)v->num_prefix_tokens >= v->table.dims[0])
        return pe_fail(errors, PE_CONFLICT, "num_prefix_tokens",
                       "must leave rows of table, which has %llu; got %lld",
                       (unsigned long long)v->table.dims[0], (long long)v->num_prefix_tokens);
    *rows = v->table.dims[0] - (uint64_t)v->num_prefix_tokens;
    return PE_OK;
}

/* ---- weights ---------------------------------------------------------------------------- */

static struct resample axis_of(const struct resize_table *v, int64_t from, int64_t to)
{
    return (struct resample){.before = (uint64_t)from,
                             .after = (uint64_t)to,
                             .mode = (enum resample_mode)v->mode,
                             .antialias = v->antialias,
                             .align_corners = v->align_corners,
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

    return weights * (v->mode == RESAMPLE_LANCZOS ? 3000 : 200);
}

struct state {
    const struct resize_table *resize;
    struct resample_axis rows, cols;
    uint64_t from_width, to_width;
};

/* ---- a row ------------------------------------------------------------------------------ */

struct taps { /* of one place of the new grid */
    const struct split *row_weights, *col_weights;
    uint64_t row, rows, col, cols; /* places of the old grid */
};

static struct taps taps_of(const struct state *s, uint64_t place)
{
    uint64_t y = place / s->to_width, x = place % s->to_width;

    return (struct taps){.row_weights = s->rows.weights + y * s->rows.stride,
                         .col_weights = s->cols.weights + x * s->cols.stride,
                         .row = s->rows.first[y],
                         .rows = s->rows.taps[y],
                         .col = s->cols.first[x],
                         .cols = s->cols.taps[x]};
}

/* The table's row at a place of the old grid. */
static uint64_t row_at(const struct state *s, const struct taps *taps, uint64_t i, uint64_t j)
{
    return (uint64_t)s->resize->num_prefix_tokens + (taps->row + i) * s->from_width +
           taps->col + j;
}

/* One element whose terms nearly cancel, in sums of two doubles. */
static double sum_exactly(const struct state *s, const struct taps *taps, const void *data,
                          uint64_t col)
{
    struct split sum = {0, 0};
    double value;

    for (uint64_t i = 0; i < taps->rows; i++) {
        for (uint64_t j = 0; j < taps->cols; j++) {
            struct split weight =
                elementary_multiply(taps->row_weights[i], taps->col_weights[j]);

            tensor_row(&s->resize->table, data, row_at(s, taps, i, j), col, 1, &value);
            sum = elementary_add(sum, elementary_multiply(weight, (struct split){value, 0}));
        }
    }
    return sum.hi + sum.lo;
}

/* At most CHUNK elements. What is lost to rounding is 2^-47 of the terms' magnitude: where the
 * sum is far below that, it is made again. */
static void fill_chunk(const struct state *s, const struct taps *taps, const void *data,
                       uint64_t col, uint64_t cols, double *out)
{
    const double cancelled = 0x1p-10;
    double row[CHUNK], size[CHUNK] = {0};

    for (uint64_t c = 0; c < cols; c++)
        out[c] = 0;
    for (uint64_t i = 0; i < taps->rows; i++) {
        for (uint64_t j = 0; j < taps->cols; j++) {
            double weight = taps->row_weights[i].hi * taps->col_weights[j].hi;

            tensor_row(&s->resize->table, data, row_at(s, taps, i, j), col, cols, row);
            for (uint64_t c = 0; c < cols; c++) {
                out[c] += weight * row[c];
                size[c] += fabs(weight * row[c]);
            }
        }
    }
    for (uint64_t c = 0; c < cols; c++) {
        if (fabs(out[c]) < cancelled * size[c])
            out[c] = sum_exactly(s, taps, data, col + c);
    }
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    uint64_t prefix = (uint64_t)s->resize->num_prefix_tokens;

    (void)scratch;
    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        double *to = out[0] + r * rect->cols;
        uint64_t row = rect->row + r;
        struct taps taps;

        if (row < prefix) {
            tensor_row(&s->resize->table, input[0], row, rect->col, rect->cols, to);
            continue;
        }
        taps = taps_of(s, row - prefix);
        for (uint64_t done = 0; done < rect->cols; done += CHUNK)
            fill_chunk(s, &taps, input[0], rect->col + done,
                       rect->cols - done < CHUNK ? rect->cols - done : CHUNK, to + done);
    }
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct state *s = state;

    (void)dtype;
    return 2 * (double)s->rows.stride * (double)s->cols.stride;
}

static const struct pe_filler filler = {.reference = fill, .cost = cost, .ns_per_element = 40};

bool resize_table_prepare(struct pe_build *build, const struct resize_table *v,
                          const struct pe_grid *from, const struct pe_grid *to)
{
    struct resample rows = axis_of(v, from->height, to->height);
    struct resample cols = axis_of(v, from->width, to->width);
    struct state *s = pe_build_alloc(build, sizeof *s);

    if (!s || !resample_make(build, &rows, &s->rows) || !resample_make(build, &cols, &s->cols))
        return false;
    s->resize = v;
    s->from_width = (uint64_t)from->width;
    s->to_width = (uint64_t)to->width;
    pe_build_fill(build, 0, &filler, s);
    return true;
}
