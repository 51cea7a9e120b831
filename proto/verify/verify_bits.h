/* SPDX-License-Identifier: Apache-2.0
 * verify_bits.h - bfloat16 that came as uint16, because NumPy has no such type: numbers whose
 * bits are those of tables and frequencies, and no counts. */
#pragma once

#include "proto/tensors/tensor.h"

#define VERIFY_BITS_TYPE "bf16 as u16" /* the dtype of such a tensor in an answer */

/* Returns whether a tensor of uint16 holds the bits of bfloat16 numbers from -4 to 4. */
bool verify_bits_are(const struct tensor *tensor);
/* Returns the bytes that verify_bits_make takes for all such tensors of a set. */
uint64_t verify_bits_bytes(const struct tensor_set *set);
/* Makes the numbers as bfloat16, which the caller frees; NULL when out of memory. */
void *verify_bits_make(const struct tensor *tensor);
