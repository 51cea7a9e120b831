/* SPDX-License-Identifier: Apache-2.0
 * args_at.h - arguments like others, at other positions, for a caller that asks for one row
 * after the other. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"

/* Makes the arguments remember what pe_args_at needs; called before pe_args_check. */
void pe_args_keep(struct pe_args *args);
/* Returns checked arguments that are as if everything had been given again, but another text
 * for the parameter of that name, a PE_POSITIONS, in a fraction of the time; they refer to
 * `like`, which must be checked. NULL: they must be given and checked anew, because the text
 * is refused, the values of other parameters depend on these positions, another list or
 * tensor was given, or there is no memory. */
struct pe_args *pe_args_at(struct pe_args *like, const char *name, const char *text,
                           size_t len);
