/* SPDX-License-Identifier: Apache-2.0
 * verify_integers.h - tensors of integers where the claim has fractions: levels of a quantised
 * table that came without their scale, or a table that was cast. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/buffer.h"
#include "proto/verify/verify_request.h"

/* Returns whether tensor number i, which is not right, has integers where its output has
 * fractions; or, where nothing was identified (verdict NULL), integers of 8 bits. */
bool verify_integers_are(const struct verify_request *request, const struct pe_verdict *verdict,
                         size_t i);
/* Adds the sentence about such a tensor. */
void verify_integers_write(struct buffer *out, const struct verify_request *request, size_t i);
