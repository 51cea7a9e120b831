/* SPDX-License-Identifier: Apache-2.0
 * elementary.h - logarithm, exponential and hyperbolic tangent in plain double operations:
 * the same bits on every machine, and a few bits more than a double holds, so that what is
 * computed from them is rounded about once. */
#ifndef PE_MATH_ELEMENTARY_H
#define PE_MATH_ELEMENTARY_H

#include "core/math/number/two_product.h"

struct split { /* hi + lo, |lo| at most an ULP of hi */
    double hi, lo;
};

/* Exact sum and product of doubles; sums, products and quotients of splits to about 2^-100.
 * Products within the range of two_product_error. */
struct split elementary_sum(double a, double b);
struct split elementary_product(double a, double b);
struct split elementary_add(struct split a, struct split b);
struct split elementary_multiply(struct split a, struct split b);
struct split elementary_divide(struct split a, struct split b);

/* Square root to about 2^-100; a > 0. */
struct split elementary_sqrt(struct split a);

/* ln x to 2^-72 relative; x > 0, finite. */
struct split elementary_log(double x);
struct split elementary_log_split(struct split x);

/* ln(1 + x) to 2^-70 relative; x > -1/2. */
struct split elementary_log1p(struct split x);

/* exp x within 0.53 ULP; 0 and infinity where it leaves the range of double. */
double elementary_exp(struct split x);
/* exp x as a split, relative error below 2^-57; x within -700 .. 700. */
struct split elementary_exp_split(struct split x);
/* exp x - 1, relative error below 2^-56; x within -700 .. 700. */
struct split elementary_expm1(struct split x);

/* ln(1 + exp x) within 0.55 ULP, 1 ULP where that is subnormal (x below -708). */
double elementary_softplus(double x);

/* tanh x within 0.55 ULP, odd to the last bit. */
double elementary_tanh(double x);

#endif
