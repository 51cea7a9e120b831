/* SPDX-License-Identifier: Apache-2.0
 * bias_drafts.h - biases of heads, queries and keys, and the buckets of their distances,
 * without a claim: the last queries of a cache, buckets of other sizes than the usual. */
#pragma once

#include "core/verify/sight/sight.h"

/* Returns arguments of the one tensor that have its numbers, whose roles are set, or NULL. */
struct pe_args *bias_drafts_try(struct sight *sight, struct pe_verify_role *roles);
