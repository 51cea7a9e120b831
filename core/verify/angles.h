/* SPDX-License-Identifier: Apache-2.0
 * angles.h - the angles behind cosines and sines: position times frequency for each pair, as
 * the claim says, or as a mistake makes them. An encoding whose outputs have angles, or
 * inverse frequencies and positions, has them; so have the vectors that such a table turns. */
#pragma once

#include "core/verify/claim/claim.h"

enum angles_rounding { ANGLES_REAL, ANGLES_F32, ANGLES_F16, ANGLES_BF16 };

struct angles {
    size_t pairs;
    uint64_t rows;
    struct pe_args *args; /* they own pos */
    /* Angles are position * frequency where pos is set: */
    const struct pe_positions *pos;
    double *w[2];   /* frequencies of cosines and of sines; one block */
    double *listed; /* a position for each row in place of pos; NULL: none */
    double scale, offset;
    bool reversed; /* the positions run backwards */
    bool still;    /* nothing turns */
    enum angles_rounding position_rounding;
    /* Otherwise they are an output of their own: */
    struct pe_plan *plan;
    const struct pe_tensor_info *tensor;
    double *rates; /* the frequency of each pair, where an output tells it; NULL: none does */
    size_t *like;  /* the pair whose angles each has, */
    double *by;    /* times this; NULL: its own */
    double shift;  /* is added to the coordinate of every pair */
    size_t one, other, width; /* so many pairs from `one` and from `other` on are exchanged */
    bool counted;             /* the coordinate of every pair is the number of the row, */
    uint64_t counted_from;    /* of the rows from this one on */
    double angle_scale, angle_offset;
    uint64_t grid_width; /* positions number a grid of this width column by column; 0: not */
    enum angles_rounding angle_rounding;
    double period; /* angles are reduced by it, as if it were 2 pi; 0: they are not */
};

/* The angles of a row: at[0] of the cosines, at[1] of the sines, `capacity` each. */
struct angle_row {
    double *at[2];
    size_t capacity;
};

/* Returns the angles of the claim with changes; NULL if its outputs have none. */
struct angles *angles_new(struct claim *claim, const struct changes *changes);
/* Returns the outputs, one bit each, that a plan of the claim's own encoding needs besides, so
 * that angles_of finds the angles in it; 0: it has none. */
uint32_t angles_outputs(struct claim *claim);
/* Returns the angles that a plan of such outputs has; NULL if none. */
struct angles *angles_of(struct pe_args *args, struct pe_plan *plan);
/* Returns a copy, to be changed by a mistake; NULL when out of memory. */
struct angles *angles_copy(const struct angles *angles);
void angles_free(struct angles *angles);
/* Fills rows of one tensor of a plan, from `input` as pe_fill; false and zeros where there is
 * no memory. */
bool angles_fill(const struct pe_plan *plan, const struct pe_tensor_info *tensor, uint64_t row,
                 uint64_t rows, const void *const *input, struct row_buffer out);
/* Writes the angles of a row, one of each pair. */
void angles_row(const struct angles *angles, uint64_t row, struct angle_row theta);
/* Writes how far apart the rounding of angles may bring those that float32 has moved: a step of
 * a narrow dtype where they are between two numbers of it, else 0. */
void angles_slack(const struct angles *angles, uint64_t row, struct angle_row slack);
/* Returns the two halves of a buffer as the angles of a row. */
struct angle_row angles_row_of(struct row_buffer both);
/* Rounds a number to a dtype and back. */
double angles_round(enum angles_rounding rounding, double value);
/* Returns the position of a row. */
double angles_position(const struct angles *angles, uint64_t row);
