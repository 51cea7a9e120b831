/* SPDX-License-Identifier: Apache-2.0
 * answer_limit.h - a limit of answers that an option of a command sets. */
#pragma once

#include <stdbool.h>

#include "server/cli/command/call.h"
#include "server/config/config.h"

/* Reads the option, if it is given, as the flag of serve of the same name is read:
 * --max-elements or --max-text-elements. False after a line on stderr. */
bool answer_limit_set(struct config *config, const struct call *call,
                      enum command_option_id id);
