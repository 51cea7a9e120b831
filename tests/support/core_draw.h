/* SPDX-License-Identifier: Apache-2.0
 * core_draw.h - random queries of any encoding, by its rows: names that have an effect, values
 * of the right type, near the ends of their ranges too. Rules between parameters are not
 * known here, so that some of what is drawn is refused. */
#pragma once

#include "core/posenc.h"
#include "tests/support/core_random.h"

enum { CORE_DRAW_MAX = 4000 };

/* Writes "dim=8&pos=0:4..." */
void core_draw_query(const struct pe_encoding *enc, struct core_random *random,
                     char query[CORE_DRAW_MAX]);
