/* SPDX-License-Identifier: Apache-2.0
 * args_row.h - values that are given to parameters of sample (tests/support/core_sample.h), as
 * functions of text_row.h. */
#pragma once

#include <stdio.h>

/* Gives the values of "dim=8 flag=true weights=[0,1]" one after the other and writes what comes
 * of each, joined by " | ": the field afterwards, or "NAME STATUS sentence / hint". */
void args_row_set(FILE *out, const char *text, const char *claim);
/* Writes the field of a parameter that is not given. */
void args_row_default(FILE *out, const char *text, const char *claim);
