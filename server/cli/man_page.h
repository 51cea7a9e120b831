/* SPDX-License-Identifier: Apache-2.0
 * man_page.h - manual pages of posencd and its commands as roff text (man(7)), from the rows of
 * commands.def and flags.def. */
#pragma once

#include "proto/text/buffer.h"
#include "server/cli/command/command.h"

/* Writes posencd(1); or posencd-COMMAND(1), if command is not NULL. */
void man_page_write(struct buffer *out, const struct command *command);
