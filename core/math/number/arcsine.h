/* SPDX-License-Identifier: Apache-2.0
 * arcsine.h - the arcsine, rounded once. */
#ifndef PE_MATH_ARCSINE_H
#define PE_MATH_ARCSINE_H

/* asin x, x within -1 .. 1; about 5 microseconds. After mpfr_room(). */
double arcsine(double x);

#endif
