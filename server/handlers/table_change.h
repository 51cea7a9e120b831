/* SPDX-License-Identifier: Apache-2.0
 * table_change.h - PUT and DELETE of /v1/tables/{name}: an administrator's change of a file,
 * made on the pool and acknowledged when it is on the disk and in service. */
#pragma once

#include "server/exchange/internal.h"

exchange_step table_change_begin;
