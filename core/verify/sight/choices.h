/* SPDX-License-Identifier: Apache-2.0
 * choices.h - claims of the tensors' shapes with another value of one parameter that has few: a
 * table in another order of its axes is no mistake where nobody said the order. */
#pragma once

#include "core/verify/sight/sight.h"

/* Tries every other value of each choice and each truth value of the claims in sight->shaped.
 * Returns arguments that have the tensors' numbers, whose roles are set, or NULL. */
struct pe_args *choices_try(struct sight *sight, struct pe_verify_role *roles);
