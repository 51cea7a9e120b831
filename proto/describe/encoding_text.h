/* SPDX-License-Identifier: Apache-2.0
 * encoding_text.h - an encoding as text of 80 columns for a terminal: its whole
 * description, and help for a call that computes it. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the text in lines of ENCODING_TEXT_COLUMNS, each after so many spaces. */
enum { ENCODING_TEXT_COLUMNS = 80 };
void encoding_text_wrap(struct buffer *out, size_t indent, const char *text);

/* Writes what /v1/encodings/{encoding} says: prose, parameters, outputs and examples. */
void encoding_text_write(struct buffer *out, const struct pe_encoding *enc);
/* Writes the help of `posencd compute ENCODING`: every name that a request may have. */
void encoding_text_write_help(struct buffer *out, const struct pe_encoding *enc);
