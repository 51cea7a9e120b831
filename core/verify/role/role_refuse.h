/* SPDX-License-Identifier: Apache-2.0
 * role_refuse.h - the sentence about a tensor that is nothing of a claim. */
#pragma once

#include "core/posenc_verify.h"

/* Fails with the names of the outputs that the tensor of this name, or of none, may be. */
void role_refuse(const struct pe_encoding *enc, const char *name, struct pe_errors *errors);
