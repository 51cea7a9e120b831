/* SPDX-License-Identifier: Apache-2.0
 * powers.c - the tables that make_powers prints while building. */
#include "core/text/powers.h"

#include "float_powers.h"

const struct power_of_ten powers_of_ten[] = {POWERS_OF_TEN};
const uint64_t powers_f32_scales[] = {POWERS_F32_SCALES};
