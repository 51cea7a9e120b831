/* SPDX-License-Identifier: Apache-2.0
 * mask_shapes.c - see mask_shapes.h. The window is what the last query sees without a gap that
 * does not see all; keys that are seen from farther away are sinks, or global tokens. */
#include "core/verify/sight/mask_shapes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { OF_KEY = 12, SIDE_MOST = 64 }; /* characters of a key; the side of a window, at most */

struct shape {
    const struct mask_seen *seen;
    bool inverted, causal;
    uint64_t window;   /* keys up to the query's own */
    const bool *apart; /* of each key: it is seen from farther away */
};

void mask_shapes_add_sides(struct values *values, uint64_t offset, uint64_t keys)
{
    if (values_begin(values, "q"))
        values_append(values, "%" PRIu64 ":%" PRIu64, offset, keys);
    else
        (void)values_whole(values, "len", keys);
    if (values_begin(values, "k"))
        values_append(values, "0:%" PRIu64, keys);
}

/* ---- a window and keys apart ------------------------------------------------------------- */

/* Returns whether a query sees all keys up to its own, and the later ones where any does. */
static bool sees_all(const struct shape *shape, uint64_t query)
{
    const struct mask_seen *seen = shape->seen;
    const uint64_t end = shape->causal ? query + seen->offset + 1 : seen->keys;

    for (uint64_t key = 0; key < end; key++)
        if (!seen->at[query * seen->keys + key])
            return false;
    return true;
}

static bool is_causal(const struct mask_seen *seen)
{
    for (uint64_t query = 0; query < seen->queries; query++)
        for (uint64_t key = query + seen->offset + 1; key < seen->keys; key++)
            if (seen->at[query * seen->keys + key])
                return false;
    return true;
}

/* Finds the window; false where every query sees all, or one does not see its own key. */
static bool find_window(struct shape *shape)
{
    const struct mask_seen *seen = shape->seen;
    uint64_t query = seen->queries;

    shape->causal = is_causal(seen);
    while (query > 0 && sees_all(shape, query - 1))
        query--;
    if (query == 0)
        return false;
    const bool *row = seen->at + (query - 1) * seen->keys;
    const uint64_t own = query - 1 + seen->offset;
    while (shape->window <= own && row[own - shape->window])
        shape->window++;
    return shape->window > 0;
}

static void find_apart(const struct shape *shape, bool *apart)
{
    const struct mask_seen *seen = shape->seen;

    for (uint64_t query = 0; query < seen->queries; query++) {
        const uint64_t own = query + seen->offset;
        const bool all = sees_all(shape, query);

        for (uint64_t key = 0; key < seen->keys && !all; key++)
            if (seen->at[query * seen->keys + key] &&
                (key < own ? own - key : key - own) >= shape->window)
                apart[key] = true;
    }
}

static bool add_shape(struct values *values, const void *shown)
{
    const struct shape *shape = shown;
    const uint64_t keys = shape->seen->keys;
    uint64_t sinks = 0, apart = 0;

    while (sinks < keys && shape->apart[sinks])
        sinks++;
    for (uint64_t key = 0; key < keys; key++)
        apart += shape->apart[key];
    mask_shapes_add_sides(values, shape->seen->offset, keys);
    if (!values_whole(values, "half_window", shape->window - 1))
        (void)values_whole(values, "window", shape->window);
    (void)values_whole(values, "causal", shape->causal);
    if (shape->inverted && values_begin(values, "true_means"))
        values_append(values, "masked");
    if (values_whole(values, "sink_tokens", sinks))
        return true;
    if ((shape->causal && sinks == apart) || !values_begin(values, "global_tokens"))
        return false; /* the first keys of a causal mask are sinks */
    const size_t start = values->len;
    for (uint64_t key = 0; key < keys; key++)
        if (shape->apart[key])
            values_append(values, "%s%" PRIu64, values->len > start ? "," : "", key);
    return values->len > start;
}

struct pe_args *mask_shapes_try(struct sight *sight, const struct mask_seen *seen,
                                bool inverted, struct pe_verify_role *roles)
{
    struct shape shape = {.seen = seen, .inverted = inverted};
    bool *apart = calloc(seen->keys, sizeof *apart);
    struct pe_args *args = NULL;

    sight->failed = sight->failed || !apart;
    if (apart && find_window(&shape)) {
        find_apart(&shape, apart);
        shape.apart = apart;
        args = values_try_family(sight, PE_MASK, OF_KEY * seen->keys + 256, add_shape, &shape,
                                 roles);
    }
    free(apart);
    return args;
}

/* ---- windows of a shifted grid ----------------------------------------------------------- */

struct windows {
    uint64_t side, shift, down, across; /* windows below each other, and beside */
    bool inverted;
};

static bool add_windows(struct values *values, const void *shown)
{
    const struct windows *of = shown;

    if (!values_whole(values, "window_size", of->side) ||
        !values_whole(values, "shift", of->shift) || !values_begin(values, "grid"))
        return false;
    values_append(values, "%" PRIu64 "x%" PRIu64, of->side * of->down, of->side * of->across);
    if (of->inverted && values_begin(values, "true_means"))
        values_append(values, "masked");
    return true;
}

struct pe_args *mask_shapes_try_windows(struct sight *sight, const struct view *view,
                                        struct pe_verify_role *roles)
{
    const uint64_t cells = view->rank > 2 ? view->dims[view->rank - 1] : 0;
    const uint64_t side = (uint64_t)sqrt((double)cells);
    struct pe_args *args = NULL;

    if (side < 2 || side > SIDE_MOST || side * side != cells || view->nan ||
        view->dims[view->rank - 2] != cells || view_rows(view) < 2 * cells)
        return NULL;
    const uint64_t count = view_rows(view) / cells, last = (count - 1) * cells;
    const double shown = view_element(view, last, 0);
    struct windows of = {.side = side,
                         .shift = side,
                         .inverted = shown == 0 && view->least == 0 && view->most > 0};
    /* In the last window the cells that were shifted out begin a part of their own. */
    while (of.shift > 0 && view_element(view, last, side - of.shift) == shown)
        of.shift--;
    for (uint64_t down = (uint64_t)sqrt((double)count); down > 0 && !args && of.shift > 0;
         down--) {
        if (count % down != 0)
            continue;
        of.down = down;
        of.across = count / down;
        args = values_try_family(sight, PE_MASK, 256, add_windows, &of, roles);
        of.down = count / down;
        of.across = down;
        if (!args && of.down != of.across)
            args = values_try_family(sight, PE_MASK, 256, add_windows, &of, roles);
    }
    return args;
}
