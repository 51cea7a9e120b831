/* SPDX-License-Identifier: Apache-2.0
 * wave_angles.c - see wave_angles.h. The loop over four frequencies does what wave.h does for
 * one, in 32-bit limbs: AVX2 multiplies no larger integers. */
#include "core/math/trig/wave_angles.h"

#include "core/math/cpu.h"
#include "core/math/trig/wave.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Puts the folded angle of a phase at j. Returns true if phase.c must evaluate it. */
WAVE_INLINE bool put_angle(struct wave_angles *angles, size_t j, struct wave_limbs phase)
{
    const struct wave_fold fold = wave_fold(phase);
    const struct dd angle = wave_radians(fold.rest, 0x1p-128);

    angles->hi[j] = angle.hi;
    angles->lo[j] = angle.lo;
    angles->fold[j] = fold.quarter | fold.negative << 63;
    return fold.rest.top <= WAVE_ANGLES_NEAR;
}

static bool find_from(size_t first, const struct phase_freq *freq, size_t count,
                      uint64_t position, struct wave_angles *angles)
{
    bool any_near = false;

    for (size_t j = first; j < count; j++)
        any_near |= put_angle(angles, j, wave_limbs(&freq[j], position));
    return any_near;
}

static bool find_generic(const struct phase_freq *freq, size_t count, uint64_t position,
                         struct wave_angles *angles)
{
    return find_from(0, freq, count, position, angles);
}

#if defined(__x86_64__)

#define LANES_INLINE CPU_TARGET_AVX2 static inline __attribute__((always_inline))
#define LANES(VALUE) _mm256_set1_epi64x((int64_t)(VALUE))

enum { LANES_COUNT = 4 };

/* Limbs of four numbers below 2^128. */
struct lanes_limbs {
    __m256i top, low;
};

/* Four frequencies' turns[i] in lane i of each. */
LANES_INLINE void load_turns(const struct phase_freq *freq, __m256i turns[4])
{
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)freq[0].turns);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)freq[1].turns);
    const __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)freq[2].turns);
    const __m256i d = _mm256_loadu_si256((const __m256i *)(const void *)freq[3].turns);
    const __m256i even_ab = _mm256_unpacklo_epi64(a, b), odd_ab = _mm256_unpackhi_epi64(a, b);
    const __m256i even_cd = _mm256_unpacklo_epi64(c, d), odd_cd = _mm256_unpackhi_epi64(c, d);

    turns[0] = _mm256_permute2x128_si256(even_ab, even_cd, 0x20);
    turns[1] = _mm256_permute2x128_si256(odd_ab, odd_cd, 0x20);
    turns[2] = _mm256_permute2x128_si256(even_ab, even_cd, 0x31);
    turns[3] = _mm256_permute2x128_si256(odd_ab, odd_cd, 0x31);
}

/* Joins columns of 32 bits, least first, whose upper halves are to be ignored. */
LANES_INLINE struct lanes_limbs join_columns(const __m256i column[4])
{
    return (struct lanes_limbs){
        _mm256_blend_epi32(column[2], _mm256_slli_epi64(column[3], 32), 0xaa),
        _mm256_blend_epi32(column[0], _mm256_slli_epi64(column[1], 32), 0xaa)};
}

LANES_INLINE __m256i half_of(const __m256i turns[4], int k)
{
    return k % 2 ? _mm256_srli_epi64(turns[k / 2], 32) : turns[k / 2];
}

/* The upper 128 of the lower 256 bits of turns * n, as wave_limbs, for n < 2^32: a column of
 * the product for each 32 bits. No sum overflows: (2^32-1)^2 + 2^32 < 2^64. */
LANES_INLINE struct lanes_limbs limbs_of_small(const __m256i turns[4], uint64_t n)
{
    const __m256i by = LANES(n);
    __m256i column[4], carry = _mm256_srli_epi64(_mm256_mul_epu32(turns[0], by), 32);

    for (int k = 1; k < 8; k++) {
        const __m256i sum = _mm256_add_epi64(_mm256_mul_epu32(half_of(turns, k), by), carry);

        if (k >= 4)
            column[k - 4] = sum;
        carry = _mm256_srli_epi64(sum, 32);
    }
    return join_columns(column);
}

/* The upper 128 of the lower 256 bits of turns * n for n < 2^54. The upper half of n adds to
 * the next column; no sum overflows: (2^32-1)^2 + 2^33 < 2^64. */
LANES_INLINE struct lanes_limbs limbs_of(const __m256i turns[4], uint64_t n)
{
    const __m256i mask = LANES(UINT32_MAX), low_n = LANES(n & UINT32_MAX),
                  high_n = LANES(n >> 32);
    __m256i column[4], carry = _mm256_srli_epi64(_mm256_mul_epu32(turns[0], low_n), 32);

    for (int k = 1; k < 8; k++) {
        const __m256i by_low =
            _mm256_add_epi64(_mm256_mul_epu32(half_of(turns, k), low_n), carry);
        const __m256i both = _mm256_add_epi64(_mm256_mul_epu32(half_of(turns, k - 1), high_n),
                                              _mm256_and_si256(by_low, mask));

        if (k >= 4)
            column[k - 4] = both;
        carry = _mm256_add_epi64(_mm256_srli_epi64(by_low, 32), _mm256_srli_epi64(both, 32));
    }
    return join_columns(column);
}

