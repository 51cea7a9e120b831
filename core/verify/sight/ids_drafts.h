/* SPDX-License-Identifier: Apache-2.0
 * ids_drafts.h - position ids without a claim: rows of a batch that count on from one number,
 * tokens that count on beside padding, documents that begin anew in one row. */
#pragma once

#include "core/verify/sight/sight.h"

/* Returns arguments of the one tensor that have its numbers, whose roles are set, or NULL. */
struct pe_args *ids_drafts_try(struct sight *sight, struct pe_verify_role *roles);
