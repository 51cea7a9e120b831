/* SPDX-License-Identifier: Apache-2.0
 * json_numbers.c - parses the grammar of numbers, eight digits at a time; scales by a power of
 * ten kept to 128 bits, rounds, and notices when 128 bits are not enough (after Daniel Lemire,
 * "Number parsing at a gigabyte per second", 2021). */
#include "proto/text/json_numbers.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/powers.h"
#include "core/text/u128.h"

/* ---- rounding -------------------------------------------------------------------------- */

/* A decimal number after reading: digits * 10^exponent; if .more, further digits of the text
 * make it larger, by less than 10^exponent. */
struct decimal {
    const char *text; /* the whole number of the JSON grammar, at most 1000 characters */
    size_t len;
    uint64_t digits;
    int exponent;
    bool minus, more;
};

/* Of a double: PRECISION counts bits, with the hidden bit. */
enum { PRECISION = 53, MIN_EXPONENT = -1022 };
static const uint64_t infinity = (uint64_t)0x7ff << 52;

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

/* Computes the bits of the double nearest to digits * 10^n; false if 128 bits cannot tell. */
static bool nearest(uint64_t digits, int n, uint64_t *bits)
{
    *bits = 0;
    if (digits == 0 || n < POWERS_MIN) /* below 2^64 * 10^-343, less than half of any double */
        return true;
    *bits = infinity;
    if (n > 308)
        return true;
    const struct scaled scaled = scale(digits, n);
    const int below = MIN_EXPONENT - scaled.exponent; /* > 0: subnormal */
    const int shift = 64 - PRECISION + (below > 0 ? below : 0);
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
    *bits = ((uint64_t)field << (PRECISION - 1)) + kept;
    if (*bits > infinity)
        *bits = infinity;
    return true;
}

/* Computes the nearest double; when digits were left over, both neighbours must round to it. */
static bool settle(const struct decimal *decimal, uint64_t *bits)
{
    if (!nearest(decimal->digits, decimal->exponent, bits))
        return false;
    uint64_t other = *bits;
    return !decimal->more ||
           (nearest(decimal->digits + 1, decimal->exponent, &other) && other == *bits);
}

/* Computes the double nearest to a decimal, ties to even; subnormals included. Returns false,
 * and leaves *value untouched, if the number rounds to infinity. */
static bool nearest_f64(const struct decimal *decimal, double *value)
{
    uint64_t bits = 0;
    double result = 0;

    if (settle(decimal, &bits)) {
        memcpy(&result, &bits, sizeof(result));
        result = decimal->minus ? -result : result;
    } else { /* the C library's parser is exact but slow, and wants a NUL */
        char text[1001];

        assert(decimal->len < sizeof text);
        memcpy(text, decimal->text, decimal->len);
        text[decimal->len] = '\0';
        result = strtod(text, NULL);
    }
    if (isinf(result))
        return false;
    *value = result;
    return true;
}

/* ---- the grammar ----------------------------------------------------------------------- */

static inline bool is_digit(char byte)
{
    return (unsigned char)(byte - '0') < 10;
}

