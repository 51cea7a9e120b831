/* SPDX-License-Identifier: Apache-2.0
 * arc.h - the angle of a point, the same on every machine. */
#pragma once

/* Returns the angle in (-pi, pi] of the point (cosine, sine), rounded once; 0 for the
 * origin. It uses MPFR, so hooks may call it, kernels may not. */
double arc_of(double cosine, double sine);
