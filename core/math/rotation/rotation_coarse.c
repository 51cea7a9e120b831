/* SPDX-License-Identifier: Apache-2.0
 * rotation_coarse.c - coarse rows of the fast path, remembered in the scratch. */
#include "core/math/rotation/rotation_coarse.h"

#include "core/math/trig/phase_row.h"

double *rotation_coarse_rows(const struct rotation_fast *fast)
{
    return (double *)(void *)((char *)fast->memory + ROTATION_MEMORY_BYTES);
}

/* True if the memory has the coarse row of a span and a position; it has from now on. */
static bool remembered(const struct rotation_fast *fast, size_t span,
                       const struct rotation_lane *lane, int64_t position)
{
    struct rotation_memory *memory = fast->memory;

    if (!fast->fits) {
        memory->made = 0;
        return false;
    }
    if (span < memory->made && memory->rows[span].first == lane->first &&
        memory->rows[span].count == lane->count && memory->rows[span].position == position)
        return true;
    if (span >= memory->made || memory->rows[span].count != lane->count)
        memory->made = span + 1; /* the rows behind this one were elsewhere */
    memory->rows[span].first = lane->first;
    memory->rows[span].count = lane->count;
    memory->rows[span].position = position;
    return false;
}

void rotation_coarse_make(const struct rotation_fast *fast, size_t span,
                          const struct rotation_lane *lane, int64_t position)
{
    const size_t count = lane->count;
    double *coarse = fast->coarse;

    if (remembered(fast, span, lane, position))
        return;
    phase_row(fast->rotation->table->freq + lane->first, count, (double)position,
              fast->rotation->amplitude, coarse + count, coarse);
    for (size_t j = 0; j < count; j++) {
        coarse[2 * count + j] = -coarse[count + j];
        coarse[3 * count + j] = -coarse[j];
    }
}

size_t rotation_coarse_pairs(const struct rotation *rotation, uint64_t elements)
{
    size_t pairs = 0;

    for (size_t i = 0; i < rotation->band_count; i++) {
        const struct rotation_band *band = &rotation->bands[i];
        bool shown = band->wave == ROTATION_ZERO; /* it needs no row, or shares one */

        for (size_t k = 0; k < i && !shown; k++)
            shown = rotation->bands[k].wave != ROTATION_ZERO &&
                    rotation->bands[k].first == band->first &&
                    rotation->bands[k].count == band->count;
        pairs += shown ? 0 : band->count;
    }
    return elements < pairs ? (size_t)elements : pairs;
}

bool rotation_coarse_fits(const struct rotation_fast *fast, const struct rotation_lane *lanes,
                          size_t count)
{
    size_t pairs = 0;

    for (size_t i = 0; i < count; i += rotation_lane_span(lanes + i, count - i))
        pairs += lanes[i].wave == ROTATION_ZERO ? 0 : lanes[i].count;
    return pairs <= rotation_coarse_pairs(fast->rotation, fast->rect->rows * fast->rect->cols);
}
