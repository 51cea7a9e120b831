/* SPDX-License-Identifier: Apache-2.0
 * mask_edit.h - a mask read as a claim's terms of which one is missing, added, shifted or
 * transposed. */
#pragma once

#include "core/verify/solve/mask_terms.h"

/* Reads a mask as the claim's terms with another value of one of them; false where no one term
 * gives it, or when out of memory (then *failed becomes true). The caller frees the terms. */
bool mask_edit_read(struct mask_terms *terms, const struct mask_terms *claimed,
                    const struct mask_seen *seen, bool *failed);
