/* SPDX-License-Identifier: Apache-2.0
 * arcsine.h - the arcsine, rounded once. */
#ifndef PE_MATH_ARCSINE_H
#define PE_MATH_ARCSINE_H

/* asin x for x within -1 .. 1; takes about 5 microseconds. Call it after mpfr_room(). */
double arcsine(double x);

#endif
