/* SPDX-License-Identifier: Apache-2.0
 * elementary.h - logarithm, exponential and hyperbolic tangent in plain double operations: the
 * same bits on every machine, with a few bits more than a double holds, so that a value
 * computed from them is rounded about once. */
#pragma once

#include "core/math/number/dd.h"

/* Returns the exact sum and product of doubles, and sums, products and quotients of
 * double-doubles to about 2^-100. Products must be within the range of two_product_error. */
struct dd elementary_sum(double a, double b);
struct dd elementary_product(double a, double b);
struct dd elementary_add(struct dd a, struct dd b);
struct dd elementary_multiply(struct dd a, struct dd b);
struct dd elementary_divide(struct dd a, struct dd b);

/* Returns a * b, exactly where it is 0 or at least 2^-900, else rounded. */
struct dd elementary_product_any(double a, double b);

/* Returns the square root of a > 0 to about 2^-100. */
struct dd elementary_sqrt(struct dd a);

/* Returns ln x to 2^-72 relative; x > 0, finite. */
struct dd elementary_log(double x);
struct dd elementary_log_dd(struct dd x);

/* Returns ln(1 + x) to 2^-70 relative; x > -1/2. */
struct dd elementary_log1p(struct dd x);

/* Returns exp x within 0.53 ULP; 0 and infinity beyond the range of double. */
double elementary_exp(struct dd x);
/* Returns exp x as a double-double, with a relative error below 2^-57; x within -700 .. 700. */
struct dd elementary_exp_dd(struct dd x);
/* Returns exp x - 1 with a relative error below 2^-56; x within -700 .. 700. */
struct dd elementary_expm1(struct dd x);

/* Returns ln(1 + exp x) within 0.55 ULP, or within 1 ULP where it is subnormal (x below
 * -708). */
double elementary_softplus(double x);

/* Returns tanh x within 0.55 ULP; it is odd to the last bit. */
double elementary_tanh(double x);
