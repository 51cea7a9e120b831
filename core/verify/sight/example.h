/* SPDX-License-Identifier: Apache-2.0
 * example.h - the examples of encodings as drafts: an example has a value for what no size
 * tells, such as an exponent or a list of weights. */
#pragma once

#include "core/encoding.h"

enum { EXAMPLE_QUERY = 2048 };

/* Writes the value that the first example that has one gives to a parameter; false: none has,
 * or it is longer. */
bool example_value(char *value, size_t size, const struct pe_encoding *enc,
                   const struct pe_param *param);
/* Returns whether a parameter says what is asked for, which tensors say by themselves. */
bool example_asks(const struct pe_param *param);
/* Writes an example without the outputs that it asks for, with its sizes or without: whole
 * numbers that must be given, positions and grids. False: it is longer. */
bool example_query(char query[EXAMPLE_QUERY], const struct pe_encoding *enc,
                   const char *example, bool sizes);
