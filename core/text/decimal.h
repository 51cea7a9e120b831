/* SPDX-License-Identifier: Apache-2.0
 * decimal.h - the shortest decimal number that rounds to a given float; any float's way, and
 * the measure of the short cuts of float_text_*.c. */
#ifndef PE_DECIMAL_H
#define PE_DECIMAL_H

#include <stdint.h>

/* digits * 10^exponent, digits > 0; digits may end in zeros. */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* Of a positive finite float, given by its bits: of all decimals that read back to it those
 * with the fewest digits, of these the nearest, of two equally near ones the even one. */
struct decimal decimal_f32(uint32_t bits);
struct decimal decimal_f64(uint64_t bits);
/* The decimal that printf("%.*e") gives with the fewest digits that read back to the float: of
 * each number of digits only the nearest decimal counts. It differs from decimal_f64 for 46
 * powers of two, of which a longer decimal is as near as the float below. */
struct decimal decimal_f64_rounded(uint64_t bits);

/* The decimal as ECMAScript writes numbers (see float_text.h); digits below 10^17. At most 24
 * bytes; returns the end. */
char *decimal_write(char *out, struct decimal decimal);

#endif
