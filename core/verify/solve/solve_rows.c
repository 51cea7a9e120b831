/* SPDX-License-Identifier: Apache-2.0
 * solve_rows.c - see solve_rows.h. A sample of rows is read first, since most hypotheses have
 * frequencies by which no row is one of a whole position. */
#include "core/verify/solve/solve_rows.h"

#include <math.h>

#include "core/verify/solve/row_source.h"

enum { ROWS_MOST = 16384, SAMPLE = 16 };
static const double operations_most = 2e8; /* about 0.2 s */

/* Tests the whole number that is nearest to a position. */
static bool test_nearest(struct row_source *source, uint64_t place, double position,
                         double *found)
{
    *found = nearbyint(position);
    return fabs(position - *found) < 0.25 && row_source_is(source, place, *found);
}

/* Reads the position of a row by its angles: near the claimed one, or near the next. */
static bool read_angles(struct row_source *source, uint64_t place, double claimed, double next,
                        double *found)
{
    row_source_look(source, place);
    return test_nearest(source, place, row_source_near(source, claimed), found) ||
           (next != claimed &&
            test_nearest(source, place, row_source_near(source, next), found));
}

/* Finds the position among those that were made. */
static bool look_up(struct row_source *source, uint64_t place, double *found)
{
    for (uint64_t i = 0; i < source->known; i++) {
        *found = source->first + (double)i;
        if (row_source_is(source, place, *found))
            return true;
    }
    return false;
}

/* Returns a position as a whole number of so many bits holds it. */
static double wrapped(double position, int bits)
{
    const double all = ldexp(1, bits);

    return position - all * floor((position + all / 2) / all);
}

/* Tests a few positions: the next one, that of the row before, the first, and those that are
 * farther from the claim than a turn of the slowest pair. */
static bool test_likely(struct row_source *source, uint64_t place, double claimed, double next,
                        double *found)
{
    const double likely[] = {
        claimed, next, next - 1, 0, wrapped(claimed, 8), wrapped(claimed, 16)};

    for (size_t i = 0; i < sizeof likely / sizeof *likely; i++) {
        *found = likely[i];
        if (row_source_is(source, place, *found))
            return true;
    }
    return false;
}

/* Reads a row; `next` is the position after that of the row before. */
static enum row_kind read_row(struct row_source *source, uint64_t place, double next,
                              double *found)
{
    const double claimed = row_source_claimed(source, place);
    bool made;

    if (row_source_is_empty(source, place) && !row_source_is(source, place, claimed))
        return ROW_EMPTY;
    if (source->known == 0)
        made = read_angles(source, place, claimed, next, found) ||
               test_likely(source, place, claimed, next, found);
    else
        made =
            test_likely(source, place, claimed, next, found) || look_up(source, place, found);
    return made ? ROW_MADE : ROW_OTHER;
}

/* Returns whether enough rows of a sample are those of positions. */
static bool is_likely(struct row_source *source)
{
    const uint64_t count = source->places < SAMPLE ? source->places : SAMPLE;
    uint64_t made = 0;
    double found;

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t place = i * (source->places - 1) / (count > 1 ? count - 1 : 1);

        made += read_row(source, place, row_source_claimed(source, place), &found) == ROW_MADE;
    }
    return 4 * made >= count && made > 0;
}

/* Returns whether the work is more than rows are worth, or the caller wants it to end. */
static bool is_spent(const struct candidate *base, double begun)
{
    return base->claim->operations - begun > operations_most ||
           pe_stop_is_set(base->claim->limits->stop);
}

bool solve_rows(struct row_list *list, const struct candidate *base,
                const struct pe_param **param)
{
    const double begun = base->claim->operations;
    struct row_source source;
    bool read = row_source_init(&source, base);

    if (!read)
        return false;
    *param = source.param;
    read = source.places > 0 && source.places <= ROWS_MOST && is_likely(&source);
    if (read && !row_list_init(list, source.places)) {
        base->claim->failed = true;
        read = false;
    }
    double next = read ? row_source_claimed(&source, 0) : 0;
    const bool listed = read;
    for (uint64_t i = 0; read && i < source.places; i++) {
        list->claimed[i] = row_source_claimed(&source, i);
        list->kind[i] = (unsigned char)read_row(&source, i, next, &list->found[i]);
        if (list->kind[i] == ROW_MADE)
            next = list->found[i] + 1;
        read = !is_spent(base, begun);
    }
    if (listed && !read)
        row_list_fini(list);
    row_source_fini(&source);
    return read;
}
