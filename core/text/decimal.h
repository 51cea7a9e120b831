/* SPDX-License-Identifier: Apache-2.0
 * decimal.h - the shortest decimal number that rounds to a given float: the method that works
 * for every float, and the reference for the faster methods of float_text_*.c. */
#pragma once

#include <stdint.h>

/* digits * 10^exponent, digits > 0; digits may end in zeros. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* Returns the decimal of a positive finite float, given by its bits: of all decimals that read
 * back to the float it has the fewest digits; among several it is the nearest; of two equally
 * near ones the even one. */
struct decimal decimal_f32(uint32_t bits);
struct decimal decimal_f64(uint64_t bits);
/* Returns the decimal with the fewest digits that printf("%.*e") gives and that reads back to
 * the float: for each number of digits only the nearest decimal counts. It differs from
 * decimal_f64 for 46 powers of two, where a longer decimal is as near as the float below. */
struct decimal decimal_f64_rounded(uint64_t bits);

/* Writes the decimal as ECMAScript writes numbers (see float_text.h); digits are below 10^17.
 * Writes at most 24 bytes and returns the end. */
char *decimal_write(char *out, struct decimal decimal);
