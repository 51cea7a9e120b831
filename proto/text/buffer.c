/* SPDX-License-Identifier: Apache-2.0
 * buffer.c - growth by doubling, formatted text and JSON strings. */
#include "proto/text/buffer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_FIRST_SIZE = 256 };

void buffer_fail(struct buffer *buffer)
{
    if (!buffer->fixed)
        free(buffer->bytes);
    *buffer = (struct buffer){.failed = true};
}

/* Makes the buffer large enough for `more` bytes and a NUL. */
static bool grow(struct buffer *buffer, size_t more)
{
    size_t need = 0;

    if (more < buffer->size - buffer->len)
        return true;
    if (buffer->failed)
        return false;
    if (buffer->fixed || __builtin_add_overflow(buffer->len, more, &need) ||
        need >= PTRDIFF_MAX) {
        buffer_fail(buffer);
        return false;
    }
    size_t size = buffer->size > 0 ? buffer->size : BUFFER_FIRST_SIZE;
    while (size <= need)
        size *= 2;
    if (buffer->budget && !buffer->budget->take(buffer->budget, size - buffer->size)) {
        buffer_fail(buffer);
        return false;
    }
    char *bytes = realloc(buffer->bytes, size);
    if (!bytes) {
        buffer_fail(buffer);
        return false;
    }
    buffer->bytes = bytes;
    buffer->size = size;
    return true;
}

void buffer_add_growing(struct buffer *buffer, const char *bytes, size_t len)
{
    if (len > 0 && grow(buffer, len))
        buffer_add(buffer, bytes, len);
}

void buffer_add_integer(struct buffer *buffer, uint64_t number)
{
    char digits[20];
    size_t at = sizeof(digits);

    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    buffer_add(buffer, digits + at, sizeof(digits) - at);
}

void buffer_add_format(struct buffer *buffer, const char *format, ...)
{
    char few[256];
    va_list values;

    va_start(values, format);
    const int len = vsnprintf(few, sizeof(few), format, values);
    va_end(values);
    if (len < 0) {
        buffer_fail(buffer);
        return;
    }
    const size_t want = (size_t)len;
    if (want < sizeof(few)) {
        buffer_add(buffer, few, want);
        return;
    }
    if (!grow(buffer, want))
        return;
    va_start(values, format);
    vsnprintf(buffer->bytes + buffer->len, want + 1, format, values);
    va_end(values);
    buffer_advance(buffer, want);
}

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

void buffer_add_json(struct buffer *buffer, const char *bytes, size_t len)
{
    const unsigned char *at = (const unsigned char *)bytes;
    size_t done = 0;

    buffer_add(buffer, "\"", 1);
    for (size_t i = 0; i < len;) {
        const bool special = at[i] < 32 || at[i] == '"' || at[i] == '\\';

        if (!special && at[i] < 0x80) {
            i++; /* nearly all text is ASCII without escapes */
            continue;
        }
        size_t bad = 1;
        const size_t valid = special ? 0 : utf8_len(at + i, len - i, &bad);
        if (valid > 0) {
            i += valid;
            continue;
        }
        buffer_add(buffer, bytes + done, i - done);
        if (special)
            add_escape(buffer, at[i]);
        else
            buffer_add_text(buffer, "\xef\xbf\xbd"); /* U+FFFD */
        i += bad;
        done = i;
    }
    buffer_add(buffer, bytes + done, len - done);
    buffer_add(buffer, "\"", 1);
}

char *buffer_reserve(struct buffer *buffer, size_t more)
{
    return grow(buffer, more) ? buffer->bytes + buffer->len : NULL;
}

void buffer_advance(struct buffer *buffer, size_t more)
{
    assert(!buffer->failed && more < buffer->size - buffer->len);
    buffer->len += more;
    buffer->bytes[buffer->len] = '\0';
}

char *buffer_take(struct buffer *buffer, size_t *len)
{
    if (buffer->failed || !grow(buffer, 0))
        return NULL;
    char *bytes = buffer->bytes;
    bytes[buffer->len] = '\0';
    *len = buffer->len;
    *buffer = (struct buffer){0};
    return bytes;
}

void buffer_fini(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}
