/* SPDX-License-Identifier: Apache-2.0
 * place_drafts.h - claims of cosines alone, or of sines alone, whose first row is not that of
 * position 0: the frequencies are those of a known claim, and the angles say the positions. */
#pragma once

#include "core/verify/sight/sight.h"

/* Tries one tensor as the cosines and as the sines of each known claim. Returns arguments that
 * have its numbers, whose roles are set, or NULL. */
struct pe_args *place_drafts_try(struct sight *sight, const struct pe_verify_known *known,
                                 size_t count, struct pe_verify_role *roles);
