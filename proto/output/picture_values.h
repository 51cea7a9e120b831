/* SPDX-License-Identifier: Apache-2.0
 * picture_values.h - the numbers of a tensor as a picture reads them. Private to
 * proto/output. */
#pragma once

#include "proto/output/encoder.h"
#include "proto/pictures/colour_range.h"

/* Returns the number that masked elements hold in the tensor's dtype: that of mask_value=, or
 * the lowest number; NAN where the dtype is one of whole numbers. */
double picture_values_masked(const struct pe_plan *plan, enum pe_dtype dtype);
/* Computes elements of tensor number `index` from number `at` on as doubles: as many as a block
 * of the encoder has, and at most `count`; returns their number. */
size_t picture_values_read(struct encoder *encoder, size_t index, uint64_t at, uint64_t count,
                           double *values);
/* Returns the range that range= names; without it, one that has no value yet. */
struct colour_range picture_values_range(const struct option_values *options);
/* Reads all numbers: widens the range by them, or returns how many of them are beyond the one
 * that range= names. `values` has room for a block. */
uint64_t picture_values_scan(struct encoder *encoder, size_t index, double masked,
                             double *values, struct colour_range *range);