static inline bool is_space(char byte)
{
    return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

/* Returns whether all eight bytes are digits: '0' ... '9' plus 6 stay below 0x40. */
static inline bool are_digits(uint64_t bytes)
{
    return (((bytes & 0xf0f0f0f0f0f0f0f0) |
             (((bytes + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) == 0x3333333333333333);
}

/* Computes the number of eight digits, of which the lowest byte is the first: neighbours are
 * joined to pairs, pairs to fours, fours to eight. */
static inline uint64_t join_digits(uint64_t bytes)
{
    const uint64_t ones = bytes & 0x0f0f0f0f0f0f0f0f;
    const uint64_t pairs = ((ones * ((10 << 8) + 1)) >> 8) & 0x00ff00ff00ff00ff;
    const uint64_t fours = ((pairs * ((100 << 16) + 1)) >> 16) & 0x0000ffff0000ffff;

    return (fours * (((uint64_t)10000 << 32) + 1)) >> 32;
}

/* Appends the digits at `at` to *number modulo 2^64; returns their end. */
static inline const char *take_digits(const char *at, const char *end, uint64_t *number)
{
    uint64_t sum = *number;

    while (end - at >= 8) {
        uint64_t bytes = 0;

        memcpy(&bytes, at, 8); /* supported machines are little-endian */
        if (!are_digits(bytes))
            break;
        sum = sum * 100000000 + join_digits(bytes);
        at += 8;
    }
    for (; at < end && is_digit(*at); at++)
        sum = sum * 10 + (uint64_t)(*at - '0');
    *number = sum;
    return at;
}

/* Reads the exponent of e+12, at most 9999999, which is beyond any float. `at` is behind the
 * letter. Returns NULL if there is no digit. */
static const char *take_exponent(const char *at, const char *end, int *exponent)
{
    const bool minus = at < end && *at == '-';

    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end || !is_digit(*at))
        return NULL;
    int sum = 0;
    for (; at < end && is_digit(*at); at++)
        sum = sum < 999999 ? sum * 10 + (*at - '0') : 9999999;
    *exponent += minus ? -sum : sum;
    return at;
}

/* Reads digits again up to the 19th, because further ones do not fit into `digits`. */
static void keep_19_digits(struct decimal *decimal, const char *text, const char *end)
{
    uint64_t digits = 0;
    int count = 0, dropped = 0;
    bool point = false;

    for (const char *at = text; at < end && (is_digit(*at) || *at == '.'); at++) {
        if (*at == '.') {
            point = true;
        } else if (count < 19) {
            digits = digits * 10 + (uint64_t)(*at - '0');
            count += digits > 0;
            decimal->exponent -= point;
        } else {
            dropped += !point;
            decimal->more |= *at != '0';
        }
    }
    decimal->digits = digits;
    decimal->exponent += dropped;
}

/* Splits the number at text into sign, digits and exponent. Returns its end, NULL if bad. */
static inline const char *take_number(const char *text, const char *end,
                                      struct decimal *decimal)
{
    const char *at = text + (text < end && *text == '-');
    const char *first = at;
    uint64_t digits = 0;

    if (at == end || !is_digit(*at))
        return NULL;
    if (*at == '0') {
        if (++at < end && is_digit(*at))
            return NULL;
    } else {
        at = take_digits(at, end, &digits);
    }
    ptrdiff_t count = at - first, after = 0;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;

        at = take_digits(fraction, end, &digits);
        after = at - fraction;
        if (after == 0)
            return NULL;
        count += after;
    }
    int exponent = 0;
    if (at < end && (*at | 0x20) == 'e')
        at = take_exponent(at + 1, end, &exponent);
    if (!at || at - text > JSON_NUMBERS_MAX_LEN)
        return NULL;
    *decimal = (struct decimal){
        .text = text,
        .len = (size_t)(at - text),
        .digits = digits,
        .exponent = exponent - (int)after,
        .minus = *text == '-',
    };
    if (__builtin_expect(count > 19, 0)) {
        decimal->exponent = exponent;
        keep_19_digits(decimal, first, at);
    }
    return at;
}

/* Walks the grammar slowly to *at, the wrong byte or end. Returns the fault or NULL. */
static const char *walk(const char *text, const char *end, const char **at)
{
    const char *fault = NULL;
    const char *p = text;
    uint64_t ignored = 0;

    if (p < end && *p == '-')
        p++;
    if (p == end || !is_digit(*p))
        fault = p > text ? "a digit must follow the minus sign"
                         : "a number starts with a digit or a minus sign";
    else if (*p == '0' && ++p < end && is_digit(*p))
        fault = "a number must not start with a zero that other digits follow: write 1, not 01";
    else
        p = take_digits(p, end, &ignored);
    if (!fault && p < end && *p == '.') {
        const char *fraction = ++p;

        p = take_digits(fraction, end, &ignored);
        if (p == fraction)
            fault = "a digit must follow the decimal point";
    }
    if (!fault && p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        const char *power = p;
        p = take_digits(power, end, &ignored);
        if (p == power)
            fault = "a digit must follow the letter e of an exponent";
    }
    if (p - text > JSON_NUMBERS_MAX_LEN) {
        fault = "a number has at most 1000 characters";
        p = text + JSON_NUMBERS_MAX_LEN;
    }
    *at = p;
    return fault;
}

const char *json_numbers_fault(const char *text, const char *end)
{
    const char *at = NULL;

    return walk(text, end, &at);
}

/* Reports a number that take_number could not read, or that touches the end. */
static enum json_numbers_state refuse(const char *text, const char *end, const char **next)
{
    const char *fault = walk(text, end, next);

    if (*next == end) {
        *next = text;
        return JSON_NUMBERS_CUT;
    }
    assert(fault);
    return JSON_NUMBERS_BAD;
}

/* The powers of ten up to 10^22 are exact doubles: with digits up to 2^53 one operation rounds
 * once (W. D. Clinger, "How to read floating point numbers accurately", 1990). */
enum { EXACT_POWER = 22 };
static const double exact_powers[EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline bool is_quick(const struct decimal *decimal)
{
    return !decimal->more && decimal->digits <= (uint64_t)1 << 53 &&
           decimal->exponent <= EXACT_POWER && decimal->exponent >= -EXACT_POWER;
}

static inline double quick(const struct decimal *decimal)
{
    const double digits = (double)decimal->digits;
    const double value = decimal->exponent < 0 ? digits / exact_powers[-decimal->exponent]
                                               : digits * exact_powers[decimal->exponent];

    return decimal->minus ? -value : value;
}

enum json_numbers_state json_numbers_f64(const char *text, const char *end, double *value,
                                         const char **next)
{
    struct decimal decimal;
    const char *at = take_number(text, end, &decimal);

    if (!at || at == end)
        return refuse(text, end, next);
    *next = at;
    if (is_quick(&decimal))
        *value = quick(&decimal);
    else if (!nearest_f64(&decimal, value))
        return JSON_NUMBERS_HUGE;
    return JSON_NUMBERS_OK;
}

static inline const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

/* Skips the comma behind a number and the spaces around it; NULL if no comma comes. */
static inline const char *skip_comma(const char *at, const char *end)
{
    at = skip_spaces(at, end);
    return at < end && *at == ',' ? skip_spaces(at + 1, end) : NULL;
}

size_t json_numbers_f64_list(const char *text, const char *end, double *values, size_t capacity,
                             const char **next)
{
    size_t count = 0;
    const char *behind = NULL;

    *next = text;
    while (count < capacity &&
           json_numbers_f64(*next, end, &values[count], &behind) == JSON_NUMBERS_OK &&
           (behind = skip_comma(behind, end)) != NULL) {
        *next = behind;
        count++;
    }
    return count;
}
