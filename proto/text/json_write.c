/* SPDX-License-Identifier: Apache-2.0
 * json_write.c - see json_write.h. */
#include "proto/text/json_write.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "core/text/float_text.h"

/* ---- commas ----------------------------------------------------------------------------- */

static bool ends_value(unsigned char last)
{
    const unsigned char letter = last | 0x20;

    return last == '"' || last == '}' || last == ']' || (last >= '0' && last <= '9') ||
           (letter >= 'a' && letter <= 'z');
}

static void add_comma(struct buffer *out)
{
    if (out->len > 0 && ends_value((unsigned char)out->bytes[out->len - 1]))
        buffer_add(out, ",", 1);
}

/* ---- strings ---------------------------------------------------------------------------- */

/* Returns the number of bytes at `at` that are one well-formed UTF-8 character. If they are not
 * one, returns 0 and sets *bad to the number of bytes, at least 1, that one U+FFFD replaces
 * (Unicode 15, 3.9: maximal subparts). */
static size_t utf8_len(const unsigned char *at, size_t left, size_t *bad)
{
    const unsigned char lead = at[0];

    *bad = 1;
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    const size_t len = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    /* The second byte's range excludes overlong forms, surrogates, and text beyond U+10FFFF. */
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    for (size_t i = 1; i < len; i++) {
        const bool fits =
            i < left && (i == 1 ? at[i] >= low && at[i] <= high : (at[i] & 0xc0) == 0x80);

        if (!fits) {
            *bad = i;
            return 0;
        }
    }
    return len;
}

static void add_escape(struct buffer *buffer, unsigned char byte)
{
    static const char named[32] =
        {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    static const char hex[] = "0123456789abcdef";

    if (byte >= 32) {
        buffer_add(buffer, (const char[]){'\\', (char)byte}, 2);
    } else if (named[byte] != 0) {
        buffer_add(buffer, (const char[]){'\\', named[byte]}, 2);
    } else {
        const char text[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};

        buffer_add(buffer, text, sizeof(text));
    }
}

/* Returns whether the byte is ASCII that needs no escape, as nearly all text is. */
static bool is_plain(unsigned char byte)
{
    return byte >= 32 && byte < 0x80 && byte != '"' && byte != '\\';
}

static void add_escaped(struct buffer *out, const char *bytes, size_t len)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t done = 0;

    for (size_t i = 0; i < len;) {
        if (is_plain(at[i])) {
            i++;
            continue;
        }
        size_t bad = 1;
        const size_t valid = at[i] < 0x80 ? 0 : utf8_len(at + i, len - i, &bad);
        if (valid > 0) {
            i += valid;
            continue;
        }
        buffer_add(out, bytes + done, i - done);
        if (at[i] < 0x80)
            add_escape(out, at[i]);
        else
            buffer_add_text(out, "\xef\xbf\xbd"); /* U+FFFD */
        i += bad;
        done = i;
    }
    buffer_add(out, bytes + done, len - done);
}

static void add_string(struct buffer *out, const char *bytes, size_t len)
{
    add_comma(out);
    buffer_add(out, "\"", 1);
    add_escaped(out, bytes, len);
    buffer_add(out, "\"", 1);
}

/* Begins a value: with its name, or with the comma that may be due. */
static void begin(struct buffer *out, const char *name)
{
    if (name)
        json_write_key(out, name);
    else
        add_comma(out);
}

void json_write_key(struct buffer *out, const char *name)
{
    add_comma(out);
    buffer_add(out, "\"", 1);
    buffer_add(out, name, strlen(name));
    buffer_add(out, "\":", 2);
}

void json_write_string(struct buffer *out, const char *name, const char *bytes, size_t len)
{
    if (name)
        json_write_key(out, name);
    add_string(out, bytes, len);
}

void json_write_text(struct buffer *out, const char *name, const char *text)
{
    if (text)
        json_write_string(out, name, text, strlen(text));
}

void json_write_buffer(struct buffer *out, const char *name, struct buffer *text)
{
    if (text->failed)
        buffer_fail(out);
    else
        json_write_string(out, name, text->bytes, text->len);
    buffer_fini(text);
}

void json_write_texts(struct buffer *out, const char *name, const char *const *texts,
                      size_t count)
{
    begin(out, name);
    buffer_add_text(out, "[");
    for (size_t i = 0; i < count && texts[i]; i++)
        json_write_text(out, NULL, texts[i]);
    buffer_add_text(out, "]");
}

