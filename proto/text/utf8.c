/* SPDX-License-Identifier: Apache-2.0
 * utf8.c - see utf8.h. */
#include "proto/text/utf8.h"

#include <string.h>

size_t utf8_character(const char *text, size_t left, uint32_t *code)
{
    const unsigned char *at = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t len = at[0] < 0x80                     ? 1
                       : at[0] >= 0xc2 && at[0] <= 0xdf ? 2
                       : at[0] >= 0xe0 && at[0] <= 0xef ? 3
                       : at[0] >= 0xf0 && at[0] <= 0xf4 ? 4
                                                        : 0;

    if (len == 0 || len > left)
        return 0;
    *code = len == 1 ? at[0] : at[0] & (0x7fU >> len);
    for (size_t i = 1; i < len; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (at[i] & 0x3f);
    }
    return *code < least[len] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0
                                                                                         : len;
}

const char *utf8_last(const char *text, size_t most)
{
    const char *at = text + strlen(text);

    for (size_t count = 0; at > text && count < most; count++)
        do
            at--;
        while (at > text && ((unsigned char)*at & 0xc0) == 0x80);
    return at;
}
