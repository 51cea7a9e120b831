/* SPDX-License-Identifier: Apache-2.0
 * call.h - one call of a command: its words told apart, options and operands in any order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "server/cli/command/command.h"

/* Reads the words behind the command's name, and moves the operands to the front of argv.
 * What is wrong is said and counted, and the rest is read on. "--" ends the options; "-"
 * and "-:NAME" are operands. The words are not told apart where help is wanted, or where
 * command->reading is not COMMAND_READING_WORDS. */
void call_read(struct call *call, const struct command *command, int argc, char *argv[]);
