/* SPDX-License-Identifier: Apache-2.0
 * phase_row.c - finds angles in integers (wave_angles.h), then their sines and cosines in
 * vectors; angles that are too near to a zero are left to phase.c. */
#include "core/math/trig/phase_row.h"

#include <string.h>

#include "core/math/cpu.h"
#include "core/math/trig/wave.h"
#include "core/math/trig/wave_angles.h"

#define SIGN WAVE_ANGLES_SIGN

WAVE_INLINE double negated_if(uint64_t mask, double value) /* mask is the sign's bit, or 0 */
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    bits ^= mask;
    memcpy(&value, &bits, sizeof value);
    return value;
}

WAVE_INLINE double choose(uint64_t mask, double if_set, double otherwise)
{
    uint64_t a, b;
    double chosen;

    memcpy(&a, &if_set, sizeof a);
    memcpy(&b, &otherwise, sizeof b);
    a = (a & mask) | (b & ~mask);
    memcpy(&chosen, &a, sizeof chosen);
    return chosen;
}

/* Evaluate angles; flip is the sign bit when the sines of the negative angles are wanted. */
WAVE_INLINE void make_some(const struct wave_angles *restrict angles, size_t count,
                           uint64_t flip, bool scale, double amplitude, double *restrict sine,
                           double *restrict cosine)
{
    for (size_t j = 0; j < count; j++) {
        const uint64_t fold = angles->fold[j], swap = -(fold & 1);
        const double hi = negated_if(fold & SIGN, angles->hi[j]);
        const double lo = negated_if(fold & SIGN, angles->lo[j]);
        const struct dd s = wave_sine(hi, lo), c = wave_cosine(hi, lo);
        const struct dd first = {choose(swap, c.hi, s.hi), choose(swap, c.lo, s.lo)};
        const struct dd second = {choose(swap, s.hi, c.hi), choose(swap, s.lo, c.lo)};

        sine[j] = negated_if((fold & 2) << 62 ^ flip,
                             scale ? wave_scaled(first, amplitude) : first.hi);
        cosine[j] = negated_if(((fold + 1) & 2) << 62,
                               scale ? wave_scaled(second, amplitude) : second.hi);
    }
}

WAVE_INLINE void make_waves(const struct wave_angles *angles, size_t count, uint64_t flip,
                            double amplitude, double *sine, double *cosine)
{
    if (amplitude == 1)
        make_some(angles, count, flip, false, 1, sine, cosine);
    else
        make_some(angles, count, flip, true, amplitude, sine, cosine);
}

static void waves_generic(const struct wave_angles *angles, size_t count, uint64_t flip,
                          double amplitude, double *sine, double *cosine)
{
    make_waves(angles, count, flip, amplitude, sine, cosine);
}

CPU_TARGET_AVX2 static void waves_avx2(const struct wave_angles *angles, size_t count,
                                       uint64_t flip, double amplitude, double *sine,
                                       double *cosine)
{
    make_waves(angles, count, flip, amplitude, sine, cosine);
}

CPU_TARGET_AVX512 static void waves_avx512(const struct wave_angles *angles, size_t count,
                                           uint64_t flip, double amplitude, double *sine,
                                           double *cosine)
{
    make_waves(angles, count, flip, amplitude, sine, cosine);
}

typedef void maker(const struct wave_angles *angles, size_t count, uint64_t flip,
                   double amplitude, double *sine, double *cosine);
static maker *const makers[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = waves_generic, [CPU_AVX2] = waves_avx2, [CPU_AVX512] = waves_avx512};

void phase_row(const struct phase_freq *freq, size_t count, double position, double amplitude,
               double *sine, double *cosine)
{
    const double size = position < 0 ? -position : position;
    const bool whole = size <= 0x1p53 && size == (double)(int64_t)size;
    maker *const make = makers[cpu_path()];

    for (size_t start = 0; start < count; start += WAVE_ANGLES_MOST) {
        const size_t chunk =
            count - start < WAVE_ANGLES_MOST ? count - start : WAVE_ANGLES_MOST;
        struct wave_angles angles;

        if (whole && !wave_angles_find(freq + start, chunk, (uint64_t)size, &angles)) {
            make(&angles, chunk, position < 0 ? SIGN : 0, amplitude, sine + start,
                 cosine + start);
            continue;
        }
        for (size_t j = start; j < start + chunk; j++)
            phase_sincos_scaled(&freq[j], position, amplitude, &sine[j], &cosine[j]);
    }
}

void phase_row_radians(const float *radians, size_t count, double *sine, double *cosine)
{
    maker *const make = makers[cpu_path()];

    for (size_t start = 0; start < count; start += WAVE_ANGLES_MOST) {
        const size_t chunk =
            count - start < WAVE_ANGLES_MOST ? count - start : WAVE_ANGLES_MOST;
        struct wave_angles angles;

        if (!wave_angles_find_radians(radians + start, chunk, &angles)) {
            make(&angles, chunk, 0, 1, sine + start, cosine + start);
            continue;
        }
        for (size_t j = start; j < start + chunk; j++)
            phase_sincos_at(&phase_radian, (double)radians[j], &sine[j], &cosine[j]);
    }
}
