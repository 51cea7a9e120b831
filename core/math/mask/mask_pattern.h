/* SPDX-License-Identifier: Apache-2.0
 * mask_pattern.h - tells whether a dense mask is a pattern that kernels know by a flag. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A mask is the first of these patterns that fits it. p is the position of the query, k that of
 * the key. */
enum mask_pattern_name {
    PATTERN_OTHER,
    PATTERN_BIDIRECTIONAL,   /* all keys are seen */
    PATTERN_CAUSAL,          /* k <= p */
    PATTERN_WINDOW,          /* k <= p, p - k < size */
    PATTERN_WINDOW_BOTH,     /* |p - k| <= size */
    PATTERN_PREFIX,          /* k <= p or k < size */
    PATTERN_KEYS,            /* the same keys for all queries, size of them: padding */
    PATTERN_DOCUMENT,        /* within one of size consecutive documents */
    PATTERN_DOCUMENT_CAUSAL, /* within one of size consecutive documents, k <= p */
    PATTERN_COUNT
};

struct mask_pattern {
    enum mask_pattern_name name;
    uint64_t size;
    bool top_left; /* p is the query's number; else p of the last query is k of the last key */
};

/* Finds the pattern that the matrix (queries x keys, bytes 0 and 1) is, exactly. `document` has
 * space for as many numbers as there are keys. Where both alignments fit, top_left is false. */
struct mask_pattern mask_pattern_of(const unsigned char *seen, uint64_t queries, uint64_t keys,
                                    uint64_t *document);
