/* SPDX-License-Identifier: Apache-2.0
 * gelu.h - the Gaussian error linear unit x Phi(x), where Phi is the normal distribution's
 * cumulative function (not its tanh approximation), in plain double operations. Hendrycks and
 * Gimpel 2016. */
#pragma once

#include "core/math/number/elementary.h"

/* Returns x Phi(x), within 0.6 ULP where it is a normal number; 0 where it is below the
 * smallest one. */
double gelu_of(struct dd x);
