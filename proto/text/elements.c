/* SPDX-License-Identifier: Apache-2.0
 * elements.c - prints elements in memory as decimal text, by dtype. */
#include "proto/text/elements.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/text/float_text.h"

_Static_assert((int)ELEMENTS_TEXT_MAX > (int)FLOAT_TEXT_F32_MAX &&
                   (int)ELEMENTS_TEXT_MAX > (int)FLOAT_TEXT_F64_MAX,
               "large enough for every number");

enum { CHUNK = 256 }; /* elements that are widened at once, on the stack */

/* The bits of the exponent; only NaN and infinities have all of them set. */
static const uint16_t exponent_f16 = 0x7c00, exponent_bf16 = 0x7f80;
#define SIGN_F32 UINT32_C(0x80000000)
#define ONE_F32 UINT32_C(0x00800000) /* an exponent of 1 */
static const uint64_t exponent_f64 = UINT64_C(0x7ff0000000000000);

static bool any_16(const uint16_t *bits, size_t count, uint16_t exponent)
{
    unsigned found = 0;

    for (size_t i = 0; i < count; i++)
        found |= (bits[i] & exponent) == exponent;
    return found != 0;
}

static bool any_32(const uint32_t *bits, size_t count)
{
    uint32_t found = 0;

    for (size_t i = 0; i < count; i++) /* only all ones reach the sign */
        found |= (bits[i] & ~SIGN_F32) + ONE_F32;
    return (found & SIGN_F32) != 0;
}

static bool any_64(const uint64_t *bits, size_t count)
{
    unsigned found = 0;

    for (size_t i = 0; i < count; i++)
        found |= (bits[i] & exponent_f64) == exponent_f64;
    return found != 0;
}

bool elements_have_nonfinite(enum pe_dtype dtype, const void *in, size_t count)
{
    switch (dtype) {
    case PE_F64:
        return any_64(in, count);
    case PE_F32:
        return any_32(in, count);
    case PE_F16:
        return any_16(in, count, exponent_f16);
    case PE_BF16:
        return any_16(in, count, exponent_bf16);
    case PE_I32:
    case PE_I64:
    case PE_U8:
    case PE_BOOL8:
        break;
    }
    return false;
}

static char *print_word(char *out, double value, bool quoted)
{
    const char *word = isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
    size_t len = strlen(word);

    if (quoted)
        *out++ = '"';
    memcpy(out, word, len);
    out += len;
    if (quoted)
        *out++ = '"';
    return out;
}

/* Prints reals of which some are not finite. `wide`: finite ones print as float64. */
static char *print_each(char *out, const double *in, size_t count, bool wide, bool quoted)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            *out++ = ',';
        out = !isfinite(in[i]) ? print_word(out, in[i], quoted)
              : wide           ? float_text_f64(out, in[i])
                               : float_text_f32(out, (float)in[i]);
    }
    return out;
}

/* Prints at most CHUNK reals, some of which are not finite, or all of which have 16 bits. */
static char *print_reals(char *out, enum pe_dtype dtype, const void *in, size_t count,
                         bool quoted, bool nonfinite)
{
    double wide[CHUNK];
    float single[CHUNK];

    pe_dtype_to_f64(dtype, wide, in, count);
    if (nonfinite)
        return print_each(out, wide, count, dtype == PE_F64, quoted);
    for (size_t i = 0; i < count; i++)
        single[i] = (float)wide[i]; /* exact, because 16 bits were widened */
    return float_text_f32_list(out, single, count);
}

static char *print_integer(char *out, int64_t value)
{
    char digits[20];
    size_t len = 0;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;

    if (value < 0)
        *out++ = '-';
    do {
        digits[len++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    while (len > 0)
        *out++ = digits[--len];
    return out;
}

static int64_t integer_at(enum pe_dtype dtype, const void *in, size_t i)
{
    const uint8_t *bytes = in; /* u8, and bool as 0 or 1 */

    switch (dtype) {
    case PE_I32:
        return ((const int32_t *)in)[i];
    case PE_I64:
        return ((const int64_t *)in)[i];
    case PE_F64:
    case PE_F32:
    case PE_F16:
    case PE_BF16:
        assert(false);
        break;
    case PE_U8:
    case PE_BOOL8:
        break;
    }
    return bytes[i];
}

char *elements_print(char *out, enum pe_dtype dtype, const void *in, size_t count, bool quoted,
                     bool *nonfinite)
{
    bool real = dtype <= PE_BF16;
    bool odd = real && elements_have_nonfinite(dtype, in, count);

    *nonfinite |= odd;
    if (dtype == PE_F32 && !odd)
        return float_text_f32_list(out, in, count);
    if (dtype == PE_F64 && !odd)
        return float_text_f64_list(out, in, count);
    for (size_t i = 0; real && i < count; i += CHUNK) {
        size_t some = count - i < CHUNK ? count - i : CHUNK;
        const char *from = (const char *)in + i * pe_dtype_size(dtype);

        if (i > 0)
            *out++ = ',';
        out = print_reals(out, dtype, from, some, quoted, odd);
    }
    for (size_t i = 0; !real && i < count; i++) {
        if (i > 0)
            *out++ = ',';
        out = print_integer(out, integer_at(dtype, in, i));
    }
    return out;
}
