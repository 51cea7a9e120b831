/* SPDX-License-Identifier: Apache-2.0
 * basis.h - eigenvectors are determined up to their sign, and those of equal eigenvalues up to
 * the basis of the space that they span. */
#pragma once

#include "core/verify/candidate.h"

/* Returns whether the tensors are right but for signs and bases of eigenvectors; *bases is
 * set if bases differ. */
bool basis_explains(const struct candidate *candidate, bool *bases);
