/* SPDX-License-Identifier: Apache-2.0
 * mask_drafts.h - reads a mask without a claim: its terms (mask_terms.h) give the values of
 * parameters, and the encodings of masks that have these parameters are tried with them. */
#pragma once

#include "core/verify/sight/sight.h"

/* Returns arguments of a mask that have the tensor's numbers, whose roles are set; NULL: the
 * tensor is no mask, has no such terms, or no encoding has these. */
struct pe_args *mask_drafts_try(struct sight *sight, struct pe_verify_role *roles);
