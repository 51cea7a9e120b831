/* SPDX-License-Identifier: Apache-2.0
 * buffer.h - bytes that grow, with a sticky failure: write many times, check .failed once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The memory that buffers may take: each is asked for the bytes that a buffer is about to grow
 * by. It outlives the buffers. */
struct buffer_budget {
    bool (*take)(struct buffer_budget *budget, size_t bytes); /* false: too few are left */
};

struct buffer {
    char *bytes; /* NUL-terminated whenever len > 0 */
    size_t len, size;
    bool failed; /* out of memory: the content is useless */
    bool fixed;  /* bytes are the caller's: the buffer cannot grow and fails instead */
    struct buffer_budget *budget; /* has the bytes; NULL: the caller counts them, or nobody */
};

/* Returns a buffer over the caller's memory; it needs no buffer_fini. */
static inline struct buffer buffer_over(char *capacity, size_t size)
{
    return (struct buffer){.bytes = capacity, .size = size, .fixed = true};
}

/* The function is inline, so that the compiler knows the length of literals. */
void buffer_add_growing(struct buffer *buffer, const char *bytes, size_t len);
static inline void buffer_add(struct buffer *buffer, const char *bytes, size_t len)
{
    if (len == 0 || len >= buffer->size - buffer->len) { /* bytes may be NULL if len is 0 */
        buffer_add_growing(buffer, bytes, len);
        return;
    }
    memcpy(buffer->bytes + buffer->len, bytes, len);
    buffer->len += len;
    buffer->bytes[buffer->len] = '\0';
}
/* Adds a text without its NUL. */
static inline void buffer_add_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}
void buffer_add_format(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buffer_add_integer(struct buffer *buffer, uint64_t number); /* adds it in decimal */
/* Reserves `more` bytes at the end and returns their place; NULL (and .failed) when out of
 * memory. buffer_advance tells how many of them were written. */
char *buffer_reserve(struct buffer *buffer, size_t more);
void buffer_advance(struct buffer *buffer, size_t more);
/* Hands the bytes to the caller (free()); NULL if the buffer failed. The buffer is empty
 * afterwards, and what it took of a budget is the caller's. */
char *buffer_take(struct buffer *buffer, size_t *len);
/* Makes the buffer fail, because a part of its content could not be made. */
void buffer_fail(struct buffer *buffer);
void buffer_fini(struct buffer *buffer);
