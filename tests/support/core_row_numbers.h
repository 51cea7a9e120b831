/* SPDX-License-Identifier: Apache-2.0
 * core_row_numbers.h - the part of core_row.h that is about numbers: what an output prints, how
 * it relates to another one, and laws of its numbers. */
#pragma once

#include "tests/support/core_row.h"

/* The row, and the text that names the reason of a failure. */
struct outcome {
    const struct row *row;
    char *why;
    size_t size;
};

/* Writes the reason; returns false. */
bool core_row_fails(const struct outcome *outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the plan of a request; NULL, with the reason written. */
struct pe_plan *core_row_plan(const struct outcome *outcome, const char *request);
/* Whether the output's numbers are in that relation to the row's text. */
bool core_row_numbers(const struct outcome *outcome, const char *output, const char *relation);
