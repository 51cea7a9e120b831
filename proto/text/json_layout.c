/* SPDX-License-Identifier: Apache-2.0
 * json_layout.c - see json_layout.h. */
#include "proto/text/json_layout.h"

#include <string.h>

static bool is_broken(const struct json_layout *layout)
{
    return layout->depth > 0 && layout->depth <= JSON_LAYOUT_DEPTH &&
           layout->broken[layout->depth - 1];
}

static void set_broken(struct json_layout *layout, bool broken)
{
    if (layout->depth <= JSON_LAYOUT_DEPTH)
        layout->broken[layout->depth - 1] = broken;
}

static void add_line(const struct json_layout *layout, struct buffer *out)
{
    buffer_add_text(out, "\n");
    for (size_t i = 0; i < layout->depth; i++)
        buffer_add_text(out, "  ");
}

/* Breaks the line behind [ or {, where the first entry wants a line. */
static void begin(struct json_layout *layout, struct buffer *out, char first)
{
    layout->opened = false;
    if (strchr("]}", first))
        return;
    set_broken(layout, strchr("\"[{", first));
    if (is_broken(layout))
        add_line(layout, out);
}

/* Adds a byte outside texts. */
static void add_mark(struct json_layout *layout, struct buffer *out, char byte)
{
    const bool broken = is_broken(layout);

    switch (byte) {
    case '[':
    case '{':
        buffer_add(out, &byte, 1);
        layout->depth++;
        set_broken(layout, false);
        layout->opened = true;
        break;
    case ']':
    case '}':
        layout->depth--;
        if (broken)
            add_line(layout, out);
        buffer_add(out, &byte, 1);
        break;
    case ',':
        buffer_add(out, &byte, 1);
        if (broken)
            add_line(layout, out);
        else
            buffer_add_text(out, " ");
        break;
    case ':':
        buffer_add_text(out, ": ");
        break;
    default:
        buffer_add(out, &byte, 1);
    }
}

/* Returns the length of the text's bytes that are next, up to the quote that ends it. */
static size_t skip_text(struct json_layout *layout, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (layout->escaped)
            layout->escaped = false;
        else if (bytes[i] == '\\')
            layout->escaped = true;
        else if (bytes[i] == '"') {
            layout->in_text = false;
            return i + 1;
        }
    }
    return len;
}

void json_layout_add(struct json_layout *layout, struct buffer *out, const char *bytes,
                     size_t len)
{
    for (size_t at = 0; at < len;) {
        if (layout->in_text) {
            const size_t some = skip_text(layout, bytes + at, len - at);

            buffer_add(out, bytes + at, some);
            at += some;
            continue;
        }
        const char byte = bytes[at++];

        if (strchr(" \t\r\n", byte) && (layout->depth > 0 || byte != '\n'))
            continue;
        if (layout->opened)
            begin(layout, out, byte);
        layout->in_text = byte == '"';
        add_mark(layout, out, byte);
    }
}
