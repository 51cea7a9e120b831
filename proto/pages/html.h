/* SPDX-License-Identifier: Apache-2.0
 * html.h - writes HTML. What a format says is markup, and every text that is put into it is
 * escaped, so that no text can become markup, in an element or in a quoted attribute. */
#pragma once

#include <stddef.h>

#include "proto/text/buffer.h"

/* Adds a format of printf with the conversions %s, %.*s, %u, %zu and %%, and no other. Texts
 * are escaped as by html_add_text. */
void html_add(struct buffer *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a text of len bytes, UTF-8, with & < > " ' escaped. */
void html_add_text(struct buffer *out, const char *text, size_t len);
/* Adds a text as the beginning of a sentence: with a capital letter, if it begins with a letter
 * of ASCII. */
void html_add_sentence(struct buffer *out, const char *text);
/* Adds a text whose parts between backquotes are written as <code>. */
void html_add_marked(struct buffer *out, const char *text);
