/* SPDX-License-Identifier: Apache-2.0
 * tensor_row.h - tables that a client or an operator gave: checks their shape while planning,
 * reads their elements as doubles while filling, whatever their dtype. */
#pragma once

#include "core/encoding.h"

/* Checks that the table holds reals and has these axes ("rows,dim"; "heads,rows,dim"), none of
 * them empty; `name` is the name of its parameter. */
enum pe_status tensor_row_check(const struct pe_tensor *tensor, const char *name,
                                const char *axes, struct pe_errors *errors);

/* Puts axes of length one before those of a given tensor until it has `rank` axes; for
 * resolve. */
void tensor_row_widen(struct pe_tensor *tensor, size_t rank);

/* Reads elements [col, col + cols) of row `row` exactly: the last axis is the columns, the
 * others are counted together. */
void tensor_row(const struct pe_tensor *tensor, const void *data, uint64_t row, uint64_t col,
                uint64_t cols, double *out);
/* Reads the elements of one column of rows [row, row + rows). */
void tensor_row_column(const struct pe_tensor *tensor, const void *data, uint64_t row,
                       uint64_t col, uint64_t rows, double *out);
/* Reads element number i, in row-major order. */
double tensor_row_at(const struct pe_tensor *tensor, const void *data, uint64_t i);
