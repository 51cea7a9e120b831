/* SPDX-License-Identifier: Apache-2.0
 * candidate.h - a way in which the tensors may have been made: the claim with other values of
 * parameters, with other angles, or with tensors seen in another way. It gives the numbers that
 * would follow, row by row, and how far rounding may have moved each. */
#pragma once

#include "core/verify/wave.h"

struct mistake;

/* A map changes the numbers of a row after all else. */
enum candidate_map {
    MAP_NONE,
    MAP_ALLOWED,  /* 1 where an additive mask has 0, 0 where it hides */
    MAP_HIDDEN,   /* the reverse */
    MAP_BOUNDARY, /* a bucket more or less where the next bucket begins */
    MAP_HALVES,   /* the two halves of the columns are exchanged */
    MAP_QUARTERS, /* the two halves of each half of the columns are exchanged */
    MAP_STRICT,   /* a query does not see the key at its own position */
    MAP_SHIFT,    /* a number is added to all */
    MAP_STRIDE,   /* so many times a number as rows of the grid came before */
    MAP_COUNT,    /* every row counts 0, 1, 2 ... */
    MAP_F32,      /* numbers rounded to a dtype */
    MAP_F16,
    MAP_BF16,
    MAP_PADDING,  /* tokens that are padding keep the row of padding */
    MAP_UNFILLED, /* rows that the tensor leaves zero */
    MAP_SEEN,     /* a mask by which keys are seen and hidden */
    MAP_LEVELS,   /* numbers rounded to steps of one size, or to few significant bits */
    MAP_NUMBERS,  /* numbers of the first subject that a mistake has made by itself */
};

enum { CANDIDATE_TOLD = PE_VERIFY_TOGETHER, CANDIDATE_TEXT = 48 };

/* The values of a mistake: that of the numbers, and the right one. */
struct told {
    const char *slug;
    char found[CANDIDATE_TEXT], expected[CANDIDATE_TEXT];
};

struct candidate {
    struct claim *claim;
    const struct pe_encoding *enc; /* the claim's, unless another one has these numbers */
    struct changes changes;
    struct pe_args *args;
    struct pe_plan *plan;            /* in float64 */
    const void *input[CLAIM_PARAMS]; /* of pe_fill: data of the tensors that `enc` takes */
    const struct pe_tensor_info *tensor[CLAIM_SUBJECTS];
    struct view view[CLAIM_SUBJECTS]; /* the tensors, in the shapes of the plan */
    char fits[CLAIM_SUBJECTS][PE_VERIFY_TEXT];
    struct angles *angles;            /* NULL: the numbers have no angles */
    uint32_t spared;                  /* bit i: a mistake of angles is not about subject i, */
    struct angles *plain;             /* which keeps these */
    struct wave wave[CLAIM_SUBJECTS]; /* where known, numbers follow from the angles, which is
                                       * faster than the plan and within 1e-10 of it */
    bool warped;                      /* a mistake has changed the angles */
    enum candidate_map map;
    struct row_buffer padding; /* of MAP_PADDING: the row of padding, widest columns */
    struct row_buffer numbers; /* of MAP_NUMBERS: all rows of the first subject */
    bool *seen;                /* of MAP_SEEN: which keys each of `queries` sees; of widest */
    uint64_t queries;
    double shown, hidden; /* and the numbers of a key that is seen, and of another */
    uint32_t *columns;   /* widest: column i holds what belongs to column columns[i]; NULL: i */
    bool *blank;         /* widest: columns of waves that are zero; NULL: none is */
    uint32_t *turned;    /* of waves: their listed columns, two of each pair */
    uint32_t *rows;      /* so for the rows of the first subject, and of those with as many */
    double shift;        /* of MAP_SHIFT and MAP_STRIDE; of MAP_LEVELS the step */
    uint64_t cells;      /* of MAP_STRIDE: the cells of one row of the grid; of MAP_LEVELS the
                          * significant bits, 0: there are steps */
    uint64_t grid_width; /* rows number a grid of this width column by column; 0: they do not */
    struct changes repair; /* a parameter that says the same as a mistake, for its repair */
    struct told told[CANDIDATE_TOLD]; /* what its mistakes tell of themselves */
    size_t told_count;
    char says[PE_VERIFY_SENTENCE]; /* what a mistake read from the numbers, in place of its
                                    * sentence; "": nothing */
    const struct mistake *said_by; /* that mistake */
    size_t widest;                 /* columns of the widest tensor */
    struct row_buffer memory;      /* scratch, whose parts are: */
    struct angle_row theta;
    struct angle_row slack; /* how far the rounding of these may be off where it has a step */
    struct row_buffer vector, data; /* what is turned; a row of a tensor; widest columns */
    void *scratch;                  /* of pe_fill, for a row */
};

/* NULL: the arguments are refused (then *missing as in claim_args), or there is no memory.
 * Where a tensor has another shape, the candidate is not fitted, and only its shapes may be
 * read. */
struct candidate *candidate_new(struct claim *claim, const struct changes *changes,
                                const struct pe_param **missing);
/* Makes the candidate of what such changes, or none where they are NULL, lead to, which it then
 * owns; NULL where that was refused. The plan has been `asked` for the outputs of
 * angles_outputs, or 0. */
struct candidate *candidate_build(struct claim *claim, const struct pe_encoding *enc,
                                  const struct changes *changes, const struct planned *planned,
                                  uint32_t asked);
struct candidate *candidate_copy(const struct candidate *candidate);
void candidate_free(struct candidate *candidate);

/* Returns whether a subject is seen in the shape of its numbers. Rows of another shape than the
 * plan's are neither made nor compared: expected_row asserts it. */
bool candidate_is_fitted(const struct candidate *candidate, size_t subject);
/* Returns whether all subjects are. */
bool candidate_all_fitted(const struct candidate *candidate);
/* Writes so many columns of a row as the plan has it, from column `first` on. */
void candidate_fill_part(const struct candidate *candidate, size_t subject, uint64_t row,
                         uint64_t first, uint64_t cols, struct row_buffer out);
/* Writes a row as the plan has it. */
void candidate_fill(const struct candidate *candidate, size_t subject, uint64_t row,
                    struct row_buffer out);
/* Returns the positions that the parameter of this name has; NULL if it has none. */
const struct pe_positions *candidate_positions(const struct candidate *candidate,
                                               const char *name);
uint64_t candidate_rows(const struct candidate *candidate, size_t subject);
uint64_t candidate_cols(const struct candidate *candidate, size_t subject);
/* Returns the index of a row's position along the axis of positions. */
uint64_t candidate_place(const struct candidate *candidate, size_t subject, uint64_t row);
