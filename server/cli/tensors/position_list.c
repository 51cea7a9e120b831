/* SPDX-License-Identifier: Apache-2.0
 * position_list.c - see position_list.h. */
#include "server/cli/tensors/position_list.h"

#include <math.h>
#include <stdlib.h>

enum { RUN_MIN = 3 }; /* positions that are shorter as a slice */

/* Counts the whole positions from number i on that go on in equal steps. */
static uint64_t run_length(const double *positions, uint64_t i, uint64_t count)
{
    uint64_t len = 1;
    const double step = i + 1 < count ? positions[i + 1] - positions[i] : 0;

    if (step == 0 || floor(positions[i]) != positions[i] || floor(step) != step ||
        fabs(positions[i]) > 0x1p53)
        return 1;
    while (i + len < count && positions[i + len] - positions[i + len - 1] == step &&
           fabs(positions[i + len]) < 0x1p53)
        len++;
    return len;
}

static void write(struct buffer *out, const double *positions, uint64_t count)
{
    for (uint64_t i = 0; i < count;) {
        const uint64_t len = run_length(positions, i, count);
        const double first = positions[i] + 0.0 /* never -0 */,
                     step = len > 1 ? positions[i + 1] - first : 0;

        buffer_add_text(out, i == 0 ? "" : ",");
        if (len < RUN_MIN) {
            buffer_add_format(out, "%.17g", first);
            i++;
            continue;
        }
        buffer_add_format(out, "%.17g:%.17g", first,
                          positions[i + len - 1] + (step > 0 ? 1 : -1));
        if (step != 1)
            buffer_add_format(out, ":%.17g", step);
        i += len;
    }
}

bool position_list_write(struct buffer *out, const struct tensor *tensor)
{
    const uint64_t count = tensor->bytes / pe_dtype_size(tensor->info.dtype);

    for (size_t i = 0; i < tensor->info.rank; i++)
        if (tensor->info.dims[i] != 1 && tensor->info.dims[i] != count)
            return false;
    double *positions = malloc((size_t)(count + 1) * sizeof *positions);
    if (!positions) {
        buffer_fail(out);
        return true;
    }
    pe_dtype_to_f64(tensor->info.dtype, positions, tensor->data, (size_t)count);
    if (count == 0)
        buffer_add_text(out, "0:0");
    write(out, positions, count);
    free(positions);
    return true;
}
