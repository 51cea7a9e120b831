/* SPDX-License-Identifier: Apache-2.0
 * verify.h - a verdict for those who ask only whether one mistake explains the numbers. */
#pragma once

#include "core/posenc_verify.h"

/* Judges as pe_verify does, but the search tests each hypothesis alone, never two of them
 * together, it ends when so many operations are taken, and where no hypothesis explains the
 * numbers the verdict says nothing more about them. */
enum pe_status verify_alone(struct pe_verdict **verdict, struct pe_args *args,
                            const struct pe_verify_tensor *tensors, size_t count,
                            const struct pe_verify_role *roles, double operations,
                            const struct pe_limits *limits, struct pe_errors *errors);
