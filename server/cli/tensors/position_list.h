/* SPDX-License-Identifier: Apache-2.0
 * position_list.h - a tensor of positions as the text of a query, in which runs are slices. */
#pragma once

#include "proto/tensors/tensor.h"
#include "proto/text/buffer.h"

/* Writes "0:4096,7000": every position in its place. The tensor has one axis, or others of
 * length 1; false if not. */
bool position_list_write(struct buffer *out, const struct tensor *tensor);
