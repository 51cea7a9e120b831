/* SPDX-License-Identifier: Apache-2.0
 * rotation_angle.h - the angles of a rotation in radians, before their sines are taken. */
#pragma once

#include "core/math/rotation/rotation_state.h"

/* Fills a row for each position and a column for each pair; state: struct rotation, whose bands
 * and amplitude are not used. */
extern const struct pe_filler rotation_angle_filler;
