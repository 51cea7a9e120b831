/* SPDX-License-Identifier: Apache-2.0
 * column_sample.h - the numbers of some rows of tensors that are made from angles, column by
 * column, and which columns are not the claim's. */
#pragma once

#include "core/verify/candidate.h"

struct column_sample {
    const struct candidate *base;
    const struct wave *wave; /* of the first subject that is read */
    size_t subject;          /* that one; of vectors alone its numbers are read */
    size_t cols, rows;
    uint64_t *places;   /* of each row, the number of its position */
    double *data;       /* subjects times columns times rows; */
    double *vector;     /* and of vectors, as they were before the turn */
    bool *wrong, right; /* subjects times columns; whether none is */
    double *slack;      /* of each row, how far rounding may move a cosine or a sine */
    double *cosine, *sine, *noise; /* scratch of `rows` numbers */
    double *memory;
    double begun; /* operations of the claim before */
};

/* Reads a sample. False where the subjects are no waves of one width, where they are too wide,
 * or without memory; otherwise the caller ends it. */
bool column_sample_init(struct column_sample *sample, const struct candidate *base);
void column_sample_fini(struct column_sample *sample);
/* Returns the numbers of a column of a subject, one of each row. */
const double *column_sample_at(const struct column_sample *sample, size_t subject, size_t col);
/* Returns whether the work is more than columns are worth, or the caller wants it to end. */
bool column_sample_is_spent(const struct column_sample *sample);
