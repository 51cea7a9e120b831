/* SPDX-License-Identifier: Apache-2.0
 * mask_edit.c - each term is solved for while the others are the claim's; what it then gives is
 * held against the mask. */
#include "core/verify/solve/mask_edit.h"

#include <string.h>

static bool sees(const struct mask_seen *seen, uint64_t query, uint64_t key)
{
    return seen->at[query * seen->keys + key];
}

/* Returns by how much the last key that is seen stands after its query, or where `before`, by
 * how much the first stands before it; keys that the block or the causal term shows by itself
 * say nothing about the other. */
static int64_t farthest(const struct mask_terms *terms, const struct mask_seen *seen,
                        bool before)
{
    int64_t most = -(int64_t)seen->keys;

    for (uint64_t query = 0; query < seen->queries; query++) {
        const uint64_t own = query + seen->offset;

        for (uint64_t key = 0; key < seen->keys; key++) {
            const int64_t after = (int64_t)key - (int64_t)own, by = before ? -after : after;

            if (by > most && sees(seen, query, key) &&
                (!mask_terms_inside(terms, own, key) || (before && !terms->escapes)))
                most = by;
        }
    }
    return most;
}

static void show_all_after(struct mask_terms *terms, const struct mask_seen *seen)
{
    terms->ahead = (int64_t)seen->keys;
}

static void solve_causal(struct mask_terms *terms, const struct mask_seen *seen)
{
    terms->ahead = farthest(terms, seen, false);
}

static void drop_window(struct mask_terms *terms, const struct mask_seen *seen)
{
    terms->window = 0;
}

static void solve_window(struct mask_terms *terms, const struct mask_seen *seen)
{
    const int64_t most = farthest(terms, seen, true);

    terms->window = most < 0 ? 1 : (uint64_t)most + 1;
}

/* Keys are hidden that the other terms show to a query, and that no query sees. */
static void solve_padding(struct mask_terms *terms, const struct mask_seen *seen)
{
    memset(terms->hidden, false, terms->keys * sizeof *terms->hidden);
    for (uint64_t key = 0; key < terms->keys; key++) {
        bool shown = false, seen_at_all = false;

        for (uint64_t query = 0; query < terms->queries && !seen_at_all; query++) {
            seen_at_all = sees(seen, query, key);
            shown = shown || mask_terms_see(terms, query, key);
        }
        terms->hidden[key] = shown && !seen_at_all;
    }
}

/* Numbers each key by the first of those that see each other, or lie between such. */
static void find_parts(uint32_t *part, const struct mask_seen *seen)
{
    uint64_t end = 0;
    uint32_t first = 0;

    for (uint64_t key = 0; key < seen->keys; key++)
        part[key] = (uint32_t)key;
    for (uint64_t query = 0; query < seen->queries; query++) {
        for (uint64_t key = 0, own = query + seen->offset; key < seen->keys; key++) {
            const uint64_t low = key < own ? key : own, high = key < own ? own : key;

            if (sees(seen, query, key) && part[low] < high)
                part[low] = (uint32_t)high;
        }
    }
    for (uint64_t key = 0; key < seen->keys; key++) { /* part has the last that each joins */
        if (key > 0 && end < key)
            first = (uint32_t)key;
        end = part[key] > end ? part[key] : end;
        part[key] = first;
    }
}

/* Returns whether the terms show a query of keys `low` to `end` one of the keys of `begin` to
 * `high`, or the reverse, were they of one document. */
static bool is_shown_across(struct mask_terms *terms, uint64_t low, uint64_t end, uint64_t high)
{
    bool shown = false;

    for (uint64_t key = end; key < high; key++)
        terms->document[key] = (uint32_t)low;
    for (uint64_t own = low; own < high && !shown; own++) {
        const uint64_t from = own < end ? end : low, to = own < end ? high : end;

        if (own < terms->offset || own - terms->offset >= terms->queries)
            continue;
        for (uint64_t key = from; key < to && !shown; key++)
            shown = mask_terms_see(terms, own - terms->offset, key);
    }
    for (uint64_t key = end; key < high && shown; key++)
        terms->document[key] = (uint32_t)end;
    return shown;
}

/* The largest documents between which no key is seen that the other terms show. */
static void solve_documents(struct mask_terms *terms, const struct mask_seen *seen)
{
    find_parts(terms->document, seen);
    for (uint64_t low = 0, end, high; low < terms->keys; low = end) {
        for (end = low; end < terms->keys && terms->document[end] == low;)
            end++;
        high = end;
        while (high < terms->keys && terms->document[high] == end)
            high++;
        if (high > end && !is_shown_across(terms, low, end, high))
            end = low; /* a document now, which may join the next */
    }
}

/* Blocks are of the keys that are seen and not by the causal term. */
static void solve_blocks(struct mask_terms *terms, const struct mask_seen *seen)
{
    for (uint64_t key = 0; key < terms->keys; key++)
        terms->block[key] = (uint32_t)key;
    for (uint64_t query = 0; query < seen->queries; query++) {
        const uint64_t own = query + seen->offset;

        for (uint64_t key = own + 1; key < seen->keys; key++) {
            uint32_t *one = &terms->block[own], *other = &terms->block[key];

            if (sees(seen, query, key) && (int64_t)(key - own) > terms->ahead)
                *one = *other = *one < *other ? *one : *other;
        }
    }
}

static void turn_causal(struct mask_terms *terms, const struct mask_seen *seen)
{
    terms->turned = MASK_TURNED_CAUSAL;
}

static void turn_window(struct mask_terms *terms, const struct mask_seen *seen)
{
    terms->turned = MASK_TURNED_WINDOW;
}

static void turn_padding(struct mask_terms *terms, const struct mask_seen *seen)
{
    terms->turned = MASK_TURNED_PADDING;
}

/* The changes of one term, in the order in which they are tried: a term that is missing comes
 * before one of another size. */
static void (*const edits[])(struct mask_terms *terms, const struct mask_seen *seen) = {
    show_all_after, drop_window,  solve_padding, solve_documents, solve_blocks,
    solve_causal,   solve_window, turn_causal,   turn_window,     turn_padding};

bool mask_edit_read(struct mask_terms *terms, const struct mask_terms *claimed,
                    const struct mask_seen *seen, bool *failed)
{
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        if (!mask_terms_copy(terms, claimed)) {
            *failed = true;
            return false;
        }
        edits[i](terms, seen);
        if (mask_terms_give(terms, seen))
            return true;
        mask_terms_fini(terms);
    }
    return false;
}
