/* SPDX-License-Identifier: Apache-2.0
 * make_power.h - computes the tables of powers.h, for make_powers.c, which prints them while
 * posenc is built, and for a module of WebAssembly, which has no space for them and computes
 * them when it is loaded. */
#pragma once

#include "core/text/powers.h"

void make_powers_of_ten(struct power_of_ten powers[POWERS_COUNT]);
void make_f32_scales(uint64_t scales[POWERS_F32_COUNT]);
