/* SPDX-License-Identifier: Apache-2.0
 * printable.h - text from outside (names of files, words, errors) as a terminal may see it. */
#pragma once

#include <stddef.h>

#include "proto/text/buffer.h"

/* Adds the text with each control byte but newline and tab, each control character of C1 and
 * each byte that is not UTF-8 as \xNN, so that no text moves the cursor or sets a title. */
void printable_add(struct buffer *out, const char *text, size_t len);
/* Adds a name, such as that of a file, with newlines and tabs as \xNN too: it is within one
 * line. */
void printable_add_name(struct buffer *out, const char *name);
/* Adds lines, of which none is a command of GitHub's workflows: a "::" that begins one, behind
 * blanks too, becomes "\x3a:". */
void printable_add_lines(struct buffer *out, const char *text, size_t len);
