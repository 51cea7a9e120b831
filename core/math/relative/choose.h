/* SPDX-License-Identifier: Apache-2.0
 * choose.h - elements of a list by their numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Sets out[i] = list[numbers[i]] for elements of `size` bytes (2, 4 or 8), whose memory does
 * not overlap. No number is negative. */
void choose_elements(size_t size, const void *list, const int32_t *numbers, size_t count,
                     void *out);
