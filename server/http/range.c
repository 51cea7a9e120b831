/* SPDX-License-Identifier: Apache-2.0
 * range.c - reads "bytes=FIRST-LAST", "bytes=FIRST-" and "bytes=-LAST_ONES"; see range.h. */
#include "server/http/range.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *skip(const char *at, const char *set)
{
    return at + strspn(at, set);
}

/* Digits as a number, UINT64_MAX if it is larger; false: there are no digits. */
static bool read_number(const char **at, uint64_t *number)
{
    const char *start = *at;

    for (*number = 0; **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');

        *number = *number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * *number + digit;
    }
    return *at > start;
}

static enum range_kind last_ones(uint64_t count, uint64_t size, struct range *range)
{
    if (size == 0)
        return RANGE_WHOLE; /* Content-Range cannot express a part of nothing */
    if (count == 0)
        return RANGE_OUTSIDE;
    range->len = count < size ? count : size;
    range->first = size - range->len;
    return RANGE_PART;
}

enum range_kind range_find(const char *field, uint64_t size, struct range *range)
{
    static const char unit[] = "bytes=";
    uint64_t first, last = UINT64_MAX;
    bool has_first, has_last;
    const char *at;

    *range = (struct range){0, size, size};
    if (!field || strncasecmp(field, unit, sizeof unit - 1) != 0)
        return RANGE_WHOLE;
    at = skip(field + sizeof unit - 1, " \t,");
    has_first = read_number(&at, &first);
    if (*at++ != '-')
        return RANGE_WHOLE;
    has_last = read_number(&at, &last);
    if (*skip(at, " \t,") != '\0' || (!has_first && !has_last))
        return RANGE_WHOLE;
    if (!has_first)
        return last_ones(last, size, range);
    if (has_last && last < first)
        return RANGE_WHOLE;
    if (first >= size)
        return RANGE_OUTSIDE;
    range->first = first;
    range->len = (has_last && last < size ? last + 1 : size) - first;
    return RANGE_PART;
}

bool range_is_of(const char *if_range, const char *etag)
{
    return !if_range || (etag && strcmp(if_range, etag) == 0);
}
