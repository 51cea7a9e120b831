/* SPDX-License-Identifier: Apache-2.0
 * table.h - the inside of struct pe_table that plan.c needs. */
#ifndef PE_TABLE_H
#define PE_TABLE_H

#include "core/encoding.h"

const void *table_content(const struct pe_table *table); /* what table_build made */

#endif
