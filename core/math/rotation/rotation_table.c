/* SPDX-License-Identifier: Apache-2.0
 * rotation_table.c - frequencies, and fine rows when requests are worth them. */
#include "core/math/rotation/rotation_table.h"

#include <stdlib.h>

#include "core/math/trig/frequency.h"
#include "core/math/trig/phase_row.h"
#include "core/plan/table_key.h"

enum { FINE_ROWS_MOST = 256, FINE_ROWS_LEAST = 4, FINE_BYTES = 2 << 20, ALIGNMENT = 64 };

static bool add_part(size_t *total, size_t count, size_t size, size_t *at)
{
    size_t bytes;

    *at = *total;
    return !__builtin_mul_overflow(count, size, &bytes) &&
           !__builtin_add_overflow(*total, bytes + (ALIGNMENT - 1), total) &&
           (*total &= ~(size_t)(ALIGNMENT - 1)) > 0;
}

/* ---- fine rows --------------------------------------------------------------------------- */

size_t rotation_fine_rows(size_t pairs)
{
    size_t rows = FINE_ROWS_MOST;

    while (rows > FINE_ROWS_LEAST && rows * pairs > FINE_BYTES / (2 * sizeof(double)))
        rows /= 2;
    return rows;
}

/* Where the parts of fine rows lie in their memory. */
struct fine_parts {
    size_t head, cos, sin, total;
};

static bool lay_fine(size_t rows, size_t pairs, struct fine_parts *parts)
{
    size_t cells;

    *parts = (struct fine_parts){0};
    return !__builtin_mul_overflow(rows, pairs, &cells) &&
           add_part(&parts->total, 1, sizeof(struct rotation_fine), &parts->head) &&
           add_part(&parts->total, cells, sizeof(double), &parts->cos) &&
           add_part(&parts->total, cells, sizeof(double), &parts->sin);
}

size_t rotation_fine_bytes(size_t rows, size_t pairs)
{
    struct fine_parts parts;

    return lay_fine(rows, pairs, &parts) ? parts.total : 0;
}

struct rotation_fine *rotation_fine_make(void *memory, const struct phase_freq *freq,
                                         size_t rows, size_t pairs, int64_t step)
{
    struct rotation_fine *fine = memory;
    struct fine_parts parts;

    lay_fine(rows, pairs, &parts);
    *fine = (struct rotation_fine){
        .rows = rows,
        .cos = (double *)(void *)((char *)memory + parts.cos),
        .sin = (double *)(void *)((char *)memory + parts.sin),
    };
    for (size_t row = 0; row < rows; row++)
        phase_row(freq, pairs, (double)(step * (int64_t)row), 1, fine->sin + row * pairs,
                  fine->cos + row * pairs);
    return fine;
}

const struct rotation_fine *rotation_table_fine(const struct rotation_table *table)
{
    return atomic_load_explicit(&table->fine, memory_order_acquire);
}

/* Adds fine rows; returns their bytes, 0 if another thread did, SIZE_MAX without memory. */
static size_t add_fine(struct rotation_table *table)
{
    const size_t rows = rotation_fine_rows(table->pairs);
    const size_t bytes = rotation_fine_bytes(rows, table->pairs);
    void *memory = bytes > 0 ? aligned_alloc(ALIGNMENT, bytes) : NULL;
    struct rotation_fine *none = NULL;

    if (!memory)
        return SIZE_MAX;
    if (atomic_compare_exchange_strong(
            &table->fine, &none,
            rotation_fine_make(memory, table->freq, rows, table->pairs, 1)))
        return bytes;
    free(memory);
    return 0;
}

/* True if fine rows are worth their evaluation: at once where the request has a quarter as many
 * positions or more, else when requests have had an eighth as many, the second one at the
 * earliest. */
static bool is_worth(struct rotation_table *table, uint64_t positions)
{
    const uint64_t rows = rotation_fine_rows(table->pairs);

    if (positions <= 1)
        return false;
    if (positions >= rows / 4)
        return true;
    const unsigned before =
        atomic_fetch_add_explicit(&table->asked, (unsigned)positions, memory_order_relaxed);
    return before > 0 && before + positions >= rows / 8;
}

size_t rotation_table_grow(struct rotation_table *table, uint64_t positions,
                           enum pe_growth growth)
{
    const bool needed = positions >= ROTATION_FINE_FROM;
    size_t bytes;

    if (positions == 0 || rotation_table_fine(table) ||
        (!needed && (growth == PE_GROWTH_NEEDED || !is_worth(table, positions))))
        return 0;
    if (growth == PE_GROWTH_TOLD)
        return rotation_fine_bytes(rotation_fine_rows(table->pairs), table->pairs);
    bytes = add_fine(table);
    return bytes == SIZE_MAX && !needed ? 0 : bytes;
}

/* ---- the table --------------------------------------------------------------------------- */

struct rotation_table *rotation_table_of(size_t pairs, bool with_fine,
                                         rotation_frequencies *build, const void *context)
{
    size_t total = 0, head, freq, bytes;

    if (!add_part(&total, 1, sizeof(struct rotation_table), &head) ||
        !add_part(&total, pairs, sizeof(struct phase_freq), &freq))
        return NULL;
    struct rotation_table *table = aligned_alloc(ALIGNMENT, total);
    if (!table)
        return NULL;
    *table = (struct rotation_table){
        .pairs = pairs,
        .freq = (struct phase_freq *)(void *)((char *)table + freq),
        .bytes = total,
    };
    if (!build(table->freq, pairs, context)) {
        free(table);
        return NULL;
    }
    bytes = with_fine ? add_fine(table) : 0;
    if (bytes == SIZE_MAX) {
        free(table);
        return NULL;
    }
    table->bytes += bytes;
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
    if (table)
        free(((struct rotation_table *)table)->fine);
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
