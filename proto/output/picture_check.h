/* SPDX-License-Identifier: Apache-2.0
 * picture_check.h - whether the elements of a tensor fit a picture, and what would. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"

/* Returns whether the tensor has elements, and its picture no more than RASTER_SIDE_MAX pixels
 * a side. */
bool picture_check_fits(const struct pe_tensor_info *tensor, unsigned cell);
/* Refuses a tensor without elements, and a picture of more than RASTER_SIDE_MAX pixels a side:
 * the problem names the largest cell= that fits, or else fewer positions. index: of the tensor;
 * format: the name of the picture's format. */
enum pe_status picture_check(const struct pe_plan *plan, size_t index, const char *format,
                             unsigned cell, struct pe_errors *errors);
