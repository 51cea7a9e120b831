/* SPDX-License-Identifier: Apache-2.0
 * exchanged.h - rotary tables that hold sines where their names say cosines, and cosines where
 * they say sines. */
#pragma once

#include "core/verify/sight/waves.h"

/* Sets sight->mistaken to the claim that has the numbers of the tensors when they are
 * exchanged; leaves it as it was where there is none. */
void exchanged_try(struct sight *sight, const struct waves_bases *bases,
                   struct pe_verify_role *roles);
