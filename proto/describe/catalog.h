/* SPDX-License-Identifier: Apache-2.0
 * catalog.h - writes the registry as JSON (/v1/encodings), README's table. */
#pragma once

#include "core/posenc.h"
#include "proto/describe/fields.h"
#include "proto/text/buffer.h"

extern const struct fields catalog_fields; /* the members of an encoding's entry */

void catalog_write(struct buffer *out); /* all encodings */
/* Writes all encodings with the members of the set, and nothing besides. */
void catalog_write_some(struct buffer *out, uint64_t set);
void catalog_write_encoding(struct buffer *out, const struct pe_encoding *enc);
void catalog_write_markdown(struct buffer *out); /* README's table of encodings */
