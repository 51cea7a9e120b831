/* SPDX-License-Identifier: Apache-2.0
 * explain.h - puts into words what was found: one sentence, the repair, the evidence. */
#pragma once

#include "core/verify/search.h"

/* Fill in the explanation, its alternatives and the sentence. */
void explain_mistakes(struct pe_verdict *verdict, const struct search *search,
                      const struct pe_verify_role *roles, size_t count);
/* Fill in the sentence of a verdict without a mistake. */
void explain_rest(struct pe_verdict *verdict, const struct pe_verify_role *roles, size_t count);
