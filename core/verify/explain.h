/* SPDX-License-Identifier: Apache-2.0
 * explain.h - puts into words what was found: one sentence, the repair, the evidence. */
#pragma once

#include "core/verify/search.h"

/* Fill in the explanation, its alternatives and the sentence. base: the claim's own numbers;
 * NULL where the tensors have another shape. */
void explain_mistakes(struct pe_verdict *verdict, const struct search *search,
                      const struct candidate *base, const struct pe_verify_role *roles,
                      size_t count);
/* Fill in the sentence of a verdict without a mistake. known: the search found whether a
 * tensor has the shape of the claim, or of a mistake. partly: half a sentence about parts of
 * the numbers, or "". */
void explain_rest(struct pe_verdict *verdict, bool known, const char *partly,
                  const struct pe_verify_role *roles, size_t count);
/* Prints numbers as "[4,8]", with this text between two. `size` is at least 32; what does
 * not fit is left out. */
void explain_print_list(char *text, size_t size, const uint64_t *numbers, size_t count,
                        const char *between);
