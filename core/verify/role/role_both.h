/* SPDX-License-Identifier: Apache-2.0
 * role_both.h - the role of one tensor that holds cosines and sines. */
#pragma once

#include "core/posenc_verify.h"

/* Returns whether an encoding has both outputs. */
bool role_both_has(const struct pe_encoding *enc);
/* Returns the role in this form, which is not whole. */
struct pe_verify_role role_both(const struct pe_encoding *enc, enum pe_verify_form form);
/* Returns the role of a tensor that is called cosines and sines, in the form that its numbers
 * have, or else its shape; first: the output that its name says first, NULL: either. Without
 * an output: its shape has no two parts. */
struct pe_verify_role role_both_called(const struct pe_encoding *enc,
                                       const struct pe_verify_tensor *tensor,
                                       const struct pe_output *first);
