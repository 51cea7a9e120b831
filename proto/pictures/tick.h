/* SPDX-License-Identifier: Apache-2.0
 * tick.h - the round values that an axis is marked at, and numbers as readers of a figure want
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { TICK_MAX = 32, TICK_TEXT_SIZE = 64 };

/* Finds the multiples of 1, 2 or 5 times a power of ten from low to high, about `about` (at
 * most 12) of them, ascending; returns their number. whole: they are whole numbers. */
size_t tick_linear(double low, double high, double about, bool whole, double ticks[TICK_MAX]);
/* Finds powers of ten from low to high, which are positive; 2 and 5 times them too where there
 * are fewer than three. Every second or third power where there are more than `about`. */
size_t tick_decades(double low, double high, double about, double ticks[TICK_MAX]);
/* Writes a number, NUL-terminated, in UTF-8: "0.5", "−20", "131 072" with thin spaces, "10⁻⁶",
 * "∞". At most `digits` digits count. Returns text. */
const char *tick_print(double value, int digits, char text[TICK_TEXT_SIZE]);
/* Writes a power of ten as "10⁻²", in the way of tick_print. */
const char *tick_print_power(double value, char text[TICK_TEXT_SIZE]);
