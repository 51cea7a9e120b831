/* SPDX-License-Identifier: Apache-2.0
 * prose.h - sentences about an encoding as HTML. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the text; the name of a parameter leads to its row, "#p-non_pow2", and the name of
 * another encoding to its page. A name is seen only if it is no English word, because it has an
 * underscore, a hyphen, a slash or a digit. base: --path-prefix or "". */
void prose_add(struct buffer *out, const char *base, const struct pe_encoding *enc,
               const char *text);
