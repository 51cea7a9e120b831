/* SPDX-License-Identifier: Apache-2.0
 * terminal.h - the terminal that the standard output is, if it is one: a person reads there,
 * and a program elsewhere. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

bool terminal_is_output(void);
/* Returns the characters of a line; 0: the standard output is no terminal, or its lines are of
 * unknown length. */
size_t terminal_columns(void);
