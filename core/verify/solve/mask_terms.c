/* SPDX-License-Identifier: Apache-2.0
 * mask_terms.c - reads one term after the other, then holds the mask against all of them. */
#include "core/verify/solve/mask_terms.h"

#include <stdlib.h>
#include <string.h>

static bool sees(const struct mask_seen *seen, uint64_t query, uint64_t key)
{
    return seen->at[query * seen->keys + key];
}

void mask_terms_fini(struct mask_terms *terms)
{
    free(terms->memory);
    free(terms->hidden);
    *terms = (struct mask_terms){.keys = 0};
}

/* Gives the terms memory of their own; false when there is none. */
static bool init(struct mask_terms *terms)
{
    terms->memory = calloc(2 * terms->keys + 1, sizeof *terms->memory);
    terms->hidden = calloc(terms->keys + terms->queries + 1, sizeof *terms->hidden);
    if (!terms->memory || !terms->hidden) {
        mask_terms_fini(terms);
        return false;
    }
    terms->block = terms->memory;
    terms->document = terms->memory + terms->keys;
    terms->empty = terms->hidden + terms->keys;
    return true;
}

bool mask_terms_copy(struct mask_terms *copy, const struct mask_terms *terms)
{
    *copy = *terms;
    if (!init(copy))
        return false;
    memcpy(copy->memory, terms->memory, 2 * terms->keys * sizeof *terms->memory);
    memcpy(copy->hidden, terms->hidden, terms->keys + terms->queries);
    return true;
}

static void read_hidden(struct mask_terms *terms, const struct mask_seen *seen)
{
    for (uint64_t key = 0; key < seen->keys; key++) {
        terms->hidden[key] = true;
        for (uint64_t query = 0; query < seen->queries; query++)
            terms->hidden[key] = terms->hidden[key] && !sees(seen, query, key);
    }
    for (uint64_t query = 0; query < seen->queries; query++) {
        terms->empty[query] = true;
        for (uint64_t key = 0; key < seen->keys; key++)
            terms->empty[query] = terms->empty[query] && !sees(seen, query, key);
    }
}

/* Keys see each other where one sees a later one: the later one joins the block of the first
 * that sees it. Hidden keys see those of the block of the first later one that they see. */
static void read_blocks(struct mask_terms *terms, const struct mask_seen *seen)
{
    for (uint64_t key = 0; key < seen->keys; key++) {
        terms->block[key] = (uint32_t)key;
        for (uint64_t at = seen->offset; at < key && at - seen->offset < seen->queries; at++) {
            if (terms->hidden[at] || !sees(seen, at - seen->offset, key))
                continue;
            terms->block[key] = terms->block[at];
            break;
        }
    }
    for (uint64_t at = seen->offset; at < seen->keys && at - seen->offset < seen->queries;
         at++) {
        uint64_t key = at + 1;

        while (key < seen->keys && !sees(seen, at - seen->offset, key))
            key++;
        if (terms->hidden[at] && key < seen->keys)
            terms->block[at] = terms->block[key];
    }
}

/* Hidden keys are of the block of all others, where these have one. */
static void join_hidden(struct mask_terms *terms)
{
    uint64_t first = 0;

    while (first < terms->keys && terms->hidden[first])
        first++;
    for (uint64_t key = first; key < terms->keys; key++)
        if (!terms->hidden[key] && terms->block[key] != terms->block[first])
            return;
    for (uint64_t key = 0; key < terms->keys && first < terms->keys; key++)
        terms->block[key] = terms->block[first];
}

/* Returns the most keys after its own that a query sees. */
static int64_t farthest_ahead(const struct mask_seen *seen)
{
    uint64_t most = 0;

    for (uint64_t query = 0; query < seen->queries; query++)
        for (uint64_t key = query + seen->offset + 1; key < seen->keys; key++)
            if (sees(seen, query, key) && key - query - seen->offset > most)
                most = key - query - seen->offset;
    return (int64_t)most;
}

