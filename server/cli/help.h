/* SPDX-License-Identifier: Apache-2.0
 * help.h - the help of posencd as text of 80 columns, from the rows of commands.def and
 * flags.def. */
#pragma once

#include "proto/text/buffer.h"
#include "server/cli/command/command.h"

/* Writes the synopsis of a command: "compute ENCODING [NAME=VALUE ...] [-o FILE]". */
void help_write_synopsis(struct buffer *out, const struct command *command);
void help_write(struct buffer *out, const struct command *command);
void help_write_all(struct buffer *out); /* all commands, in short */
