/* SPDX-License-Identifier: Apache-2.0
 * ids_mrope_check.h - rules between segments and the parameters of ids-mrope. */
#pragma once

#include "core/encodings/index/ids_mrope_walk.h"

/* The check hook calls these: sizes must be mergeable, sums fit, parameters have an effect. */
enum pe_status ids_mrope_check_segments(const struct ids_mrope *m, struct pe_errors *errors);
void ids_mrope_check_rules(const struct ids_mrope *m, struct pe_errors *errors);

/* Checks that `merge` divides the sizes of all pictures, that `frames` divides their counts of
 * frames, and that all tokens together are at most 2^52. */
enum pe_status ids_mrope_check_sizes(const struct pe_segments *segments, int64_t merge,
                                     int64_t frames, struct pe_errors *errors);
