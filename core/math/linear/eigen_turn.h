/* SPDX-License-Identifier: Apache-2.0
 * eigen_turn.h - rotations of neighbouring rows of a matrix, which are collected and then done
 * together, tile by tile. */
#pragma once

#include <stddef.h>

#include "core/math/linear/eigen_reflect.h"

struct eigen_turn {
    double c, s;
};

/* Rotations of rows last-1 and last, then last-2 and last-1, and so on: `count` of them. */
struct eigen_sweep {
    size_t last, count;
};

enum { EIGEN_SWEEPS = 512 };

struct eigen_turns {
    double *rows; /* [n][n], all of it is rotated */
    size_t n;
    struct eigen_turn *turns; /* [eigen_turns_most(n)] */
    double *tile;             /* [EIGEN_TILE * n] */
    size_t turn_count, sweep_count;
    struct eigen_sweep sweeps[EIGEN_SWEEPS];
};

/* Returns how many rotations are collected at most: those of some sweeps over all rows. */
size_t eigen_turns_most(size_t n);
/* Begins a sweep at row `last`, whose rotations, n - 1 at most, are added by
 * eigen_turns_add. */
void eigen_turns_begin(struct eigen_turns *turns, size_t last);
/* Do the rotations that were collected. */
void eigen_turns_do(struct eigen_turns *turns);

/* Adds a rotation: rows a and b, the next one, become c a - s b and s a + c b. */
static inline void eigen_turns_add(struct eigen_turns *turns, double c, double s)
{
    turns->turns[turns->turn_count++] = (struct eigen_turn){c, s};
    turns->sweeps[turns->sweep_count - 1].count++;
}
