/* SPDX-License-Identifier: Apache-2.0
 * weighted.h - walks the lists of content negotiation, "a;q=0.5, b, *;q=0" (RFC 9110, 12.4.2):
 * each element without its parameters, and its weight. */
#ifndef PROTO_WEIGHTED_H
#define PROTO_WEIGHTED_H

#include <stdbool.h>
#include <stddef.h>

enum { WEIGHTED_ONE = 1000 }; /* q=1 */

struct weighted {
    const char *text; /* without blanks around it; never empty */
    size_t len;
    unsigned q; /* thousandths */
};

/* The next element from *at on, which moves past it; false at the end. Elements that cannot be
 * read (empty, or a q that is none) are passed over. */
bool weighted_next(const char **at, const char *end, struct weighted *element);

#endif
