/* SPDX-License-Identifier: Apache-2.0
 * table.h - reads the content of a struct pe_table. */
#pragma once

#include "core/encoding.h"

const void *table_content(const struct pe_table *table); /* the bytes that table_build made */
