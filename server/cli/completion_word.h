/* SPDX-License-Identifier: Apache-2.0
 * completion_word.h - the candidates for one word: those that begin with what was typed, by the
 * kind of the word. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/buffer.h"
#include "server/cli/command/command.h"

struct completion_word { /* {0} but for words, count and current */
    const char *const *words;
    size_t count;
    const char *current; /* the last word, which is completed */
    const char *first;   /* the first operand before it; NULL: it is the first itself */

    struct buffer lines; /* the candidates */
    bool has_files, has_space, has_no_space;
    struct buffer files; /* the prefix of files */
};

/* Adds prefix + text[0..len) + suffix (SIZE_MAX: all of the text) if it begins with the current
 * word. After a suffix no blank follows. */
void completion_word_add(struct completion_word *word, const char *prefix, const char *text,
                         size_t len, const char *suffix, const char *summary);
/* Says that files may follow the prefix. */
void completion_word_files(struct completion_word *word, const char *prefix);
/* Adds the candidates of a kind. */
void completion_word_write(struct completion_word *word, enum command_word kind);
/* Writes the first line and the candidates, and frees the memory. */
void completion_word_finish(struct completion_word *word, struct buffer *out);
