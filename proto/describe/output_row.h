/* SPDX-License-Identifier: Apache-2.0
 * output_row.h - writes a row of the catalog for an output. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes {"name":"cos","shape":"pos,width","dtype":"f32",...,"doc":"..."}. */
void output_row_write(struct buffer *out, const struct pe_encoding *enc,
                      const struct pe_output *output);
