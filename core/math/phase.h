/* SPDX-License-Identifier: Apache-2.0
 * phase.h - exact angles. An angle is kept in turns (fractions of 2 pi) as a 128-bit fixed
 * point number, so that reduction modulo one turn is integer overflow; frequencies carry
 * 192 bits of fraction, so that position * frequency is right to 2^-128 turns for every
 * position up to 2^53. */
#ifndef PE_MATH_PHASE_H
#define PE_MATH_PHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 phase_t; /* turns * 2^128, modulo one turn */

/* A frequency: the fraction of turns per position as 192 bits, low limb first, and the
 * whole value in radians per position as a double-double for angles too small for phase_t
 * and for outputs that show it. Frequencies are positive. */
struct phase_freq {
    uint64_t turns[3];
    double hi, lo;
};

/* Phase of |position| <= 2^53, whole or real (the exact value of the double). */
phase_t phase_at(const struct phase_freq *freq, double position);

/* Sine and cosine of a phase, both right to about 2^-53 relative, near zeros too. */
void phase_sincos(phase_t phase, double *sine, double *cosine);

/* The same of position * freq; uses radians where the angle is below 2^-64 of a turn. */
void phase_sincos_at(const struct phase_freq *freq, double position, double *sine,
                     double *cosine);

/* Frequency of one radian per position: turns of a float32 angle (f32 profiles). */
extern const struct phase_freq phase_radian;

#endif
