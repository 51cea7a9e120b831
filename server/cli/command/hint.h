/* SPDX-License-Identifier: Apache-2.0
 * hint.h - what was probably meant by a word that posencd has not: an option of other programs,
 * a parameter written as an option, a misspelt name. */
#pragma once

#include <stdbool.h>

#include "server/cli/command/command.h"

/* Says that the command has no such option, and what would be right. `next` is the next word or
 * NULL. A
 * parameter that was meant is noted. Returns how many words after the option belong to it. */
int hint_option(struct call *call, const char *word, const char *next);

/* Looks among the words of serve for an option by which other servers get their address
 * (--port, --host, -p); says what to write instead and returns true if there is one. */
bool hint_listen(int argc, char *const argv[]);
