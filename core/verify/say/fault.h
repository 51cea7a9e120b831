/* SPDX-License-Identifier: Apache-2.0
 * fault.h - the sentences of faults.def: what is wrong in the code that made the numbers, what
 * repairs it, and the right line. */
#pragma once

#include "core/posenc_verify.h"

/* The two values of a mistake as text; NULL or "": it does not tell them. */
struct fault_values {
    const char *found, *expected;
    const struct pe_param *param; /* the parameter that has them; NULL: none has */
};

/* Writes says, fix and code of a mistake, whose slug and changes are set. A mistake that is no
 * parameter's has a summary, which is said where a sentence wants values that are not told. */
void fault_write(struct pe_mistake *mistake, const struct fault_values *values,
                 const char *summary);
