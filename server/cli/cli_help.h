/* SPDX-License-Identifier: Apache-2.0
 * cli_help.h - help that is asked for by --help, or by the command help. */
#pragma once

#include "server/cli/command/call.h"

/* Prints the help of the command; of the encoding that the words name, if its first operand is
 * one. Returns the exit code. */
int cli_help_of(const struct call *call);
int cli_help_all(void);
