/* SPDX-License-Identifier: Apache-2.0
 * printed.h - numbers that went through a text: they were printed in so many decimals, or in
 * so many digits, and read again. */
#pragma once

#include "core/verify/candidate.h"

/* Returns whether the tensors are the claim's numbers so printed, each to within half a step
 * of the last decimal and what rounding may move it besides; *profile says how:
 * "decimals=6". */
bool printed_explains(const struct candidate *base, char profile[PE_VERIFY_TEXT]);
/* Returns the last decimal place that the first rows of a tensor have, such as 1e-6; 0: they
 * were not printed so, or there is no memory, which sets *failed. */
double printed_place(const struct view *view, bool *failed);
