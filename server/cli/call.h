/* SPDX-License-Identifier: Apache-2.0
 * call.h - one call of a command: its words told apart, options and operands in any order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "server/cli/command.h"

struct call {
    const struct command *command;
    char **word;  /* the operands; all words where they are not told apart */
    size_t count; /* of them */
    const char *value[COMMAND_OPTION_COUNT]; /* "" for a switch; NULL: not given */
    bool wants_help;                         /* --help or -h is among the words */
    size_t wrong; /* words that were wrong, each with a line on standard error */
};

/* Reads the words behind the command's name, and moves the operands to the front of argv. What
 * is wrong is said and counted, and the rest is read on. "--" ends the options; "-" and "-:NAME"
 * are operands. The words are not told apart where help is wanted, or where command->reading is
 * not COMMAND_READING_WORDS. */
void call_read(struct call *call, const struct command *command, int argc, char *argv[]);
