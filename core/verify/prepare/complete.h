/* SPDX-License-Identifier: Apache-2.0
 * complete.h - the parameters that a claim leaves out and that its tensors say, whose roles are
 * given. */
#pragma once

#include "core/verify/candidate.h"

/* Returns a copy of prepared arguments, which are not checked; NULL when out of memory. */
struct pe_args *complete_copy(const struct pe_args *from);
/* Makes the claim's candidate, with full rows of cosines where the claim leaves it open and the
 * tensors have them, which *assumes. NULL: the tensors have other shapes, or there is no
 * memory. */
struct candidate *complete_candidate(struct claim *claim, bool *assumes);
/* Completes a claim as pe_verify_complete does, with roles that are not exchanged. */
enum pe_status complete_claim(struct pe_args **checked, struct pe_args *given,
                              const struct pe_verify_tensor *tensors, size_t count,
                              const struct pe_verify_role *roles,
                              const struct pe_limits *limits, struct pe_errors *errors);
