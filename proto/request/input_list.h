/* SPDX-License-Identifier: Apache-2.0
 * input_list.h - a tensor as the value of a list or a matrix: a learned table that is small, or
 * a tensor of a binary body. The value is that of a JSON body with the same numbers. */
#pragma once

#include <stdint.h>

#include "core/posenc.h"

/* Gives a PE_REALS or PE_POSITIONS the numbers of a tensor, exactly, as float64. Axes of length
 * 1 before the last two are left out; one axis is a list, two are rows, and a scalar is a list
 * of one number. Positions have one row, and a dtype of integers, or F32 or F64 where the
 * parameter's row allows fractions. */
enum pe_status input_list_set(struct pe_args *args, const struct pe_param *param,
                              const struct pe_tensor *info, const void *data,
                              struct pe_errors *errors);
/* Checks that whole numbers are exact as float64; a problem has the name. */
enum pe_status input_list_check_exact(const char *name, const int64_t *numbers, uint64_t count,
                                      struct pe_errors *errors);
