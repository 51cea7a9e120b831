/* SPDX-License-Identifier: Apache-2.0
 * cli_model_tables.h - posencd models ID NAME=VALUE ... -o FILE: exactly the bytes that
 * GET /v1/models/ID/tables?NAME=VALUE sends. */
#pragma once

#include "proto/models/models.h"
#include "server/cli/command/call.h"

/* Writes the tables of the model that the first word names. Returns the exit code. */
int cli_model_tables(const struct call *call, const struct models *models);
