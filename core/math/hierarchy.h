/* SPDX-License-Identifier: Apache-2.0
 * hierarchy.h - a table of R rows read as one of R^2: hierarchical decomposition (Su 2020,
 * kexue.fm/archives/7947; bert4keras layers.py, PositionEmbedding).
 *
 *     u[k] = (E[k] - alpha E[0]) / (1 - alpha),   p(k) = alpha u[i] + (1 - alpha) u[j]
 *          = E[j] + alpha / (1 - alpha) (E[i] - E[0]),   i = floor(k / R),   j = k mod R
 *
 * so that p(k) is E[k] itself for k < R. */
#pragma once

#include "core/math/number/elementary.h"
#include "core/math/tensor_row.h"

/* Returns alpha / (1 - alpha); alpha is in (0, 1). */
struct dd hierarchy_gain(double alpha);
/* Checks that alpha tells (i, j) from (j, i) and is not too near to 0 or 1 for the
 * arithmetic. */
enum pe_status hierarchy_check(double alpha, struct pe_errors *errors);
/* Returns the number of rows that a table of `rows` rows stands for, at most 2^53. */
uint64_t hierarchy_rows(uint64_t rows);
/* Writes elements [col, col + cols) of row k < hierarchy_rows. */
void hierarchy_row(struct dd gain, const struct pe_tensor *table, const void *data, uint64_t k,
                   uint64_t col, uint64_t cols, double *out);
