/* SPDX-License-Identifier: Apache-2.0
 * mask_shapes.h - masks that have more than terms: a window beside keys that all see, and the
 * windows of a shifted grid. */
#pragma once

#include "core/verify/sight/values.h"
#include "core/verify/solve/mask_terms.h"

/* Adds the queries from `offset` on, and the keys. */
void mask_shapes_add_sides(struct values *values, uint64_t offset, uint64_t keys);
/* Returns arguments that have the tensor's numbers, whose roles are set, or NULL: of a mask
 * that was read, where true hides a key if it is `inverted`; */
struct pe_args *mask_shapes_try(struct sight *sight, const struct mask_seen *seen,
                                bool inverted, struct pe_verify_role *roles);
/* of a mask for each window of a grid. */
struct pe_args *mask_shapes_try_windows(struct sight *sight, const struct view *view,
                                        struct pe_verify_role *roles);
