/* SPDX-License-Identifier: Apache-2.0
 * make_powers_at_load.c - the tables of powers.h, in the place of powers.c with POWERS_AT_LOAD:
 * they are computed when the program is loaded. */
#include "core/text/make_power.h"

struct power_of_ten powers_of_ten[POWERS_COUNT];
uint64_t powers_f32_scales[POWERS_F32_COUNT];

__attribute__((constructor)) static void make_at_load(void)
{
    make_powers_of_ten(powers_of_ten);
    make_f32_scales(powers_f32_scales);
}