/* The earliest key, of those up to its own, that a query may see by what it sees: after the
 * last that it does not see, up to the first that it does. Hidden keys say nothing. */
struct reach {
    uint64_t least, most;
};

static struct reach reach_of(const struct mask_terms *terms, const struct mask_seen *seen,
                             uint64_t query)
{
    const uint64_t own = query + seen->offset;
    struct reach reach = {0, own + 1};

    for (uint64_t key = own + 1; key-- > 0;) {
        if (key >= seen->keys || terms->hidden[key])
            continue;
        if (!sees(seen, query, key)) {
            reach.least = key + 1;
            break;
        }
        reach.most = key;
    }
    return reach;
}

/* Returns whether each query may see keys from `first` on, or from its document's first key,
 * and within the window. */
static bool is_reached(const struct mask_terms *terms, const struct mask_seen *seen)
{
    for (uint64_t query = 0; query < seen->queries; query++) {
        const uint64_t own = query + seen->offset;
        const struct reach reach = reach_of(terms, seen, query);
        uint64_t first = terms->document[own < seen->keys ? own : seen->keys - 1];

        if (terms->window > 0 && own + 1 > first + terms->window)
            first = own + 1 - terms->window;
        if (!terms->empty[query] && (first < reach.least || first > reach.most))
            return false;
    }
    return true;
}

/* A document begins where a key is the first that its own query sees. */
static void read_documents(struct mask_terms *terms, const struct mask_seen *seen)
{
    uint32_t first = 0;

    for (uint64_t key = 0; key < seen->keys; key++) {
        if (key >= seen->offset && key - seen->offset < seen->queries &&
            !terms->empty[key - seen->offset] &&
            reach_of(terms, seen, key - seen->offset).least == key)
            first = (uint32_t)key;
        terms->document[key] = first;
    }
}

static bool read_window(struct mask_terms *terms, const struct mask_seen *seen)
{
    uint64_t window = 0;

    for (uint64_t query = 0; query < seen->queries; query++) {
        const uint64_t own = query + seen->offset;
        const struct reach reach = reach_of(terms, seen, query);

        if (!terms->empty[query] && reach.most <= own && reach.least > 0 &&
            own + 1 - reach.least > window)
            window = own + 1 - reach.least;
    }
    terms->window = window;
    return window > 0;
}

/* Earlier keys: all, those of a window, of documents, or of both. */
static bool read_past(struct mask_terms *terms, const struct mask_seen *seen)
{
    memset(terms->document, 0, terms->keys * sizeof *terms->document);
    terms->window = 0;
    if (is_reached(terms, seen) || (read_window(terms, seen) && is_reached(terms, seen)))
        return true;
    terms->window = 0;
    read_documents(terms, seen);
    return is_reached(terms, seen) || (read_window(terms, seen) && is_reached(terms, seen));
}

bool mask_terms_inside(const struct mask_terms *terms, uint64_t own, uint64_t key)
{
    return terms->block[own] == terms->block[key] &&
           (own != key || terms->block[own] != own ||
            (own + 1 < terms->keys && terms->block[own + 1] == own));
}

/* Earlier keys where the keys of a block are seen beyond the window: the window is that of the
 * queries without a block. */
static bool read_escaping(struct mask_terms *terms, const struct mask_seen *seen)
{
    uint64_t window = 0;

    memset(terms->document, 0, terms->keys * sizeof *terms->document);
    for (uint64_t query = 0; query < seen->queries; query++) {
        const uint64_t own = query + seen->offset;
        const bool alone = own < seen->keys && !mask_terms_inside(terms, own, own);
        const struct reach reach = reach_of(terms, seen, query);

        if (alone && !terms->empty[query] && reach.least > 0 && reach.most <= own &&
            own + 1 - reach.least > window)
            window = own + 1 - reach.least;
    }
    terms->window = window;
    terms->escapes = true;
    return window > 0;
}

