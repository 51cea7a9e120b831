/* SPDX-License-Identifier: Apache-2.0
 * word.h - compares a text with a word. Most words differ in their first letter, and every
 * request compares hundreds of times. */
#pragma once

#include <stdbool.h>
#include <string.h>

static inline bool word_is(const char *word, const char *text, size_t len)
{
    return len > 0 && *word == *text && strlen(word) == len && memcmp(word, text, len) == 0;
}
