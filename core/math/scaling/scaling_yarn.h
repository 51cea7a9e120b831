/* SPDX-License-Identifier: Apache-2.0
 * scaling_yarn.h - the range and ramp of YaRN, which ntk-by-parts shares. */
#pragma once

#include "core/math/scaling/scaling.h"

/* Reports which of factor, betas, extrapolation_factor and truncate is missing, and sets their
 * defaults. */
void scaling_yarn_range(struct scaling *s, struct pe_errors *errors);

/* True when the float32 steps of the dialect are known. */
bool scaling_yarn_has_f32(const struct scaling *s);

/* Gets the start and the width of the range, computed in double as Python does and then
 * rounded, and 1 - ramp in float32. */
void scaling_yarn_f32_range(const struct scaling *s, double fast, double slow, float *low,
                            float *width);
float scaling_yarn_f32_keep(float low, float width, size_t i);
