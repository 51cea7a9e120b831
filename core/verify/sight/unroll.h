/* SPDX-License-Identifier: Apache-2.0
 * unroll.h - a mask that is kept as runs: of each query where the runs of keys begin and end
 * that it sees, -1 and -1 behind the last. */
#pragma once

#include "core/verify/view.h"

/* Makes the mask of runs as a tensor of truth values, whose data the caller frees; false where
 * the numbers are no runs, or when out of memory (then *failed becomes true). */
bool unroll_runs(struct pe_verify_tensor *mask, const struct view *runs, bool *failed);
