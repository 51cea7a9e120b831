/* SPDX-License-Identifier: Apache-2.0
 * mask_pattern.c - reads the size of each known pattern off the matrix, then compares every
 * element of the pattern of that size with it. */
#include "core/math/mask/mask_pattern.h"

struct matrix {
    const unsigned char *seen;
    int64_t queries, keys, first; /* first: the position of the first query */
    uint64_t *document;           /* number of each key's document */
};

static bool is_seen(const struct matrix *m, int64_t row, int64_t key)
{
    return m->seen[row * m->keys + key] != 0;
}

static bool sees(const struct matrix *m, enum mask_pattern_name name, int64_t size, int64_t row,
                 int64_t key)
{
    const int64_t at = row + m->first, back = at - key;

    switch (name) {
    case PATTERN_BIDIRECTIONAL:
        return true;
    case PATTERN_CAUSAL:
        return back >= 0;
    case PATTERN_WINDOW:
        return back >= 0 && back < size;
    case PATTERN_WINDOW_BOTH:
        return back <= size && -back <= size;
    case PATTERN_PREFIX:
        return back >= 0 || key < size;
    case PATTERN_KEYS:
        return is_seen(m, 0, key);
    case PATTERN_DOCUMENT:
        return m->document[row] == m->document[key];
    case PATTERN_DOCUMENT_CAUSAL:
        return back >= 0 && m->document[row] == m->document[key];
    default:
        return false;
    }
}

/* ---- sizes ------------------------------------------------------------------------------- */

/* Returns the distance of the farthest key before its query (or on either side); -1: no key is
 * seen. */
static int64_t farthest(const struct matrix *m, bool both)
{
    int64_t most = -1;

    for (int64_t row = 0; row < m->queries; row++) {
        for (int64_t key = 0; key < m->keys; key++) {
            int64_t back = row + m->first - key;

            if (both && back < 0)
                back = -back;
            if (back > most && is_seen(m, row, key))
                most = back;
        }
    }
    return most;
}

/* Counts the keys that the first query sees; with `leading` only those before the first key
 * that it does not see. */
static int64_t keys_of_first(const struct matrix *m, bool leading)
{
    int64_t count = 0;

    for (int64_t key = 0; key < m->keys; key++)
        if (is_seen(m, 0, key))
            count++;
        else if (leading)
            break;
    return count;
}

/* A document begins where a token does not see the one before it. */
static int64_t number_documents(const struct matrix *m)
{
    uint64_t number = 0;

    for (int64_t key = 0; key < m->keys; key++) {
        number += key > 0 && !is_seen(m, key, key - 1);
        m->document[key] = number;
    }
    return (int64_t)number + 1;
}

static int64_t size_of(const struct matrix *m, enum mask_pattern_name name)
{
    switch (name) {
    case PATTERN_WINDOW:
        return farthest(m, false) + 1;
    case PATTERN_WINDOW_BOTH:
        return farthest(m, true);
    case PATTERN_PREFIX:
    case PATTERN_KEYS:
        return keys_of_first(m, name == PATTERN_PREFIX);
    case PATTERN_DOCUMENT:
    case PATTERN_DOCUMENT_CAUSAL:
        return number_documents(m);
    default:
        return 0;
    }
}

/* ---- the pattern ------------------------------------------------------------------------- */

static bool fits(const struct matrix *m, enum mask_pattern_name name, int64_t size)
{
    for (int64_t row = 0; row < m->queries; row++) {
        for (int64_t key = 0; key < m->keys; key++)
            if (sees(m, name, size, row, key) != is_seen(m, row, key))
                return false;
    }
    return true;
}

struct mask_pattern mask_pattern_of(const unsigned char *seen, uint64_t queries, uint64_t keys,
                                    uint64_t *document)
{
    struct matrix m = {seen, (int64_t)queries, (int64_t)keys, 0, document};

    if (queries == 0 || keys == 0)
        return (struct mask_pattern){PATTERN_OTHER, 0, false};
    for (enum mask_pattern_name name = PATTERN_BIDIRECTIONAL; name < PATTERN_COUNT; name++) {
        if (name >= PATTERN_DOCUMENT && queries != keys)
            break;
        for (int top_left = 0; top_left <= 1; top_left++) {
            int64_t size;

            m.first = top_left ? 0 : m.keys - m.queries;
            size = size_of(&m, name);
            if (size >= 0 && fits(&m, name, size))
                return (struct mask_pattern){name, (uint64_t)size, top_left == 1};
        }
    }
    return (struct mask_pattern){PATTERN_OTHER, 0, false};
}
