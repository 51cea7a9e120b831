/* SPDX-License-Identifier: Apache-2.0
 * hard.h - positions whose angle comes nearest to a multiple of pi/2. */
#pragma once

#include <stddef.h>

/* The positions p, 0 < p <= 2^53, of angle p * base^(-2 pair / dim): first the record
 * holders (each nearer than all smaller ones: denominators of the convergents), then the
 * 40 nearest of all. Writes at most `most`, returns how many. */
size_t hard_positions(double base, size_t pair, size_t dim, double *positions, size_t most);
