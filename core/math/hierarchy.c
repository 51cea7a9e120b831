/* SPDX-License-Identifier: Apache-2.0
 * hierarchy.c - see hierarchy.h. Differences of rows are kept as sums of two doubles, so that
 * a value is rounded about once. */
#include "core/math/hierarchy.h"

enum { CHUNK = 128 };

struct dd hierarchy_gain(double alpha)
{
    return elementary_divide((struct dd){alpha, 0}, elementary_sum(1, -alpha));
}

enum pe_status hierarchy_check(double alpha, struct pe_errors *errors)
{
    if (alpha > 0 && alpha < 1 && alpha != 0.5)
        return PE_OK;
    return pe_fail(errors, PE_OUT_OF_RANGE, "alpha",
                   "must be between 0 and 1, and not 0.5, with which two positions would have "
                   "one row; got %g",
                   alpha);
}

uint64_t hierarchy_rows(uint64_t rows)
{
    const uint64_t most = UINT64_C(1) << 53;

    return rows < UINT64_C(1) << 26 ? rows * rows : most;
}

void hierarchy_row(struct dd gain, const struct pe_tensor *table, const void *data, uint64_t k,
                   uint64_t col, uint64_t cols, double *out)
{
    uint64_t rows = table->dims[0];
    double high[CHUNK], first[CHUNK];

    tensor_row(table, data, k % rows, col, cols, out);
    if (k < rows)
        return;
    for (uint64_t done = 0; done < cols; done += CHUNK) {
        uint64_t some = cols - done < CHUNK ? cols - done : CHUNK;

        tensor_row(table, data, k / rows, col + done, some, high);
        tensor_row(table, data, 0, col + done, some, first);
        for (uint64_t i = 0; i < some; i++) {
            struct dd step = elementary_sum(high[i], -first[i]);
            struct dd sum =
                elementary_add(elementary_multiply(gain, step), (struct dd){out[done + i], 0});

            out[done + i] = sum.hi + sum.lo;
        }
    }
}
