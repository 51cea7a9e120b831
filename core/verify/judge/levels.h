/* SPDX-License-Identifier: Apache-2.0
 * levels.h - numbers that were rounded to few levels: to a float of 8 bits, or to 8 bits and a
 * scale. */
#pragma once

#include "core/verify/candidate.h"

/* Returns whether the tensors are the claim's numbers so rounded, each to within half a step of
 * its level and what rounding may move it besides; *profile says how: "f8-e4m3", "int8". */
bool levels_explain(const struct candidate *base, char profile[PE_VERIFY_TEXT]);
