/* SPDX-License-Identifier: Apache-2.0
 * widen.h - converts elements of 16 bits to floats, exactly: the inverse of narrow.h. Its
 * functions are inlined, and so compiled for the CPU path of their caller. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "core/math/number/narrow.h"
#include "core/posenc.h"

#define WIDEN_INLINE static inline __attribute__((always_inline))

WIDEN_INLINE float widen_bits(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* No step meets a subnormal float: arithmetic on those is slow. */
WIDEN_INLINE float widen_f16(uint16_t element)
{
    const uint32_t size = element & 0x7fffu, sign = (uint32_t)(element & 0x8000u) << 16;
    const uint32_t normal = (size << 13) + (112u << 23);
    const float subnormal = widen_bits((size << 13) + (113u << 23)) - 0x1p-14f;
    const uint32_t beyond = normal + (112u << 23);
    const uint32_t bits = size < 0x400u    ? narrow_bits(subnormal)
                          : size < 0x7c00u ? normal
                                           : beyond;

    return widen_bits(bits | sign);
}

/* dtype: PE_F16 or PE_BF16. */
WIDEN_INLINE float widen_element(enum pe_dtype dtype, uint16_t element)
{
    return dtype == PE_F16 ? widen_f16(element) : widen_bits((uint32_t)element << 16);
}
