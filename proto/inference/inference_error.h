/* SPDX-License-Identifier: Apache-2.0
 * inference_error.h - an error as the Open Inference Protocol writes it. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the error of the protocol, {"error": "..."}: a detail, or else all errors as one
 * sentence. */
void inference_error_write(struct buffer *out, const char *detail,
                           const struct pe_errors *errors);
