/* SPDX-License-Identifier: Apache-2.0
 * model_tables.h - /v1/models/{model}/tables: all tables of a model in one file. */
#pragma once

#include "server/exchange/internal.h"

exchange_step model_tables_begin;
