/* SPDX-License-Identifier: Apache-2.0
 * solve_rows.h - reads for each row the position that makes it. It reads and does not try: a
 * row is held against the position that its own numbers say, and against the one after the row
 * before. */
#pragma once

#include "core/verify/candidate.h"
#include "core/verify/solve/row_list.h"

/* Reads the rows of a fitted candidate. False where they have no positions, where too few rows
 * are those of any, or without memory; otherwise the caller frees the list. *param is the
 * parameter that says the positions, NULL where they are those of angles. */
bool solve_rows(struct row_list *list, const struct candidate *base,
                const struct pe_param **param);
