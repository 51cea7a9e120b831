/* SPDX-License-Identifier: Apache-2.0
 * formula_math.h - a part of a formula as MathML, whose text alone is that of the formula. */
#pragma once

#include "proto/pages/formula_token.h"
#include "proto/text/buffer.h"

/* Writes the tokens from `begin` to before `end` as elements for one row of MathML, with the
 * spaces between them. The name of the parameter `marked`, NULL: none, has a class. */
void formula_math_add(struct buffer *out, const struct formula_text *text,
                      const struct pe_param *marked, const char *begin, const char *end);
