/* SPDX-License-Identifier: Apache-2.0
 * rope_matrix.h - the output (positions, dim, dim) of RoPE's rotation matrices. */
#pragma once

#include "core/math/rotation/rotation.h"

/* Fills `group` with matrices. half has the cosine in slot 0 and the sine in slot 1, one column
 * a pair, and is copied. adjacent: pairs are (2k, 2k+1), else (k, k + pairs). */
void rope_matrix_prepare(struct pe_build *build, size_t group, const struct rotation *half,
                         size_t dim, bool adjacent);
