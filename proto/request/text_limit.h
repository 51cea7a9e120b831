/* SPDX-License-Identifier: Apache-2.0
 * text_limit.h - limits of text responses, and hints for responses that are too large. */
#pragma once

#include "core/posenc.h"
#include "proto/http/format.h"

/* Refuses tensors without elements that have more than `limit` rows and columns as text. */
enum pe_status text_limit_check_text(const struct pe_plan *plan, uint64_t limit,
                                     struct pe_errors *errors);
/* Adds a hint that says what would fit, if the last problem is PE_TOO_LARGE without one.
 * tensors is the response's number of tensors, max_elements the limit of a binary format. */
void text_limit_hint(const struct format *format, size_t tensors, uint64_t max_elements,
                     struct pe_errors *errors);
