/* SPDX-License-Identifier: Apache-2.0
 * dtype.c - converts doubles to elements of another type and back. Each is rounded once to
 * nearest even: float16 and bfloat16 are made from the double, never by way of float32. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/math/number/narrow_list.h"
#include "core/posenc.h"

struct dtype {
    const char *name;
    size_t size;
    double lowest;
    const char *aliases[6];
};

static const struct dtype dtypes[PE_DTYPE_COUNT] = {
    [PE_F64] = {"f64", 8, -0x1.fffffffffffffp1023, {"float64", "fp64", "double"}},
    [PE_F32] = {"f32", 4, -0x1.fffffep127, {"float32", "fp32", "float", "single"}},
    [PE_F16] = {"f16", 2, -65504, {"float16", "fp16", "half"}},
    [PE_BF16] = {"bf16", 2, -0x1.fep127, {"bfloat16", "brain16"}},
    [PE_I32] = {"i32", 4, INT32_MIN, {"int32", "int"}},
    [PE_I64] = {"i64", 8, -0x1p63, {"int64", "long"}},
    [PE_U8] = {"u8", 1, 0, {"uint8", "byte"}},
    [PE_BOOL8] = {"bool", 1, 0, {"boolean", "bool8"}},
};

const char *pe_dtype_name(enum pe_dtype dtype)
{
    return dtypes[dtype].name;
}

size_t pe_dtype_size(enum pe_dtype dtype)
{
    return dtypes[dtype].size;
}

double pe_dtype_lowest(enum pe_dtype dtype)
{
    return dtypes[dtype].lowest;
}

/* Returns whether the name is the word, which has no capital letters, in any case. */
static bool spells(const char *word, const char *name, size_t len)
{
    size_t i = 0;

    while (i < len && word[i] != '\0' &&
           word[i] == (name[i] >= 'A' && name[i] <= 'Z' ? name[i] - 'A' + 'a' : name[i]))
        i++;
    return i == len && word[i] == '\0';
}

bool pe_dtype_find(const char *name, size_t len, enum pe_dtype *dtype)
{
    for (size_t i = 0; i < PE_DTYPE_COUNT; i++) {
        bool found = spells(dtypes[i].name, name, len);

        for (size_t j = 0; j < 6 && dtypes[i].aliases[j]; j++)
            found = found || spells(dtypes[i].aliases[j], name, len);
        if (found) {
            *dtype = (enum pe_dtype)i;
            return true;
        }
    }
    return false;
}

/* ---- 16-bit floats ---------------------------------------------------------------- */

struct narrow { /* a format with sign, exponent and fraction, such as binary16 */
    int fraction_bits;
    int bias;
    uint16_t infinity;
};

static const struct narrow half = {10, 15, 0x7c00};
static const struct narrow brain = {7, 127, 0x7f80};

static uint16_t narrow_from_f64(const struct narrow *to, double value)
{
    uint64_t bits, fraction, kept, rest, tie;
    int exponent, shift;
    uint16_t sign;

    memcpy(&bits, &value, sizeof bits);
    sign = (uint16_t)(bits >> 48 & 0x8000);
    if (isnan(value))
        return (uint16_t)(sign | to->infinity | 1U << (to->fraction_bits - 1));
    if (value == 0)
        return 0;
    if (isinf(value))
        return sign | to->infinity;
    exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    fraction = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    shift = 52 - to->fraction_bits; /* bits of the 53-bit significand to drop; one more below
                                     * the normal range */
    if (exponent < 1 - to->bias) {
        shift += 1 - to->bias - exponent;
        exponent = -to->bias; /* encoded exponent 0, no hidden bit to add */
        if (shift > 54)
            return 0; /* less than half of the least subnormal; -0 is never returned */
    } else {
        exponent -= 1; /* the hidden bit of `kept` adds it back */
    }
    kept = fraction >> shift;
    rest = fraction & ((UINT64_C(1) << shift) - 1);
    tie = UINT64_C(1) << (shift - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    kept += (uint64_t)(exponent + to->bias) << to->fraction_bits;
    if (kept == 0)
        return 0;
    return sign | (kept < to->infinity ? (uint16_t)kept : to->infinity);
}

static double narrow_to_f64(const struct narrow *from, uint16_t element)
{
    int exponent = (element & 0x7fff) >> from->fraction_bits;
    double fraction = element & ((1 << from->fraction_bits) - 1);
    double size;

    if ((element & 0x7fff) == from->infinity)
        size = INFINITY;
    else if ((element & 0x7fff) > from->infinity)
        size = NAN;
    else if (exponent == 0)
        size = ldexp(fraction, 1 - from->bias - from->fraction_bits);
    else
        size = ldexp(fraction + (1 << from->fraction_bits),
                     exponent - from->bias - from->fraction_bits);
    return element & 0x8000 ? -size : size;
}

/* ---- arrays ------------------------------------------------------------------------- */

/* Stores one element in each iteration: memcpy, because `out` may have any alignment. */
#define STORE(TYPE, EXPRESSION)                                                                \
    for (size_t i = done; i < count; i++) {                                                    \
        TYPE element = (EXPRESSION);                                                           \
        memcpy((char *)out + i * sizeof element, &element, sizeof element);                    \
    }                                                                                          \
    break

#define LOAD(TYPE, EXPRESSION)                                                                 \
    for (size_t i = 0; i < count; i++) {                                                       \
        TYPE element;                                                                          \
        memcpy(&element, (const char *)in + i * sizeof element, sizeof element);               \
        out[i] = (EXPRESSION);                                                                 \
    }                                                                                          \
    break

void pe_dtype_from_f64(enum pe_dtype dtype, void *out, const double *in, size_t count)
{
    size_t done = dtype == PE_BF16  ? narrow_list_bf16(out, in, count)
                  : dtype == PE_F16 ? narrow_list_f16(out, in, count)
                  : dtype == PE_F32 ? narrow_list_f32(out, in, count)
                                    : 0; /* elements that are left are converted below */

    switch (dtype) { /* + 0.0 turns -0 into 0 */
    case PE_F64:
        STORE(double, in[i] + 0.0);
    case PE_F32:
        STORE(float, (float)in[i] + 0.0F);
    case PE_F16:
        STORE(uint16_t, narrow_from_f64(&half, in[i]));
    case PE_BF16:
        STORE(uint16_t, narrow_from_f64(&brain, in[i]));
    case PE_I32:
        STORE(int32_t, (int32_t)in[i]);
    case PE_I64:
        STORE(int64_t, (int64_t)in[i]);
    case PE_U8:
        STORE(uint8_t, (uint8_t)in[i]);
    case PE_BOOL8:
        STORE(uint8_t, in[i] != 0);
    }
}

void pe_dtype_to_f64(enum pe_dtype dtype, double *out, const void *in, size_t count)
{
    switch (dtype) {
    case PE_F64:
        LOAD(double, element);
    case PE_F32:
        LOAD(float, (double)element);
    case PE_F16:
        LOAD(uint16_t, narrow_to_f64(&half, element));
    case PE_BF16:
        LOAD(uint16_t, narrow_to_f64(&brain, element));
    case PE_I32:
        LOAD(int32_t, element);
    case PE_I64:
        LOAD(int64_t, (double)element);
    case PE_U8:
        LOAD(uint8_t, element);
    case PE_BOOL8:
        LOAD(uint8_t, element);
    }
}
