/* SPDX-License-Identifier: Apache-2.0
 * verify_mask.h - what a tensor says as an attention mask, however it writes a hidden key: as
 * -inf, as a very negative number, or as false. */
#pragma once

#include "proto/tensors/tensor.h"

/* Returns whether every element is 0 or very negative, one of them at least, whose least
 * *hidden is; or every element is a truth value, of which false hides, and *hidden is 0. */
bool verify_mask_is(const struct tensor *tensor, double *hidden);
/* Returns whether an element of such a mask hides its key. */
bool verify_mask_hides(const struct tensor *tensor, uint64_t element);
