/* SPDX-License-Identifier: Apache-2.0
 * table.h - reads the content of a struct pe_table. */
#pragma once

#include "core/encoding.h"

/* Adds what fills of these arguments need; returns false if memory ran out. */
bool table_complete(struct pe_table *table, const struct pe_args *args);
const void *table_content(const struct pe_table *table); /* the bytes that table_build made */
