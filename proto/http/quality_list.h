/* SPDX-License-Identifier: Apache-2.0
 * quality_list.h - walks over the lists of content negotiation, "a;q=0.5, b, *;q=0" (RFC 9110,
 * 12.4.2): each element without its parameters, and its weight. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { QUALITY_LIST_ONE = 1000 }; /* the weight q=1 */

struct quality_list {
    const char *text; /* never empty, without blanks around it */
    size_t len;
    unsigned q; /* the weight in thousandths */
};

/* Reads the next element from *at on and moves *at past it; false at the end. Unreadable
 * elements (empty, or with a bad q) are skipped. */
bool quality_list_next(const char **at, const char *end, struct quality_list *element);
