/* SPDX-License-Identifier: Apache-2.0
 * place_drafts.h - claims of cosines and sines, or of one of them alone, whose positions begin
 * behind 0 or have another step than 1: the frequencies are those of a known claim, and the
 * angles say the positions. */
#pragma once

#include "core/verify/sight/sight.h"

/* Tries two tensors as the cosines and sines of each known claim, and one as either. Returns
 * arguments that have their numbers, whose roles are set, or NULL. */
struct pe_args *place_drafts_try(struct sight *sight, const struct pe_verify_known *known,
                                 size_t count, struct pe_verify_role *roles);
