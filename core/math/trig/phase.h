/* SPDX-License-Identifier: Apache-2.0
 * phase.h - exact angles. An angle is kept in turns (fractions of 2 pi) as a 128-bit fixed
 * point number, so that reduction modulo one turn is integer overflow. Frequencies carry
 * 256 bits of fraction: position * frequency is right to 2^-128 turns for every position
 * up to 2^53, and to 2^-192 where the angle comes within 2^-64 of a quarter turn. */
#pragma once

#include <stdint.h>

#include "core/text/u128.h"

typedef u128 phase_t; /* an angle in turns * 2^128, modulo one turn */

/* A frequency: turns per position as a fixed point number (256 bits of fraction and 128
 * whole bits, which only real positions need; low limb first), and the same in radians per
 * position as a double-double, for angles too small for phase_t and for outputs that show
 * it. Frequencies are positive. */
struct phase_freq {
    uint64_t turns[4], whole[2];
    double hi, lo;
};

/* Returns the phase of a position, truncated. |position| is at most 2^53, whole or real (the
 * exact value of the double), or the position is a finite float32 of any size (angles of the
 * f32 profiles). */
phase_t phase_at(const struct phase_freq *freq, double position);

/* Computes the sine and cosine of a phase within 0.8 ULP, zeros included. Mirrored phases
 * (minus, quarter and half turn) give exactly mirrored values. */
void phase_sincos(phase_t phase, double *sine, double *cosine);

/* Computes the sine and cosine of position * freq within 0.8 ULP, however near the angle is
 * to a zero and however small it is. They are odd and even in position to the last bit. */
void phase_sincos_at(const struct phase_freq *freq, double position, double *sine,
                     double *cosine);

/* Computes amplitude * sine and amplitude * cosine, within 0.95 ULP (the sine is not rounded
 * before the product). phase_sincos_at is this function with amplitude 1. |amplitude| is within
 * 1e-150 .. 1e150, or 0. */
void phase_sincos_scaled(const struct phase_freq *freq, double position, double amplitude,
                         double *sine, double *cosine);

/* The frequency of one radian per position, for angles that are float32 numbers (f32
 * profiles). */
extern const struct phase_freq phase_radian;
