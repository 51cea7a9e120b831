/* SPDX-License-Identifier: Apache-2.0
 * role_points.h - tensors of points, whose last axis has their coordinates. */
#pragma once

#include "core/posenc_verify.h"

/* Returns the only output of points that has no role yet and the tensor's rank without axes of
 * 1, where the last axis is as long as a picture or a video has axes; NULL: there is none, or
 * there are more. */
const struct pe_output *role_points(const struct pe_encoding *enc,
                                    const struct pe_verify_role *roles, size_t count,
                                    const struct pe_tensor *info);
