/* SPDX-License-Identifier: Apache-2.0
 * rotation_profile.h - sines and cosines as the arithmetic of the frameworks computes them. */
#pragma once

#include "core/math/rotation/rotation_state.h"

/* Computes sines and cosines of pairs first .. first+count-1 at a position, by rotation->angle
 * (not ROTATION_EXACT), multiplied and rounded as the profile does. */
void rotation_profile_row(const struct rotation *rotation, size_t first, size_t count,
                          double position, double *sine, double *cosine);
/* Computes the angles of pairs first .. first+count-1 at a position, by rotation->angle (not
 * ROTATION_EXACT). */
void rotation_profile_angles(const struct rotation *rotation, size_t first, size_t count,
                             double position, double *angles);
/* Returns the angle of a pair by ROTATION_F32_TIMES or _OVER. */
float rotation_profile_angle(const struct rotation *rotation, size_t pair, double position);
