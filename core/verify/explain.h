/* SPDX-License-Identifier: Apache-2.0
 * explain.h - puts into words what was found: one sentence, the repair, the evidence. */
#pragma once

#include "core/verify/search.h"

/* Fill in the explanation, its alternatives and the sentence. */
void explain_mistakes(struct pe_verdict *verdict, const struct search *search,
                      const struct pe_verify_role *roles, size_t count);
/* Fill in the sentence of a verdict without a mistake. shaped: the tensors have the claim's
 * shapes, as far as is known. */
void explain_rest(struct pe_verdict *verdict, bool shaped, const struct pe_verify_role *roles,
                  size_t count);
/* Prints numbers as "[4,8]", with this text between two. `size` is at least 32; what has no
 * room is left out. */
void explain_print_list(char *text, size_t size, const uint64_t *numbers, size_t count,
                        const char *between);
