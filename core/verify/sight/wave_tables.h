/* SPDX-License-Identifier: Apache-2.0
 * wave_tables.h - the cosines and sines of pairs, as tensors without a claim have them: each
 * pair once, or twice in halves or in columns that adjoin. */
#pragma once

#include "core/verify/sight/sight.h"

enum { WAVE_PAIRS_MOST = 4096 };

struct wave_tables {
    struct view cosine, sine;
    uint64_t rows, cols;
    size_t pairs;
    bool full, adjacent; /* each pair stands twice; in columns that adjoin */
};

/* Finds the tables by the roles of the tensors; false: there are none of two rows and two
 * pairs at least, and WAVE_PAIRS_MOST pairs at most. */
bool wave_tables_find(struct wave_tables *tables, const struct sight *sight,
                      const struct pe_verify_role *roles, bool columns_first);
/* Read the cosine or the sine of a pair. */
double wave_tables_cosine(const struct wave_tables *tables, uint64_t row, size_t pair);
double wave_tables_sine(const struct wave_tables *tables, uint64_t row, size_t pair);
/* Returns how far the logarithm of a frequency may be from what it should be, by the digits
 * of the tables. */
double wave_tables_tolerance(const struct wave_tables *tables);
/* Writes the parameters of the columns, each after '&', in at most WAVE_COLUMNS_TEXT bytes:
 * "" where each pair stands once. */
enum { WAVE_COLUMNS_TEXT = 32 };
void wave_tables_columns(const struct wave_tables *tables, char text[WAVE_COLUMNS_TEXT]);
/* Writes the number i of the roundest that are near a value; false: there are no more. */
bool wave_tables_round(char *text, size_t size, double value, double tolerance, size_t i);
/* Returns whether a base is one that people write: a round number. */
bool wave_tables_is_written(double base);
