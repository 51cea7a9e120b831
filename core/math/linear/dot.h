/* SPDX-License-Identifier: Apache-2.0
 * dot.h - inner products in twice the precision of double (Ogita, Rump and Oishi 2005,
 * Accurate Sum and Dot Product, algorithm 5.3), so that a sum is rounded about once. */
#pragma once

#include <stddef.h>

#include "core/math/number/elementary.h"

/* Returns sum + a . b. The error is about count^2 2^-106 of the sum of |a b|; infinities and
 * NaN propagate. */
struct dd dot_add(struct dd sum, const double *a, const double *b, size_t count);
