/* SPDX-License-Identifier: Apache-2.0
 * solve_columns.h - reads for each pair of cosines and sines, or of vectors that were turned,
 * its frequency, the axis that turns it and the columns that it has. */
#pragma once

#include "core/verify/solve/column_list.h"

/* Reads the columns of a fitted candidate by a sample of its rows. False where it has no pairs
 * that turn, where all are right, where most are turned by no frequency, or without memory;
 * otherwise the caller frees the list. */
bool solve_columns(struct column_list *list, const struct candidate *base);
void solve_columns_fini(struct column_list *list);
