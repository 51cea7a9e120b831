/* SPDX-License-Identifier: Apache-2.0
 * completion.h - how the last word of a call may end, from the rows of commands.def,
 * flags.def and the registry. */
#pragma once

#include <stddef.h>

#include "proto/text/buffer.h"

/* Writes a line "words", "no-space" (no blank follows the word) or "files PREFIX" (files
 * may follow the prefix too), then a line for each word: the word, a tab, its summary. The
 * words are those behind "posencd"; the last one, perhaps "", is being completed. */
void completion_write(struct buffer *out, const char *const *words, size_t count);
