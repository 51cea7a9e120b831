/* SPDX-License-Identifier: Apache-2.0
 * table_pages.h - /v1/tables and /v1/tables/{name}. */
#pragma once

#include "server/exchange/internal.h"

exchange_step table_pages_list, table_pages_one;
