/* SPDX-License-Identifier: Apache-2.0
 * mask_terms.h - a mask read as terms: a query sees the keys up to its own, and later ones of
 * its block; of the earlier ones those within a window and in its document; no key that is
 * hidden from all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that hides a key is at most this, where masks are added to scores. */
#define MASK_HIDES -100.0
/* Operations to read an element of a mask and to hold it against the terms, one by one. */
#define MASK_OF_ELEMENT 80.0

/* A mask as truth values: which keys each query sees. Query i stands at key i + offset. */
struct mask_seen {
    uint64_t queries, keys, offset;
    bool *at; /* queries x keys */
};

/* Terms that are transposed: they say of keys what they should say of queries. */
enum mask_turned { MASK_TURNED_CAUSAL = 1, MASK_TURNED_WINDOW = 2, MASK_TURNED_PADDING = 4 };

struct mask_terms {
    uint64_t queries, keys, offset;
    bool *hidden;       /* of each key: no query sees it */
    bool *empty;        /* of each query: it sees no key, where the other terms show it some */
    uint32_t *block;    /* of each key: the first key of its block, which see each other; itself
                          * where it has none */
    uint32_t *document; /* of each key: the first key of its document */
    uint64_t window;    /* keys up to the query's own that it sees; 0: all */
    int64_t ahead;      /* keys after its own that every query sees besides those of its block;
                         * `keys`: all; below 0: so many of the last ones are not seen */
    bool escapes;       /* the keys of a block see each other beyond the window */
    unsigned turned;    /* of enum mask_turned */
    uint32_t *memory;
};

/* Reads a mask; false where it has no such terms, or when out of memory (then *failed becomes
 * true). The caller frees the terms. */
bool mask_terms_read(struct mask_terms *terms, const struct mask_seen *seen, bool *failed);
/* Makes a copy; false when out of memory. The caller frees it. */
bool mask_terms_copy(struct mask_terms *copy, const struct mask_terms *terms);
void mask_terms_fini(struct mask_terms *terms);
/* Returns whether two keys are of one block; a key without a block is not even of its own. */
bool mask_terms_inside(const struct mask_terms *terms, uint64_t own, uint64_t key);
/* Returns whether a query sees a key by the terms. */
bool mask_terms_see(const struct mask_terms *terms, uint64_t query, uint64_t key);
/* Returns whether the terms give the mask. */
bool mask_terms_give(const struct mask_terms *terms, const struct mask_seen *seen);
