/* SPDX-License-Identifier: Apache-2.0
 * output_row.h - writes a row of the catalog for an output, and the query of its picture. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes {"name":"cos","shape":"pos,width","dtype":"f32",...,"doc":"..."}. */
void output_row_write(struct buffer *out, const struct pe_encoding *enc,
                      const struct pe_output *output);
/* Writes the query of a request whose answer is worth seeing, "dim=64&pos=0:64&out=cos"; false,
 * and nothing is written, where there is none. */
bool output_row_write_picture(struct buffer *out, const struct pe_encoding *enc,
                              const struct pe_output *output);
