/* SPDX-License-Identifier: Apache-2.0
 * unroll.c - see unroll.h. Of a tensor of more axes the first mask is read. */
#include "core/verify/sight/unroll.h"

#include <stdlib.h>

enum { SIDE_MOST = 1024 };

/* Returns whether a run follows the one before it, and sets `end`: 0 begins a query, and below
 * 0 no more runs follow. */
static bool follows(const struct view *runs, uint64_t row, double *end)
{
    const double first = view_element(runs, row, 0), last = view_element(runs, row, 1);
    const bool none = first == -1 && last == -1;
    const bool fits = none || (*end >= 0 && first >= 0 && first < last && last <= SIDE_MOST &&
                               (*end == 0 || first > *end));

    *end = none ? -1 : last;
    return fits;
}

/* Returns the number of keys; 0: the numbers are no runs. */
static uint64_t count_keys(const struct view *runs, uint64_t queries, uint64_t each)
{
    double most = 0;

    for (uint64_t row = 0, end_of = each; row < queries * each; end_of += each) {
        double end = 0;

        for (; row < end_of; row++) {
            if (!follows(runs, row, &end))
                return 0;
            most = end > most ? end : most;
        }
    }
    return (uint64_t)most;
}

bool unroll_runs(struct pe_verify_tensor *mask, const struct view *runs, bool *failed)
{
    const uint64_t each = runs->rank > 2 ? runs->dims[runs->rank - 2] : 0;
    const uint64_t queries = runs->rank > 2 ? runs->dims[runs->rank - 3] : 0;
    const bool whole = runs->dtype > PE_BF16 && runs->dtype != PE_BOOL8 && !runs->nan;

    if (!whole || each == 0 || queries == 0 || view_cols(runs) != 2 || queries > SIDE_MOST)
        return false;
    const uint64_t keys = count_keys(runs, queries, each);
    bool *seen = keys >= queries ? calloc(queries * keys, sizeof *seen) : NULL;
    *failed = *failed || (keys >= queries && !seen);
    if (!seen)
        return false;
    for (uint64_t row = 0; row < queries * each; row++)
        for (double key = view_element(runs, row, 0); key < view_element(runs, row, 1); key++)
            if (key >= 0)
                seen[row / each * keys + (uint64_t)key] = true;
    *mask = (struct pe_verify_tensor){.name = "", .data = seen};
    mask->info.dtype = PE_BOOL8;
    mask->info.rank = 2;
    mask->info.dims[0] = queries;
    mask->info.dims[1] = keys;
    return true;
}
