/* SPDX-License-Identifier: Apache-2.0
 * formula.h - the formula of an encoding, which is plain text, as HTML with MathML. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the formula as the content of an element that keeps its line breaks. Words stay
 * text; each term is a <math> of its own, so that a line can break between terms: w_i gets an
 * index, base^(-2i/r) an exponent, sqrt(dim) a root. A term that names a parameter is a link
 * to the row of its first one, "#p-base", in the page of the encoding, that has the
 * parameter's summary as its title, and the name has the class "param". base: --path-prefix
 * or "", where the formula is on another page; NULL: it is on that one. What the place of a
 * term says, such as the brackets of an exponent, is in <mtext class="plain">: a stylesheet
 * hides it, and the text alone stays that of the formula, with symbols where it spells them
 * ("<=", "floor(x)", "omega"). */
void formula_add(struct buffer *out, const struct pe_encoding *enc, const char *base);
