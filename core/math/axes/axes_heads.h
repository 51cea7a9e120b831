/* SPDX-License-Identifier: Apache-2.0
 * axes_heads.h - geometric frequencies of several heads, each divided by a ratio of its own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/math/trig/phase.h"

/* The ratio of head h: ratios[h], or low + (high - low) h / heads where ratios is NULL. */
struct axes_heads {
    double base, low, high;
    const double *ratios;
    size_t heads, pairs; /* pairs of a head */
};

/* Sets out[h pairs + i] = base^(-i / pairs) / ratio_h for heads [0, turning), and 0 for the
 * others. Returns false when out of memory. */
bool axes_heads_build(struct phase_freq *out, const struct axes_heads *heads, size_t turning);
