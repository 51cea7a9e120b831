/* SPDX-License-Identifier: Apache-2.0
 * query_word.h - a word NAME=VALUE of a command line, and its place in a query, so that what is
 * wrong with it is said as over HTTP. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/buffer.h"

struct query_word {
    const char *name, *value; /* within the word */
    size_t name_len;
};

/* Takes NAME=VALUE apart; false if the word has no "=". */
bool query_word_split(const char *text, struct query_word *word);
/* Adds "NAME=VALUE" to the query, with "&" before it if the query has something; bytes that
 * a query would read in another way are percent-encoded. */
void query_word_add(struct buffer *query, const struct query_word *word, const char *value,
                    size_t len);
