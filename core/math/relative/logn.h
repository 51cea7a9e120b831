/* SPDX-License-Identifier: Apache-2.0
 * logn.h - a factor for attention that grows with the logarithm of the position, so that
 * entropy stays as it was at the trained length (log n scaling). */
#pragma once

#include "core/encoding.h"
#include "core/math/number/elementary.h"

struct logn {
    const struct pe_positions *pos; /* all above -1 */
    struct dd multiplier;           /* 1 / ln(train_len), or kappa */
    bool clip;                      /* never below 1 */
};

/* 1 / ln(length), length > 1. */
struct dd logn_multiplier(double length);

extern const struct pe_filler logn_filler; /* one column a position; state: struct logn */
