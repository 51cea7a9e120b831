/* SPDX-License-Identifier: Apache-2.0
 * known.h - claims that a caller knows by name: those that share parameters, and those that are
 * the claim of tensors that came without one. */
#pragma once

#include "core/posenc_verify.h"

struct sight;

/* Returns the first known claim of the same encoding and query as claim i, which models share;
 * i: none comes before it. */
size_t known_before(const struct pe_verify_known *known, size_t i);
/* Returns whether one of them is of the encoding. */
bool known_has_encoding(const struct pe_verify_known *known, size_t count,
                        const struct pe_encoding *enc);
/* Sets named[i] to whether known claim i, with the values that it leaves open, has the
 * parameters of the arguments; those behind a stop are left as they are. */
void known_name(bool *named, struct sight *sight, const struct pe_verify_known *known,
                size_t count, const struct pe_args *args, const struct pe_verify_role *roles);
