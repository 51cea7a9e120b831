/* SPDX-License-Identifier: Apache-2.0
 * whole_text.h - whole numbers beyond 2^53, where a double may be another number than the
 * decimal text that it was read from. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the size, without its sign, of a decimal number in text[0..len), whose grammar was
 * checked: "9007199254740993", "-9.007199254740993e15". Returns false if it has a fraction
 * or is 2^64 or above. */
bool whole_text_read(const char *text, size_t len, uint64_t *size);
/* Returns whether the text is exactly the double that it was read as. Below 2^53 in size, and
 * from 2^64 on, every double counts as exact. */
bool whole_text_is_exact(const char *text, size_t len, double value);
