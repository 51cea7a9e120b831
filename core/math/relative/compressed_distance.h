/* SPDX-License-Identifier: Apache-2.0
 * compressed_distance.h - distances brought into an interval of angles by a logarithm and an
 * arctangent, so that near ones are told apart and far ones hardly:
 *
 *     c = sqrt(dim),  a(x) = atan(c ln(1 + |x| / c) 2 pi / (factor dim))
 *
 * Yao et al. 2023, Zipformer. */
#pragma once

#include "core/encoding.h"
#include "core/math/trig/phase.h"

/* Sets angles[i] to the angle of the distance pos[i], as a frequency of its multiples. What
 * remains is left as it is once no client waits for the plan. */
void compressed_distance_angles(struct pe_build *build, struct phase_freq *angles,
                                const struct pe_positions *pos, int64_t dim, double factor);
