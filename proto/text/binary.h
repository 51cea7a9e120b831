/* SPDX-License-Identifier: Apache-2.0
 * binary.h - the float nearest to a decimal number, ties to even; subnormals included. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal number after reading: digits * 10^exponent; if .more, further digits of the text
 * make it larger, by less than 10^exponent. */
struct binary_decimal {
    const char *text; /* the whole number of the JSON grammar, at most 1000 characters */
    size_t len;
    uint64_t digits;
    int exponent;
    bool minus, more;
};

/* Returns false, and leaves *value untouched, if the number rounds to infinity. */
bool binary_f64(const struct binary_decimal *decimal, double *value);
bool binary_f32(const struct binary_decimal *decimal, float *value);
