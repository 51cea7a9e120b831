/* SPDX-License-Identifier: Apache-2.0
 * turn_reader.h - reads by which frequency, and along which axis, the cosines and sines of a
 * pair turn: that of a pair of the claim, or any that makes all of them. */
#pragma once

#include "core/verify/candidate.h"

enum turn_kind {
    TURN_KNOWN, /* it turns as a pair of the claim */
    TURN_FREE,  /* it turns by the coordinate of a pair, at another frequency */
    TURN_STILL, /* it does not turn */
    TURN_ZERO,  /* its columns are zero */
    TURN_OTHER, /* no frequency makes it */
};

struct turn {
    enum turn_kind kind;
    size_t like; /* of KNOWN and FREE: that pair */
    double frequency;
};

/* The angles of the claim in some rows. */
struct turn_reader {
    const struct candidate *base;
    size_t pairs, rows;
    double *theta;       /* rows times pairs */
    double *at;          /* rows times pairs: the coordinate that turns each */
    const double *rates; /* the frequency of each pair; NULL: they are not known */
    double *memory;      /* one block, of which both are parts, */
    double *near;        /* and scratch of 3 rows */
    size_t *axis;        /* of each pair, the first pair with the same coordinates */
};

/* Reads the angles of rows of these places. False without memory. */
bool turn_reader_init(struct turn_reader *reader, const struct candidate *base,
                      const uint64_t *places, size_t rows);
void turn_reader_fini(struct turn_reader *reader);
/* Reads how cosines and sines turn, each of which may be NAN in a row, and may be `slack` off
 * besides the error of float32's angles.
 * Of several pairs of the claim the one that is expected is taken, or else the nearest. */
struct turn turn_reader_read(struct turn_reader *reader, const double *cosine,
                             const double *sine, const double *slack, size_t expected);
