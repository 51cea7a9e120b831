/* SPDX-License-Identifier: Apache-2.0
 * printable.c - see printable.h. */
#include "server/cli/command/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/text/utf8.h"

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static void add(struct buffer *out, const char *text, size_t len, const char *allowed)
{
    for (size_t i = 0; i < len;) {
        uint32_t code = 0;
        const size_t size = utf8_character(text + i, len - i, &code);

        if (size > 0 &&
            (!is_control(code) || (code != 0 && code < 0x80 && strchr(allowed, (int)code)))) {
            buffer_add(out, text + i, size);
            i += size;
            continue;
        }
        for (size_t end = i + (size > 0 ? size : 1); i < end; i++)
            buffer_add_format(out, "\\x%02x", (unsigned)(unsigned char)text[i]);
    }
}

void printable_add(struct buffer *out, const char *text, size_t len)
{
    add(out, text, len, "\n\t");
}

void printable_add_name(struct buffer *out, const char *name)
{
    add(out, name, strlen(name), "");
}

void printable_add_lines(struct buffer *out, const char *text, size_t len)
{
    bool begins = true; /* a line: nothing but blanks stands before */

    for (size_t i = 0; i < len; i++) {
        if (begins && text[i] == ':' && i + 1 < len && text[i + 1] == ':')
            buffer_add_text(out, "\\x3a");
        else
            buffer_add(out, text + i, 1);
        begins = text[i] == '\n' || (begins && (text[i] == ' ' || text[i] == '\t'));
    }
}
