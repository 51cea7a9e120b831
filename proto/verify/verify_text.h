/* SPDX-License-Identifier: Apache-2.0
 * verify_text.h - a verdict as the lines that posencd verify prints. */
#pragma once

#include <stdbool.h>

#include "proto/text/buffer.h"
#include "proto/verify/verify_request.h"

/* Writes the lines about a file. verdict is NULL if nothing was identified; coloured: with the
 * escapes of a terminal. */
void verify_text_write(struct buffer *out, const char *file,
                       const struct verify_request *request, const struct pe_verdict *verdict,
                       bool coloured);
