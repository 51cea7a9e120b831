/* SPDX-License-Identifier: Apache-2.0
 * rounding.h - compares tensors bit by bit with the claim's numbers rounded to the tensor's own
 * dtype, exactly or by the steps of a profile. */
#pragma once

#include "core/verify/candidate.h"

struct rounding {
    uint64_t differs, of; /* elements that are not equal, of those that were compared */
    double row_ulp;       /* the largest distance in steps at the largest number of its row */
    double max_ulp;       /* the largest distance in steps of the dtype */
    uint64_t first_row, first_col; /* of the first that differs */
};

/* Sees each row that was compared: expected numbers in the tensor's precision, and the
 * tensor's. */
typedef void rounding_look(void *context, size_t subject, uint64_t row, const double *expected,
                           const double *data, size_t cols);

/* Compare the subjects of a candidate with its numbers beside further changes, which may be
 * NULL: profiles. `sample`: only the rows of fit_sample. rounding has an entry for each
 * subject; look may be NULL. False: the arguments are refused in this dtype, there is no
 * memory, or it was stopped. */
bool rounding_compare(struct rounding *rounding, const struct candidate *candidate,
                      const struct changes *profile, bool sample, rounding_look *look,
                      void *context);
