/* SPDX-License-Identifier: Apache-2.0
 * decimal.c - shortest decimals by the method of Raffaello Giulietti, "The Schubfach way to
 * render doubles" (2021): scale the float and the ends of its rounding interval by a power
 * of ten, then look at two candidates of one digit less and two of full length. */
#include "core/text/decimal.h"

#include <assert.h>
#include <stdbool.h>

#include "core/text/powers.h"
#include "core/text/u128.h"

/* Returns floor(x * 2^-128 * power), with the lowest bit set if anything was cut off. The power
 * is above the real number by less than 2^-127 of it, so a whole product leaves a fraction
 * below 2^-64, which is dropped. No other product comes as near to a whole number, since x has
 * at most 59 bits (the proof is in the paper of Giulietti). */
static uint64_t scale(struct power_of_ten power, uint64_t x)
{
    const u128 low = (u128)power.low * x, high = (u128)power.high * x + (uint64_t)(low >> 64);

    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* Returns the shortest decimal of c * 2^q. `narrow`: the next smaller float is half as far away
 * as the next larger one. */
static struct decimal shortest(uint64_t c, int q, bool narrow)
{
    /* 10^k is the largest power of ten not above the interval: floor(log10(2^q)), for
     * narrow ones floor(log10(3/4 * 2^q)); 524031 / 2^22 is -log10(3/4). */
    const int k = narrow ? (q * 1262611 - 524031) >> 22 : powers_floor_log10_of_2(q);
    assert(-k >= POWERS_MIN && -k <= POWERS_MAX);
    struct power_of_ten power = powers_of_ten[-k - POWERS_MIN];
    power.low += (-k < 0 || -k > 55); /* round the truncated power to the other side of the real
                                       * number */
    const int shift = q + powers_exponent(-k);

    const uint64_t odd = c & 1;
    const uint64_t value = scale(power, 4 * c << shift); /* in quarters of 10^k */
    const uint64_t lower = scale(power, (4 * c - (narrow ? 1 : 2)) << shift) + odd;
    const uint64_t upper = scale(power, (4 * c + 2) << shift) - odd;

    const uint64_t whole = value / 4, tens = whole / 10;
    const bool ten_down = lower <= 40 * tens, ten_up = 40 * tens + 40 <= upper;
    if (tens > 0 && ten_down != ten_up)
        return (struct decimal){.digits = tens + ten_up, .exponent = k + 1};
    const bool down = lower <= 4 * whole, up = 4 * whole + 4 <= upper;
    const uint64_t middle = 4 * whole + 2;
    const bool above = value > middle || (value == middle && (whole & 1) == 1);
    const bool take_up = down != up ? up : above;
    return (struct decimal){.digits = whole + take_up, .exponent = k};
}

struct decimal decimal_f32(uint32_t bits)
{
    const uint32_t field = bits >> 23, fraction = bits & 0x7fffff;

    assert(bits > 0 && field < 255);
    if (field == 0)
        return shortest(fraction, -149, false);
    return shortest(fraction | 0x800000, (int)field - 150, fraction == 0 && field > 1);
}

struct decimal decimal_f64(uint64_t bits)
{
    const uint64_t field = bits >> 52, fraction = bits & 0xfffffffffffff;

    assert(bits > 0 && field < 2047);
    if (field == 0)
        return shortest(fraction, -1074, false);
    return shortest(fraction | (uint64_t)1 << 52, (int)field - 1075,
                    fraction == 0 && field > 1);
}

struct decimal decimal_f64_rounded(uint64_t bits)
{
    const int field = (int)(bits >> 52);
    const struct decimal found = decimal_f64(bits);

    /* A decimal that ends in a zero is the nearest one with one digit less. */
    if (field <= 1 || (bits & 0xfffffffffffff) != 0 || found.digits % 10 == 0)
        return found;
    /* 2^(field - 1023) to one digit more: the leading bits of a power of ten. */
    const int exponent = found.exponent - 1;
    assert(-exponent >= POWERS_MIN && -exponent <= POWERS_MAX);
    const struct power_of_ten power = powers_of_ten[-exponent - POWERS_MIN];
    const int cut = 64 - powers_exponent(-exponent) - (field - 1023); /* bits of .high */
    assert(cut > 0 && cut < 64);
    const uint64_t longer = power.high >> cut, middle = 10 * found.digits;
    const bool exact = (power.high << (64 - cut) | power.low) == 0;
    const bool tie = exact && (longer == middle - 5 || longer == middle + 5);
    if (tie ? found.digits % 2 == 0 : longer >= middle - 5 && longer < middle + 5)
        return found;
    return (struct decimal){longer + (power.high >> (cut - 1) & 1), exponent};
}
