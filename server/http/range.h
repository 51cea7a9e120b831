/* SPDX-License-Identifier: Apache-2.0
 * range.h - Range and If-Range: which bytes of an answer a client wants (RFC 9110, 13.1.5 and
 * 14). One range; several, or another unit, are answered with the whole, as the RFC allows. */
#ifndef SERVER_RANGE_H
#define SERVER_RANGE_H

#include <stdbool.h>
#include <stdint.h>

enum range_kind {
    RANGE_WHOLE,   /* absent, malformed, or more than one range: answer in full */
    RANGE_PART,    /* these bytes and no others */
    RANGE_OUTSIDE, /* none of its bytes is there */
};

/* Bytes [first, first + len) of an answer of `size` bytes. */
struct range {
    uint64_t first, len, size;
};

/* field may be NULL. Sets *range to the part; WHOLE and OUTSIDE: to all. */
enum range_kind range_find(const char *field, uint64_t size, struct range *range);
/* May the range be honoured? if_range NULL: always; else only of the answer that has this very
 * tag: compared strongly, and a date is no tag of ours. */
bool range_is_of(const char *if_range, const char *etag);

#endif
