/* SPDX-License-Identifier: Apache-2.0
 * printable.c - see printable.h. */
#include "server/cli/command/printable.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the bytes of the character of UTF-8 (RFC 3629) at `at`, 0 if there is none. */
static size_t character(const unsigned char *at, size_t left, uint32_t *code)
{
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

static bool is_control(uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
}

void printable_add(struct buffer *out, const char *text, size_t len)
{
    const unsigned char *at = (const unsigned char *)text;

    for (size_t i = 0; i < len;) {
        uint32_t code = 0;
        const size_t size = character(at + i, len - i, &code);

        if (size > 0 && !is_control(code)) {
            buffer_add(out, text + i, size);
            i += size;
            continue;
        }
        for (size_t end = i + (size > 0 ? size : 1); i < end; i++)
            buffer_add_format(out, "\\x%02x", at[i]);
    }
}
