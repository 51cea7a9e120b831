/* SPDX-License-Identifier: Apache-2.0
 * prepare.h - prepares the arguments of many drafts of a claim for the same tensors. */
#pragma once

#include "core/posenc_verify.h"

/* Does what pe_verify_prepare does, where hidden[i] is role_content_hidden of tensor i, which
 * takes a look at every element; NULL: it is read here. */
enum pe_status prepare_args(struct pe_args *args, const struct pe_verify_tensor *tensors,
                            size_t count, const struct pe_verify_role *roles,
                            const double *hidden, struct pe_errors *errors);
