/* SPDX-License-Identifier: Apache-2.0
 * angle.h - the angle of a position and a frequency in radians, not reduced modulo a turn. */
#pragma once

#include "core/math/number/dd.h"
#include "core/math/trig/phase.h"

/* Returns number * frequency in radians, within 2^-100 of its size. */
struct dd angle_at(const struct phase_freq *freq, double number);
