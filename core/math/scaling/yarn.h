/* SPDX-License-Identifier: Apache-2.0
 * yarn.h - the range and ramp of YaRN, which ntk-by-parts shares. */
#ifndef PE_MATH_SCALING_YARN_H
#define PE_MATH_SCALING_YARN_H

#include "core/math/scaling/scaling.h"

/* factor, betas, extrapolation_factor and truncate: what is missing, and defaults. */
void yarn_resolve_range(struct scaling *s, struct pe_errors *errors);

/* The range in double as Python computes it, rounded; and 1 - ramp in float32. */
void yarn_f32_range(const struct scaling *s, double fast, double slow, float *low, float *high);
float yarn_f32_keep(float low, float high, size_t i);

#endif
