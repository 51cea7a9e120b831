/* SPDX-License-Identifier: Apache-2.0
 * mask_print.c - see mask_print.h. */
#include "core/verify/solve/mask_print.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHOWN = 4 };

/* ---- lists ----------------------------------------------------------------------------- */

void mask_print_runs(const bool *flags, uint64_t count, char text[MASK_PRINT_LIST])
{
    size_t len = 0, shown = 0;

    text[0] = '\0';
    for (uint64_t i = 0; i < count; i++) {
        uint64_t end = i;

        while (end < count && flags[end])
            end++;
        if (end == i)
            continue;
        if (shown++ == SHOWN) {
            snprintf(text + len, MASK_PRINT_LIST - len, " and others");
            return;
        }
        len += (size_t)snprintf(text + len, MASK_PRINT_LIST - len, "%s%" PRIu64,
                                shown > 1 ? ", " : "", i);
        if (end - i > 1)
            len += (size_t)snprintf(text + len, MASK_PRINT_LIST - len, " to %" PRIu64, end - 1);
        i = end;
    }
}

uint64_t mask_print_count(const bool *flags, uint64_t count)
{
    uint64_t set = 0;

    for (uint64_t i = 0; i < count; i++)
        set += flags[i];
    return set;
}

void mask_print_lengths(const struct mask_terms *terms, char text[MASK_PRINT_LIST])
{
    size_t len = 0, shown = 0;

    text[0] = '\0';
    for (uint64_t i = 0, end; i < terms->keys; i = end) {
        for (end = i + 1; end < terms->keys && terms->document[end] == terms->document[i];)
            end++;
        if (shown++ == 2 * SHOWN) {
            snprintf(text + len, MASK_PRINT_LIST - len, " ...");
            return;
        }
        len += (size_t)snprintf(text + len, MASK_PRINT_LIST - len, "%s%" PRIu64,
                                shown > 1 ? ", " : "", end - i);
    }
}

uint64_t mask_print_document_count(const struct mask_terms *terms)
{
    uint64_t count = 1;

    for (uint64_t i = 1; i < terms->keys; i++)
        count += terms->document[i] != terms->document[i - 1];
    return count;
}

/* Returns how many keys a block of more than one has; 0: the key is not the first of one. */
static uint64_t block_size(const struct mask_terms *terms, uint64_t first)
{
    uint64_t count = 0;

    if (terms->block[first] != first)
        return 0;
    for (uint64_t key = first; key < terms->keys; key++)
        count += terms->block[key] == first && !terms->hidden[key];
    return count > 1 ? count : 0;
}

size_t mask_print_blocks(const struct mask_terms *terms, char text[MASK_PRINT_LIST])
{
    size_t len = 0, count = 0;

    text[0] = '\0';
    for (uint64_t first = 0; first < terms->keys; first++) {
        if (block_size(terms, first) == 0 || count++ >= SHOWN || len >= MASK_PRINT_LIST - 60)
            continue;
        len += (size_t)snprintf(text + len, MASK_PRINT_LIST - len, "%s", count > 1 ? ", " : "");
        for (uint64_t key = first, end; key < terms->keys && len < MASK_PRINT_LIST - 60;
             key = end + 1) {
            for (end = key; end < terms->keys && terms->block[end] == first;)
                end++;
            if (end > key)
                len += (size_t)snprintf(text + len, MASK_PRINT_LIST - len,
                                        "%s%" PRIu64 " to %" PRIu64,
                                        key > first ? " with " : "", key, end - 1);
        }
    }
    return count;
}

/* ---- keys after the query ---------------------------------------------------------------- */

uint64_t mask_print_prefix(const struct mask_terms *terms)
{
    uint64_t prefix = 0, first = 0;

    while (first < terms->keys && terms->hidden[first])
        first++;
    while (first + prefix < terms->keys && terms->block[first + prefix] == terms->block[first])
        prefix++;
    return prefix;
}

enum mask_ahead mask_print_kind(const struct mask_terms *terms)
{
    char list[MASK_PRINT_LIST];
    const size_t blocks = mask_print_blocks(terms, list);
    const uint64_t prefix = mask_print_prefix(terms);
    bool all = true, documents = true;

    if (terms->ahead != 0)
        return terms->ahead < (int64_t)terms->keys ? MASK_DISTANCE : MASK_ALL;
    for (uint64_t i = 0, first = terms->keys; i < terms->keys; i++) {
        if (terms->hidden[i])
            continue;
        first = first == terms->keys ? i : first;
        all = all && terms->block[i] == terms->block[first];
        documents =
            documents && (i == first || (terms->block[i] == terms->block[i - 1]) ==
                                            (terms->document[i] == terms->document[i - 1]));
    }
    if (blocks == 0)
        return MASK_CAUSAL;
    if (all)
        return MASK_ALL;
    if (documents && mask_print_document_count(terms) > 1)
        return MASK_DOCUMENTS;
    return blocks == 1 && prefix > 1 ? MASK_PREFIX : MASK_BLOCKS;
}

void mask_print_ahead(const struct mask_terms *terms, char *text, size_t size)
{
    char list[MASK_PRINT_LIST];

    mask_print_blocks(terms, list);
    switch (mask_print_kind(terms)) {
    case MASK_CAUSAL:
        snprintf(text, size, "causal");
        break;
    case MASK_ALL:
        snprintf(text, size, "every query sees all keys after it");
        break;
    case MASK_PREFIX:
        snprintf(text, size, "a prefix of %" PRIu64 " keys%s is seen by every query",
                 mask_print_prefix(terms),
                 terms->hidden[0] ? " (or a block, as of one picture)" : "");
        break;
    case MASK_DOCUMENTS:
        snprintf(text, size, "tokens see those after them in their document");
        break;
    case MASK_BLOCKS:
        snprintf(text, size, "keys of a block (of one picture) see each other: %s", list);
        break;
    case MASK_DISTANCE:
        snprintf(text, size, "a query sees %" PRId64 " key%s after it", terms->ahead,
                 terms->ahead > 1 ? "s" : "");
        break;
    }
}
