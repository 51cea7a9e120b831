/* SPDX-License-Identifier: Apache-2.0
 * binary.c - scales by a power of ten kept to 128 bits, rounds, and notices when 128 bits are
 * not enough (after Daniel Lemire, "Number parsing at a gigabyte per second", 2021). */
#include "proto/text/binary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/powers.h"

__extension__ typedef unsigned __int128 u128;

enum { TEXT_MAX = 1000 };

/* A binary floating-point form. */
struct form {
    int precision; /* bits, with the hidden bit */
    int min_exponent;
    uint64_t infinity;
};
static const struct form f64_form = {53, -1022, (uint64_t)0x7ff << 52};
static const struct form f32_form = {24, -126, (uint64_t)0xff << 23};

/* The leading bits of digits * 10^n: (high:low) * 2^(exponent - 127), highest bit set. The real
 * number is not below that and, unless `exact`, above it by less than 2 units of low. */
struct scaled {
    uint64_t high, low;
    int exponent;
    bool exact; /* the bits that were cut off are known: .rest says whether any is not zero */
    bool rest;
};

static struct scaled scale(uint64_t digits, int n)
{
    const struct power_of_ten power = powers_of_ten[n - POWERS_MIN];
    const int zeros = __builtin_clzll(digits);
    const uint64_t wide = digits << zeros;
    const u128 low = (u128)power.low * wide;
    u128 top = (u128)power.high * wide + (uint64_t)(low >> 64);
    uint64_t rest = (uint64_t)low;
    const int up = top >> 127 == 0;

    if (up) {
        top = top << 1 | rest >> 63;
        rest <<= 1;
    }
    return (struct scaled){
        .high = (uint64_t)(top >> 64),
        .low = (uint64_t)top,
        .exponent = powers_exponent(n) + 63 - zeros - up,
        .exact = n >= 0 && n <= 55,
        .rest = rest != 0,
    };
}

/* Computes the bits of the float nearest to digits * 10^n; false if 128 bits cannot tell. */
static bool nearest(const struct form *form, uint64_t digits, int n, uint64_t *bits)
{
    *bits = 0;
    if (digits == 0 || n < POWERS_MIN) /* below 2^64 * 10^-343, less than half of any float */
        return true;
    *bits = form->infinity;
    if (n > 308)
        return true;
    const struct scaled scaled = scale(digits, n);
    const int below = form->min_exponent - scaled.exponent; /* > 0: subnormal */
    const int shift = 64 - form->precision + (below > 0 ? below : 0);
    *bits = 0;
    if (shift > 64)
        return true;
    uint64_t kept = shift < 64 ? scaled.high >> shift : 0;
    const uint64_t cut = shift < 64 ? scaled.high & (((uint64_t)1 << shift) - 1) : scaled.high;
    const uint64_t half = (uint64_t)1 << (shift - 1);
    if (!scaled.exact && cut == half - 1 && scaled.low >= UINT64_MAX - 2)
        return false;
    const bool beyond = scaled.low > 0 || scaled.rest || !scaled.exact;
    if (cut > half || (cut == half && (beyond || (kept & 1) == 1)))
        kept++;
    /* The hidden bit adds one to the exponent, and so does a carry out of the fraction. */
    const int field = below > 0 ? 0 : -below;
    *bits = ((uint64_t)field << (form->precision - 1)) + kept;
    if (*bits > form->infinity)
        *bits = form->infinity;
    return true;
}

/* Computes the nearest float; when digits were left over, both neighbours must round to it. */
static bool settle(const struct form *form, const struct binary_decimal *decimal,
                   uint64_t *bits)
{
    if (!nearest(form, decimal->digits, decimal->exponent, bits))
        return false;
    uint64_t other = *bits;
    return !decimal->more ||
           (nearest(form, decimal->digits + 1, decimal->exponent, &other) && other == *bits);
}

/* Copies the text with a NUL for the C library's parser, which is exact but slow. */
static void copy_text(char text[TEXT_MAX + 1], const struct binary_decimal *decimal)
{
    assert(decimal->len <= TEXT_MAX);
    memcpy(text, decimal->text, decimal->len);
    text[decimal->len] = '\0';
}

bool binary_f64(const struct binary_decimal *decimal, double *value)
{
    uint64_t bits = 0;
    double result = 0;

    if (settle(&f64_form, decimal, &bits)) {
        memcpy(&result, &bits, sizeof(result));
        result = decimal->minus ? -result : result;
    } else {
        char text[TEXT_MAX + 1];

        copy_text(text, decimal);
        result = strtod(text, NULL);
    }
    if (isinf(result))
        return false;
    *value = result;
    return true;
}

bool binary_f32(const struct binary_decimal *decimal, float *value)
{
    uint64_t bits = 0;
    float result = 0;

    if (settle(&f32_form, decimal, &bits)) {
        const uint32_t narrow = (uint32_t)bits;

        memcpy(&result, &narrow, sizeof(result));
        result = decimal->minus ? -result : result;
    } else {
        char text[TEXT_MAX + 1];

        copy_text(text, decimal);
        result = strtof(text, NULL);
    }
    if (isinf(result))
        return false;
    *value = result;
    return true;
}
