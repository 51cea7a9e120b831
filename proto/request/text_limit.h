/* SPDX-License-Identifier: Apache-2.0
 * text_limit.h - answers that are too large for their format. */
#ifndef PROTO_TEXT_LIMIT_H
#define PROTO_TEXT_LIMIT_H

#include "core/posenc.h"
#include "proto/http/format.h"

/* Tensors without elements may still have rows and columns to write: no more than limit. */
enum pe_status text_limit_check_text(const struct pe_plan *plan, uint64_t limit,
                                     struct pe_errors *errors);
/* If the last problem is PE_TOO_LARGE without a hint: adds the hint what would fit. tensors is
 * the number of tensors of the answer, max_elements the limit of a binary format. */
void text_limit_hint(const struct format *format, size_t tensors, uint64_t max_elements,
                     struct pe_errors *errors);

#endif
