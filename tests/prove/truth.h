/* SPDX-License-Identifier: Apache-2.0
 * truth.h - what sinusoidal and rope should answer, by MPFR and by nothing of ours. */
#pragma once

#include <stddef.h>

#include <mpfr.h>

#include "core/posenc.h"

/* w_i = scale * base^(-2i/dim), radians per position, i < dim/2. */
struct truth {
    size_t pairs;
    double amplitude;
    mpfr_t *w;
    mpfr_t angle, sine, cosine, rest;
};

struct truth *truth_new(double base, size_t dim, double scale, double amplitude);
void truth_free(struct truth *truth);

/* Errors of two answers (amplitude times sine and cosine of a position) in ULP of dtype,
 * where an ULP is the distance of neighbours at the real number. */
void truth_errors(struct truth *truth, enum pe_dtype dtype, size_t pair, double position,
                  double sine, double cosine, double errors[2]);
