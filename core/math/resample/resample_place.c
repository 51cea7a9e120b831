/* SPDX-License-Identifier: Apache-2.0
 * resample_place.c - see resample_place.h. */
#include "core/math/resample/resample_place.h"

#include <math.h>

#include "core/math/tensor_row.h"

enum { CHUNK = 128 };

struct taps { /* The weights of one place of the new grid. */
    const struct dd *row_weights, *col_weights;
    uint64_t row, rows, col, cols; /* first row and column of the old grid, rows and columns */
};

static struct taps taps_of(const struct resample_plane *p, uint64_t place)
{
    uint64_t y = place / (uint64_t)p->to.width, x = place % (uint64_t)p->to.width;

    return (struct taps){.row_weights = p->rows.weights + y * p->rows.stride,
                         .col_weights = p->cols.weights + x * p->cols.stride,
                         .row = p->rows.first[y],
                         .rows = p->rows.taps[y],
                         .col = p->cols.first[x],
                         .cols = p->cols.taps[x]};
}

uint64_t resample_place_row(const struct resample_plane *plane, uint64_t y, uint64_t x)
{
    return plane->prefix + y * (uint64_t)plane->from.width + x;
}

/* Returns the table's row for a tap. */
static uint64_t row_at(const struct resample_plane *p, const struct taps *taps, uint64_t i,
                       uint64_t j)
{
    return resample_place_row(p, taps->row + i, taps->col + j);
}

/* Returns one element whose terms nearly cancel, added in sums of two doubles. */
static double sum_exactly(const struct resample_plane *p, const struct taps *taps,
                          const void *data, uint64_t col)
{
    struct dd sum = {0, 0};
    double value;

    for (uint64_t i = 0; i < taps->rows; i++) {
        for (uint64_t j = 0; j < taps->cols; j++) {
            struct dd weight = elementary_multiply(taps->row_weights[i], taps->col_weights[j]);

            tensor_row(p->table, data, row_at(p, taps, i, j), col, 1, &value);
            sum = elementary_add(sum, elementary_multiply(weight, (struct dd){value, 0}));
        }
    }
    return sum.hi + sum.lo;
}

/* Fills at most CHUNK elements. Where a sum is far below the sizes of its terms, it is added
 * again exactly. */
static void fill_chunk(const struct resample_plane *p, const struct taps *taps,
                       const void *data, uint64_t col, uint64_t cols, double *out)
{
    double row[CHUNK], size[CHUNK] = {0};

    for (uint64_t c = 0; c < cols; c++)
        out[c] = 0;
    for (uint64_t i = 0; i < taps->rows; i++) {
        for (uint64_t j = 0; j < taps->cols; j++) {
            double weight = taps->row_weights[i].hi * taps->col_weights[j].hi;

            tensor_row(p->table, data, row_at(p, taps, i, j), col, cols, row);
            for (uint64_t c = 0; c < cols; c++) {
                out[c] += weight * row[c];
                size[c] += fabs(weight * row[c]);
            }
        }
    }
    for (uint64_t c = 0; c < cols; c++)
        if (fabs(out[c]) < p->cancelled * size[c])
            out[c] = sum_exactly(p, taps, data, col + c);
}

void resample_place_fill(const struct resample_plane *plane, const void *data, uint64_t place,
                         uint64_t col, uint64_t cols, double *out)
{
    const struct taps taps = taps_of(plane, place);

    for (uint64_t done = 0, part; done < cols; done += part) {
        part = cols - done < CHUNK ? cols - done : CHUNK;
        fill_chunk(plane, &taps, data, col + done, part, out + done);
    }
}
