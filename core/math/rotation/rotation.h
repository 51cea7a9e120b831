/* SPDX-License-Identifier: Apache-2.0
 * rotation.h - tables of sines and cosines of position * frequency, in any column layout.
 *
 * Two roads, one truth. The direct road evaluates each element exactly (phase.h). The fast
 * road is angle addition from a table of fine rows (made by the direct road) and coarse rows
 * (by the direct road into scratch), followed by a pass that recomputes what came out near
 * zero by the direct road. float32, float16 and bfloat16 answers take the fast road when the
 * table has fine rows, the positions are whole and the angle is exact; all others take
 * the direct road. So the road, and with it the last bit of a double before it is rounded,
 * depends on the request alone: never on the rectangle, and on either road an element is a
 * function of its position, pair, wave and amplitude alone.
 * Sinusoids, RoPE, M-RoPE, 2-D and apply all fill through this file. */
#ifndef PE_MATH_ROTATION_H
#define PE_MATH_ROTATION_H

#include "core/math/rotation/rotation_state.h"

extern const struct pe_filler rotation_filler; /* state: struct rotation */

/* Waves of pairs first .. first+count-1 at a position, by the direct road; zeros at the zero
 * position. */
void rotation_row(const struct rotation *rotation, size_t first, size_t count, double position,
                  double *sine, double *cosine);

#endif
