/* SPDX-License-Identifier: Apache-2.0
 * quality_list.h - walks the lists of content negotiation, "a;q=0.5, b, *;q=0" (RFC 9110,
 * 12.4.2): each element without its parameters, and its weight. */
#ifndef PROTO_QUALITY_LIST_H
#define PROTO_QUALITY_LIST_H

#include <stdbool.h>
#include <stddef.h>

enum { QUALITY_LIST_ONE = 1000 }; /* q=1 */

struct quality_list {
    const char *text; /* without blanks around it; never empty */
    size_t len;
    unsigned q; /* thousandths */
};

/* The next element from *at on, which moves past it; false at the end. Elements that cannot be
 * read (empty, or a q that is none) are passed over. */
bool quality_list_next(const char **at, const char *end, struct quality_list *element);

#endif
