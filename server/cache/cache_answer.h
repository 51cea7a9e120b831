/* SPDX-License-Identifier: Apache-2.0
 * cache_answer.h - an answer: one block of bytes and the headers that go with it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct body_file;

struct cache_answer {
    char *bytes; /* malloc'd, taken by the cache; or the read-only mapping of `file` */
    size_t len;
    char *headers; /* malloc'd "Name: value\n" lines, taken by the cache; may be NULL */
    struct body_file *file; /* has the bytes and is taken by the cache; NULL: none */
    uint64_t elements;      /* numbers of the answer */
    uint64_t hash[2];       /* of the text of a document, which its entity tag follows from */
    bool cheap; /* quick to compute again: kept for long only if soon requested again */
};
