/* SPDX-License-Identifier: Apache-2.0
 * if_none_match.c - see if_none_match.h. */
#include "server/http/if_none_match.h"

#include <stddef.h>
#include <string.h>

static const char *skip(const char *at, const char *set)
{
    return at + strspn(at, set);
}

enum if_none_match if_none_match_check(const char *if_none_match, const char *etag)
{
    size_t len = strlen(etag);
    const char *at = if_none_match ? skip(if_none_match, " \t,") : "";

    if (*at == '*')
        return *skip(at + 1, " \t") == '\0' ? IF_NONE_MATCH_ANY : IF_NONE_MATCH_NONE;
    while (*at) {
        const char *end;

        if (at[0] == 'W' && at[1] == '/')
            at += 2;
        if (*at != '"' || !(end = strchr(at + 1, '"')))
            return IF_NONE_MATCH_NONE;
        end++;
        if ((size_t)(end - at) == len && memcmp(at, etag, len) == 0)
            return IF_NONE_MATCH_MATCH;
        at = skip(end, " \t");
        if (*at && *at != ',')
            return IF_NONE_MATCH_NONE;
        at = skip(at, " \t,");
    }
    return IF_NONE_MATCH_NONE;
}
