/* SPDX-License-Identifier: Apache-2.0
 * shortest.h - is a text the shortest, nearest, well-formed one of a float? Judged with the C
 * library's exact printf and strtod, which share no code with ours. */
#pragma once

#include <stddef.h>

/* NULL if it is, or what is wrong. The value is finite. */
const char *shortest_fault_f32(float value, const char *text, size_t len);
const char *shortest_fault_f64(double value, const char *text, size_t len);
