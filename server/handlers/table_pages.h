/* SPDX-License-Identifier: Apache-2.0
 * table_pages.h - /v1/tables and /v1/tables/{name}. */
#pragma once

#include "server/document/document.h"

/* Rows of pages.def. */
document_read table_pages_read_list, table_pages_read_one;
document_write table_pages_write_list, table_pages_write_one;