/* ---- other values ----------------------------------------------------------------------- */

void json_write_flag(struct buffer *out, const char *name, bool flag)
{
    begin(out, name);
    buffer_add_text(out, flag ? "true" : "false");
}

void json_write_integer(struct buffer *out, const char *name, uint64_t number)
{
    begin(out, name);
    buffer_add_integer(out, number);
}

void json_write_integers(struct buffer *out, const char *name, const uint64_t *numbers,
                         size_t count)
{
    begin(out, name);
    buffer_add_text(out, "[");
    for (size_t i = 0; i < count; i++)
        json_write_integer(out, NULL, numbers[i]);
    buffer_add_text(out, "]");
}

void json_write_number(struct buffer *out, const char *name, double number)
{
    char text[FLOAT_TEXT_F64_MAX];

    begin(out, name);
    if (isfinite(number))
        buffer_add(out, text, (size_t)(float_text_f64(text, number) - text));
    else
        buffer_add_text(out, isnan(number) ? "\"NaN\""
                             : number > 0  ? "\"Infinity\""
                                           : "\"-Infinity\"");
}

/* ---- a text with holes ------------------------------------------------------------------ */

static void add_signed(struct buffer *out, long long number)
{
    if (number < 0)
        buffer_add(out, "-", 1);
    buffer_add_integer(out, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

/* The length of a number behind a %: of PRIu64, "lu" or "llu", the machine's is one of both. */
enum length { LENGTH_INT, LENGTH_LONG, LENGTH_LONG_LONG, LENGTH_SIZE };

static uint64_t take_unsigned(enum length length, va_list *values)
{
    switch (length) {
    case LENGTH_LONG:
        return va_arg(*values, unsigned long);
    case LENGTH_LONG_LONG:
        return va_arg(*values, unsigned long long);
    case LENGTH_SIZE:
        return va_arg(*values, size_t);
    default:
        return va_arg(*values, unsigned);
    }
}

static long long take_signed(enum length length, va_list *values)
{
    switch (length) {
    case LENGTH_LONG:
        return va_arg(*values, long);
    case LENGTH_LONG_LONG:
        return va_arg(*values, long long);
    default:
        return va_arg(*values, int);
    }
}

/* Adds the value for what stands behind a %, and returns the text behind that. */
static const char *add_hole(struct buffer *out, const char *kind, va_list *values)
{
    enum length length = LENGTH_INT;

    if (*kind == 'z') {
        length = LENGTH_SIZE;
        kind++;
    }
    for (; *kind == 'l'; kind++)
        length = length == LENGTH_LONG ? LENGTH_LONG_LONG : LENGTH_LONG;
    if (*kind == 's') {
        const char *text = va_arg(*values, const char *);

        add_escaped(out, text, strlen(text));
    } else if (*kind == 'u') {
        buffer_add_integer(out, take_unsigned(length, values));
    } else {
        assert(*kind == 'd' && length != LENGTH_SIZE);
        add_signed(out, take_signed(length, values));
    }
    return kind + 1;
}

void json_write(struct buffer *out, const char *text, ...)
{
    va_list values;

    if (!strchr("]}:\n", *text))
        add_comma(out);
    va_start(values, text);
    while (*text != '\0') {
        const size_t len = strcspn(text, "'%");

        buffer_add(out, text, len);
        text += len;
        if (*text == '%') {
            text = add_hole(out, text + 1, &values);
        } else if (*text == '\'') {
            buffer_add(out, "\"", 1);
            text++;
        }
    }
    va_end(values);
}

/* ---- JSON for people -------------------------------------------------------------------- */

void json_write_line(struct buffer *out, const char *name, size_t indent)
{
    add_comma(out);
    if (indent > 0)
        buffer_add_format(out, "\n%*s", (int)indent, "");
    if (name)
        json_write_key(out, name);
    if (name && indent > 0)
        buffer_add(out, " ", 1);
}

void json_write_last_line(struct buffer *out, const char *bracket, size_t indent)
{
    if (indent > 0 && out->len > 0 && ends_value((unsigned char)out->bytes[out->len - 1]))
        buffer_add_format(out, "\n%*s", (int)indent - 2, "");
    buffer_add_text(out, bracket);
}
