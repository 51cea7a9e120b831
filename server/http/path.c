/* SPDX-License-Identifier: Apache-2.0
 * path.c - see path.h. */
#include "server/http/path.h"

#include <stdlib.h>

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : ((unsigned)c | 32u) - 'a' + 10;
}

char *path_decode(const char *raw, size_t raw_len, size_t *len)
{
    char *path = malloc(raw_len + 1), *end = path;

    if (!path)
        return NULL;
    for (size_t i = 0; i < raw_len; i++)
        if (raw[i] == '%' && i + 2 < raw_len) {
            *end++ = (char)(hex_digit(raw[i + 1]) << 4 | hex_digit(raw[i + 2]));
            i += 2;
        } else {
            *end++ = raw[i];
        }
    *end = '\0';
    *len = (size_t)(end - path);
    return path;
}
