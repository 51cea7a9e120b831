/* SPDX-License-Identifier: Apache-2.0
 * rotation.h - fills tables of sines and cosines of position * frequency, in any column layout.
 *
 * There are two paths. Direct evaluation computes each element exactly (phase.h). The fast path
 * adds angles: it combines a table of fine rows and coarse rows in scratch, both directly
 * evaluated, and then evaluates directly again what came out near zero. float32, float16 and
 * bfloat16 answers take the fast path when the table has fine rows, the positions are whole and
 * the angle is exact, but for single positions beyond the fine rows; all others are evaluated
 * directly.
 *
 * The request alone decides the last bit of a double before it is rounded: it is that of the
 * fast path with fine rows of positions from ROTATION_FINE_FROM positions on, and that of
 * direct evaluation below. Where another path computes, it finds the elements that the
 * difference of the two could round to another number, and has them computed as the deciding
 * path does (rotation_fast.c). On either path an element is a function of its position, pair,
 * wave and amplitude alone. Sinusoids, RoPE, M-RoPE, 2-D encodings and apply all fill through
 * this file. */
#pragma once

#include "core/math/rotation/rotation_state.h"

extern const struct pe_filler rotation_filler; /* state: struct rotation */

/* Have a group filled by the rotation, which lives as long as the plan. */
void rotation_plan(struct pe_build *build, size_t group, struct rotation *rotation);
/* Returns for how many positions requests of these positions and this dtype can use fine rows;
 * 0: they cannot. */
uint64_t rotation_fast_positions(const struct pe_positions *pos, enum pe_dtype dtype);

/* Evaluate the sines and cosines of pairs first .. first+count-1 at a position directly; zeros
 * at the zero position. */
void rotation_row(const struct rotation *rotation, size_t first, size_t count, double position,
                  double *sine, double *cosine);
