/* SPDX-License-Identifier: Apache-2.0
 * lookup_keep.h - numbers of the rows of a table of biases, which the heads share and the plan
 * keeps: those of each difference of positions where rows are windows, those of clamped
 * differences, or those of all pairs. */
#pragma once

#include "core/math/relative/clamped.h"
#include "core/math/relative/lookup.h"

enum { LOOKUP_COLUMN_MOST = 65536 }; /* most rows of a table of which columns are taken */

/* At most one is kept. */
struct lookup_kept {
    const int32_t *diagonal; /* of the differences (toeplitz.h) */
    const int32_t *matrix;   /* [queries][keys] */
    const struct clamped *clamped;
};

/* Returns the number of rows of the table. */
uint64_t lookup_rows(const struct lookup_bias *bias);
/* Returns the numbers that are kept; none where there are too many, or no memory for them. */
struct lookup_kept lookup_keep(struct pe_build *build, const struct lookup_bias *bias);
