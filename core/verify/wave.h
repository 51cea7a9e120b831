/* SPDX-License-Identifier: Apache-2.0
 * wave.h - how the columns of an output are made from angles: each is the cosine or the sine of
 * a pair, or a vector that the pair turns. With it, numbers follow from angles that a mistake
 * has changed, which no parameter of the encoding gives. */
#pragma once

#include "core/verify/angles.h"

enum wave_kind { WAVE_NONE, WAVE_COLUMNS, WAVE_TURN, WAVE_FREQUENCIES };
/* The order of an output's columns, or of a vector's. */
enum wave_order {
    WAVE_COS,       /* cosines, pair after pair, as often as they fit */
    WAVE_SIN,       /* sines, pair after pair, as often as they fit */
    WAVE_COS_TWICE, /* each cosine in two columns that adjoin */
    WAVE_SIN_TWICE,
    WAVE_SIN_COS_PAIRS, /* the sine and the cosine of a pair adjoin */
    WAVE_COS_SIN_PAIRS,
    WAVE_SINES_FIRST, /* all sines, then all cosines */
    WAVE_COSINES_FIRST,
    WAVE_ORDERS,
};

/* A factor of a formula: 0, 1, the cosine, the sine, that with a minus, and the cosine less
 * or plus the sine. */
enum wave_term {
    TERM_NONE,
    TERM_ONE,
    TERM_COS,
    TERM_SIN,
    TERM_MINUS,
    TERM_LESS,
    TERM_PLUS,
    TERM_COUNT,
};

/* How both numbers (a, b) of a pair become the turned ones: factors of a and of b for each. */
struct wave_formula {
    enum wave_term first[2], second[2];
    bool first_written;  /* the second reads a after it was written, */
    bool second_written; /* or the first reads b after that was */
};

/* Whether vectors are turned by the pairs of the other pairing too. */
enum wave_again { TURNED_ONCE, TURNED_BEFORE, TURNED_AFTER };

struct wave {
    enum wave_kind kind;
    enum wave_order order;         /* of columns */
    bool adjacent, inverse;        /* of a turn: its pairs adjoin; it turns back */
    enum angles_rounding rounding; /* of cosines and sines, before they turn vectors */
    bool mismatched; /* it turns the pairs of one pairing by a table made for the other */
    size_t apart;    /* of a turn: columns i and i + apart are the pair, of the first `turning`
                      * ones; 0: as adjacent says, of all */
    size_t turning;
    const uint32_t *listed; /* the two columns of each pair, in place of apart; NULL: by rule */
    const struct wave_formula *formula; /* of a turn; NULL: the right one */
    enum wave_again again;
    double amplitude;
    size_t pairs;
    struct view vectors; /* of a turn: what is turned */
    size_t seq_axis;
    uint64_t inner; /* rows of one position, where axes were read in another order than they
                     * have; 0: they were not */
    bool failed;    /* there was no memory to find it */
};

/* Finds how a row of `cols` columns is made from the angles; false if it is not in this way. */
bool wave_of_columns(struct wave *wave, const struct angles *angles, const uint64_t *rows,
                     size_t row_count, size_t cols, struct row_buffer expected);
/* Finds how rows of vectors are turned; places[i] is the position number of rows[i]. */
bool wave_of_turn(struct wave *wave, const struct angles *angles, const struct view *vectors,
                  const uint64_t *rows, const uint64_t *places, size_t row_count,
                  struct row_buffer expected);
/* Returns the pair of a column, and whether it is a sine. */
size_t wave_pair(const struct wave *wave, size_t col, bool *sine);
/* Returns how many pairs of a vector turn, from the first on. */
size_t wave_turning(const struct wave *wave);
/* Gets the two columns of a pair. */
void wave_turned(const struct wave *wave, size_t pair, size_t *a, size_t *b);
/* Returns a cosine or a sine as the table holds it whose vectors turn. */
double wave_rounded(const struct wave *wave, double number);
/* Writes a row of `cols` columns from its angles; a row of frequencies from those of the
 * cosines, which hold them. A turn reads `vector`, its row, as wide as the output. */
void wave_row(const struct wave *wave, struct angle_row theta, struct row_buffer vector,
              size_t cols, struct row_buffer out);
