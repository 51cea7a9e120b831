/* SPDX-License-Identifier: Apache-2.0
 * verify_answer.h - a verdict as the JSON of /v1/verify: one object on one line. */
#pragma once

#include "proto/text/buffer.h"
#include "proto/verify/verify_request.h"

/* Writes the answer. verdict is NULL if nothing was identified (verify_request_run). */
void verify_answer_write(struct buffer *out, const struct verify_request *request,
                         const struct pe_verdict *verdict);
