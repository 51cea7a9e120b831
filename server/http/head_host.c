/* SPDX-License-Identifier: Apache-2.0
 * head_host.c - the value of Host (RFC 9110 7.2): a name or an address, perhaps a port; no
 * user, no path. */
#include "server/http/head.h"

static bool is_literal_byte(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') || c == ':' ||
           c == '.';
}

bool head_host_valid(const char *host, size_t len)
{
    bool literal = len > 0 && host[0] == '[';
    size_t start = literal ? 1 : 0, i = start, digits = 0;

    while (i < len && (literal ? is_literal_byte(host[i])
                               : head_set_has(&head_host_set, (unsigned char)host[i])))
        i++;
    if (i == start)
        return false;
    if (literal && (i == len || host[i++] != ']'))
        return false;
    if (i == len)
        return true;
    if (host[i++] != ':')
        return false;
    for (; i < len && host[i] >= '0' && host[i] <= '9'; i++)
        digits++;
    return i == len && digits <= 5;
}

size_t head_host_name_len(const char *host, size_t len)
{
    size_t end = len;

    while (end > 0 && host[end - 1] >= '0' && host[end - 1] <= '9')
        end--;
    return end > 0 && host[end - 1] == ':' ? end - 1 : len;
}
