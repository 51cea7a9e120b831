/* SPDX-License-Identifier: Apache-2.0
 * param_table.h - the parameters of an encoding as HTML tables, one for each group. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the tables; the row of the parameter base is "#p-base". Choices are listed with what
 * they mean. */
void param_table_add(struct buffer *out, const struct pe_encoding *enc);
