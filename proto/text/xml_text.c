/* SPDX-License-Identifier: Apache-2.0
 * xml_text.c - see xml_text.h. */
#include "proto/text/xml_text.h"

#include "proto/text/utf8.h"

const char *xml_text_entity(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void xml_text_add(struct buffer *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len;) {
        uint32_t code = 0;
        const size_t size = utf8_character(text + i, len - i, &code);
        const char *escape = xml_text_entity(text[i]);
        const bool control = (unsigned char)text[i] < ' ' && text[i] != '\n';

        if (size == 0 || control || code == 0xfffe || code == 0xffff)
            escape = " ";
        if (escape)
            buffer_add_text(out, escape);
        else
            buffer_add(out, text + i, size);
        i += size > 0 ? size : 1;
    }
}
