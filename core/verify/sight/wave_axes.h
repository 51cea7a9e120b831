/* SPDX-License-Identifier: Apache-2.0
 * wave_axes.h - reads rotary tables whose pairs turn by different coordinates: pictures,
 * videos, text with pictures. Pairs of one axis have angles in one proportion. */
#pragma once

#include "core/verify/sight/wave_tables.h"

enum { WAVE_AXES = 4 };

/* Coordinates of the rows, and what each pair turns by. */
struct wave_axes {
    size_t rows, pairs, count;
    double *at[WAVE_AXES]; /* whole numbers, one a row */
    int *axis;             /* of each pair; -1: it does not turn */
    double *w;             /* frequencies; 0 of a pair that does not turn, or, where all turn
                            * by one axis, that turns too fast to be read */
    void *memory;          /* that the lists are in */
};

/* Reads the tables; false: pairs turn by no whole coordinates, or by those of more axes, or
 * the tables are long, or there is no memory, which sets *failed. Counts its *operations. */
bool wave_axes_read(struct wave_axes *axes, const struct wave_tables *tables,
                    double *operations, bool *failed);
/* Multiplies the coordinates of an axis whose ladder would begin at a whole number, of which
 * this is the logarithm: rows that only have every second coordinate were taken for
 * neighbours. */
void wave_axes_stretch(struct wave_axes *axes, int axis, double height);
void wave_axes_fini(struct wave_axes *axes);
