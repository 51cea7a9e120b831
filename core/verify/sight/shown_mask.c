/* SPDX-License-Identifier: Apache-2.0
 * shown_mask.c - see shown_mask.h. The last two axes are queries and keys; of a tensor of more
 * axes the first mask is read. A query sees a key where the mask has the value that most of
 * its diagonal has; where numbers are added, it is 0. */
#include "core/verify/sight/shown_mask.h"

#include <math.h>
#include <stdlib.h>

#include "core/verify/solve/mask_terms.h"

enum { SIDE_MOST = 1024 };

struct mask {
    const struct view *view;
    uint64_t queries, keys;
    double seen; /* the value of a key that is seen */
};

static bool sees(const struct mask *mask, uint64_t query, uint64_t key)
{
    return view_element(mask->view, query, key) == mask->seen;
}

/* Finds the value of the keys that are seen; false if there are not two values. */
static bool find_seen(struct mask *mask)
{
    const uint64_t side = mask->queries < mask->keys ? mask->queries : mask->keys;
    uint64_t least = 0;

    for (uint64_t i = 0; i < side; i++) {
        const double value = view_element(mask->view, i, i + mask->keys - side);

        if (value != mask->view->least && value != mask->view->most && !isinf(value))
            return false;
        least += value == mask->view->least;
    }
    mask->seen = 2 * least > side && !(mask->view->most == 0 && mask->view->least <= MASK_HIDES)
                     ? mask->view->least
                     : mask->view->most;
    return true;
}

/* Returns the first or the last key that a query sees; the number of keys if none. */
static uint64_t first_seen(const struct mask *mask, uint64_t query)
{
    uint64_t key = 0;

    while (key < mask->keys && !sees(mask, query, key))
        key++;
    return key;
}

static uint64_t last_seen(const struct mask *mask, uint64_t query)
{
    uint64_t key = mask->keys;

    while (key > 0 && !sees(mask, query, key - 1))
        key--;
    return key > 0 ? key - 1 : mask->keys;
}

static uint64_t count_seen(const struct mask *mask, uint64_t query)
{
    uint64_t count = 0;

    for (uint64_t key = 0; key < mask->keys; key++)
        count += sees(mask, query, key);
    return count;
}

/* Returns the keys that a query sees without a gap from one on, in a direction. */
static uint64_t run_of(const struct mask *mask, uint64_t query, uint64_t key, int step)
{
    uint64_t count = 0;

    for (uint64_t at = key; at < mask->keys && sees(mask, query, at); at += (uint64_t)step)
        count++; /* below 0 it wraps beyond the keys */
    return count;
}

/* Adds what one query shows: windows on both sides, sinks, a prefix, strides. */
static void add_query(struct shown *shown, const struct mask *mask, uint64_t query)
{
    const uint64_t own = query + mask->keys - mask->queries;
    const uint64_t back = run_of(mask, query, own, -1), on = run_of(mask, query, own, 1);
    const uint64_t first = first_seen(mask, query);

    shown_add_whole(shown, (int64_t)back);
    shown_add_whole(shown, (int64_t)back - 1);
    shown_add_whole(shown, (int64_t)on);
    shown_add_whole(shown, (int64_t)on - 1);
    if (first < mask->keys)
        shown_add_whole(shown, (int64_t)run_of(mask, query, first, 1));
    shown_add_whole(shown, (int64_t)count_seen(mask, query));
    shown_add_whole(shown, (int64_t)last_seen(mask, query) + 1);
}

/* Adds the lengths of runs of queries that see from, or up to, the same key. */
static void add_runs(struct shown *shown, const struct mask *mask,
                     uint64_t (*edge)(const struct mask *mask, uint64_t query))
{
    int64_t *lengths = calloc(mask->queries + 1, sizeof *lengths);
    size_t count = 0;
    uint64_t before = 0;

    shown->failed = shown->failed || !lengths;
    for (uint64_t query = 0; lengths && query < mask->queries; query++) {
        const uint64_t at = edge(mask, query);

        count += query == 0 || at != before;
        lengths[count - 1]++;
        before = at;
    }
    if (lengths && count > 1 && count < mask->queries) {
        shown_add_list(shown, lengths, count);
        shown_add_whole(shown, lengths[0]);
        shown_add_whole(shown, lengths[1]);
    }
    free(lengths);
}

/* Adds which keys any query sees, as 1 and 0, and how many. */
static void add_keys(struct shown *shown, const struct mask *mask)
{
    int64_t *any = calloc(mask->keys + 1, sizeof *any), count = 0;

    shown->failed = shown->failed || !any;
    for (uint64_t query = 0; any && query < mask->queries; query++)
        for (uint64_t key = 0; key < mask->keys; key++)
            any[key] |= sees(mask, query, key);
    for (uint64_t key = 0; any && key < mask->keys; key++)
        count += any[key];
    if (any && count > 0 && (uint64_t)count < mask->keys) {
        shown_add_list(shown, any, mask->keys);
        shown_add_whole(shown, count);
    }
    free(any);
}

void shown_read_mask(struct shown *shown, const struct view *view)
{
    struct mask mask = {.view = view};

    if (view->rank < 1 || view->nan || view_rows(view) == 0)
        return;
    mask.keys = view->dims[view->rank - 1];
    mask.queries = view->rank > 1 ? view->dims[view->rank - 2] : 1;
    if (mask.keys == 0 || mask.keys > SIDE_MOST || mask.queries > mask.keys ||
        mask.queries == 0 || (view->least == view->most && !view->infinite) ||
        !find_seen(&mask))
        return;
    shown->masks = shown->masks || mask.queries > 1;
    add_query(shown, &mask, mask.queries - 1);
    add_query(shown, &mask, mask.queries / 2);
    add_query(shown, &mask, 0);
    add_runs(shown, &mask, first_seen);
    add_runs(shown, &mask, last_seen);
    add_keys(shown, &mask);
}
