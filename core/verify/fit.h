/* SPDX-License-Identifier: Apache-2.0
 * fit.h - how well a candidate's numbers fit the tensors: the largest distance in units of the
 * bound that rounding sets to each element. */
#pragma once

#include "core/verify/candidate.h"

enum { FIT_NEAR_ELEMENTS = 2048, FIT_NEAR_ROWS = 6 };

struct fit {
    double within;  /* the largest distance in units of its bound; infinite for NaN */
    double max_abs; /* the largest distance */
    double mean;    /* the mean of the distances, each at most 1 */
    uint64_t far;   /* elements beyond their bound */
    uint64_t elements, rows;
};

/* Compare at most PE_VERIFY_ROWS rows of each tensor: the first half of them, then rows that
 * are spread to the last. */
bool fit_sample(struct fit *fit, const struct candidate *candidate);
/* Compares a few rows of that sample, which tells how near a candidate comes to the tensors
 * among others: rows of about FIT_NEAR_ELEMENTS elements in all, at least FIT_NEAR_ROWS. */
bool fit_near(struct fit *fit, const struct candidate *candidate);
/* Returns the number of these rows of one of so many subjects. */
size_t fit_near_count(uint64_t rows, uint64_t cols, size_t subjects);
/* Compare rows of the sample, the last first, until one is beyond its bound; return whether
 * none is. */
bool fit_quickly(struct fit *fit, const struct candidate *candidate);
/* Compare all rows, at most until one is beyond its bound if `strict`. False when out of
 * memory, or stopped. */
bool fit_all(struct fit *fit, const struct candidate *candidate, bool strict);
/* A row of a subject: the numbers that a candidate expects there, how far rounding may have
 * moved each, and those of the tensor. */
struct fit_row {
    size_t subject;
    uint64_t number, cols;
    const double *expected, *bound, *data;
};
/* Shows every row of all subjects until `see` returns false; returns whether it never did.
 * False when out of memory, or stopped. */
bool fit_each_row(const struct candidate *candidate,
                  bool (*see)(void *context, const struct fit_row *row), void *context);
/* Sets the claim's own bounds, by which other encodings are judged besides theirs, from the
 * rows of the sample of its candidate, which is fitted. */
void fit_bound_claim(const struct candidate *candidate);
/* Returns the row number i of the sample of a tensor with so many rows, of fit_sample_count. */
uint64_t fit_sample_row(uint64_t rows, size_t i);
size_t fit_sample_count(uint64_t rows);
/* Returns whether the rows of the subjects that are waves follow from their angles, all rows or
 * those of the sample: a row of padding does not. false if there is no memory. */
bool fit_is_wave(const struct candidate *candidate, bool sample);