/* a * b, whole. */
LANES_INLINE struct lanes_limbs product_of(__m256i a, __m256i b)
{
    const __m256i mask = LANES(UINT32_MAX);
    const __m256i high_a = _mm256_srli_epi64(a, 32), high_b = _mm256_srli_epi64(b, 32);
    const __m256i low = _mm256_mul_epu32(a, b);
    const __m256i one =
        _mm256_add_epi64(_mm256_mul_epu32(high_a, b), _mm256_srli_epi64(low, 32));
    const __m256i two =
        _mm256_add_epi64(_mm256_mul_epu32(a, high_b), _mm256_and_si256(one, mask));
    const __m256i top = _mm256_add_epi64(
        _mm256_mul_epu32(high_a, high_b),
        _mm256_add_epi64(_mm256_srli_epi64(one, 32), _mm256_srli_epi64(two, 32)));

    return (struct lanes_limbs){top, _mm256_blend_epi32(low, _mm256_slli_epi64(two, 32), 0xaa)};
}

/* Whole numbers 0 .. 2^63-1 rounded to doubles, and what the rounding took away. */
struct lanes_rounded {
    __m256d value, rounded_off;
};

LANES_INLINE struct lanes_rounded rounded_of(__m256i number)
{
    const __m256d two_52 = _mm256_set1_pd(0x1p52), two_84 = _mm256_set1_pd(0x1p84);
    const __m256i low = _mm256_blend_epi32(number, _mm256_castpd_si256(two_52), 0xaa);
    const __m256i high =
        _mm256_or_si256(_mm256_srli_epi64(number, 32), _mm256_castpd_si256(two_84));
    const __m256d small = _mm256_sub_pd(_mm256_castsi256_pd(low), two_52);
    const __m256d large = _mm256_sub_pd(_mm256_castsi256_pd(high), two_84);
    const __m256d value = _mm256_add_pd(large, small);

    return (struct lanes_rounded){value, _mm256_sub_pd(small, _mm256_sub_pd(value, large))};
}

/* Puts four angles at j. Return lanes whose top bit is set where phase.c must evaluate one. */
LANES_INLINE __m256i put_four(struct wave_angles *angles, size_t j, struct lanes_limbs phase)
{
    const __m256i zero = _mm256_setzero_si256(), sign = LANES(WAVE_ANGLES_SIGN);
    /* wave_fold */
    const __m256i quarter =
        _mm256_srli_epi64(_mm256_add_epi64(phase.top, LANES(UINT64_C(1) << 61)), 62);
    const __m256i rest = _mm256_sub_epi64(phase.top, _mm256_slli_epi64(quarter, 62));
    const __m256i negative = _mm256_cmpgt_epi64(zero, rest);
    const __m256i low = _mm256_sub_epi64(_mm256_xor_si256(phase.low, negative), negative);
    const __m256i carry = _mm256_and_si256(negative, _mm256_cmpeq_epi64(low, zero));
    const __m256i top = _mm256_sub_epi64(_mm256_xor_si256(rest, negative), carry);
    /* wave_radians */
    const __m256i pi_low = LANES(0xc4c6628b80dc1cd1u), pi_top = LANES(0xc90fdaa22168c234u);
    const __m256i cross =
        _mm256_add_epi64(product_of(top, pi_low).top, product_of(low, pi_top).top);
    const struct lanes_limbs product = product_of(top, pi_top);
    const __m256i tail = _mm256_add_epi64(product.low, cross);
    const __m256i over =
        _mm256_cmpgt_epi64(_mm256_xor_si256(cross, sign), _mm256_xor_si256(tail, sign));
    const struct lanes_rounded head = rounded_of(_mm256_sub_epi64(product.top, over));
    const __m256d rest_of_head = _mm256_add_pd(
        head.rounded_off,
        _mm256_mul_pd(rounded_of(_mm256_srli_epi64(tail, 1)).value, _mm256_set1_pd(0x1p-63)));
    const __m256d scale = _mm256_set1_pd(0x1p-61);

    _mm256_storeu_pd(angles->hi + j, _mm256_mul_pd(head.value, scale));
    _mm256_storeu_pd(angles->lo + j, _mm256_mul_pd(rest_of_head, scale));
    _mm256_storeu_si256((__m256i *)(void *)(angles->fold + j),
                        _mm256_or_si256(quarter, _mm256_and_si256(negative, sign)));
    return _mm256_cmpgt_epi64(LANES(WAVE_ANGLES_NEAR + 1), top);
}

CPU_TARGET_AVX2 static bool find_avx2(const struct phase_freq *freq, size_t count,
                                      uint64_t position, struct wave_angles *angles)
{
    const bool small = position <= UINT32_MAX;
    __m256i near = _mm256_setzero_si256();
    size_t j = 0;

    for (; j + LANES_COUNT <= count; j += LANES_COUNT) {
        __m256i turns[4];

        load_turns(freq + j, turns);
        near = _mm256_or_si256(near, put_four(angles, j,
                                              small ? limbs_of_small(turns, position)
                                                    : limbs_of(turns, position)));
    }
    const bool any_near = !_mm256_testz_si256(near, near);
    _mm256_zeroupper(); /* GCC 12 adds none here, and SSE code behind would be slow */
    return any_near | find_from(j, freq, count, position, angles);
}

#else
#define find_avx2 find_generic
#endif

typedef bool finder(const struct phase_freq *freq, size_t count, uint64_t position,
                    struct wave_angles *angles);
static finder *const finders[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = find_generic, [CPU_AVX2] = find_avx2, [CPU_AVX512] = find_avx2};

bool wave_angles_find(const struct phase_freq *freq, size_t count, uint64_t position,
                      struct wave_angles *angles)
{
    return finders[cpu_path()](freq, count, position, angles);
}

bool wave_angles_find_radians(const float *radians, size_t count, struct wave_angles *angles)
{
    bool any_near = false;

    for (size_t j = 0; j < count; j++)
        any_near |=
            put_angle(angles, j, wave_limbs_of(phase_at(&phase_radian, (double)radians[j])));
    return any_near;
}
