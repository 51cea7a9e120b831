/* SPDX-License-Identifier: Apache-2.0
 * completion_script.h - the scripts that ask `posencd complete` in a shell: the files of
 * server/cli/scripts, made part of the program at build time. */
#pragma once

#include <stddef.h>

size_t completion_script_count(void);
const char *completion_script_shell(size_t i); /* i < completion_script_count() */
/* Returns the script for a shell, NULL if there is none. */
const char *completion_script_find(const char *shell);
