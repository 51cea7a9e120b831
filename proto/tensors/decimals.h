/* SPDX-License-Identifier: Apache-2.0
 * decimals.h - numbers that a program printed: those of float32 have at most nine digits. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"

/* Returns PE_F32 if every number is one of float32, or has at most nine significant decimal
 * digits, as printed float32 has; else PE_F64. */
enum pe_dtype decimals_type(const double *numbers, size_t count);
