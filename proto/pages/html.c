/* SPDX-License-Identifier: Apache-2.0
 * html.c - see html.h. */
#include "proto/pages/html.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "proto/text/xml_text.h"

void html_add_text(struct buffer *out, const char *text, size_t len)
{
    for (const char *end = text + len; text < end; text++) {
        const char *stop = text;

        while (stop < end && !xml_text_entity(*stop))
            stop++;
        buffer_add(out, text, (size_t)(stop - text));
        text = stop;
        if (stop < end)
            buffer_add_text(out, xml_text_entity(*stop));
    }
}

/* Adds the value of the conversion at `format`, behind its %; returns the place behind it. */
static const char *add_value(struct buffer *out, const char *format, va_list *values)
{
    const char *text;
    int len;

    switch (*format) {
    case 's':
        text = va_arg(*values, const char *);
        html_add_text(out, text, strlen(text));
        return format + 1;
    case '.':
        assert(strncmp(format, ".*s", 3) == 0);
        len = va_arg(*values, int);
        html_add_text(out, va_arg(*values, const char *), (size_t)len);
        return format + 3;
    case 'u':
        buffer_add_integer(out, va_arg(*values, unsigned));
        return format + 1;
    case 'z':
        assert(format[1] == 'u');
        buffer_add_integer(out, va_arg(*values, size_t));
        return format + 2;
    default:
        assert(*format == '%');
        buffer_add_text(out, "%");
        return format + 1;
    }
}

void html_add(struct buffer *out, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    while (*format) {
        size_t plain = strcspn(format, "%");

        buffer_add(out, format, plain);
        format += plain;
        if (*format)
            format = add_value(out, format + 1, &values);
    }
    va_end(values);
}

void html_add_sentence(struct buffer *out, const char *text)
{
    const char first = (char)toupper((unsigned char)*text);

    html_add_text(out, &first, *text != '\0');
    html_add(out, "%s", *text ? text + 1 : "");
}

void html_add_marked(struct buffer *out, const char *text)
{
    for (const char *mark; (mark = strchr(text, '`')); text = mark + 1) {
        const char *end = strchr(mark + 1, '`');

        if (!end)
            break;
        html_add_text(out, text, (size_t)(mark - text));
        html_add(out, "<code>%.*s</code>", (int)(end - mark - 1), mark + 1);
        mark = end;
    }
    html_add_text(out, text, strlen(text));
}
