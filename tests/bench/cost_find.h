/* SPDX-License-Identifier: Apache-2.0
 * cost_find.h - rows of `make costs` for searches without a claim. */
#pragma once

#include <stdbool.h>

/* Judges "0.2 x=4096x128": seconds that a search in tensors of random numbers takes at most of
 * a core that is idle, and the tensors, which nothing explains. The operations that the library
 * states may be wrong by the factor `within`. Prints a line; returns whether it is right. */
bool cost_find(const char *row, double within);
