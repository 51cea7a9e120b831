/* SPDX-License-Identifier: Apache-2.0
 * phase_row.c - angles by integers one after the other, then their waves in vectors; what is
 * too near to a zero for that is left to phase.c. */
#include "core/math/phase_row.h"

#include <stdbool.h>
#include <string.h>

#include "core/math/cpu.h"
#include "core/math/wave.h"

enum { CHUNK = 32 };

/* Folded angles and how their waves go back. */
struct angles {
    double hi[CHUNK], lo[CHUNK];
    double sine_sign[CHUNK], cosine_sign[CHUNK];
    uint64_t swap[CHUNK]; /* all ones: sine and cosine change places */
    bool hard[CHUNK];
};

/* Put the angle of a phase at j; hard: phase.c must do it. */
static inline bool put_angle(struct angles *angles, size_t j, phase_t phase, double sign,
                             bool tiny)
{
    static const double sine_signs[4] = {1, 1, -1, -1}, cosine_signs[4] = {1, -1, -1, 1};
    const struct wave_fold fold = wave_fold(phase);
    const struct wave_split angle = wave_radians(fold.rest, fold.negative, 0x1p-128);
    angles->hi[j] = angle.hi;
    angles->lo[j] = angle.lo;
    angles->sine_sign[j] = sign * sine_signs[fold.quarter];
    angles->cosine_sign[j] = cosine_signs[fold.quarter];
    angles->swap[j] = -(uint64_t)(fold.quarter & 1);
    angles->hard[j] = tiny || fold.rest >> 64 == 0;
    return angles->hard[j];
}

static bool find_angles(const struct phase_freq *freq, size_t count, double position,
                        struct angles *angles)
{
    const double sign = position < 0 ? -1 : 1, size = sign * position;
    bool any_hard = false;
    for (size_t j = 0; j < count; j++)
        any_hard |= put_angle(angles, j, wave_phase(&freq[j], (uint64_t)size), sign,
                              size * freq[j].hi < WAVE_TINY);
    return any_hard;
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

WAVE_INLINE void make_some(const struct angles *restrict angles, size_t count, bool scale,
                           double amplitude, double *restrict sine, double *restrict cosine)
{
    for (size_t j = 0; j < count; j++) {
        const struct wave_split s = wave_sine(angles->hi[j], angles->lo[j]);
        const struct wave_split c = wave_cosine(angles->hi[j], angles->lo[j]);
        const uint64_t swap = angles->swap[j];
        const struct wave_split first = {choose(swap, c.hi, s.hi), choose(swap, c.lo, s.lo)};
        const struct wave_split second = {choose(swap, s.hi, c.hi), choose(swap, s.lo, c.lo)};
        sine[j] = angles->sine_sign[j] * (scale ? wave_scaled(first, amplitude) : first.hi);
        cosine[j] =
            angles->cosine_sign[j] * (scale ? wave_scaled(second, amplitude) : second.hi);
    }
}

WAVE_INLINE void make_waves(const struct angles *angles, size_t count, double amplitude,
                            double *sine, double *cosine)
{
    if (amplitude == 1)
        make_some(angles, count, false, 1, sine, cosine);
    else
        make_some(angles, count, true, amplitude, sine, cosine);
}

static void waves_generic(const struct angles *angles, size_t count, double amplitude,
                          double *sine, double *cosine)
{
    make_waves(angles, count, amplitude, sine, cosine);
}

CPU_TARGET_AVX2 static void waves_avx2(const struct angles *angles, size_t count,
                                       double amplitude, double *sine, double *cosine)
{
    make_waves(angles, count, amplitude, sine, cosine);
}

CPU_TARGET_AVX512 static void waves_avx512(const struct angles *angles, size_t count,
                                           double amplitude, double *sine, double *cosine)
{
    make_waves(angles, count, amplitude, sine, cosine);
}

typedef void maker(const struct angles *angles, size_t count, double amplitude, double *sine,
                   double *cosine);
static maker *const makers[CPU_PATH_COUNT] = {
    [CPU_GENERIC] = waves_generic, [CPU_AVX2] = waves_avx2, [CPU_AVX512] = waves_avx512};

void phase_row(const struct phase_freq *freq, size_t count, double position, double amplitude,
               double *sine, double *cosine)
{
    const double size = position < 0 ? -position : position;
    const bool whole = size <= 0x1p53 && size == (double)(int64_t)size;
    maker *const make = makers[cpu_path()];
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t chunk = count - start < CHUNK ? count - start : CHUNK;
        struct angles angles;
        bool any_hard = true;
        if (whole) {
            any_hard = find_angles(freq + start, chunk, position, &angles);
            make(&angles, chunk, amplitude, sine + start, cosine + start);
        }
        for (size_t j = 0; any_hard && j < chunk; j++)
            if (!whole || angles.hard[j])
                phase_sincos_scaled(&freq[start + j], position, amplitude, &sine[start + j],
                                    &cosine[start + j]);
    }
}

void phase_row_radians(const float *radians, size_t count, double *sine, double *cosine)
{
    maker *const make = makers[cpu_path()];
    for (size_t start = 0; start < count; start += CHUNK) {
        const size_t chunk = count - start < CHUNK ? count - start : CHUNK;
        struct angles angles;
        bool any_hard = false;
        for (size_t j = 0; j < chunk; j++) {
            const double sign = radians[start + j] < 0 ? -1 : 1;
            const double size = sign * (double)radians[start + j];
            any_hard |=
                put_angle(&angles, j, phase_at(&phase_radian, size), sign, size < WAVE_TINY);
        }
        make(&angles, chunk, 1, sine + start, cosine + start);
        for (size_t j = 0; any_hard && j < chunk; j++)
            if (angles.hard[j])
                phase_sincos_at(&phase_radian, (double)radians[start + j], &sine[start + j],
                                &cosine[start + j]);
    }
}
