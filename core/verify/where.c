/* SPDX-License-Identifier: Apache-2.0
 * where.c - see where.h. */
#include "core/verify/where.h"

void where_start(struct pe_verify_where *where, uint64_t count)
{
    *where = (struct pe_verify_where){.step = 1};
    if (count > 0)
        where->step = (count - 1) / PE_VERIFY_BINS + 1;
    where->bin_count = (size_t)((count + where->step - 1) / where->step);
}

static void add_range(struct pe_verify_where *where, uint64_t first, uint64_t end)
{
    struct pe_verify_range *last =
        where->range_count > 0 ? &where->range[where->range_count - 1] : NULL;

    if (last && where->more == 0 && first <= last->end)
        last->end = end > last->end ? end : last->end;
    else if (where->range_count < PE_VERIFY_RANGES)
        where->range[where->range_count++] = (struct pe_verify_range){first, end};
    else if (where->last_end != first || where->more == 0)
        where->more++;
    where->last_end = end;
}

void where_add(struct pe_verify_where *where, uint64_t index, double distance, bool wrong)
{
    double *most = &where->most[index / where->step];

    if (distance > *most)
        *most = distance;
    if (wrong)
        add_range(where, index, index + 1);
}

void where_join(struct pe_verify_where *where, const struct pe_verify_where *other)
{
    const struct pe_verify_where own = *where;
    size_t i = 0, j = 0;

    if (own.step != other->step || own.bin_count != other->bin_count)
        return;
    for (size_t bin = 0; bin < own.bin_count; bin++)
        if (other->most[bin] > where->most[bin])
            where->most[bin] = other->most[bin];
    where->range_count = 0;
    where->more = 0;
    while (i < own.range_count || j < other->range_count) {
        const bool mine = j == other->range_count ||
                          (i < own.range_count && own.range[i].first <= other->range[j].first);
        const struct pe_verify_range *next = mine ? &own.range[i++] : &other->range[j++];

        add_range(where, next->first, next->end);
    }
    where->more += own.more > other->more ? own.more : other->more;
}

void where_end(struct pe_verify_where *where, uint64_t count)
{
    where->whole = where->range_count == 1 && where->more == 0 && where->range[0].first == 0 &&
                   where->range[0].end == count;
}
