/* SPDX-License-Identifier: Apache-2.0
 * role_mask.h - whether a mask is one of truth values or one that is added to scores. */
#pragma once

#include "core/posenc_verify.h"

/* Returns which of two outputs a mask is whose name says `output`; that output where it is no
 * mask, or where the numbers leave it open. */
const struct pe_output *role_mask_named(const struct pe_encoding *enc,
                                        const struct pe_verify_tensor *tensor,
                                        const struct pe_output *output);
/* Returns which of two outputs a mask without a name is; NULL if the encoding has no mask. */
const struct pe_output *role_mask_unnamed(const struct pe_encoding *enc,
                                          const struct pe_verify_tensor *tensor);
