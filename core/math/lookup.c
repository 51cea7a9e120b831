/* SPDX-License-Identifier: Apache-2.0
 * lookup.c - numbers of a table's rows, row by row of the matrix. */
#include "core/math/lookup.h"

static void fill_index(const void *state, const struct pe_rect *rect, double *const out[],
                       const void *const input[], void *scratch)
{
    const struct lookup *lookup = state;

    (void)input;
    (void)scratch;
    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        lookup->row(lookup->rule, rect->row + row, rect->col, (size_t)rect->cols,
                    out[0] + row * rect->cols);
}

static const struct pe_filler index_filler = {.reference = fill_index, .ns_per_element = 2};

bool lookup_fill_index(struct pe_build *build, size_t group, const struct lookup *lookup)
{
    struct lookup *kept = pe_build_alloc(build, sizeof *kept);

    if (!kept)
        return false;
    *kept = *lookup;
    pe_build_fill(build, group, &index_filler, kept);
    return true;
}
