/* SPDX-License-Identifier: Apache-2.0
 * arcsine.h - the arcsine, rounded once. */
#pragma once

/* Returns asin x for x within -1 .. 1. It takes about 5 microseconds; call it after
 * mpfr_memory_available(). */
double arcsine(double x);
