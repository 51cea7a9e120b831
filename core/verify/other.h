/* SPDX-License-Identifier: Apache-2.0
 * other.h - the numbers that another encoding than the claim's has. */
#pragma once

#include "core/verify/candidate.h"

/* Makes the candidate of another encoding's outputs of the same names. `step` is added to the
 * first whole number that both have as a distance; with a step other than 0 there must be
 * one. A size other than 0 is that of the one whole number that the encoding needs and the
 * claim has not. */
struct candidate *other_encoding(struct claim *claim, const struct pe_encoding *enc, int step,
                                 int64_t size);
