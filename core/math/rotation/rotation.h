/* SPDX-License-Identifier: Apache-2.0
 * rotation.h - fills tables of sines and cosines of position * frequency, in any column layout.
 *
 * There are two paths. Direct evaluation computes each element exactly (phase.h). The fast path
 * adds angles: it combines a table of fine rows and coarse rows in scratch, both directly
 * evaluated, and then evaluates directly again what came out near zero. float32, float16 and
 * bfloat16 answers take the fast path when the table has fine rows, the positions are whole and
 * the angle is exact; all others are evaluated directly. So the path, and with it the last bit
 * of a double before it is rounded, depends on the request alone, never on the rectangle; on
 * either path an element is a function of its position, pair, wave and amplitude alone.
 * Sinusoids, RoPE, M-RoPE, 2-D encodings and apply all fill through this file. */
#pragma once

#include "core/math/rotation/rotation_state.h"

extern const struct pe_filler rotation_filler; /* state: struct rotation */

/* Evaluate the sines and cosines of pairs first .. first+count-1 at a position directly; zeros
 * at the zero position. */
void rotation_row(const struct rotation *rotation, size_t first, size_t count, double position,
                  double *sine, double *cosine);
