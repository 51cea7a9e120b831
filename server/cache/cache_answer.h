/* SPDX-License-Identifier: Apache-2.0
 * cache_answer.h - an answer: one block of bytes and the headers that go with it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_answer {
    char *bytes; /* malloc'd, taken by the cache */
    size_t len;
    char *headers;     /* malloc'd "Name: value\n" lines, taken by the cache; may be NULL */
    uint64_t elements; /* numbers of the answer */
    bool cheap;        /* quick to compute again: kept for long only if soon requested again */
};
