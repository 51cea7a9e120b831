/* SPDX-License-Identifier: Apache-2.0
 * where.h - where a tensor is wrong: runs of rows or columns, and distances for a picture. */
#pragma once

#include "core/posenc_verify.h"

/* Begins with so many rows or columns. */
void where_start(struct pe_verify_where *where, uint64_t count);
/* Adds the largest distance of the next row or column; they come in their order. */
void where_add(struct pe_verify_where *where, uint64_t index, double distance, bool wrong);
/* Joins what two parts of one tensor say of the same rows. */
void where_join(struct pe_verify_where *where, const struct pe_verify_where *other);
/* Ends: count as of where_start. */
void where_end(struct pe_verify_where *where, uint64_t count);
