/* SPDX-License-Identifier: Apache-2.0
 * two_product.h - the rounding error of a product of doubles. */
#pragma once

/* Computes a * b - product exactly, where product is a * b rounded, without a fused operation
 * (Dekker 1971; split of Veltkamp at 27 bits). For |a|, |b| below 2^990 and a * b in 2^-900 ..
 * 2^1000, or 0. */
static inline double two_product_error(double a, double b, double product)
{
    const double split = 0x1p27 + 1;
    double ca = split * a, cb = split * b;
    double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;

    return ((ah * bh - product) + ah * bl + al * bh) + al * bl;
}
