/* SPDX-License-Identifier: Apache-2.0
 * element_type.c - see element_type.h. */
#include "proto/tensors/element_type.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "proto/tensors/tensor.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "elements are little-endian in memory, as nearly all of them are in bodies");

static const struct element_type types[] = {
#define ELEMENT_TYPE(NAME, NPY, SAFETENSORS, INFERENCE, DTYPE, SIZE, PARTS, KEEP)              \
    {NAME, NPY, SAFETENSORS, INFERENCE, DTYPE, SIZE, PARTS, ELEMENT_##KEEP},
#include "proto/tensors/element_types.def"
#undef ELEMENT_TYPE
};

enum { TYPES = sizeof types / sizeof types[0] };

const struct element_type *element_type_find(const char *name)
{
    enum pe_dtype dtype;

    if (pe_dtype_find(name, strlen(name), &dtype))
        return element_type_of(dtype);
    for (size_t i = 0; i < TYPES; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

const struct element_type *element_type_find_npy(const char *code)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].npy && strcmp(types[i].npy, code) == 0)
            return &types[i];
    return NULL;
}

const struct element_type *element_type_find_safetensors(const char *name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].safetensors && strcmp(types[i].safetensors, name) == 0)
            return &types[i];
    return NULL;
}

const struct element_type *element_type_find_inference(const char *name)
{
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].inference && strcmp(types[i].inference, name) == 0)
            return &types[i];
    return NULL;
}

const struct element_type *element_type_of(enum pe_dtype dtype)
{
    size_t i = 0;

    while (strcmp(types[i].name, pe_dtype_name(dtype)) != 0) {
        i++;
        assert(i < TYPES);
    }
    return &types[i];
}

bool element_type_is_real(const struct element_type *type)
{
    return type->parts == 1 && type->keep == ELEMENT_SAME && tensor_holds_reals(type->dtype);
}

static bool is_float8(const struct element_type *type)
{
    return type->keep == ELEMENT_E4M3 || type->keep == ELEMENT_E5M2;
}

bool element_type_is_accepted(const struct element_type *type, enum element_accept accept)
{
    const bool is_integer = type->parts == 1 && type->keep != ELEMENT_TRUTH && !is_float8(type);

    return accept == ELEMENT_ANY || element_type_is_real(type) ||
           (accept == ELEMENT_NUMBERS && is_integer);
}

void element_type_range(const struct element_type *type, double *least, double *greatest)
{
    const double bits = (double)(8 * type->size),
                 largest = type->keep == ELEMENT_E4M3 ? 448 : 57344;

    if (is_float8(type)) {
        *least = -largest;
        *greatest = largest;
        return;
    }
    const bool is_signed =
        type->keep == ELEMENT_SIGNED ||
        (type->keep == ELEMENT_SAME && (type->dtype == PE_I32 || type->dtype == PE_I64));

    *least = is_signed ? -exp2(bits - 1) : 0;
    *greatest = type->keep == ELEMENT_TRUTH ? 1 : exp2(is_signed ? bits - 1 : bits) - 1;
}

/* ---- reading ----------------------------------------------------------------------------- */

static uint64_t load(const unsigned char *in, size_t size, bool big_endian)
{
    uint64_t bits = 0;

    memcpy(&bits, in, size);
    return big_endian ? __builtin_bswap64(bits) >> (64 - 8 * size) : bits;
}

static uint64_t extend_sign(uint64_t bits, size_t size)
{
    const size_t unused = 64 - 8 * size;

    return (uint64_t)((int64_t)(bits << unused) >> unused);
}

/* Returns the bits of a float32 that is a float of 8 bits with so many bits of the fraction
 * (arXiv:2209.05433). E5M2 has infinities as IEEE 754 has; of E4M3 only the largest fraction
 * of the largest exponent is NaN. */
static uint32_t widen_float8(uint32_t bits, int fraction)
{
    const uint32_t exponents = (1U << (7 - fraction)) - 1, fractions = (1U << fraction) - 1;
    const uint32_t exponent = bits >> fraction & exponents, low = bits & fractions;
    const int bias = (int)(exponents / 2);
    float number;
    uint32_t wide;

    if (exponent == exponents && (fraction == 2 || low == fractions))
        number = fraction == 2 && low == 0 ? INFINITY : NAN;
    else if (exponent == 0)
        number = ldexpf((float)low, 1 - bias - fraction);
    else
        number = ldexpf((float)(low + fractions + 1), (int)exponent - bias - fraction);
    number = bits >> 7 ? -number : number;
    memcpy(&wide, &number, sizeof wide);
    return wide;
}

bool element_type_read(const struct element_type *type, bool big_endian, void *out,
                       size_t stride, const void *in, size_t count)
{
    const size_t size = pe_dtype_size(type->dtype);
    const unsigned char *from = in;
    unsigned char *to = out;

    for (size_t i = 0; i < count; i++, from += type->size, to += stride * size) {
        uint64_t bits = load(from, type->size, big_endian);

        if (type->keep == ELEMENT_SIGNED)
            bits = extend_sign(bits, type->size);
        else if (type->keep == ELEMENT_TRUTH)
            bits = bits != 0;
        else if (is_float8(type))
            bits = widen_float8((uint32_t)bits, type->keep == ELEMENT_E4M3 ? 3 : 2);
        else if (type->keep == ELEMENT_UNSIGNED && bits > INT64_MAX)
            return false;
        memcpy(to, &bits, size);
    }
    return true;
}

enum element_accept element_type_accept(const struct pe_encoding *enc, const char *name)
{
    const struct pe_param *param = enc ? tensor_param(enc, name) : NULL;

    return !param ? ELEMENT_ANY : param->type == PE_TENSOR ? ELEMENT_REALS : ELEMENT_NUMBERS;
}
