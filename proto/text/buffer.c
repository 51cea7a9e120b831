/* SPDX-License-Identifier: Apache-2.0
 * buffer.c - growth by doubling, and formatted text. */
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