bool mask_terms_see(const struct mask_terms *terms, uint64_t query, uint64_t key)
{
    const uint64_t last = terms->keys - 1, own = query + terms->offset;
    const uint64_t stands = own < terms->keys ? own : last;
    const bool inside = own < terms->keys && mask_terms_inside(terms, own, key);
    const int64_t after = (int64_t)key - (int64_t)own;
    const bool causal = (terms->turned & MASK_TURNED_CAUSAL ? -after : after) <= terms->ahead;

    if (terms->hidden[terms->turned & MASK_TURNED_PADDING ? stands : key] ||
        terms->empty[query] || (!causal && !inside))
        return false;
    if (inside && (terms->escapes || after > 0) && !terms->turned)
        return true;
    return terms->document[key] == terms->document[stands] &&
           (terms->window == 0 ||
            (terms->turned & MASK_TURNED_WINDOW ? after : -after) < (int64_t)terms->window);
}

bool mask_terms_give(const struct mask_terms *terms, const struct mask_seen *seen)
{
    for (uint64_t query = 0; query < seen->queries; query++)
        for (uint64_t key = 0; key < seen->keys; key++)
            if (mask_terms_see(terms, query, key) != sees(seen, query, key))
                return false;
    return true;
}

/* Returns whether the terms give the mask where queries that see no key by the other terms need
 * none of their own. */
static bool is_given(struct mask_terms *terms, const struct mask_seen *seen)
{
    for (uint64_t query = 0; query < seen->queries; query++) {
        const bool empty = terms->empty[query];
        bool same = true;

        terms->empty[query] = false;
        for (uint64_t key = 0; same && key < seen->keys; key++)
            same = mask_terms_see(terms, query, key) == sees(seen, query, key);
        terms->empty[query] = empty && !same;
        if (!same && !empty)
            return false;
    }
    return true;
}

/* Keys are not hidden where no query that sees any would see them by the other terms. */
static void show_hidden(struct mask_terms *terms)
{
    for (uint64_t key = 0; key < terms->keys; key++) {
        const bool hidden = terms->hidden[key];
        bool seen = false;

        terms->hidden[key] = false;
        for (uint64_t query = 0; query < terms->queries && hidden && !seen; query++)
            seen = mask_terms_see(terms, query, key);
        terms->hidden[key] = hidden && seen;
    }
}

/* Reads the terms besides those of keys that no query sees. */
static bool read_terms(struct mask_terms *terms, const struct mask_seen *seen)
{
    read_hidden(terms, seen);
    if (!memchr(terms->empty, false, terms->queries * sizeof *terms->empty))
        return false; /* what shows nothing has no terms */
    read_blocks(terms, seen);
    join_hidden(terms);
    if (read_past(terms, seen) && is_given(terms, seen))
        return true;
    read_hidden(terms, seen);
    if (read_escaping(terms, seen) && is_given(terms, seen))
        return true;
    terms->escapes = false;
    read_hidden(terms, seen);
    terms->ahead = farthest_ahead(seen);
    for (uint64_t key = 0; key < terms->keys; key++)
        terms->block[key] = (uint32_t)key;
    return terms->ahead > 0 && read_past(terms, seen) && is_given(terms, seen);
}

bool mask_terms_read(struct mask_terms *terms, const struct mask_seen *seen, bool *failed)
{
    *terms = (struct mask_terms){.queries = seen->queries,
                                 .keys = seen->keys,
                                 .offset = seen->offset};
    if (seen->queries == 0 || seen->keys == 0 || !init(terms)) {
        *failed = *failed || (seen->queries > 0 && seen->keys > 0);
        return false;
    }
    if (read_terms(terms, seen)) {
        show_hidden(terms);
        return true;
    }
    mask_terms_fini(terms);
    return false;
}
