/* SPDX-License-Identifier: Apache-2.0
 * unshown.h - parameters of a claim that was found which no number shows. */
#pragma once

#include "core/verify/sight/sight.h"

/* The operations after which no more values are left out, as a share of those of the search. */
#define UNSHOWN_SHARE 0.25

/* Returns the arguments without the values that the numbers do not show: without any of them
 * they are as right as before. The caller's arguments are returned where there is none, or
 * given up for others; `roles` are theirs. */
struct pe_args *unshown_drop(struct sight *sight, struct pe_args *args,
                             const struct pe_verify_role *roles);
