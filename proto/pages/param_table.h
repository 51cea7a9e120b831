/* SPDX-License-Identifier: Apache-2.0
 * param_table.h - the parameters of an encoding as HTML tables, one for each group. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the tables; the row of the parameter base is "#p-base". Choices are listed with what
 * they mean. */
void param_table_add(struct buffer *out, const struct pe_encoding *enc);
/* Writes a link to the table of each group, which is "#g-positions". */
void param_table_add_contents(struct buffer *out, const struct pe_encoding *enc);
/* Returns the parameter of that name, or of another spelling of it, that has a row; NULL if
 * there is none. */
const struct pe_param *param_table_find(const struct pe_encoding *enc, const char *name,
                                        size_t len);
