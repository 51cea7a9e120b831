/* SPDX-License-Identifier: Apache-2.0
 * xml_text.h - text as XML 1.0 may have it, in elements and in attributes between ". */
#pragma once

#include "proto/text/buffer.h"

/* Returns the entity for one of & < > " ', which HTML has too; NULL for any other byte. */
const char *xml_text_entity(char byte);
/* Adds a text, UTF-8, with these bytes as entities. What XML does not allow becomes a space:
 * control bytes, U+FFFE, U+FFFF, and bytes that are no UTF-8. */
void xml_text_add(struct buffer *out, const char *text, size_t len);
