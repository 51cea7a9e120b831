/* SPDX-License-Identifier: Apache-2.0
 * mask_print.h - the terms of a mask as words: which keys, how long, which keys after the
 * query. */
#pragma once

#include "core/verify/solve/mask_terms.h"

enum { MASK_PRINT_LIST = 120 }; /* size of a list of numbers as text */

/* The keys behind its own that a query sees. */
enum mask_ahead {
    MASK_CAUSAL, /* none */
    MASK_ALL,
    MASK_PREFIX,    /* those of the first keys, which every query sees */
    MASK_DOCUMENTS, /* those of its document */
    MASK_BLOCKS,    /* those of its block */
    MASK_DISTANCE,  /* so many */
};
/* Returns which of these the terms have. */
enum mask_ahead mask_print_kind(const struct mask_terms *terms);
/* Returns the number of the first keys that are one block. */
uint64_t mask_print_prefix(const struct mask_terms *terms);
uint64_t mask_print_document_count(const struct mask_terms *terms);
/* Returns how many flags are set. */
uint64_t mask_print_count(const bool *flags, uint64_t count);

/* Writes the runs of a flag: "0 to 1, 7". */
void mask_print_runs(const bool *flags, uint64_t count, char text[MASK_PRINT_LIST]);
/* Writes the lengths of documents: "5, 9". */
void mask_print_lengths(const struct mask_terms *terms, char text[MASK_PRINT_LIST]);
/* Writes the keys of blocks of several: "3 to 10, 13 to 20". Returns the number of blocks. */
size_t mask_print_blocks(const struct mask_terms *terms, char text[MASK_PRINT_LIST]);
/* Writes which keys after its own a query sees. */
void mask_print_ahead(const struct mask_terms *terms, char *text, size_t size);
