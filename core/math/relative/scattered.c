/* SPDX-License-Identifier: Apache-2.0
 * scattered.c - writes out runs of positions. */
#include "core/math/relative/scattered.h"

/* LIST_RUN: positions of a run, on average, from which on the run is no longer short. */
enum { LIST_FROM = 64, LIST_MOST = 1 << 20, LIST_RUN = 16 };

void scattered_write(const struct pe_positions *pos, uint64_t from, size_t count, double *out)
{
    for (size_t i = 0; i < count;) {
        const struct pe_run run = pe_positions_run(pos, from + i);

        for (uint64_t t = 0; t < run.left && i < count; t++, i++)
            out[i] = run.step == 0 ? run.first
                                   : (double)((int64_t)run.first + run.step * (int64_t)t);
    }
}

static bool is_scattered(const struct pe_positions *pos)
{
    const uint64_t count = pe_positions_count(pos);
    uint64_t runs = 0;

    if (count < LIST_FROM || count > LIST_MOST)
        return false;
    for (uint64_t i = 0; i < count; runs++)
        i += pe_positions_run(pos, i).left;
    return runs * LIST_RUN > count;
}

const double *scattered_list(struct pe_build *build, const struct pe_positions *pos)
{
    const uint64_t count = pe_positions_count(pos);
    const size_t bytes = (size_t)count * sizeof(double);
    double *list;

    if (!is_scattered(pos) || !pe_build_reserve(build, bytes))
        return NULL;
    list = pe_build_alloc(build, bytes);
    if (list)
        scattered_write(pos, 0, (size_t)count, list);
    return list;
}
