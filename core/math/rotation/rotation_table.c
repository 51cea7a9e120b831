/* SPDX-License-Identifier: Apache-2.0
 * rotation_table.c - frequencies and fine rows in one allocation. */
#include "core/math/rotation/rotation_table.h"

#include <stdlib.h>

#include "core/math/trig/frequency.h"
#include "core/math/trig/phase_row.h"
#include "core/plan/table_key.h"

enum { FINE_ROWS_MOST = 256, FINE_ROWS_LEAST = 4, FINE_BYTES = 2 << 20, ALIGNMENT = 64 };

/* Return how many rows fit into the cache of a core. */
static size_t fine_rows_for(size_t pairs)
{
    size_t rows = FINE_ROWS_MOST;

    while (rows > FINE_ROWS_LEAST && rows * pairs > FINE_BYTES / (2 * sizeof(double)))
        rows /= 2;
    return rows;
}

static bool add_part(size_t *total, size_t count, size_t size, size_t *at)
{
    size_t bytes;

    *at = *total;
    return !__builtin_mul_overflow(count, size, &bytes) &&
           !__builtin_add_overflow(*total, bytes + (ALIGNMENT - 1), total) &&
           (*total &= ~(size_t)(ALIGNMENT - 1)) > 0;
}

static void fill_fine(struct rotation_table *table)
{
    for (size_t row = 0; row < table->fine_rows; row++)
        phase_row(table->freq, table->pairs, (double)row, 1,
                  table->fine_sin + row * table->pairs, table->fine_cos + row * table->pairs);
}

struct rotation_table *rotation_table_of(size_t pairs, bool with_fine,
                                         rotation_frequencies *build, const void *context)
{
    const size_t rows = with_fine ? fine_rows_for(pairs) : 0;
    size_t total = 0, head, freq, cosines, sines, cells;

    if (__builtin_mul_overflow(rows, pairs, &cells) ||
        !add_part(&total, 1, sizeof(struct rotation_table), &head) ||
        !add_part(&total, pairs, sizeof(struct phase_freq), &freq) ||
        !add_part(&total, cells, sizeof(double), &cosines) ||
        !add_part(&total, cells, sizeof(double), &sines))
        return NULL;
    struct rotation_table *table = aligned_alloc(ALIGNMENT, total);
    if (!table)
        return NULL;
    char *base = (char *)table;
    *table = (struct rotation_table){
        .pairs = pairs,
        .fine_rows = rows,
        .freq = (struct phase_freq *)(base + freq),
        .fine_cos = rows > 0 ? (double *)(base + cosines) : NULL,
        .fine_sin = rows > 0 ? (double *)(base + sines) : NULL,
        .bytes = total,
    };
    if (!build(table->freq, pairs, context)) {
        free(table);
        return NULL;
    }
    fill_fine(table);
    return table;
}

static bool build_ladder(struct phase_freq *out, size_t pairs, const void *context)
{
    return frequency_build(out, context);
}

struct rotation_table *rotation_table_new(const struct frequency_ladder *ladder, bool with_fine)
{
    return rotation_table_of(ladder->count, with_fine, build_ladder, ladder);
}

void rotation_table_free(void *table)
{
    free(table);
}

size_t rotation_table_key(const struct frequency_ladder *ladder, bool with_fine, char *text,
                          size_t size)
{
    struct table_key key = {text, size, 0};

    table_key_add(&key, "base", ladder->base);
    table_key_add(&key, "denominator", ladder->denominator);
    table_key_add(&key, "pairs", (double)ladder->count);
    table_key_add(&key, "multiplier", ladder->multiplier);
    table_key_add(&key, "divisor", ladder->divisor);
    table_key_add(&key, "min", ladder->min_scale);
    table_key_add(&key, "fine", with_fine);
    return key.len;
}
