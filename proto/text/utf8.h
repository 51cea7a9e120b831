/* SPDX-License-Identifier: Apache-2.0
 * utf8.h - the characters of a text in UTF-8 (RFC 3629). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Returns how many of the `left` bytes at `at`, one or more, are the next character, and its
 * code; 0: they begin with none. */
size_t utf8_character(const char *at, size_t left, uint32_t *code);
/* Returns the end of the text that has at most so many characters; all of it if it has no
 * more. */
const char *utf8_last(const char *text, size_t most);
