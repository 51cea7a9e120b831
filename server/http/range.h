/* SPDX-License-Identifier: Apache-2.0
 * range.h - Range and If-Range: which bytes of a response a client wants (RFC 9110, 13.1.5 and
 * 14). One range is honoured; a request for several ranges, or in another unit, gets the whole
 * response, as the RFC allows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum range_kind {
    RANGE_WHOLE,   /* absent, malformed, or more than one range: send all bytes */
    RANGE_PART,    /* send only these bytes */
    RANGE_OUTSIDE, /* the response has none of these bytes */
};

/* Bytes [first, first + len) of a response of `size` bytes. */
struct range {
    uint64_t first, len, size;
};

/* Sets *range to the part; WHOLE and OUTSIDE set it to all bytes. field may be NULL. */
enum range_kind range_find(const char *field, uint64_t size, struct range *range);
/* The range may be honoured: if_range is NULL or equals the tag of the response. Tags are
 * compared strongly; a date never matches. */
bool range_is_of(const char *if_range, const char *etag);
