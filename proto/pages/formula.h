/* SPDX-License-Identifier: Apache-2.0
 * formula.h - the formula of an encoding, which is plain text, as HTML. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the formula as the content of an element that keeps its line breaks: w_i gets a
 * subscript, base^(-2i/r) a superscript, and the name of a parameter is a link to the row of
 * the parameter, "#p-base", in the page of the encoding. base: --path-prefix or "", where the
 * formula is on another page; NULL: it is on that one. The brackets of an exponent, which its
 * place makes needless, are in <span class="plain">: a stylesheet may hide them, and the text
 * alone stays complete. */
void formula_add(struct buffer *out, const struct pe_encoding *enc, const char *base);
