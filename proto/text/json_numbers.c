/* SPDX-License-Identifier: Apache-2.0
 * json_numbers.c - parses the grammar of numbers, eight digits at a time; binary.c rounds. */
#include "proto/text/json_numbers.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "proto/text/binary.h"

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
static void keep_19_digits(struct binary_decimal *decimal, const char *text, const char *end)
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
                                      struct binary_decimal *decimal)
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
    *decimal = (struct binary_decimal){
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

static inline bool is_quick(const struct binary_decimal *decimal)
{
    return !decimal->more && decimal->digits <= (uint64_t)1 << 53 &&
           decimal->exponent <= EXACT_POWER && decimal->exponent >= -EXACT_POWER;
}

static inline double quick(const struct binary_decimal *decimal)
{
    const double digits = (double)decimal->digits;
    const double value = decimal->exponent < 0 ? digits / exact_powers[-decimal->exponent]
                                               : digits * exact_powers[decimal->exponent];

    return decimal->minus ? -value : value;
}

static inline enum json_numbers_state read_f64(const char *text, const char *end, double *value,
                                               const char **next)
{
    struct binary_decimal decimal;
    const char *at = take_number(text, end, &decimal);

    if (!at || at == end)
        return refuse(text, end, next);
    *next = at;
    if (is_quick(&decimal))
        *value = quick(&decimal);
    else if (!binary_f64(&decimal, value))
        return JSON_NUMBERS_HUGE;
    return JSON_NUMBERS_OK;
}

static inline enum json_numbers_state read_f32(const char *text, const char *end, float *value,
                                               const char **next)
{
    struct binary_decimal decimal;
    const char *at = take_number(text, end, &decimal);

    if (!at || at == end)
        return refuse(text, end, next);
    *next = at;
    if (is_quick(&decimal)) {
        /* Rounding the double again is right unless it is half-way between two floats,
         * subnormal as a float, or at the end of the floats' range. */
        const double near = quick(&decimal);
        uint64_t bits = 0;
        memcpy(&bits, &near, sizeof(bits));
        const bool halfway = (bits & 0x1fffffff) == 0x10000000;
        if (!halfway && fabs(near) >= (double)FLT_MIN && fabs(near) < (double)FLT_MAX) {
            *value = (float)near;
            return JSON_NUMBERS_OK;
        }
    }
    return binary_f32(&decimal, value) ? JSON_NUMBERS_OK : JSON_NUMBERS_HUGE;
}

enum json_numbers_state json_numbers_f64(const char *text, const char *end, double *value,
                                         const char **next)
{
    return read_f64(text, end, value, next);
}

enum json_numbers_state json_numbers_f32(const char *text, const char *end, float *value,
                                         const char **next)
{
    return read_f32(text, end, value, next);
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
           read_f64(*next, end, &values[count], &behind) == JSON_NUMBERS_OK &&
           (behind = skip_comma(behind, end)) != NULL) {
        *next = behind;
        count++;
    }
    return count;
}

size_t json_numbers_f32_list(const char *text, const char *end, float *values, size_t capacity,
                             const char **next)
{
    size_t count = 0;
    const char *behind = NULL;

    *next = text;
    while (count < capacity &&
           read_f32(*next, end, &values[count], &behind) == JSON_NUMBERS_OK &&
           (behind = skip_comma(behind, end)) != NULL) {
        *next = behind;
        count++;
    }
    return count;
}
