/* SPDX-License-Identifier: Apache-2.0
 * word.h - is a piece of text this word? Most words differ in their first letter, and every
 * request asks hundreds of times. */
#ifndef PROTO_TEXT_WORD_H
#define PROTO_TEXT_WORD_H

#include <stdbool.h>
#include <string.h>

static inline bool word_is(const char *word, const char *text, size_t len)
{
    return len > 0 && *word == *text && strlen(word) == len && memcmp(word, text, len) == 0;
}

#endif
